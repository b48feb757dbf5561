package reader

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/termsift/termsift/engine/document"
)

// This file decodes texts to UTF-8.

var utf8BOM = []byte("\xef\xbb\xbf")

// The encodings that a text may turn out to be in.
const (
	inASCII   = "ascii"
	inUTF8    = "utf-8"
	inUTF16   = "utf-16"
	inLatin1  = "latin-1"
	inGB18030 = "gb18030"
)

// subsets of GB18030 are read as that.
var subsets = []string{"gbk", "gb2312"}

// Charsets lists the values of Options.Charset.
func Charsets() []string {
	return append([]string{"auto", inUTF8, inLatin1, inGB18030}, subsets...)
}

// superset gives the charset that a charset is read as.
func superset(charset string) string {
	if slices.Contains(subsets, charset) {
		return inGB18030
	}
	return charset
}

// A decoder holds a buffer that is reused for every text.
type decoder struct {
	charset string
	buffer  []byte
	gb18030 transform.Transformer // made for the first text that is in it
}

// decode gives the text as UTF-8, itself where it is, else a buffer that the
// next call overwrites; and the encoding that it was in.
func (d *decoder) decode(text []byte) (utf []byte, encoding string, err error) {
	auto := d.charset == "auto"
	switch {
	case auto && isUTF16(text):
		utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
		d.buffer, _, err = transform.Append(utf16, d.buffer[:0], text)
		return d.buffer, inUTF16, err
	case (auto || d.charset == inUTF8) && bytes.HasPrefix(text, utf8BOM):
		return text[len(utf8BOM):], inUTF8, nil
	}
	encoding = d.encodingOf(text)
	utf, err = d.as(encoding, text)
	return utf, encoding, err
}

// encodingOf gives the encoding of a text without a mark.
func (d *decoder) encodingOf(text []byte) string {
	if d.charset == "auto" {
		return guessEncoding(text)
	}
	return d.charset
}

// as gives a text that is in a known encoding as decode does. A byte that is
// malformed in GB18030 becomes U+FFFD, one for each byte at most, and the
// byte behind it is read afresh: no ASCII is lost. UTF-8 stays as it is.
func (d *decoder) as(encoding string, text []byte) (utf []byte, err error) {
	switch encoding {
	case inLatin1:
		return d.latin1(text), nil
	case inGB18030:
		if d.gb18030 == nil {
			d.gb18030 = simplifiedchinese.GB18030.NewDecoder().Transformer
		}
		d.buffer, _, err = transform.Append(d.gb18030, d.buffer[:0], text)
		return d.buffer, err
	}
	return text, nil
}

// decode is the decoder's, counted.
func (p *parser) decode(text []byte, pos document.Position) ([]byte, error) {
	utf, encoding, err := p.decoder.decode(text)
	if err != nil {
		return nil, &Error{Pos: pos, Problem: "the text is not " + p.s.opt.Charset, Err: err}
	}
	p.tally.encodings[encoding]++
	return utf, nil
}

// latin1 turns every byte into the character of its number.
func (d *decoder) latin1(text []byte) []byte {
	first := asciiLength(text)
	if first == len(text) {
		return text
	}
	d.buffer = append(d.buffer[:0], text[:first]...)
	for _, c := range text[first:] {
		d.buffer = utf8.AppendRune(d.buffer, rune(c))
	}
	return d.buffer
}
