// Package charset finds out what texts are written in, and decodes them to UTF-8.
//
// It takes bytes and gives UTF-8 with the name of what they were in. A [Decoder] decides for
// each text, an [Input] once for an input of many texts; a [Doubt] says where a guess is most
// likely wrong. Begin reading at decode.go. The package never refuses a text: malformed bytes
// become U+FFFD.
package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// A Decoder decodes texts of a charset to UTF-8 with a buffer that every text reuses.
type Decoder struct {
	Charset string // a name of Names
	// Decided is the encoding of the input that the texts are of, which overrides Charset;
	// "" where each text is a file and decides for itself.
	Decided string
	buffer  []byte
	codecs  map[string]*codec
}

// A codec decodes one encoding.
type codec struct {
	single *[128]rune // of the bytes from 128 on; nil where many decodes
	many   transform.Transformer
}

// Decode returns the text in UTF-8 and the encoding that it was in. A text that needs no
// decoding is returned itself, any other in a buffer that the next call overwrites.
func (d *Decoder) Decode(text []byte) (utf []byte, encoding string) {
	if auto := d.Charset == Auto; d.Decided == "" && (auto || d.Charset == UTF8) {
		switch {
		case auto && hasUTF16Mark(text):
			return d.As(markedUTF16, text), markedUTF16
		case bytes.HasPrefix(text, Mark):
			return text[len(Mark):], UTF8
		case auto:
			if order := bareUTF16(text); order != "" {
				return d.As(order, text), BareUTF16
			}
		}
	}
	encoding = d.EncodingOf(text)
	return d.As(encoding, text), encoding
}

// EncodingOf returns the encoding of a text without a byte order mark. In an input of ASCII it
// looks at no byte: [Input.Look] has.
func (d *Decoder) EncodingOf(text []byte) string {
	switch {
	case d.Charset != Auto && d.Decided == "":
		return d.Charset
	case d.Charset != Auto || d.Decided == ASCII:
		return d.Decided
	case d.Decided == "":
		return Guess(text)
	}
	rest := text[ASCIILength(text):]
	switch {
	case len(rest) == 0:
		return ASCII
	case d.Decided == UTF8 && !utf8.Valid(rest):
		return PoorUTF8
	}
	return d.Decided
}

// DecodesAll reports whether all texts of the input at hand have to be decoded.
func (d *Decoder) DecodesAll() bool {
	switch d.Decided {
	case "":
		return d.Charset != Auto && d.Charset != UTF8
	case ASCII, UTF8:
		return false
	}
	return true
}

// Valid reports whether a text that needs no decoding is UTF-8 without malformed bytes.
func (d *Decoder) Valid(text []byte) bool { return d.Decided == ASCII || utf8.Valid(text) }

// As decodes a text of a known encoding; the result lives as long as that of Decode. A
// byte that is malformed becomes U+FFFD, and decoding goes on with the next byte, so that no
// ASCII is lost. UTF-8 is returned as it is.
func (d *Decoder) As(encoding string, text []byte) []byte {
	switch encoding {
	case "", UTF8, ASCII, PoorUTF8:
		return text
	}
	c := d.codecs[encoding]
	if c == nil {
		c = d.newCodec(encoding)
	}
	if c.single != nil {
		return d.bytewise(c.single, text)
	}
	d.buffer, _, _ = transform.Append(c.many, d.buffer[:0], text) // a decoder replaces what is malformed
	return d.buffer
}

func (d *Decoder) newCodec(encoding string) *codec {
	e := encodingNamed(encoding)
	c := &codec{single: singleBytes(e), many: e.NewDecoder().Transformer}
	if d.codecs == nil {
		d.codecs = map[string]*codec{}
	}
	d.codecs[encoding] = c
	return c
}

// bytewise decodes a text in which a byte is a character.
func (d *Decoder) bytewise(table *[128]rune, text []byte) []byte {
	first := ASCIILength(text)
	if first == len(text) {
		return text
	}
	d.buffer = append(d.buffer[:0], text[:first]...)
	for text = text[first:]; len(text) > 0; {
		d.buffer = utf8.AppendRune(d.buffer, table[text[0]&0x7f])
		ascii := text[1:][:ASCIILength(text[1:])]
		d.buffer = append(d.buffer, ascii...)
		text = text[1+len(ascii):]
	}
	return d.buffer
}

// Name decodes a name, such as a folder's, beside a text: it leaves the text of the last call
// of Decode alone.
func (d *Decoder) Name(name []byte) string {
	if utf8.Valid(name) {
		return string(name)
	}
	beside := Decoder{Charset: d.Charset, Decided: d.Decided, codecs: d.codecs}
	utf, _ := beside.Decode(name)
	if decodedWhole(d.Charset) {
		utf = name
	}
	return strings.ToValidUTF8(string(utf), "\ufffd")
}
