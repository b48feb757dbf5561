package reader

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
)

// malformedJSON is the problem of what is no JSON.
const malformedJSON = "malformed JSON"

// maxNesting is how deep values may be nested, as in encoding/json.
const maxNesting = 10_000

// A jsonScan checks JSON and finds its parts without building values. It stops at the first problem.
type jsonScan struct {
	data    []byte
	at      int
	depth   int
	problem string // "" = none
	wrong   int    // the place of the problem
}

// fail keeps the first problem.
func (s *jsonScan) fail(problem string) {
	if s.problem == "" {
		s.problem, s.wrong = problem, s.at
	}
}

// error returns an Error with the problem and the bytes around it.
func (s *jsonScan) error(pos document.Position) error {
	around := s.data[max(s.wrong-20, 0):min(s.wrong+20, len(s.data))]
	e := wrong(placeIn(s.data, min(s.wrong, len(s.data)-1), pos), malformedJSON, around, "write one object a line")
	e.Err = errors.New(s.problem)
	return e
}

// peek returns the next byte, 0 at the end.
func (s *jsonScan) peek() byte {
	if s.at < len(s.data) {
		return s.data[s.at]
	}
	return 0
}

// space skips white space and returns the next byte without consuming it.
func (s *jsonScan) space() byte {
	for {
		c := s.peek()
		if c > ' ' || c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c
		}
		s.at++
	}
}

// end fails unless only white space is left.
func (s *jsonScan) end() {
	if s.space(); s.at < len(s.data) {
		s.fail("something follows the object")
	}
}

// value skips a value of any kind.
func (s *jsonScan) value() {
	switch c := s.space(); {
	case c == '"':
		s.text()
	case c == '{':
		s.object(nil)
	case c == '[':
		s.array(nil)
	case c == '-' || isDigit(c):
		s.number()
	case c == 't':
		s.literal("true")
	case c == 'f':
		s.literal("false")
	case c == 'n':
		s.literal("null")
	default:
		s.fail("a value should begin here")
	}
}

// object skips an object and calls each, unless nil, with the bytes of its members.
func (s *jsonScan) object(each func(key, value []byte)) {
	for more := s.open('{', '}'); more; more = s.more('}') {
		if s.space() != '"' {
			s.fail("the name of a field should begin here")
			return
		}
		key := s.at
		s.text()
		keyEnd := s.at
		if s.space() != ':' {
			s.fail("a colon should stand here")
			return
		}
		s.at++
		s.space()
		value := s.at
		s.value()
		if each != nil && s.problem == "" {
			each(s.data[key:keyEnd], s.data[value:s.at])
		}
	}
}

// array skips a list and calls each, unless nil, with the bytes of its elements.
func (s *jsonScan) array(each func(value []byte)) {
	for more := s.open('[', ']'); more; more = s.more(']') {
		s.space()
		value := s.at
		s.value()
		if each != nil && s.problem == "" {
			each(s.data[value:s.at])
		}
	}
}

// open skips the first byte of an object or list and reports whether a member follows; the
// last byte of an empty one is skipped as well.
func (s *jsonScan) open(first, last byte) bool {
	if s.space() != first {
		s.fail("an object should begin here")
		return false
	}
	if s.depth++; s.depth > maxNesting {
		s.fail("values are nested too deep")
		return false
	}
	s.at++
	if s.space() != last {
		return true
	}
	s.depth--
	s.at++
	return false
}

// more skips the comma between members, and reports true, or the last byte after them.
func (s *jsonScan) more(last byte) bool {
	if s.problem != "" {
		return false
	}
	switch s.space() {
	case ',':
		s.at++
		return true
	case last:
		s.depth--
		s.at++
	default:
		s.fail("a comma or the end of the object or list should stand here")
	}
	return false
}

func (s *jsonScan) literal(word string) {
	for i := range len(word) {
		if s.peek() != word[i] {
			s.fail("this is not " + word)
			return
		}
		s.at++
	}
}

func (s *jsonScan) number() {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++ // nothing but a fraction or an exponent may follow
	} else {
		s.digits()
	}
	if s.peek() == '.' {
		s.at++
		s.digits()
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		s.digits()
	}
}

