package reader

import (
	"errors"
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
	return &Error{
		Pos: placeIn(s.data, min(s.wrong, len(s.data)-1), pos), Problem: malformedJSON, Bytes: string(s.data[max(s.wrong-20, 0):min(s.wrong+20, len(s.data))]),
		Err: errors.New(s.problem), Remedy: "write one object a line",
	}
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
