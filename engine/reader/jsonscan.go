package reader

import (
	"errors"

	"github.com/termsift/termsift/engine/document"
)

// This file walks over JSON values without building them. The language is that
// of encoding/json.

// maxNesting is how deep values may be nested.
const maxNesting = 10_000

// A jsonScan walks over one value of JSON, or up to what is wrong in it.
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

// error shows the problem with the bytes around it.
func (s *jsonScan) error(pos document.Position) error {
	pos.Column = min(s.wrong+1, len(s.data))
	return &Error{
		Pos: pos, Problem: "malformed JSON", Bytes: string(s.data[max(s.wrong-20, 0):min(s.wrong+20, len(s.data))]),
		Err: errors.New(s.problem), Remedy: "write one object a line",
	}
}

// peek gives the next byte, 0 at the end.
func (s *jsonScan) peek() byte {
	if s.at < len(s.data) {
		return s.data[s.at]
	}
	return 0
}

// space passes over white space and gives the byte behind it.
func (s *jsonScan) space() byte {
	for {
		c := s.peek()
		if c > ' ' || c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c
		}
		s.at++
	}
}

// end expects nothing but white space.
func (s *jsonScan) end() {
	if s.space(); s.at < len(s.data) {
		s.fail("something follows the object")
	}
}

// value passes over a value of any kind.
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

// object passes over an object and gives its members as they stand there.
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

// array passes over a list and gives its elements as they stand there.
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

// open begins an object or a list, and says whether there is something in it.
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

// more passes over the comma between members, or the last byte behind them.
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

// text passes over a text with its quotes. Most are plain but for escapes of two
// bytes, and are left to plainText.
func (s *jsonScan) text() {
	s.at++
	for s.problem == "" {
		s.at = plainText(s.data, s.at)
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

// escape passes over a backslash and what belongs to it.
func (s *jsonScan) escape() {
	s.at++
	c := s.peek()
	if escapes[c] == 0 {
		s.fail("this may not follow a backslash")
		return
	}
	s.at++
	if c != 'u' {
		return
	}
	for range 4 {
		if hexDigit(s.peek()) < 0 {
			s.fail("a hexadecimal digit should stand here")
			return
		}
		s.at++
	}
}
