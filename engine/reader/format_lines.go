package reader

import (
	"bytes"
	"strconv"

	"github.com/termsift/termsift/engine/document"
)

// A lineCutter divides an input whose lines are documents.
type lineCutter struct{ s *Source }

func openLines(s *Source, _ string) cutter { return lineCutter{s} }

func (l lineCutter) cut(data []byte, end bool, _ string) (int, error) {
	if end {
		return len(data), nil
	}
	n := bytes.LastIndexByte(data, '\n') + 1
	if n == 0 && int64(len(data)) > l.s.opt.MaxLine {
		return 0, l.s.longLine(document.Position{})
	}
	return n, nil
}

// A lineParser emits the document of a line, without its line end.
type lineParser func(line []byte, pos document.Position) error

// ofLines makes a parser of frames of one of lines. Its errors go through bad.
func ofLines(of func(p *parser) lineParser) func(p *parser) frameParser {
	return func(p *parser) frameParser {
		parse := of(p)
		return func(_ any, f *frame) error {
			pos := f.pos
			for rest := f.data; len(rest) > 0; pos.Line++ {
				var line []byte
				line, rest = cutLine(rest)
				if int64(len(line)) > p.s.opt.MaxLine {
					return p.s.longLine(pos)
				}
				if err := p.bad(parse(line, pos)); err != nil {
					return err
				}
			}
			return nil
		}
	}
}

func (s *Source) longLine(pos document.Position) error {
	return beyond(pos, "", "--max-line", "the line has more than %d bytes", s.opt.MaxLine)
}

var carriageReturn = []byte{'\r'}

// cutLine splits data after its first line, which is returned without its line end: LF, CR LF,
// or CR CR LF where a program that ends lines by CR LF wrote to a file that did so again.
func cutLine(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, []byte{'\n'})
	return bytes.TrimSuffix(bytes.TrimSuffix(line, carriageReturn), carriageReturn), rest
}

// emitLine emits the document of a line, with an id made of its position if it has none.
func (p *parser) emitLine(d document.Document, line []byte, pos document.Position) error {
	if int64(len(d.Text)) > p.s.opt.MaxDocument {
		return p.s.tooLarge(pos, "text has")
	}
	p.tally.bytes += int64(len(line))
	d.Source = pos
	if d.ID == "" {
		d.ID = p.lineID(pos)
	}
	return p.emit(d)
}

// lineID makes an id of the place of a line.
func (p *parser) lineID(pos document.Position) string {
	id := append(p.id[:0], shortName(pos.File)...)
	id = append(id, ':')
	id = strconv.AppendInt(id, int64(pos.Line), 10)
	p.id = id
	return string(id)
}

// plainLines returns what emits the documents of a plain text in which every line is a document
// without a label. An empty line is none.
func plainLines(p *parser) lineParser {
	return func(line []byte, pos document.Position) error {
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		if p.s.opt.Split != "" {
			return noSplits(pos, "plain lines have")
		}
		return p.emitLine(document.Document{Text: p.decode(line, pos)}, line, pos)
	}
}

// noSplits returns the error for a document of a format without splits, of which one is asked for.
func noSplits(pos document.Position, what string) error {
	return wrong(pos, what+" no splits", "", "leave --split away and name the file that you want")
}
