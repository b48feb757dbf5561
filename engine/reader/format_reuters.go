package reader

import (
	"bytes"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/collections"
)

// This file reads Reuters-21578, which is SGML and nothing that an XML decoder
// takes. A document goes from its tag <REUTERS to the next one, closed or not. Its
// text is the title and the body, with a line feed between them. Where there is no
// BODY, the body is what stands directly in TEXT: the whole story of the type
// UNPROC, but never in the type BRIEF, where it is a filler ("Blah blah blah.").
// AUTHOR and DATELINE are no text. A tag that has no place where it stands is text
// as written.

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
		return startCutter{&reutersStart, func(data []byte) { s.noteOpenEnd(name, data) }}
	},
	parser: func(p *parser) frameParser { return (&reutersParser{parser: p}).parse },
}

// noteOpenEnd adds a note if the last document of the input is not closed.
func (s *Source) noteOpenEnd(name string, data []byte) {
	for at := bytes.LastIndexByte(data, '<'); at >= 0; at = bytes.LastIndexByte(data[:at], '<') {
		if t, ok := collections.TagAt(data[at:]); ok && t.Element == "reuters" && t.Closing {
			return
		}
		if startsReuters(data[at:]) {
			s.note("%s ends without </REUTERS> and may be cut in its last document", name)
			return
		}
	}
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
	return len(data) > len(start) && data[1]|0x20 == 'r' && equalFold(data[:len(start)], start) && collections.EndsName(data[len(start)])
}

var reutersStart = start{[]byte{'<'}, 0, startsReuters}

// document emits a document unless its tag says that it is in another split.
func (p *reutersParser) document(data []byte, pos document.Position) error {
	tag, inside, ok := reutersTagOf(data)
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
	d := document.Document{ID: string(tag.newID), Split: split, Source: pos}
	if d.ID == "" {
		d.ID = p.lineID(pos)
	}
	if err := p.read(p.decode(inside, pos), pos); err != nil {
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
		t, ok := collections.TagAt(data)
		next := in
		if ok {
			next, ok = p.follow(in, t)
		}
		if !ok {
			p.take(in, data[:1])
			data = data[1:]
			continue
		}
		if err := p.endLabel(in, pos); err != nil {
			return err
		}
		if t.Element == "reuters" {
			return nil
		}
		p.hasBody = p.hasBody || next == "body"
		p.brief = p.brief || equalFold(t.Kind, "BRIEF")
		in, data = next, data[t.Size:]
	}
}

// follow returns the element that characters after a tag belong to, in being that of the
// characters before it. It is not ok if such a tag cannot stand there; then it is text.
func (p *reutersParser) follow(in string, t collections.Tag) (next string, ok bool) {
	switch t.Element {
	case "reuters":
		return "", t.Closing
	case "text":
		if t.Closing {
			return "", true
		}
		return "text", in != "body"
	case "title", "body", "dateline", "author":
		if in == "body" {
			return "text", t.Closing && t.Element == "body"
		}
		if t.Closing {
			return "text", true
		}
		return t.Element, true
	}
	switch in { // an element of the head, in TEXT
	case "text", "title", "body", "dateline", "author":
		return in, false
	}
	wanted := p.s.opt.Labels
	switch {
	case t.Element != "d":
		if t.Closing {
			return "", true
		}
		return t.Element, true
	case in != "d" && in != wanted:
		return in, true // a label of another set
	case t.Closing:
		return wanted, true
	}
	return "d", true
}

// take appends characters of an element to the field that they belong to.
func (p *reutersParser) take(element string, text []byte) {
	switch element {
	case "body":
		p.body = collections.AppendUnescaped(p.body, text)
	case "title":
		p.title = collections.AppendUnescaped(p.title, text)
	case "text":
		p.direct = collections.AppendUnescaped(p.direct, text)
	case "d":
		p.name = collections.AppendUnescaped(p.name, text)
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
	inside, ok = collections.Attributes(data[len("<REUTERS"):], func(name, value []byte) {
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

func equalFold(text []byte, name string) bool { return bytes.EqualFold(text, []byte(name)) }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// indexOrEnd returns the index of the first c in data, len(data) if there is none.
func indexOrEnd(data []byte, c byte) int {
	if at := bytes.IndexByte(data, c); at >= 0 {
		return at
	}
	return len(data)
}
