package reader

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/transform"

	"github.com/termsift/termsift/engine/document"
)

// This file decodes texts to UTF-8.

var utf8BOM = []byte("\xef\xbb\xbf")

// Charsets lists the values of Options.Charset.
func Charsets() []string { return []string{"auto", "utf-8", "latin-1", "gb18030"} }

// A decoder holds a buffer that is reused for every text.
type decoder struct {
	charset string
	buffer  []byte
}

// decode gives the text as UTF-8, itself where it is, else a buffer that the
// next call overwrites; and the encoding that it was in.
func (d *decoder) decode(text []byte) (utf []byte, encoding string, err error) {
	switch d.charset {
	case "utf-8":
		return bytes.TrimPrefix(text, utf8BOM), "utf-8", nil
	case "latin-1":
		return d.latin1(text), "latin-1", nil
	case "gb18030":
		d.buffer, _, err = transform.Append(simplifiedchinese.GB18030.NewDecoder(), d.buffer[:0], text)
		return d.buffer, "gb18030", err
	}
	if text = bytes.TrimPrefix(text, utf8BOM); utf8.Valid(text) {
		return text, "utf-8", nil
	}
	return d.latin1(text), "latin-1", nil
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
	first := 0
	for first < len(text) && text[first] < utf8.RuneSelf {
		first++
	}
	if first == len(text) {
		return text
	}
	d.buffer = append(d.buffer[:0], text[:first]...)
	for _, c := range text[first:] {
		d.buffer = utf8.AppendRune(d.buffer, rune(c))
	}
	return d.buffer
}
