package reader

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// This file reads the tags, attributes and references of SGML, as far as
// Reuters-21578 has them.

// reutersElements lists the elements of the collection by the length of their names.
// Comparing with a few names is three times as fast as a map.
var reutersElements = [...][]string{
	1: {"d"},
	4: {"date", "text", "body", "orgs"},
	5: {"title"},
	6: {"topics", "places", "people", "author", "mknote"},
	7: {"reuters", "unknown"},
	8: {"dateline"},
	9: {"companies", "exchanges"},
}

// A tag is the start tag or end tag of an element.
type tag struct {
	element string // in lower case
	closing bool
	kind    []byte // its attribute TYPE
	size    int    // in bytes
}

// tagAt reads the tag at the front of data, which must begin with "<". It is not ok for
// anything but a tag of the collection with its ">".
func tagAt(data []byte) (t tag, ok bool) {
	rest := data[1:]
	if len(rest) > 0 && rest[0] == '/' {
		t.closing, rest = true, rest[1:]
	}
	if t.element, rest = elementName(rest); t.element == "" {
		return tag{}, false
	}
	rest, ok = attributes(rest, func(name, value []byte) {
		if equalFold(name, "TYPE") {
			t.kind = value
		}
	})
	t.size = len(data) - len(rest)
	return t, ok
}

// attributes calls each with the attributes in what follows the name of a tag, and returns what
// is behind the tag. It is not ok if the tag has no end.
func attributes(data []byte, each func(name, value []byte)) (rest []byte, ok bool) {
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

// elementName splits the name of an element off the front of data; "" if there is none.
func elementName(data []byte) (name string, rest []byte) {
	var lower [len(reutersElements) - 1]byte
	n := 0
	for n < len(lower) && n < len(data) && 'a' <= data[n]|0x20 && data[n]|0x20 <= 'z' {
		lower[n] = data[n] | 0x20
		n++
	}
	if n == len(data) || !endsName(data[n]) {
		return "", data
	}
	for _, name := range reutersElements[n] {
		if string(lower[:n]) == name {
			return name, data[n:]
		}
	}
	return "", data
}

// endsName reports whether a byte may follow the name in a tag.
func endsName(c byte) bool { return c == '>' || c == '/' || isSpace(c) }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// attribute splits the first attribute off the rest of a tag: name=value, where the value
// may be quoted, or a name alone. If there is none, name is empty and rest begins with the
// ">" of the tag, or is empty if the tag has no end.
func attribute(data []byte) (name, value, rest []byte) {
	data = skipSpace(data)
	n := 0
	for n < len(data) && data[n] != '=' && data[n] != '<' && !endsName(data[n]) {
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

func equalFold(text []byte, name string) bool { return bytes.EqualFold(text, []byte(name)) }

// indexOrEnd returns the index of the first c in data, len(data) if there is none.
func indexOrEnd(data []byte, c byte) int {
	if at := bytes.IndexByte(data, c); at >= 0 {
		return at
	}
	return len(data)
}

// appendUnescaped appends text with its character references resolved. References that are
// malformed or not known stay as written.
func appendUnescaped(to, text []byte) []byte {
	for {
		run := indexOrEnd(text, '&')
		to = append(to, text[:run]...)
		if text = text[run:]; len(text) == 0 {
			return to
		}
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

// A reutersTag has the attributes of a document's tag that are used, as written. Three of
// them say to which part of which split the document belongs, as the README of
// Reuters-21578 defines them.
type reutersTag struct {
	topics     []byte // whether it was labelled: YES, NO or BYPASS; not whether it has labels
	lewisSplit []byte
	cgiSplit   []byte
	newID      []byte
}

// reutersTagOf returns the tag of a document and what follows it. It is not ok if the tag
// has no end.
func reutersTagOf(data []byte) (t reutersTag, inside []byte, ok bool) {
	inside, ok = attributes(data[len("<REUTERS"):], func(name, value []byte) {
		switch {
		case equalFold(name, "TOPICS"):
			t.topics = value
		case equalFold(name, "LEWISSPLIT"):
			t.lewisSplit = value
		case equalFold(name, "CGISPLIT"):
			t.cgiSplit = value
		case equalFold(name, "NEWID"):
			t.newID = value
		}
	})
	return t, inside, ok
}

// reutersSplit returns the part that a document is in and whether the options ask for it.
func (p *parser) reutersSplit(t *reutersTag) (part string, wanted bool) {
	part, known := t.part(p.s.opt.ReutersSplit)
	if p.s.opt.Split == "" {
		return part, true
	}
	p.tally.splits[part] = true
	if !known && part != p.s.opt.Split {
		p.tally.skipped["document whose attributes are of no split"]++
	}
	return part, part == p.s.opt.Split
}

// part returns the part of a split that a document is in. If an attribute has a value that
// the collection does not have, the part is "unused" and not known.
func (t *reutersTag) part(split string) (part string, known bool) {
	if split == "modhayes" {
		switch {
		case equalFold(t.cgiSplit, "TRAINING-SET"):
			return "train", true
		case equalFold(t.cgiSplit, "PUBLISHED-TESTSET"):
			return "test", true
		}
		return "unused", false
	}
	yes, no := equalFold(t.topics, "YES"), equalFold(t.topics, "NO")
	used := yes || no && split == "modlewis"
	known = yes || no || equalFold(t.topics, "BYPASS")
	switch {
	case equalFold(t.lewisSplit, "TRAIN"):
		part = "train"
	case equalFold(t.lewisSplit, "TEST"):
		part = "test"
	default:
		return "unused", known && equalFold(t.lewisSplit, "NOT-USED")
	}
	if !used {
		part = "unused"
	}
	return part, known
}
