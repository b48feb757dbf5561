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

// A jsonScan checks JSON and finds its parts without building values, but for the string
// that it has skipped last. It stops at the first problem.
type jsonScan struct {
	data    []byte
	at      int
	out     []byte // as long as data: the last string is out[:n], decoded if data is UTF-8
	n       int
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

// text skips a string with its quotes and decodes it. copyPlain does most of the work.
func (s *jsonScan) text() {
	s.at++
	s.n = 0
	for s.problem == "" {
		s.n, s.at = copyPlain(s.out, s.data, s.n, s.at)
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

// escape skips an escape sequence, or two that make one character, and decodes it.
func (s *jsonScan) escape() {
	start := s.at
	s.at++
	c := s.peek()
	if escapes[c] == 0 {
		s.fail("this may not follow a backslash")
		return
	}
	s.at++
	if c == 'u' {
		for range 4 {
			if hexDigit(s.peek()) < 0 {
				s.fail("a hexadecimal digit should stand here")
				return
			}
			s.at++
		}
	}
	r, size := escapedRune(s.data[start:])
	s.n += utf8.EncodeRune(s.out[s.n:], r)
	s.at = start + size
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// copyPlain copies data[at:] to out[n:] up to the next quote, control character or \u
// escape, or the end, and returns the ends of both; near the end it stops at any escape.
// Shorter escapes become what they stand for. out must be as long as data, and n not above
// at. It takes eight bytes at once. What it costs is that nobody can predict the place of the
// next escape: finding the end of a string first and decoding it after takes 1.5 times as
// long.
func copyPlain(out, data []byte, n, at int) (outEnd, end int) {
	out = out[:len(data)]
	for at+8 <= len(data) && n+8 <= len(out) {
		w := binary.LittleEndian.Uint64(data[at:])
		binary.LittleEndian.PutUint64(out[n:], w) // what is not plain is overwritten
		quote, backslash := w^('"'*lowBits), w^('\\'*lowBits)
		// A byte borrows from the next one only if it is found itself, so that the
		// first one found is right.
		found := ((quote-lowBits)&^quote | (backslash-lowBits)&^backslash | (w-' '*lowBits)&^w) & highBits
		if found == 0 {
			at, n = at+8, n+8
			continue
		}
		plain := bits.TrailingZeros64(found) / 8
		at, n = at+plain, n+plain
		if data[at] != '\\' || at+1 == len(data) || escapes[data[at+1]] == 0 || data[at+1] == 'u' {
			return n, at
		}
		out[n] = escapes[data[at+1]]
		at, n = at+2, n+1
	}
	for at < len(data) && data[at] != '"' && data[at] != '\\' && data[at] >= ' ' {
		out[n] = data[at]
		at, n = at+1, n+1
	}
	return n, at
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

// unescape appends the decoded form of a string without its quotes, which jsonScan must
// have checked. Each malformed byte of UTF-8 and each lone surrogate becomes U+FFFD.
func unescape(to, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == '\\' {
			r, size = escapedRune(text)
		}
		to = utf8.AppendRune(to, r)
		text = text[size:]
	}
	return to
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

// short returns the decoded form of a quoted string, valid until the next call.
func (j *jsonObject) short(quoted []byte) []byte {
	text := quoted[1 : len(quoted)-1]
	if !j.valid || bytes.IndexByte(text, '\\') >= 0 {
		text = unescape(j.p.short[:0], text)
		j.p.short = text
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
