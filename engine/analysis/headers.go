package analysis

import (
	"bytes"
	"slices"
	"strings"
)

// A headerFilter takes the header lines off a news or mail message: lines of
// the form "Name: value", with indented continuations, up to the first blank
// line. A text whose first line is no header line is left as it is.
type headerFilter struct {
	keepAll bool
	names   []string // lower case; their values are kept
}

func newHeaderFilter(option string) headerFilter {
	switch option {
	case "keep":
		return headerFilter{keepAll: true}
	case "none":
		return headerFilter{}
	}
	var names []string
	for name := range strings.SplitSeq(strings.ToLower(option), ",") {
		names = append(names, strings.TrimSpace(name))
	}
	return headerFilter{names: names}
}

// apply returns the text that is left; where values are kept, it is built in
// buf, which is reused.
func (h headerFilter) apply(text []byte, buf *[]byte) []byte {
	if h.keepAll || headerName(firstLine(text)) == nil {
		return text
	}
	kept := (*buf)[:0]
	keeping := false
	rest := text
	for len(rest) > 0 {
		line := firstLine(rest)
		name := headerName(line)
		continued := len(line) > 0 && (line[0] == ' ' || line[0] == '\t') && len(bytes.TrimSpace(line)) > 0
		if name == nil && !continued {
			break // the blank line, or a body without one
		}
		value := line
		if name != nil {
			keeping = slices.Contains(h.names, strings.ToLower(string(name)))
			value = line[len(name)+1:]
		}
		if keeping {
			kept = append(append(kept, value...), '\n')
		}
		rest = rest[min(len(line)+1, len(rest)):]
	}
	if len(kept) == 0 {
		return rest
	}
	*buf = append(kept, rest...)
	return *buf
}

func firstLine(text []byte) []byte {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[:i]
	}
	return text
}

// headerName gives the name of a header line, nil if it is none.
func headerName(line []byte) []byte {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || !isLetter(line[0]) {
		return nil
	}
	for _, c := range line[:colon] {
		if !isLetter(c) && c != '-' && (c < '0' || c > '9') {
			return nil
		}
	}
	return line[:colon]
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
