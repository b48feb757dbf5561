package reader

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/transform"
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

func newDecoder(charset string) (decoder, error) {
	switch charset {
	case "":
		return decoder{charset: "auto"}, nil
	case "auto", "utf-8", "latin-1", "gb18030":
		return decoder{charset: charset}, nil
	}
	return decoder{}, fmt.Errorf("unknown charset %q; known: %v", charset, Charsets())
}

// decode gives the text as UTF-8: itself where it is, else a buffer that the
// next call overwrites. guessed says that auto fell back to Latin-1.
func (d *decoder) decode(text []byte) (utf []byte, guessed bool, err error) {
	switch d.charset {
	case "utf-8":
		return bytes.TrimPrefix(text, utf8BOM), false, nil
	case "latin-1":
		return d.latin1(text), false, nil
	case "gb18030":
		d.buffer, _, err = transform.Append(simplifiedchinese.GB18030.NewDecoder(), d.buffer[:0], text)
		return d.buffer, false, err
	}
	if text = bytes.TrimPrefix(text, utf8BOM); utf8.Valid(text) {
		return text, false, nil
	}
	return d.latin1(text), true, nil
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
