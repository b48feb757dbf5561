// Package charset finds out what texts are written in, and decodes them to UTF-8.
//
// It takes bytes and gives UTF-8 with the name of what they were in. A [Decoder] decides for
// each text, an [Input] once for an input of many texts; a [Doubt] says where a guess is most
// likely wrong. Begin reading at decode.go. The package never refuses a text: malformed bytes
// become U+FFFD.
package charset

import (
	"bufio"
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/termsift/termsift/engine/usage"
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
	single *[256]rune // of the bytes; nil where many decodes
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
	if c.single == nil {
		d.buffer, _, _ = transform.Append(c.many, d.buffer[:0], text) // a decoder replaces what is malformed
		return d.buffer
	}
	first := ASCIILength(text)
	if first == len(text) {
		return text
	}
	d.buffer = append(d.buffer[:0], text[:first]...)
	for _, b := range text[first:] {
		d.buffer = utf8.AppendRune(d.buffer, c.single[b])
	}
	return d.buffer
}

func (d *Decoder) newCodec(encoding string) *codec {
	e := encodingNamed(encoding)
	c := &codec{many: e.NewDecoder().Transformer}
	if m, ok := e.(*charmap.Charmap); ok {
		c.single = new([256]rune)
		for i := range c.single {
			c.single[i] = m.DecodeByte(byte(i))
			if c.single[i] == utf8.RuneError && i < 0xa0 { // the standard has a control character there
				c.single[i] = rune(i)
			}
		}
	}
	if d.codecs == nil {
		d.codecs = map[string]*codec{}
	}
	d.codecs[encoding] = c
	return c
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

// The names of encodings that are told apart.
const (
	ASCII   = "ascii"
	UTF8    = "utf-8"
	Latin1  = "latin-1"
	GB18030 = "gb18030"

	BareUTF16   = "utf-16 without a mark"
	PoorUTF8    = "utf-8 with malformed bytes" // of a text in a file that is UTF-8
	CP437       = "cp437"                      // of the names in a zip that says nothing of them
	markedUTF16 = "utf-16"
)

// Auto is the name of the charset that is found out.
const Auto = "auto"

// Mark is the byte order mark of UTF-8.
var Mark = []byte("\xef\xbb\xbf")

// known lists what texts can be in, besides UTF-8, by the names of WHATWG's Encoding
// Standard. There latin-1 is called windows-1252, which has it as a label, and gbk is
// decoded as gb18030.
var known = []string{
	Latin1, GB18030, "big5", "euc-jp", "euc-kr", "ibm866", "iso-2022-jp",
	"iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-8-i",
	"iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u", "macintosh", "shift_jis",
	"utf-16be", "utf-16le", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256",
	"windows-1257", "windows-1258", "windows-874", "x-mac-cyrillic",
}

// Names lists the values of Options.Charset, without the other labels that they have.
func Names() []string { return append([]string{Auto, UTF8}, known...) }

// Parse returns the name in Names of a label of WHATWG's Encoding Standard: latin-1
// for iso-8859-1, cp1252 and windows-1252. "" is auto. Case and white space around do not
// count, nor hyphens and underscores where they are the only difference.
func Parse(label string) (string, error) {
	label = strings.ToLower(strings.TrimSpace(label))
	if label == "" || label == Auto {
		return Auto, nil
	}
	for _, spelling := range []string{label, strings.ReplaceAll(label, "_", "-"), strings.NewReplacer("-", "", "_", "").Replace(label)} {
		e, err := htmlindex.Get(spelling)
		if err != nil {
			continue
		}
		if name, err := htmlindex.Name(e); err == nil {
			if name = cmp.Or(ownNames[name], name); slices.Contains(Names(), name) {
				return name, nil
			}
		}
	}
	return "", usage.Unknown("charset", label, Names())
}

// ownNames has the names here of charsets that WHATWG calls otherwise.
var ownNames = map[string]string{"windows-1252": Latin1, "gbk": GB18030}

// encodingNamed returns the encoding of a name in known.
func encodingNamed(name string) encoding.Encoding {
	switch name {
	case Latin1:
		return charmap.Windows1252
	case CP437:
		return charmap.CodePage437
	case markedUTF16, "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		panic(err) // known has it
	}
	return e
}

// decodedWhole reports whether a charset is decoded before an input is divided, because a
// byte below 128 need not be the character of ASCII there.
func decodedWhole(charset string) bool {
	return strings.HasPrefix(charset, markedUTF16) || charset == "iso-2022-jp"
}

// TrailsASCII reports whether the last byte of a character can be that of a letter, brace or
// backslash of ASCII.
func TrailsASCII(charset string) bool {
	return charset == GB18030 || charset == "big5" || charset == "shift_jis"
}

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
	Decided string // "" until a byte is met that is no ASCII
	ascii   int    // bytes at the front of the data at hand that are ASCII
}

// Look decides by the data at hand, unless that is ASCII. It is not ok if more data is needed
// for that; end says that there is none. A decision that is doubted comes with its doubt.
func (c *Input) Look(data []byte, end bool) (doubt *Doubt, ok bool) {
	if c.Decided != "" {
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
	c.Decided = Guess(sample)
	return DoubtOf(c.Decided, data[:c.ascii+len(sample)]), true // with the front of its first word
}

// Moved says that n bytes at the front of the data are no longer at hand.
func (c *Input) Moved(n int) { c.ascii = max(c.ascii-n, 0) }

// Encoding returns what the texts in the data at hand are in.
func (c *Input) Encoding() string {
	if c.Decided == "" {
		return ASCII
	}
	return c.Decided
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
