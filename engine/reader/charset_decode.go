package reader

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/transform"

	"github.com/termsift/termsift/engine/document"
)

var utf8BOM = []byte("\xef\xbb\xbf")

// A decoder decodes texts of a charset to UTF-8 with a buffer that every text reuses.
type decoder struct {
	charset string
	// decided is the encoding of the input that the texts are of, which overrides charset;
	// "" where each text is a file and decides for itself.
	decided string
	buffer  []byte
	codecs  map[string]*codec
}

// A codec decodes one encoding.
type codec struct {
	single *[128]rune // of the bytes from 128 on; nil where many decodes
	many   transform.Transformer
}

// decode returns the text in UTF-8 and the encoding that it was in. A text that needs no
// decoding is returned itself, any other in a buffer that the next call overwrites.
func (d *decoder) decode(text []byte) (utf []byte, encoding string, err error) {
	if auto := d.charset == "auto"; d.decided == "" && (auto || d.charset == inUTF8) {
		switch {
		case auto && isUTF16(text):
			utf, err = d.as(inUTF16, text)
			return utf, inUTF16, err
		case bytes.HasPrefix(text, utf8BOM):
			return text[len(utf8BOM):], inUTF8, nil
		case auto:
			if order := bareUTF16(text); order != "" {
				utf, err = d.as(order, text)
				return utf, inBareUTF16, err
			}
		}
	}
	encoding = d.encodingOf(text)
	utf, err = d.as(encoding, text)
	return utf, encoding, err
}

// encodingOf returns the encoding of a text without a byte order mark.
func (d *decoder) encodingOf(text []byte) string {
	switch {
	case d.charset != "auto" && d.decided == "":
		return d.charset
	case d.charset != "auto":
		return d.decided
	case d.decided == "":
		return guessEncoding(text)
	}
	rest := text[asciiLength(text):]
	switch {
	case len(rest) == 0:
		return inASCII
	case d.decided == inUTF8 && !utf8.Valid(rest):
		return inPoorUTF8
	}
	return d.decided
}

// decodesAll reports whether all texts of the input at hand have to be decoded.
func (d *decoder) decodesAll() bool {
	switch encoding := d.decided; encoding {
	case "":
		return d.charset != "auto" && d.charset != inUTF8
	case inASCII, inUTF8:
		return false
	}
	return true
}

// as decodes a text of a known encoding; the result lives as long as that of decode. A
// byte that is malformed becomes U+FFFD, and decoding goes on with the next byte, so that no
// ASCII is lost. UTF-8 is returned as it is.
func (d *decoder) as(encoding string, text []byte) (utf []byte, err error) {
	switch encoding {
	case "", inUTF8, inASCII, inPoorUTF8:
		return text, nil
	}
	c := d.codecs[encoding]
	if c == nil {
		c = d.newCodec(encoding)
	}
	if c.single != nil {
		return d.bytewise(c.single, text), nil
	}
	d.buffer, _, err = transform.Append(c.many, d.buffer[:0], text)
	return d.buffer, err
}

func (d *decoder) newCodec(encoding string) *codec {
	e := encodingNamed(encoding)
	c := &codec{single: singleBytes(e), many: e.NewDecoder().Transformer}
	if d.codecs == nil {
		d.codecs = map[string]*codec{}
	}
	d.codecs[encoding] = c
	return c
}

// bytewise decodes a text in which a byte is a character.
func (d *decoder) bytewise(table *[128]rune, text []byte) []byte {
	first := asciiLength(text)
	if first == len(text) {
		return text
	}
	d.buffer = append(d.buffer[:0], text[:first]...)
	for text = text[first:]; len(text) > 0; {
		d.buffer = utf8.AppendRune(d.buffer, table[text[0]&0x7f])
		ascii := text[1:][:asciiLength(text[1:])]
		d.buffer = append(d.buffer, ascii...)
		text = text[1+len(ascii):]
	}
	return d.buffer
}

// decode decodes a text with the parser's decoder and counts its encoding.
func (p *parser) decode(text []byte, pos document.Position) ([]byte, error) {
	utf, encoding, err := p.decoder.decode(text)
	if err != nil {
		return nil, &Error{Pos: pos, Problem: "the text is not " + p.s.opt.Charset, Err: err}
	}
	p.tally.encodings[encoding]++
	if p.decoder.charset == "auto" && p.decoder.decided == "" {
		p.doubt(encoding, text, pos)
	}
	return utf, nil
}
