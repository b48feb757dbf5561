package reader

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
)

// This file reads Reuters-21578, which is SGML and nothing that an XML decoder takes. A document goes from its tag
// <REUTERS to the next one, closed or not. Its text is the title and the body, with a line feed between them. Where
// there is no BODY, the body is what stands directly in TEXT: the whole story of the type UNPROC, but never in the type
// BRIEF, where it is a filler ("Blah blah blah."). AUTHOR and DATELINE are no text. A tag that has no place where it
// stands is text as written.

// A reutersParser parses Reuters-21578. A document refers to its memory, which the next
// document overwrites.
type reutersParser struct {
	*parser
	name                []byte // of the label at hand
	title, body, direct []byte // direct: in TEXT itself
	text                []byte
	hasBody, brief      bool
}

var reutersLayout = layout{
	format: Reuters, extensions: []string{".sgm", ".sgml"},
	detect: func(prefix []byte, _ bool) bool {
		const doctype = "<!DOCTYPE lewis"
		text := bytes.TrimLeft(prefix, " \t\r\n")
		return startsReuters(text) || len(text) > len(doctype) && equalFold(text[:len(doctype)], doctype)
	},
	open: func(s *Source, name string) cutter {
		return startCutter{&reutersStart, func(data []byte) {
			if isOpen(data) {
				s.note("%s ends without </REUTERS> and may be cut in its last document", name)
			}
		}}
	},
	parser: func(p *parser) frameParser { return (&reutersParser{parser: p}).parse },
}

// isOpen reports whether the last document of data is not closed.
func isOpen(data []byte) bool {
	for at := bytes.LastIndexByte(data, '<'); at >= 0; at = bytes.LastIndexByte(data[:at], '<') {
		if t, ok := tagAt(data[at:]); ok && elementOf(t.name) == "reuters" {
			return !t.closing
		} else if startsReuters(data[at:]) {
			return true
		}
	}
	return false
}

func (p *reutersParser) parse(_ any, f *frame) error {
	pos := f.pos
	before := reutersStart.next(f.data, 0)
	pos.Line += bytes.Count(f.data[:before], []byte{'\n'})
	return p.each(&reutersStart, f.data[before:], pos, p.document)
}

// startsReuters reports whether data begins with the tag <REUTERS.
func startsReuters(data []byte) bool {
	const start = "<REUTERS"
	return len(data) > len(start) && data[1]|0x20 == 'r' && equalFold(data[:len(start)], start) && endsName(data[len(start)])
}

var reutersStart = start{[]byte{'<'}, 0, startsReuters}

// document emits a document unless its tag says that it is in another split.
func (p *reutersParser) document(data []byte, pos document.Position) error {
	tag, ok := tagAt(data)
	if !ok {
		return wrong(pos, "the tag <REUTERS is not closed", data, "close it with >, and each quoted value with its quote").of("unclosed tag")
	}
	split, wanted := p.reutersSplit(&tag)
	if !wanted {
		return nil
	}
	if int64(len(data)) > p.s.opt.MaxDocument {
		return p.s.opt.tooLarge(pos, "document has")
	}
	p.tally.bytes += int64(len(data))
	d := document.Document{ID: string(tag.attribute("NEWID")), Split: split, Source: pos}
	if d.ID == "" {
		d.ID = p.lineID(pos)
	}
	if err := p.read(p.decode(data[tag.size:], pos), pos); err != nil {
		return err
	}
	d.Labels, d.Text = p.labels, p.join()
	return p.emit(d)
}

