package reader

import (
	"bytes"
	"fmt"

	"github.com/termsift/termsift/engine/document"
)

// A lineParser hands on the document of a line without its end, if it holds one.
type lineParser func(p *parser, line []byte, pos document.Position) error

// lineRecords is a format of one document a line.
type lineRecords struct {
	s        *Source
	document lineParser
}

func (l lineRecords) cut(data []byte, end bool) (int, error) {
	if end {
		return len(data), nil
	}
	n := bytes.LastIndexByte(data, '\n') + 1
	if n == 0 && int64(len(data)) > l.s.opt.MaxLine {
		return 0, l.s.longLine(document.Position{})
	}
	return n, nil
}

func (l lineRecords) parse(p *parser, f *frame) error {
	pos := f.pos
	for rest := f.data; len(rest) > 0; pos.Line++ {
		var line []byte
		line, rest = cutLine(rest)
		if int64(len(line)) > l.s.opt.MaxLine {
			return l.s.longLine(pos)
		}
		if err := p.bad(l.document(p, line, pos)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) longLine(pos document.Position) error {
	return &Error{
		Pos: pos, Problem: fmt.Sprintf("the line has more than %d bytes", s.opt.MaxLine),
		Remedy: "raise the limit with --max-line",
	}
}

// cutLine splits data behind its first line, which loses its line end.
func cutLine(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

// emitLine hands on the document of a line.
func (p *parser) emitLine(d document.Document, line []byte, pos document.Position) error {
	p.tally.bytes += int64(len(line))
	d.Source = pos
	if d.ID == "" {
		d.ID = pos.String()
	}
	return p.emit(d)
}
