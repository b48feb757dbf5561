package charset

import (
	"bufio"
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

const (
	// sampleBytes is how much of an input decides what it is in, from the first byte on that is
	// no ASCII.
	sampleBytes = 64 << 10
	markBytes   = 512 // of an input show whether it is UTF-16
	bufferBytes = 1 << 18
)

// Open discards the byte order mark of an input, and decodes one in UTF-16, or in a charset
// that is decoded whole, to UTF-8. encoding is what the texts in it are in then, "" if that is
// to be found out; bare is the order of UTF-16 that it was taken for without a mark.
func Open(in *bufio.Reader, charset string) (utf *bufio.Reader, encoding, bare string) {
	prefix, _ := in.Peek(markBytes) // an error comes again
	switch {
	case bytes.HasPrefix(prefix, Mark):
		_, _ = in.Discard(len(Mark)) // they are in the buffer
		return in, UTF8, ""
	case hasUTF16Mark(prefix):
		charset = markedUTF16
	case charset == Auto:
		if bare = bareUTF16(prefix); bare == "" {
			return in, "", ""
		}
		charset = bare
	case !decodedWhole(charset):
		return in, charset, ""
	}
	return bufio.NewReaderSize(transform.NewReader(in, encodingNamed(charset).NewDecoder()), bufferBytes), UTF8, bare
}

// An Input is what is known of the encoding of one input of many documents. It belongs to the
// goroutine that cuts. What it finds depends on the bytes of the input alone, not on how they
// are cut.
type Input struct {
	encoding string // "" until a byte is met that is no ASCII
	ascii    int    // bytes at the front of the data at hand that are ASCII
}

// NewInput returns what Open said of an input.
func NewInput(encoding string) *Input { return &Input{encoding: encoding} }

// Look decides by the data at hand, unless that is ASCII. It is not ok if more data is needed
// for that; end says that there is none. A decision that is doubted comes with its doubt.
func (c *Input) Look(data []byte, end bool) (doubt *Doubt, ok bool) {
	if c.encoding != "" {
		return nil, true
	}
	c.ascii += ASCIILength(data[c.ascii:])
	sample := data[c.ascii:]
	switch {
	case len(sample) == 0:
		return nil, true
	case len(sample) < sampleBytes && !end:
		return nil, false
	case len(sample) > sampleBytes:
		sample = wholeRunes(sample[:sampleBytes])
	}
	c.encoding = Guess(sample)
	return DoubtOf(c.encoding, data[:c.ascii+len(sample)]), true // with the front of its first word
}

// Moved says that n bytes at the front of the data are no longer at hand.
func (c *Input) Moved(n int) { c.ascii = max(c.ascii-n, 0) }

// Encoding returns what the texts in the data at hand are in.
func (c *Input) Encoding() string {
	if c.encoding == "" {
		return ASCII
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