// read sets labels, title, body and direct to what data, the content of a document, has.
func (p *reutersParser) read(data []byte, pos document.Position) error {
	p.labels, p.title, p.body, p.direct = p.labels[:0], p.title[:0], p.body[:0], p.direct[:0]
	p.hasBody, p.brief = false, false
	for in := ""; ; {
		run := indexOrEnd(data, '<')
		p.take(in, data[:run])
		if run == len(data) {
			return p.endLabel(in, pos)
		}
		data = data[run:]
		t, ok := tagAt(data)
		element, next := elementOf(t.name), in
		if ok = ok && element != ""; ok {
			next, ok = p.follow(in, element, t.closing)
		}
		if !ok {
			p.take(in, data[:1])
			data = data[1:]
			continue
		}
		if err := p.endLabel(in, pos); err != nil {
			return err
		}
		if element == "reuters" {
			return nil
		}
		p.hasBody = p.hasBody || next == "body"
		p.brief = p.brief || element == "text" && equalFold(t.attribute("TYPE"), "BRIEF")
		in, data = next, data[t.size:]
	}
}

// follow returns the element that characters after a tag belong to, in being that of the
// characters before it. It is not ok if such a tag cannot stand there; then it is text.
func (p *reutersParser) follow(in, element string, closing bool) (next string, ok bool) {
	switch element {
	case "reuters":
		return "", closing
	case "text":
		if closing {
			return "", true
		}
		return "text", in != "body"
	case "title", "body", "dateline", "author":
		if in == "body" {
			return "text", closing && element == "body"
		}
		if closing {
			return "text", true
		}
		return element, true
	}
	switch in { // an element of the head, in TEXT
	case "text", "title", "body", "dateline", "author":
		return in, false
	}
	wanted := p.s.opt.Labels
	switch {
	case element != "d":
		if closing {
			return "", true
		}
		return element, true
	case in != "d" && in != wanted:
		return in, true // a label of another set
	case closing:
		return wanted, true
	}
	return "d", true
}

// take appends characters of an element to the field that they belong to.
func (p *reutersParser) take(element string, text []byte) {
	switch element {
	case "body":
		p.body = appendUnescaped(p.body, text)
	case "title":
		p.title = appendUnescaped(p.title, text)
	case "text":
		p.direct = appendUnescaped(p.direct, text)
	case "d":
		p.name = appendUnescaped(p.name, text)
	}
}

// endLabel adds the label whose element ends, if in is one; an empty one is left out.
func (p *reutersParser) endLabel(in string, pos document.Position) error {
	if in != "d" {
		return nil
	}
	name := bytes.TrimSpace(p.name)
	p.name = p.name[:0]
	return p.addLabel(name, pos)
}

// join returns the text of the document: title, line feed, body.
func (p *reutersParser) join() []byte {
	body := p.body
	if !p.hasBody && !p.brief {
		body = bytes.TrimSpace(p.direct)
	}
	switch {
	case len(body) == 0:
		return p.title
	case len(p.title) == 0:
		return body
	}
	p.text = append(append(append(p.text[:0], p.title...), '\n'), body...)
	return p.text
}

// reutersSplit returns the part that a document is in and whether the options ask for it.
func (p *parser) reutersSplit(t *sgmlTag) (part string, wanted bool) {
	part, known := reutersPart(t, p.s.opt.ReutersSplit)
	if p.s.opt.Split == "" {
		return part, true
	}
	p.tally.splits[part] = true
	if !known && part != p.s.opt.Split {
		p.tally.skipped["document whose attributes are of no split"]++
	}
	return part, part == p.s.opt.Split
}

// reutersPart returns the part of a split that a document is in, as the README of Reuters-21578 defines them. TOPICS says
// whether it was labelled (YES, NO or BYPASS), not whether it has labels. If an attribute has a value that the collection
// does not have, the part is "unused" and not known.
func reutersPart(t *sgmlTag, split string) (part string, known bool) {
	has := func(name, value string) bool { return equalFold(t.attribute(name), value) }
	if split == "modhayes" {
		switch {
		case has("CGISPLIT", "TRAINING-SET"):
			return "train", true
		case has("CGISPLIT", "PUBLISHED-TESTSET"):
			return "test", true
		}
		return "unused", false
	}
	yes, no := has("TOPICS", "YES"), has("TOPICS", "NO")
	used := yes || no && split == "modlewis"
	known = yes || no || has("TOPICS", "BYPASS")
	switch {
	case has("LEWISSPLIT", "TRAIN"):
		part = "train"
	case has("LEWISSPLIT", "TEST"):
		part = "test"
	default:
		return "unused", known && has("LEWISSPLIT", "NOT-USED")
	}
	if !used {
		part = "unused"
	}
	return part, known
}

