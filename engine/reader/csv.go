package reader

import (
	"bytes"
	"fmt"

	"github.com/termsift/termsift/engine/document"
)

// This file reads CSV as RFC 4180 has it, and the same with tabs between the
// fields: a header line that names the columns, then a row for each document, of
// which one field is its text, one its label and one its id. A label is one cell
// as it stands; an empty cell is none. A column "split" serves --split. A backslash
// is one, also between tabs, where this program's own output has escapes.

// csvRecords is one input.
type csvRecords struct {
	s       *Source
	syntax  csvSyntax
	columns csvColumns // known from the first cut on
	begun   bool
	ragged  csvRagged
}

// A csvRagged is what is known of the rows with another number of fields.
type csvRagged struct {
	first int // line; 0 = none
	note  int // its number among the notes of the Source
}

// csvScratch is the memory of a parser for CSV.
type csvScratch struct {
	fields []csvField
	plain  []byte // a field without doubled quotes
	labels []string
	split  string // of the last row
}

func openCSV(s *Source, _ string) records { return &csvRecords{s: s, syntax: ','} }
func openTSV(s *Source, _ string) records { return &csvRecords{s: s, syntax: '\t'} }

// cut keeps rows whole. The first piece has the header.
func (c *csvRecords) cut(data []byte, end bool) (int, error) {
	n := len(data)
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

// endless is what is wrong with a row whose end is not in data, if anything. One
// with line breaks in it is no line; the Source bounds it.
func (c *csvRecords) endless(data []byte, open int) error {
	switch limit := &c.s.opt; {
	case open >= 0 && int64(len(data)) > limit.MaxDocument+limit.MaxLine:
		return unclosed(data, open, document.Position{})
	case open < 0 && int64(len(data)) > limit.MaxLine && bytes.IndexByte(data, '\n') < 0:
		return c.s.longLine(document.Position{})
	}
	return nil
}

// begin finds the columns in the first row, if there is one.
func (c *csvRecords) begin(data []byte) (found bool, err error) {
	pos := document.Position{}
	for len(data) > 0 {
		row := c.syntax.row(data, nil)
		if row.open >= 0 {
			return false, unclosed(data, row.open, pos)
		}
		if len(row.fields) > 0 {
			return true, placed(c.header(row.fields, data[:row.length]), pos)
		}
		data = data[row.length:]
		pos.Line += row.lines
	}
	return false, nil
}

func (c *csvRecords) header(fields []csvField, line []byte) error {
	h, err := csvHeaderOf(&c.s.opt, fields, line)
	if err == nil {
		c.columns, err = h.columns(&c.s.opt)
	}
	c.begun = err == nil
	return err
}

// unclosed is that a quote opens a field without an end. pos is the place of data.
func unclosed(data []byte, quote int, pos document.Position) error {
	pos.Line += bytes.Count(data[:quote], []byte{'\n'})
	pos.Column = quote - bytes.LastIndexByte(data[:quote], '\n')
	return &Error{
		Pos: pos, Problem: "a quote opens a field here, and no quote closes it", Bytes: string(data[quote:min(len(data), quote+80)]),
		Remedy: "put it into quotes as a whole, with the quotes in it doubled",
	}
}

func (c *csvRecords) parse(p *parser, f *frame) error {
	pos := f.pos
	header := pos.Line == 1 && !c.s.opt.NoHeader // is still to come
	for rest := f.data; len(rest) > 0; {
		row := c.syntax.row(rest, p.csv.fields)
		p.csv.fields = row.fields
		line := rest[:row.length]
		if row.lines == 1 && int64(len(line)) > c.s.opt.MaxLine && int64(len(bytes.TrimRight(line, "\r\n"))) > c.s.opt.MaxLine {
			return c.s.longLine(pos)
		}
		if len(row.fields) > 0 && !header {
			if err := p.bad(c.document(p, row, line, pos)); err != nil {
				return err
			}
		}
		header = header && len(row.fields) == 0
		rest = rest[row.length:]
		pos.Line += row.lines
	}
	return nil
}

// document hands on the document of a row. The encoding is that of the whole row,
// which tells more than a label can.
func (c *csvRecords) document(p *parser, row csvRow, line []byte, pos document.Position) error {
	if row.open >= 0 {
		return unclosed(line, row.open, pos)
	}
	if len(row.fields) != c.columns.width {
		c.skipRagged(p, pos, len(row.fields))
		return nil
	}
	r := csvReader{p: p, fields: row.fields, line: line, encoding: p.decoder.encodingOf(line)}
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
	if d.Text, err = r.field(c.columns.text); err != nil {
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

// skipRagged counts a row that does not fit, and notes the first of an input.
func (c *csvRecords) skipRagged(p *parser, pos document.Position, fields int) {
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

// A csvReader reads the fields of a row.
type csvReader struct {
	p        *parser
	fields   []csvField
	line     []byte
	encoding string
}

// field gives a field in UTF-8, until the next one is asked for.
func (r *csvReader) field(column int) (text []byte, err error) {
	text, r.p.csv.plain = r.fields[column].text(r.line, r.p.csv.plain)
	return r.p.decoder.as(r.encoding, text)
}

// split gives the part of the collection that a row is of, "" where there is no such
// column. Parts are long runs, so the last one is kept.
func (r *csvReader) split(column int) (string, error) {
	if column < 0 {
		return "", nil
	}
	name, err := r.field(column)
	last := &r.p.csv.split
	if *last != string(name) {
		*last = string(name)
	}
	if seen := r.p.tally.splits; r.p.s.opt.Split != "" && len(seen) < 10 && !seen[*last] {
		seen[*last] = true
	}
	return *last, err
}

// id gives the id of a row, or its place.
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
	labels := r.p.csv.labels[:0]
	if column >= 0 {
		name, err := r.field(column)
		if err != nil {
			return nil, err
		}
		if len(name) > 0 {
			label, err := r.p.label(name)
			if err != nil {
				return nil, err
			}
			labels = append(labels, label)
		}
	}
	r.p.csv.labels = labels
	return labels, nil
}
