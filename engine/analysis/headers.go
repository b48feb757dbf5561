package analysis

import (
	"bytes"
	"slices"
	"strings"
)

// A headerFilter takes the header block off a news or mail message: lines of
// the form "Name: value" and indented continuations, a line of spaces among
// them, up to the first empty line or the end. A text with any other line before
// its first empty line has no header block and stays whole.
type headerFilter struct {
	keepAll bool
	names   []string // lower case; the headers whose values stay
}

func newHeaderFilter(option string) (headerFilter, error) {
	switch option {
	case "", "keep":
		return headerFilter{keepAll: true}, nil
	case "none":
		return headerFilter{}, nil
	}
	var h headerFilter
	for name := range strings.SplitSeq(option, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if len(headerName([]byte(name+":"))) != len(name) || name == "" {
			return h, &OptionError{"headers", option, []string{"keep", "none", "names separated by commas, as subject,keywords"}, nil}
		}
		if !slices.Contains(h.names, name) {
			h.names = append(h.names, name)
		}
	}
	return h, nil
}

// String gives the option that makes this filter.
func (h headerFilter) String() string {
	switch {
	case h.keepAll:
		return "keep"
	case len(h.names) == 0:
		return "none"
	}
	return strings.Join(h.names, ",")
}

// split appends the parts of a text that are left to dst: values, then the body.
func (h headerFilter) split(text []byte, dst [][]byte) [][]byte {
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
func (h headerFilter) keeps(name []byte) bool {
	for _, n := range h.names {
		if len(n) == len(name) && strings.EqualFold(n, string(name)) {
			return true
		}
	}
	return false
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