func (s *jsonScan) digits() {
	if !isDigit(s.peek()) {
		s.fail("a digit should stand here")
	}
	for isDigit(s.peek()) {
		s.at++
	}
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// text skips a string with its quotes.
func (s *jsonScan) text() {
	for s.at++; s.problem == ""; {
		s.at += plainLength(s.data[s.at:])
		switch c := s.peek(); {
		case s.at == len(s.data):
			s.fail("a text has no end")
		case c == '"':
			s.at++
			return
		case c == '\\':
			s.escape()
		default:
			s.fail("a control character stands in a text")
		}
	}
}

// plainLength returns how many bytes at the front of data stand for themselves in a text: up to a quote, a backslash or a
// control character. It takes eight at once.
func plainLength(data []byte) int {
	const low, high = 0x0101010101010101, 0x8080808080808080
	at := 0
	for ; at+8 <= len(data); at += 8 {
		w := binary.LittleEndian.Uint64(data[at:])
		quote, backslash := w^('"'*low), w^('\\'*low)
		// A byte borrows from the next one only if it is found itself, so that the first one found is right.
		if found := ((quote-low)&^quote | (backslash-low)&^backslash | (w-' '*low)&^w) & high; found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	for at < len(data) && data[at] != '"' && data[at] != '\\' && data[at] >= ' ' {
		at++
	}
	return at
}

// escape skips an escape sequence.
func (s *jsonScan) escape() {
	s.at++
	c := s.peek()
	if escapes[c] == 0 {
		s.fail("this may not follow a backslash")
		return
	}
	s.at++
	for n := 0; c == 'u' && n < 4; n++ {
		if hexDigit(s.peek()) < 0 {
			s.fail("a hexadecimal digit should stand here")
			return
		}
		s.at++
	}
}

// escapes maps the byte after a backslash to the byte that it stands for; u begins a
// number.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'u': 'u',
}

// hexDigit returns the value of a hexadecimal digit, -1 for another byte.
func hexDigit(c byte) rune {
	switch {
	case isDigit(c):
		return rune(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// unescape appends the decoded form of a string without its quotes, which jsonScan must have checked. Each lone surrogate
// becomes U+FFFD.
func unescape(to, text []byte) []byte {
	for {
		run := indexOrEnd(text, '\\')
		to = append(to, text[:run]...)
		if run == len(text) {
			return to
		}
		r, size := escapedRune(text[run:])
		to = utf8.AppendRune(to, r)
		text = text[run+size:]
	}
}

// escapedRune returns the character and the length of the escape sequence at the front of a
// text.
func escapedRune(text []byte) (r rune, size int) {
	if text[1] != 'u' {
		return rune(escapes[text[1]]), 2
	}
	r = codeUnit(text)
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if pair := utf16.DecodeRune(r, codeUnit(text[6:])); pair != utf8.RuneError {
		return pair, 12
	}
	return utf8.RuneError, 6
}

// codeUnit returns the number of an escape sequence \u1234 at the front of a text, -1 if
// there is none.
func codeUnit(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	return hexDigit(text[2])<<12 | hexDigit(text[3])<<8 | hexDigit(text[4])<<4 | hexDigit(text[5])
}

// short returns the decoded form of a quoted string, valid until the next call. Each malformed byte becomes U+FFFD.
func (j *jsonObject) short(quoted []byte) []byte {
	text := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		text = unescape(j.p.short[:0], text)
		j.p.short = text
	}
	if !j.valid {
		text = []byte(string(bytes.Runes(text)))
	}
	return text
}

// name is short for a string that names something. It fails for malformed UTF-8 and lone
// surrogates, which would make one name of different ones.
func (j *jsonObject) name(what string, quoted []byte) []byte {
	name := j.short(quoted)
	switch {
	case !j.valid && !utf8.Valid(quoted):
		j.fail("the "+what+" is not UTF-8", quoted, "write UTF-8, or name the charset with --charset")
	case bytes.Contains(name, replacement) && loneSurrogate(quoted):
		j.fail("the "+what+" has half of a surrogate pair, which is no character", quoted, `write both halves, as in \ud83d\ude00`)
	}
	return name
}

var replacement = []byte("\ufffd")

// loneSurrogate reports whether a text has an escape sequence of half a surrogate pair.
func loneSurrogate(text []byte) bool {
	for at := bytes.IndexByte(text, '\\'); at >= 0; {
		r, size := escapedRune(text[at:])
		if r == utf8.RuneError && utf16.IsSurrogate(codeUnit(text[at:])) {
			return true
		}
		next := bytes.IndexByte(text[at+size:], '\\')
		if next < 0 {
			return false
		}
		at += size + next
	}
	return false
}
