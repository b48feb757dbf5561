package reader

import (
	"bytes"
	"fmt"

	"github.com/termsift/termsift/engine/document"
)

// This file reads CSV as RFC 4180 has it, and the same with semicolons or tabs between
// the fields: a header line that names the columns, then a row for each document, of
// which one field is its text, one its label and one its id. A label is one cell
// as it stands; an empty cell is none. A column "split" serves --split. A backslash
// is one, also between tabs, where this program's own output has escapes.

// A csvCutter divides one input, and has what its frame parsers know of it.
type csvCutter struct {
	s       *Source
	syntax  csvSyntax
	looks   bool       // for the separator, which may be another than syntax says
	header  csvHeader  // known from the first cut on
	columns csvColumns // likewise
	begun   bool
	ragged  csvRagged
}

// A csvRagged records the first row whose number of fields is not that of the header.
type csvRagged struct {
	first int // its line; 0 = no such row
	note  int // index of its note in Source.notes
}

// A csvParser parses CSV. A document refers to its memory, which the next document
// overwrites.
type csvParser struct {
	*parser
	fields []csvField
	plain  []byte // a field without doubled quotes
	joined []byte // several fields
	labels []string
	split  string // of the last row
}

func openCSV(s *Source, _ string) cutter { return &csvCutter{s: s, syntax: ',', looks: true} }
func openTSV(s *Source, _ string) cutter { return &csvCutter{s: s, syntax: '\t'} }

func newCSVParser(p *parser) frameParser { return &csvParser{parser: p} }

// cut returns the length of the whole rows. The first call finds the columns in the header.
func (c *csvCutter) cut(data []byte, end bool) (int, error) {
	n := len(data)
	if !c.begun && c.looks {
		c.syntax = separatorOf(&c.s.opt, data, end)
	}
	if !end {
		var open int
		if n, open = c.syntax.wholeRows(data); n == 0 {
			return 0, c.endless(data, open)
		}
	}
	if !c.begun {
		if found, err := c.begin(data[:n]); err != nil || !found && !end {
			return 0, err
		}
	}
	return n, nil
}

// endless returns an error if the row at the front of data, whose end is not in data, is
// already longer than a row may be. A quoted field may have line breaks; then Source.cut
// bounds the row instead.
func (c *csvCutter) endless(data []byte, open int) error {
	switch limit := &c.s.opt; {
	case open >= 0 && int64(len(data)) > limit.MaxDocument+limit.MaxLine:
		return unclosed(data, open, document.Position{})
	case open < 0 && int64(len(data)) > limit.MaxLine && bytes.IndexByte(data, '\n') < 0:
		return c.s.longLine(document.Position{})
	}
	return nil
}

// begin finds the columns in the first row and reports whether data has a row.
func (c *csvCutter) begin(data []byte) (found bool, err error) {
	pos := document.Position{}
	for len(data) > 0 {
		row := c.syntax.row(data, nil, c.s.opt.MaxFields)
		if row.open >= 0 {
			return false, unclosed(data, row.open, pos)
		}
		if row.width > 0 {
			return true, placed(c.readHeader(row, data[:row.length]), pos, 1)
		}
		data = data[row.length:]
		pos.Line += row.lines
	}
	return false, nil
}

func (c *csvCutter) readHeader(row csvRow, line []byte) (err error) {
	if c.header, err = csvHeaderOf(&c.s.opt, row, line); err == nil {
		c.columns, err = c.header.columns(&c.s.opt)
	}
	c.begun = err == nil
	return err
}

// unclosed returns the error for a field that a quote opens and none closes. pos is the
// position of data, quote an offset in it.
func unclosed(data []byte, quote int, pos document.Position) error {
	pos.Line += bytes.Count(data[:quote], []byte{'\n'})
	pos.Column = quote - bytes.LastIndexByte(data[:quote], '\n')
	return &Error{
		Pos: pos, Problem: "a quote opens a field here, and no quote closes it", Bytes: string(data[quote:min(len(data), quote+80)]),
		Remedy: "put it into quotes as a whole, with the quotes in it doubled",
	}
}

func (p *csvParser) parse(of cutter, f *frame) error {
	c := of.(*csvCutter)
	pos := f.pos
	header := pos.Line == 1 && !c.s.opt.NoHeader // is still to come
	for rest := f.data; len(rest) > 0; {
		row := c.syntax.row(rest, p.fields, c.columns.width)
		p.fields = row.fields
		line := rest[:row.length]
		if row.lines == 1 && int64(len(line)) > c.s.opt.MaxLine && int64(len(bytes.TrimRight(line, "\r\n"))) > c.s.opt.MaxLine {
			return c.s.longLine(pos)
		}
		if row.width > 0 && !header {
			if err := p.bad(p.document(c, row, line, pos)); err != nil {
				return err
			}
		}
		header = header && row.width == 0
		rest = rest[row.length:]
		pos.Line += row.lines
	}
	return nil
}

