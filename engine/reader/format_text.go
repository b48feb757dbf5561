package reader

import (
	"bytes"

	"github.com/termsift/termsift/engine/document"
)

// This file reads a plain text in which every line is a document without a label. An empty
// line is none.

// A textParser parses plain lines.
type textParser struct{ *parser }

func newTextParser(p *parser) frameParser { return textParser{p} }

func (p textParser) parse(_ cutter, f *frame) error { return p.eachLine(f, p.document) }

// document emits the document of a line.
func (p textParser) document(line []byte, pos document.Position) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if p.s.opt.Split != "" {
		return &Error{Pos: pos, Problem: "plain lines have no splits", Remedy: "leave --split away and name the file that you want"}
	}
	text, err := p.decode(line, pos)
	if err != nil {
		return err
	}
	return p.emitLine(document.Document{Text: text}, line, pos)
}
