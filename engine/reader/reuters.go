package reader

import (
	"bytes"
	"fmt"

	"github.com/termsift/termsift/engine/document"
)

// This file reads Reuters-21578, which is SGML and nothing that an XML decoder
// takes. A document goes from its tag <REUTERS to the next one, closed or not. Its
// text is the title and the body, with a line feed between them. Where there is no
// BODY, the body is what stands directly in TEXT: the whole story of the type
// UNPROC, but never in the type BRIEF, where it is a filler ("Blah blah blah.").
// AUTHOR and DATELINE are no text. A tag that has no place where it stands is text
// as written.

// reutersScratch is the memory of a parser for Reuters-21578, of a document at a
// time.
type reutersScratch struct {
	labels              []string
	name                []byte // of the label at hand
	title, body, direct []byte // direct: in TEXT itself
	text                []byte
	hasBody, brief      bool
}

type reutersRecords struct {
	s    *Source
	name string
}

func openReuters(s *Source, name string) records { return reutersRecords{s, name} }

func looksLikeReuters(prefix []byte, _ bool) bool {
	const doctype = "<!DOCTYPE lewis"
	text := bytes.TrimLeft(prefix, " \t\r\n")
	return startsReuters(text) || len(text) > len(doctype) && equalFold(text[:len(doctype)], doctype)
}

// cut ends a frame where the last document begins, which may go on.
func (r reutersRecords) cut(data []byte, end bool) (int, error) {
	if end {
		r.noteOpenEnd(data)
		return len(data), nil
	}
	for at := bytes.LastIndexByte(data, '<'); at > 0; at = bytes.LastIndexByte(data[:at], '<') {
		if startsReuters(data[at:]) {
			return at, nil
		}
	}
	return 0, nil
}

// noteOpenEnd notes that the last document is not closed.
func (r reutersRecords) noteOpenEnd(data []byte) {
	for at := bytes.LastIndexByte(data, '<'); at >= 0; at = bytes.LastIndexByte(data[:at], '<') {
		if t, ok := tagAt(data[at:]); ok && t.element == "reuters" && t.closing {
			return
		}
		if startsReuters(data[at:]) {
			r.s.note("%s ends without </REUTERS> and may be cut in its last document", r.name)
			return
		}
	}
}

func (r reutersRecords) parse(p *parser, f *frame) error {
	pos := f.pos
	before := nextReuters(f.data, 0)
	pos.Line += bytes.Count(f.data[:before], []byte{'\n'})
	next := func(data []byte) int { return nextReuters(data, 1) }
	return p.each(f.data[before:], pos, next, p.reutersDocument)
}

// startsReuters says whether data begins with the tag <REUTERS.
func startsReuters(data []byte) bool {
	const start = "<REUTERS"
	return len(data) > len(start) && data[1]|0x20 == 'r' && equalFold(data[:len(start)], start) && endsName(data[len(start)])
}

// nextReuters finds where a document begins, from an offset on; else the end.
func nextReuters(data []byte, from int) int {
	for at := from; ; at++ {
		n := bytes.IndexByte(data[min(at, len(data)):], '<')
		if n < 0 {
			return len(data)
		}
		at += n
		if startsReuters(data[at:]) {
			return at
		}
	}
}

// reutersDocument hands on a document unless its tag says that it is in another
// split.
func (p *parser) reutersDocument(data []byte, pos document.Position) error {
	tag, inside, ok := reutersTagOf(data)
	if !ok {
		return &Error{
			Pos: pos, Kind: "unclosed tag", Problem: "the tag <REUTERS is not closed",
			Bytes: string(data[:min(len(data), 80)]), Remedy: "close it with >, and each quoted value with its quote",
		}
	}
	split, wanted := p.reutersSplit(&tag)
	if !wanted {
		return nil
	}
	if int64(len(data)) > p.s.opt.MaxDocument {
		return &Error{
			Pos: pos, Kind: "document too large", Problem: fmt.Sprintf("the document has more than %d bytes", p.s.opt.MaxDocument),
			Remedy: "raise the limit with --max-document",
		}
	}
	p.tally.bytes += int64(len(data))
	d := document.Document{ID: string(tag.newID), Split: split, Source: pos}
	if d.ID == "" {
		d.ID = pos.String()
	}
	inside, err := p.decode(inside, pos)
	if err != nil {
		return err
	}
	if err := p.reutersInside(inside); err != nil {
		return err
	}
	d.Labels, d.Text = p.reuters.labels, p.reuters.join()
	return p.emit(d)
}

// reutersInside takes labels and text from what is inside a document.
func (p *parser) reutersInside(data []byte) error {
	r := &p.reuters
	r.labels, r.title, r.body, r.direct = r.labels[:0], r.title[:0], r.body[:0], r.direct[:0]
	r.hasBody, r.brief = false, false
	for in := ""; ; {
		run := indexOrEnd(data, '<')
		r.take(in, data[:run])
		if run == len(data) {
			return p.reutersLabel(in)
		}
		data = data[run:]
		t, ok := tagAt(data)
		next := in
		if ok {
			next, ok = p.turn(in, t)
		}
		if !ok {
			r.take(in, data[:1])
			data = data[1:]
			continue
		}
		if err := p.reutersLabel(in); err != nil {
			return err
		}
		if t.element == "reuters" {
			return nil
		}
		r.hasBody = r.hasBody || next == "body"
		r.brief = r.brief || equalFold(t.kind, "BRIEF")
		in, data = next, data[t.size:]
	}
}

// turn gives the element that a tag leads to. It is not ok where the tag has no
// place.
func (p *parser) turn(in string, t tag) (next string, ok bool) {
	switch t.element {
	case "reuters":
		return "", t.closing
	case "text":
		if t.closing {
			return "", true
		}
		return "text", in != "body"
	case "title", "body", "dateline", "author":
		if in == "body" {
			return "text", t.closing && t.element == "body"
		}
		if t.closing {
			return "text", true
		}
		return t.element, true
	}
	switch in { // an element of the head, in TEXT
	case "text", "title", "body", "dateline", "author":
		return in, false
	}
	wanted := p.s.opt.Labels
	switch {
	case t.element != "d":
		if t.closing {
			return "", true
		}
		return t.element, true
	case in != "d" && in != wanted:
		return in, true // a label of another set
	case t.closing:
		return wanted, true
	}
	return "d", true
}

// take adds characters of an element to what is known of the document.
func (r *reutersScratch) take(element string, text []byte) {
	switch element {
	case "body":
		r.body = appendUnescaped(r.body, text)
	case "title":
		r.title = appendUnescaped(r.title, text)
	case "text":
		r.direct = appendUnescaped(r.direct, text)
	case "d":
		r.name = appendUnescaped(r.name, text)
	}
}

// reutersLabel ends the label at hand, if there is one. It may be empty, and is
// none then.
func (p *parser) reutersLabel(in string) error {
	if in != "d" {
		return nil
	}
	r := &p.reuters
	name := bytes.TrimSpace(r.name)
	r.name = r.name[:0]
	if len(name) == 0 {
		return nil
	}
	label, err := p.label(name)
	if err == nil {
		r.labels = append(r.labels, label)
	}
	return err
}

// join gives the text of the document.
func (r *reutersScratch) join() []byte {
	body := r.body
	if !r.hasBody && !r.brief {
		body = bytes.TrimSpace(r.direct)
	}
	switch {
	case len(body) == 0:
		return r.title
	case len(r.title) == 0:
		return body
	}
	r.text = append(append(append(r.text[:0], r.title...), '\n'), body...)
	return r.text
}
