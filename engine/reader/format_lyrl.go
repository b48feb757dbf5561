package reader

import (
	"bytes"
	"strconv"

	"github.com/termsift/termsift/engine/document"
)

// This file reads the token files of LYRL2004, the distribution of RCV1-v2 without its
// texts: a line ".I" with the document's number, a line ".W", and lines of stemmed tokens
// up to the next document. The labels are in another file, see lists.go.

type lyrlCutter struct{}

// A lyrlParser parses token files of LYRL2004, without memory of its own.
type lyrlParser struct{ *parser }

func openLYRL(s *Source, name string) cutter {
	if s.qrels == nil {
		s.note("%s is of LYRL2004, whose documents have their labels elsewhere: name that file with --qrels", name)
	}
	return lyrlCutter{}
}

func newLYRLParser(p *parser) frameParser { return lyrlParser{p}.parse }

func looksLikeLYRL(prefix []byte, _ bool) bool {
	line, _ := cutLine(bytes.TrimLeft(prefix, " \t\r\n"))
	return startsLYRL(append(line[:len(line):len(line)], '\n')) && isNumber(lyrlNumber(line))
}

// cut ends a frame before the last document, more of which may follow.
func (lyrlCutter) cut(data []byte, end bool, _ string) (int, error) {
	if end {
		return len(data), nil
	}
	return lyrlStart.last(data), nil
}

func (p lyrlParser) parse(_ any, f *frame) error {
	return p.each(f.data, f.pos, func(data []byte) int { return lyrlStart.next(data, 0) }, p.document)
}

// lyrlStart begins every document but the first of a file.
var lyrlStart = start{[]byte("\n.I"), 1, startsLYRL}

// startsLYRL reports whether a line begins a document.
func startsLYRL(line []byte) bool {
	return len(line) > 2 && line[0] == '.' && line[1] == 'I' && isSpace(line[2])
}

// lyrlNumber returns what follows ".I".
func lyrlNumber(line []byte) []byte { return bytes.TrimSpace(line[len(".I"):]) }

func isNumber(text []byte) bool {
	_, err := strconv.ParseUint(string(text), 10, 64)
	return err == nil
}

// document emits a document. Its text aliases data unless it has to be decoded.
func (p lyrlParser) document(data []byte, pos document.Position) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	bad := func(at document.Position, problem string, line []byte) error {
		return wrong(at, problem, line, `write ".I 2286", ".W", then lines of tokens`)
	}
	if p.s.opt.Split != "" {
		return noSplits(pos, "the token files of LYRL2004 have")
	}
	if int64(len(data)) > p.s.opt.MaxDocument {
		return p.s.tooLarge(pos, "document has")
	}
	first, rest := cutLine(data)
	if !startsLYRL(data) {
		return bad(pos, "text before the first document", first)
	}
	number := lyrlNumber(first)
	if !isNumber(number) {
		return bad(pos, "the document's number is not a whole number", first)
	}
	second, text := cutLine(rest)
	if string(bytes.TrimSpace(second)) != ".W" {
		pos.Line++
		return bad(pos, "no line .W behind the document's number", second)
	}
	p.tally.bytes += int64(len(data))
	p.labels = p.labels[:0]
	if err := p.qrelsLabels(number, pos); err != nil {
		return err
	}
	text = p.decode(bytes.TrimRight(text, " \t\r\n"), pos)
	return p.emit(document.Document{ID: string(number), Labels: p.labels, Text: text, Source: pos})
}