func equalFold(text []byte, name string) bool { return bytes.EqualFold(text, []byte(name)) }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// indexOrEnd returns the index of the first c in data, len(data) if there is none.
func indexOrEnd(data []byte, c byte) int {
	if at := bytes.IndexByte(data, c); at >= 0 {
		return at
	}
	return len(data)
}

// What follows reads the tags, attributes and character references of SGML, as far as the collection has them.

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

// endsName reports whether a byte may follow the name in a tag.
func endsName(c byte) bool { return c == '>' || c == '/' || isSpace(c) }

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

// appendUnescaped appends text with its character references resolved. References that are
// malformed or not known stay as written.
func appendUnescaped(to, text []byte) []byte {
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

var references = map[string]rune{"lt": '<', "gt": '>', "amp": '&', "quot": '"', "apos": '\''}

// reference returns the character of the reference that text begins with and the length of
// the reference; 0 if it is none. Control characters, which the collection has from the
// news wire, become a space.
func reference(text []byte) (r rune, size int) {
	end := bytes.IndexByte(text[:min(len(text), longestReference)], ';')
	if end < 0 {
		return 0, 0
	}
	name := string(text[1:end])
	if r, known := references[name]; known {
		return r, end + 1
	}
	digits, numbered := strings.CutPrefix(name, "#")
	base := 10
	if hex, ok := strings.CutPrefix(strings.ToLower(digits), "x"); ok {
		digits, base = hex, 16
	}
	code, err := strconv.ParseUint(digits, base, 21)
	switch r = rune(code); {
	case !numbered || err != nil || !utf8.ValidRune(r):
		return 0, 0
	case unicode.IsControl(r):
		return ' ', end + 1
	}
	return r, end + 1
}

// reutersElements are the elements of the collection.
var reutersElements = []string{
	"d", "date", "text", "body", "orgs", "title", "topics", "places", "people", "author", "mknote", "reuters", "unknown", "dateline", "companies", "exchanges",
}

// elementOf returns the element of the collection with a name in any case, "" for none.
func elementOf(name []byte) string {
	for _, element := range reutersElements {
		if len(name) == len(element) && equalFold(name, element) {
			return element
		}
	}
	return ""
}

// An sgmlTag is the start tag or end tag of an element.
type sgmlTag struct {
	name    []byte
	closing bool
	inside  []byte // its attributes and what ends it
	size    int    // in bytes
}

// tagAt reads the tag at the front of data, which must begin with "<". It is not ok for anything but a tag with its ">".
func tagAt(data []byte) (t sgmlTag, ok bool) {
	t.name, t.closing = bytes.CutPrefix(data[1:], []byte{'/'})
	n := 0
	for n < len(t.name) && t.name[n] != '<' && !endsName(t.name[n]) {
		n++
	}
	t.name, t.inside = t.name[:n], t.name[n:]
	rest, ok := attributes(t.inside, func(_, _ []byte) {})
	t.inside, t.size = t.inside[:len(t.inside)-len(rest)], len(data)-len(rest)
	return t, ok && n > 0
}

// attribute returns the value of an attribute in any case, as written, which may have a prefix; nil for none.
func (t *sgmlTag) attribute(name string) (value []byte) {
	attributes(t.inside, func(as, is []byte) {
		if equalFold(as[bytes.LastIndexByte(as, ':')+1:], name) {
			value = is
		}
	})
	return value
}