// document emits the document of a row. The encoding is guessed from the whole row, which
// tells more than a label alone.
func (p *csvParser) document(c *csvCutter, row csvRow, line []byte, pos document.Position) error {
	if row.open >= 0 {
		return unclosed(line, row.open, pos)
	}
	if row.width != c.columns.width {
		c.skipRagged(p, pos, row.width)
		return nil
	}
	r := csvReader{p: p, pos: pos, fields: row.fields, line: line, encoding: p.decoder.encodingOf(line), header: c.header}
	d := document.Document{Source: pos}
	var err error
	if d.Split, err = r.split(c.columns.split); err != nil || c.s.opt.Split != "" && c.s.opt.Split != d.Split {
		return err
	}
	if d.ID, err = r.id(c.columns.id, pos); err != nil {
		return err
	}
	if d.Labels, err = r.labels(c.columns.label); err != nil {
		return err
	}
	if d.Text, err = r.text(&c.columns); err != nil {
		return err
	}
	if int64(len(d.Text)) > c.s.opt.MaxDocument {
		return &Error{
			Pos: pos, Kind: "document too large", Problem: fmt.Sprintf("the text has more than %d bytes", c.s.opt.MaxDocument),
			Remedy: "raise the limit with --max-document",
		}
	}
	p.tally.encodings[r.encoding]++
	return p.emitLine(d, line, pos)
}

// skipRagged counts a row with another number of fields than the header, and notes the
// first of the input, whatever the order in which frames are parsed.
func (c *csvCutter) skipRagged(p *csvParser, pos document.Position, fields int) {
	than := "the header"
	if c.s.opt.NoHeader {
		than = "the first"
	}
	p.tally.skipped["row with another number of fields than "+than]++
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.ragged.first != 0 && c.ragged.first <= pos.Line {
		return
	}
	if c.ragged.first == 0 {
		c.ragged.note = len(c.s.notes)
		c.s.notes = append(c.s.notes, "")
	}
	c.ragged.first = pos.Line
	c.s.notes[c.ragged.note] = fmt.Sprintf("%v: this row is the first of those left out that have another number of fields than %s: %d, not %d",
		pos, than, fields, c.columns.width)
}

// A csvReader decodes the fields of one row.
type csvReader struct {
	p        *csvParser
	pos      document.Position
	fields   []csvField
	line     []byte
	encoding string
	header   csvHeader
}

// field returns a field in UTF-8, valid until the next call.
func (r *csvReader) field(column int) (text []byte, err error) {
	text, r.p.plain = r.fields[column].text(r.line, r.p.plain)
	return r.p.decoder.as(r.encoding, text)
}

// text returns the text of a row, joined if it is that of several columns.
func (r *csvReader) text(c *csvColumns) ([]byte, error) {
	if c.parts == nil {
		return r.field(c.text[0])
	}
	joined := r.p.joined[:0]
	for i, column := range c.text {
		text, err := r.field(column)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			joined = append(joined, '\n')
		}
		joined = append(joined, text...)
		r.p.seenPart(c.parts[i])
	}
	r.p.joined = joined
	return joined, nil
}

// split returns the split that a row belongs to, "" without a column of splits. Rows of a
// split follow each other, so the last string is reused.
func (r *csvReader) split(column int) (string, error) {
	if column < 0 {
		return "", nil
	}
	name, err := r.field(column)
	last := &r.p.split
	if *last != string(name) {
		*last = string(name)
	}
	if seen := r.p.tally.splits; r.p.s.opt.Split != "" && len(seen) < 10 && !seen[*last] {
		seen[*last] = true
	}
	return *last, err
}

// id returns the id of a row, made of its position where it has none.
func (r *csvReader) id(column int, pos document.Position) (string, error) {
	if column >= 0 {
		id, err := r.field(column)
		if len(id) > 0 || err != nil {
			return string(id), err
		}
	}
	return r.p.lineID(pos), nil
}

func (r *csvReader) labels(column int) ([]string, error) {
	labels := r.p.labels[:0]
	if column < 0 {
		r.p.noLabel(r.pos, func() fieldNames { return r.header.names })
	} else {
		name, err := r.field(column)
		if err != nil {
			return nil, err
		}
		if len(name) > 0 {
			if labels, err = r.p.addLabel(labels, name, r.pos); err != nil {
				return nil, err
			}
		}
	}
	r.p.labels = labels
	return labels, nil
}
