package reader

import (
	"bufio"
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/transform"

	"github.com/termsift/termsift/engine/document"
)

// This file finds the encoding of an input of many documents, once for the whole input.

// sampleBytes is how much of an input decides what it is in, from the first byte on that is
// no ASCII.
const sampleBytes = 64 << 10

// An inputCharset is what is known of the encoding of one input. It belongs to the goroutine
// that cuts. What it finds depends on the bytes of the input alone, not on how they are cut.
type inputCharset struct {
	encoding string // "" until a byte is met that is no ASCII
	ascii    int    // bytes at the front of the data at hand that are ASCII
}

// utf8Input discards the byte order mark of an input, and decodes one in UTF-16, or in a
// charset that is decoded whole, to UTF-8. encoding is what the texts in it are in then, ""
// if that is to be found out.
func (s *Source) utf8Input(name string, in *bufio.Reader) (_ *bufio.Reader, encoding string) {
	prefix, _ := peek(in, prefixBytes)
	charset := s.opt.Charset
	switch {
	case bytes.HasPrefix(prefix, utf8BOM):
		_, _ = in.Discard(len(utf8BOM)) // they are in the buffer
		return in, inUTF8
	case isUTF16(prefix):
		charset = inUTF16
	case charset == "auto":
		if charset = bareUTF16(prefix); charset == "" {
			return in, ""
		}
		s.note("%s: it has no mark, and was read as %s; --charset says otherwise", name, charset)
	case !decodedWhole(charset):
		return in, charset
	}
	return bufio.NewReaderSize(transform.NewReader(in, encodingNamed(charset).NewDecoder()), bufferBytes), inUTF8
}

// look decides by the data at hand, unless that is ASCII. It returns false if more data is
// needed for that; end says that there is none.
func (c *inputCharset) look(data []byte, end bool) bool {
	if c.encoding != "" {
		return true
	}
	c.ascii += asciiLength(data[c.ascii:])
	sample := data[c.ascii:]
	switch {
	case len(sample) == 0:
		return true
	case len(sample) < sampleBytes && !end:
		return false
	case len(sample) > sampleBytes:
		sample = wholeRunes(sample[:sampleBytes])
	}
	c.encoding = guessEncoding(sample)
	return true
}

// moved says that n bytes at the front of the data are no longer at hand.
func (c *inputCharset) moved(n int) { c.ascii = max(c.ascii-n, 0) }

// ofFrame returns the encoding of the texts of a frame.
func (c *inputCharset) ofFrame() string {
	if c.encoding == "" {
		return inASCII
	}
	return c.encoding
}

// wholeRunes returns text without a character of UTF-8 that is cut at its end.
func wholeRunes(text []byte) []byte {
	for i := len(text) - 1; i >= max(len(text)-utf8.UTFMax, 0); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return text[:i]
			}
			break
		}
	}
	return text
}

// decide decides what an input is in by the data at hand and tells the cutter. It returns
// false if more data is needed. frame is the number of the one that is cut.
func (s *Source) decide(charset *inputCharset, c cutter, data []byte, end bool, pos document.Position, frame int) bool {
	known := charset.encoding
	if !charset.look(data, end) {
		return false
	}
	if charset.encoding != known {
		s.doubtInput(charset.encoding, data[charset.ascii:], pos, frame)
	}
	if asks, ok := c.(interface{ isIn(encoding string) }); ok {
		asks.isIn(charset.ofFrame())
	}
	return true
}

// isUTF16 reports whether a prefix is a byte order mark of UTF-16.
func isUTF16(prefix []byte) bool {
	return bytes.HasPrefix(prefix, []byte("\xff\xfe")) || bytes.HasPrefix(prefix, []byte("\xfe\xff"))
}
