package prepare

import (
	"bytes"
	"slices"
	"strings"
)

// Headers say what to do with the header block of a news or mail message: lines of
// the form "Name: value" and indented continuations, a line of spaces among
// them, up to the first empty line or the end. A text with any other line before
// its first empty line has no header block and stays whole.
type Headers struct {
	keepAll bool
	names   []string // lower case; the headers whose values stay
}

// ParseHeaders parses keep (also ""), none, or names of headers separated by commas. ok is false if
// one is no name.
func ParseHeaders(option string) (h Headers, ok bool) {
	switch option {
	case "", "keep":
		return Headers{keepAll: true}, true
	case "none":
		return Headers{}, true
	}
	for name := range strings.SplitSeq(option, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if len(headerName([]byte(name+":"))) != len(name) || name == "" {
			return h, false
		}
		if !slices.Contains(h.names, name) {
			h.names = append(h.names, name)
		}
	}
	return h, true
}

// String gives the option that makes this filter.
func (h Headers) String() string {
	switch {
	case h.keepAll:
		return "keep"
	case len(h.names) == 0:
		return "none"
	}
	return strings.Join(h.names, ",")
}

// split appends the parts of a text that are left to dst: values, then the body.
func (h Headers) split(text []byte, dst [][]byte) [][]byte {
	if h.keepAll || headerName(text) == nil {
		return append(dst, text)
	}
	none := len(dst)
	keeping := false
	for rest := text; len(rest) > 0; {
		line, next := cutLine(rest)
		if len(line) == 0 {
			return append(dst, next)
		}
		if name := headerName(line); name != nil {
			keeping = h.keeps(name)
			line = line[len(name)+1:]
		} else if line[0] != ' ' && line[0] != '\t' {
			return append(dst[:none], text)
		}
		if keeping {
			dst = append(dst, line)
		}
		rest = next
	}
	return dst
}

// keeps reports whether the value of a header stays. It compares without making a string,
// since a text may have many header lines.
func (h Headers) keeps(name []byte) bool {
	return slices.ContainsFunc(h.names, func(n string) bool { return len(n) == len(name) && strings.EqualFold(n, string(name)) })
}

// cutLine splits a text behind its first line, which loses its line end.
func cutLine(text []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(text, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

// headerName gives the name of a header line, nil if it is none:
// ^[A-Za-z][A-Za-z0-9-]*:
func headerName(line []byte) []byte {
	for i, c := range line {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && (c == '-' || '0' <= c && c <= '9'):
		case i > 0 && c == ':':
			return line[:i]
		default:
			return nil
		}
	}
	return nil
}
