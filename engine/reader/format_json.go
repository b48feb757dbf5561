package reader

import (
	"bytes"
	"errors"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
)

// This file reads a JSON array of objects, as pandas writes them by to_json(orient="records"),
// or objects one behind the other: they are those of JSON lines, with or without line breaks in
// them. The array is never in memory as a whole. An object without an id has the number of its
// place.

// A jsonCutter divides an array into whole elements. It knows the grammar around them; what
// is within them the parser checks.
type jsonCutter struct {
	s        *Source
	state    arrayState
	elements int // cut so far
}

// An arrayState says what may stand next in an array.
type arrayState int

const (
	beforeArray arrayState = iota
	beforeFirst
	afterElement
	afterComma
	afterArray
	betweenObjects // that are in no array
)

// arrayGrammar has the states that bytes lead to, those of elements behind these, and what other bytes are told.
var arrayGrammar = [...]struct {
	next     map[byte]arrayState
	expected string
}{
	beforeArray:    {map[byte]arrayState{'[': beforeFirst, '{': betweenObjects}, "an array should begin here"},
	beforeFirst:    {map[byte]arrayState{'{': afterElement, ']': afterArray}, "an object should begin here, as every element of the array is one"},
	afterElement:   {map[byte]arrayState{',': afterComma, ']': afterArray}, "a comma or the end of the array should stand here"},
	afterComma:     {map[byte]arrayState{'{': afterElement}, "an object should begin here, as every element of the array is one"},
	afterArray:     {nil, "something follows the array"},
	betweenObjects: {map[byte]arrayState{'{': betweenObjects}, "the next object should begin here"},
}

var jsonLayout = layout{
	format: JSON, extensions: []string{".json"}, detect: looksLikeArray, fields: true,
	open:   func(s *Source, _ string) cutter { return &jsonCutter{s: s} },
	parser: func(p *parser) frameParser { return newJSONParser(p).array },
}

// cut returns the length of the whole elements at the front of data, with what is around
// them.
func (c *jsonCutter) cut(f *frame, end bool) (int, error) {
	data := f.data
	f.records = c.elements
	if charset.TrailsASCII(f.encoding) { // a character may end in a backslash
		return 0, wrong(f.pos, "a JSON array is not read in "+f.encoding, "", "convert it to UTF-8, or write one object a line")
	}
	for at := 0; ; {
		at += len(data[at:]) - len(bytes.TrimLeft(data[at:], " \t\r\n"))
		if at == len(data) {
			if end && c.state != beforeArray && c.state != afterArray && c.state != betweenObjects {
				return 0, f.error(at, "the array breaks off: no closing ] follows", "fetch or write it again")
			}
			return at, nil
		}
		next, ok := arrayGrammar[c.state].next[data[at]]
		if !ok {
			return 0, f.error(at, malformedJSON+": "+arrayGrammar[c.state].expected, `write [{"text":".."},{"text":".."}]`)
		}
		n := 1
		if data[at] == '{' {
			if n = objectLength(data[at:]); n == 0 && end {
				return 0, f.error(at, "the input breaks off in the object that begins here", "fetch or write it again")
			} else if n == 0 {
				return at, nil
			}
			c.elements++
		}
		c.state = next
		at += n
	}
}

// error returns an error about data[at].
func (f *frame) error(at int, problem, remedy string) error {
	return wrong(placeIn(f.data, at, f.place()), problem, f.data[at:min(at+40, len(f.data))], remedy)
}

// placeIn returns the position of data[at], if base is that of data. A base without a column
// is the beginning of a line.
func placeIn(data []byte, at int, base document.Position) document.Position {
	lines := bytes.Count(data[:at], []byte{'\n'})
	column := at - bytes.LastIndexByte(data[:at], '\n')
	if lines == 0 && base.Column > 0 {
		column += base.Column - 1
	}
	base.Line, base.Column = base.Line+lines, column
	return base
}

// objectLength returns the length of the object at the front of data, 0 if its end is not
// there. It pairs brackets of any kind, and knows strings.
func objectLength(data []byte) int {
	depth := 0
	for at := 0; at < len(data); at++ {
		switch data[at] {
		case '"':
			n := stringLength(data[at:])
			if n == 0 {
				return 0
			}
			at += n - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return 0
}

// isOneObject reports whether data is an object and nothing else.
func isOneObject(data []byte) bool {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, charset.Mark))
	return len(data) > 0 && data[0] == '{' && objectLength(data) == len(data)
}

// stringLength returns the length of the string at the front of data with its quotes, 0 if
// its end is not there.
func stringLength(data []byte) int {
	for at := 1; at < len(data); at++ {
		switch data[at] {
		case '"':
			return at + 1
		case '\\':
			at++
		}
	}
	return 0
}

// array emits the documents of a frame, whose elements are whole.
func (p *jsonParser) array(_ any, f *frame) error {
	p.element = f.records
	pos := f.place()
	for rest := f.data; ; {
		at := bytes.IndexByte(rest, '{')
		if at < 0 {
			return nil
		}
		pos = placeIn(rest, at, pos)
		rest = rest[at:]
		n := objectLength(rest)
		p.element++
		if err := p.bad(p.object(rest[:n], pos)); err != nil {
			return err
		}
		pos = placeIn(rest, n, pos)
		rest = rest[n:]
	}
}

// object emits the document of an element.
func (p *jsonParser) object(element []byte, pos document.Position) error {
	if int64(len(element)) > p.s.opt.MaxDocument+p.s.opt.MaxLine {
		return p.s.opt.tooLarge(pos, "object has")
	}
	err := p.document(element, pos)
	var e *Error
	if errors.As(err, &e) && e.Problem == malformedJSON {
		e.Remedy = "write the array by a program that knows JSON"
	}
	return err
}

// looksLikeArray reports whether a prefix begins an array of objects, or an empty one, or an
// object whose first line has nothing but its bracket, as programs write it that indent.
func looksLikeArray(prefix []byte, _ bool) bool {
	if line, rest := cutLine(bytes.TrimLeft(prefix, " \t\r\n")); len(rest) > 0 && string(bytes.TrimRight(line, " \t")) == "{" {
		return true
	}
	rest, found := bytes.CutPrefix(bytes.TrimLeft(prefix, " \t\r\n"), []byte("["))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return found && (bytes.HasPrefix(rest, []byte("{")) || bytes.HasPrefix(rest, []byte("]")))
}
