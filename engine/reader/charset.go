package reader

import (
	"bufio"
	"bytes"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/termsift/termsift/engine/document"
)

var utf8BOM = []byte("\xef\xbb\xbf")

// The encodings that a text may turn out to be in.
const (
	inASCII   = "ascii"
	inUTF8    = "utf-8"
	inUTF16   = "utf-16"
	inLatin1  = "latin-1"
	inGB18030 = "gb18030"
)

// subsets are charsets that GB18030 contains; they are decoded as GB18030.
var subsets = []string{"gbk", "gb2312"}

// Charsets lists the values of Options.Charset.
func Charsets() []string {
	return append([]string{"auto", inUTF8, inLatin1, inGB18030}, subsets...)
}

// superset returns the charset that a charset is decoded as.
func superset(charset string) string {
	if slices.Contains(subsets, charset) {
		return inGB18030
	}
	return charset
}

// A decoder decodes texts of a charset to UTF-8 with a buffer that every text reuses.
type decoder struct {
	charset string
	buffer  []byte
	gb18030 transform.Transformer // made for the first text that is in it
}

// decode returns the text in UTF-8 and the encoding that it was in. A text that needs no
// decoding is returned itself, any other in a buffer that the next call overwrites.
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

// encodingOf returns the encoding of a text without a byte order mark.
func (d *decoder) encodingOf(text []byte) string {
	if d.charset == "auto" {
		return guessEncoding(text)
	}
	return d.charset
}

// as decodes a text of a known encoding; the result lives as long as that of decode. A
// byte that is malformed in GB18030 becomes U+FFFD, and decoding goes on with the next
// byte, so that no ASCII is lost. UTF-8 is returned as it is.
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

// decode decodes a text with the parser's decoder and counts its encoding.
func (p *parser) decode(text []byte, pos document.Position) ([]byte, error) {
	utf, encoding, err := p.decoder.decode(text)
	if err != nil {
		return nil, &Error{Pos: pos, Problem: "the text is not " + p.s.opt.Charset, Err: err}
	}
	p.tally.encodings[encoding]++
	return utf, nil
}

// latin1 decodes Latin-1, in which a byte is the number of its character.
func (d *decoder) latin1(text []byte) []byte {
	first := asciiLength(text)
	if first == len(text) {
		return text
	}
	d.buffer = append(d.buffer[:0], text[:first]...)
	for text = text[first:]; len(text) > 0; {
		d.buffer = utf8.AppendRune(d.buffer, rune(text[0]))
		ascii := text[1:][:asciiLength(text[1:])]
		d.buffer = append(d.buffer, ascii...)
		text = text[1+len(ascii):]
	}
	return d.buffer
}

// unmarked discards the byte order mark of an input, and decodes one in UTF-16 to UTF-8.
func unmarked(in *bufio.Reader) *bufio.Reader {
	prefix, _ := peek(in, 3)
	switch {
	case bytes.HasPrefix(prefix, utf8BOM):
		_, _ = in.Discard(len(utf8BOM)) // they are in the buffer
	case isUTF16(prefix):
		utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
		return bufio.NewReaderSize(transform.NewReader(in, utf16.NewDecoder()), bufferBytes)
	}
	return in
}

// isUTF16 reports whether a prefix is a byte order mark of UTF-16.
func isUTF16(prefix []byte) bool {
	return bytes.HasPrefix(prefix, []byte("\xff\xfe")) || bytes.HasPrefix(prefix, []byte("\xfe\xff"))
}
