package collections

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// This file reads the attributes and character references of SGML, as far as Reuters-21578 has them.

// Attributes calls each with the attributes in what follows the name of a tag, and returns what
// is behind the tag. It is not ok if the tag has no end.
func Attributes(data []byte, each func(name, value []byte)) (rest []byte, ok bool) {
	for {
		var name, value []byte
		if name, value, data = attribute(data); len(name) == 0 {
			if len(data) == 0 || data[0] != '>' {
				return nil, false
			}
			return data[1:], true
		}
		each(name, value)
	}
}

// EndsName reports whether a byte may follow the name in a tag.
func EndsName(c byte) bool { return c == '>' || c == '/' || isSpace(c) }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// attribute splits the first attribute off the rest of a tag: name=value, where the value
// may be quoted, or a name alone. If there is none, name is empty and rest begins with the
// ">" of the tag, or is empty if the tag has no end.
func attribute(data []byte) (name, value, rest []byte) {
	data = skipSpace(data)
	n := 0
	for n < len(data) && data[n] != '=' && data[n] != '<' && !EndsName(data[n]) {
		n++
	}
	name, rest = data[:n], data[n:]
	after := skipSpace(rest)
	if n == 0 || len(after) == 0 || after[0] != '=' {
		return name, nil, rest
	}
	after = skipSpace(after[1:])
	if len(after) > 0 && (after[0] == '"' || after[0] == '\'') {
		end := bytes.IndexByte(after[1:], after[0])
		if end < 0 || bytes.IndexByte(after[1:1+end], '<') >= 0 {
			return nil, nil, nil
		}
		return name, after[1 : 1+end], after[2+end:]
	}
	n = 0
	for n < len(after) && after[n] != '<' && after[n] != '>' && !isSpace(after[n]) {
		n++
	}
	return name, after[:n], after[n:]
}

// skipSpace removes white space and "/" from the front of what is inside a tag.
func skipSpace(data []byte) []byte {
	for len(data) > 0 && (isSpace(data[0]) || data[0] == '/') {
		data = data[1:]
	}
	return data
}

// AppendUnescaped appends text with its character references resolved. References that are
// malformed or not known stay as written.
func AppendUnescaped(to, text []byte) []byte {
	for {
		run := bytes.IndexByte(text, '&')
		if run < 0 {
			return append(to, text...)
		}
		to = append(to, text[:run]...)
		text = text[run:]
		r, size := reference(text)
		if size == 0 {
			r, size = '&', 1
		}
		to = utf8.AppendRune(to, r)
		text = text[size:]
	}
}

// longestReference is the length of the largest character's number with two leading zeros.
const longestReference = len("&#001114111;")

// reference returns the character of the reference that text begins with and the length of
// the reference; 0 if it is none. Control characters, which the collection has from the
// news wire, become a space.
func reference(text []byte) (r rune, size int) {
	end := bytes.IndexByte(text[:min(len(text), longestReference)], ';')
	if end < 0 {
		return 0, 0
	}
	switch name := string(text[1:end]); name {
	case "lt":
		return '<', end + 1
	case "gt":
		return '>', end + 1
	case "amp":
		return '&', end + 1
	case "quot":
		return '"', end + 1
	case "apos":
		return '\'', end + 1
	}
	code, ok := characterNumber(text[1:end])
	switch {
	case !ok || !utf8.ValidRune(code):
		return 0, 0
	case code < ' ' || 0x7f <= code && code < 0xa0:
		return ' ', end + 1
	}
	return code, end + 1
}

// characterNumber reads #3 or #x3.
func characterNumber(name []byte) (rune, bool) {
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	code, err := strconv.ParseUint(string(digits), base, 21)
	return rune(code), err == nil
}

// reutersElements are the elements of the collection.
var reutersElements = []string{
	"d", "date", "text", "body", "orgs", "title", "topics", "places", "people", "author", "mknote", "reuters", "unknown", "dateline", "companies", "exchanges",
}

// A Tag is the start tag or end tag of an element.
type Tag struct {
	Element string // in lower case
	Closing bool
	Kind    []byte // its attribute TYPE
	Size    int    // in bytes
}

// TagAt reads the tag at the front of data, which must begin with "<". It is not ok for
// anything but a tag of the collection with its ">".
func TagAt(data []byte) (t Tag, ok bool) {
	rest := data[1:]
	if len(rest) > 0 && rest[0] == '/' {
		t.Closing, rest = true, rest[1:]
	}
	if t.Element, rest = elementName(rest); t.Element == "" {
		return Tag{}, false
	}
	rest, ok = Attributes(rest, func(name, value []byte) {
		if bytes.EqualFold(name, []byte("TYPE")) {
			t.Kind = value
		}
	})
	t.Size = len(data) - len(rest)
	return t, ok
}

// elementName splits the name of an element off the front of data; "" if there is none.
func elementName(data []byte) (name string, rest []byte) {
	for _, name := range reutersElements {
		if n := len(name); n < len(data) && data[0]|0x20 == name[0] && EndsName(data[n]) && bytes.EqualFold(data[:n], []byte(name)) {
			return name, data[n:]
		}
	}
	return "", data
}
