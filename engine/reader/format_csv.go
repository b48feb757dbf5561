package reader

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/document"
)

// This file reads CSV as RFC 4180 has it, and the same with semicolons or tabs between
// the fields: a header line that names the columns, then a row for each document, of
// which one field is its text, one its label and one its id. A label is one cell
// as it stands; an empty cell is none. A column "split" serves --split. A backslash
// is one, also between tabs, where this program's own output has escapes.

// A csvCutter divides one input, and has what its frame parsers know of it.
type csvCutter struct {
	s          *Source
	separators []byte    // those that are tried
	syntax     csvSyntax // known from the first cut on, as is what follows
	header     csvHeader
	columns    csvColumns
	literal    bool // quotes are no quotes around fields, because of the first bytes alone
	first      int  // the line of the first row behind the header
	begun      bool
	encoding   string // of the input
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

func openCSV(s *Source, _ string) cutter { return &csvCutter{s: s, separators: separators} }
func openTSV(s *Source, _ string) cutter { return &csvCutter{s: s, separators: []byte{'\t'}} }

func newCSVParser(p *parser) frameParser { return &csvParser{parser: p} }

// isIn takes the encoding of the input.
func (c *csvCutter) isIn(encoding string) { c.encoding = encoding }

// cut returns the length of the whole rows. The first call finds the columns in the header.
func (c *csvCutter) cut(data []byte, end bool) (int, error) {
	n, declared := len(data), 0
	if !c.begun {
		declared = c.look(data, end)
	}
	if !end {
		var open int
		if n, open = c.syntax.wholeRows(data[declared:]); n == 0 {
			return 0, c.endless(data, declared, open)
		}
		n += declared
	}
	if !c.begun {
		if found, err := c.begin(data[:n], declared); err != nil || !found && !end {
			return 0, err
		}
	}
	return n, nil
}

// look finds the syntax, and returns the length of a line in front that declares the
// separator.
func (c *csvCutter) look(data []byte, end bool) int {
	separators := c.separators
	sep, declared := declaredSeparator(data)
	if declared > 0 {
		separators = []byte{sep}
	}
	c.syntax = syntaxOf(&c.s.opt, separators, data[declared:], end, c.encoding)
	c.literal = !c.syntax.quotes && c.s.opt.Quote != "none"
	return declared
}

// endless returns an error if the row at the front of data[from:], whose end is not in data, is
// already longer than a row may be. A quoted field may have line breaks; then Source.cut
// bounds the row instead.
func (c *csvCutter) endless(data []byte, from, open int) error {
	pos := document.Position{Line: bytes.Count(data[:from], []byte{'\n'})}
	data = data[from:]
	switch limit := &c.s.opt; {
	case open >= 0 && int64(len(data)) > limit.MaxDocument+limit.MaxLine:
		return unclosed(data, open, pos)
	case open < 0 && int64(len(data)) > limit.MaxLine && bytes.IndexByte(data, '\n') < 0:
		return c.s.longLine(pos)
	}
	return nil
}

// begin finds the columns in the first row of data[from:] and reports whether it has a row.
func (c *csvCutter) begin(data []byte, from int) (found bool, err error) {
	pos := document.Position{Line: bytes.Count(data[:from], []byte{'\n'})}
	for data = data[from:]; len(data) > 0; {
		row := c.syntax.row(data, nil, c.s.opt.MaxFields)
		if row.open >= 0 {
			return false, unclosed(data, row.open, pos)
		}
		if row.width > 0 {
			c.first = pos.Line + 1
			if !c.s.opt.NoHeader {
				c.first += row.lines
			}
			return true, placed(c.readHeader(row, data, pos.Line), pos, 1)
		}
		data = data[row.length:]
		pos.Line += row.lines
	}
	return false, nil
}

// readHeader reads the first row of data, which has line ends before it.
func (c *csvCutter) readHeader(row csvRow, data []byte, lines int) (err error) {
	opt := &c.s.opt
	if c.header, err = csvHeaderOf(opt, row.fields, data[:row.length], c.syntax.width(opt, row.width, data, true), c.encoding); err != nil {
		return err
	}
	if c.columns, err = c.header.columns(opt); err != nil {
		return c.belowTitle(err, data, lines)
	}
	c.begun = true
	return nil
}

// mostTitle is how many rows are looked at for a header below a title.
const mostTitle = 20

// belowTitle adds to the error that the first row of data lacks a column the line of a row that
// has all, if one of the next does.
func (c *csvCutter) belowTitle(err error, data []byte, lines int) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || c.s.opt.NoHeader {
		return err
	}
	if c.literal && slices.ContainsFunc(c.header.names, func(name string) bool { return isQuoted([]byte(name)) }) {
		e.Remedy = "quotes are taken as they are here: --quote double takes them off"
		return e
	}
	for _, separator := range c.separators {
		sep, line := csvSyntaxBy(&c.s.opt, separator, data, true), lines+1
		for n, rest := 0, data; n < mostTitle && len(rest) > 0; n++ {
			row := sep.row(rest, nil, mostFieldsLooked)
			h, err := csvHeaderOf(&c.s.opt, row.fields, rest[:row.length], row.width, c.encoding)
			if err == nil {
				_, err = h.columns(&c.s.opt)
			}
			if err == nil {
				e.Remedy = fmt.Sprintf("the header is line %d? leave out what stands above it, as tail -n +%d does", line, line)
				return e
			}
			rest = rest[row.length:]
			line += row.lines
		}
	}
	return err
}

// unclosed returns the error for a field that a quote opens and none closes. pos is the
// position of data, quote an offset in it.
func unclosed(data []byte, quote int, pos document.Position) error {
	pos.Line += bytes.Count(data[:quote], []byte{'\n'})
	pos.Column = quote - bytes.LastIndexByte(data[:quote], '\n')
	return &Error{
		Pos: pos, Problem: "a quote opens a field here, and no quote closes it", Bytes: string(data[quote:min(len(data), quote+80)]),
		Remedy: "put it into quotes as a whole, with the quotes in it doubled, or take quotes as they are with --quote none",
	}
}

func (p *csvParser) parse(of cutter, f *frame) error {
	c := of.(*csvCutter)
	pos := f.pos
	rows := 0
	for rest := f.data; len(rest) > 0; {
		row := c.syntax.row(rest, p.fields, c.columns.width)
		p.fields = row.fields
		line := rest[:row.length]
		if row.lines == 1 && int64(len(line)) > c.s.opt.MaxLine && int64(len(bytes.TrimRight(line, "\r\n"))) > c.s.opt.MaxLine {
			return c.s.longLine(pos)
		}
		if row.width > 0 && pos.Line >= c.first {
			rows++
			if err := p.bad(p.document(c, row, line, pos)); err != nil {
				return err
			}
		}
		rest = rest[row.length:]
		pos.Line += row.lines
	}
	p.tally.rows += rows
	return nil
}

// document emits the document of a row.
func (p *csvParser) document(c *csvCutter, row csvRow, line []byte, pos document.Position) error {
	if row.open >= 0 {
		return unclosed(line, row.open, pos)
	}
	if row.width != c.columns.width {
		return p.ragged(c.raggedRow(row, line, pos))
	}
	if row.lines > 1 && c.syntax.separator == '\t' && c.s.opt.Quote != "double" && c.syntax.swallowed(row, line, c.columns.width) {
		p.tally.remark(p.frame, swallowedRow(pos))
	}
	r := csvReader{p: p, pos: pos, fields: row.fields, line: line, encoding: p.decoder.EncodingOf(line), header: c.header, literal: c.literal}
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

// raggedKind is what rows with another number of fields are counted as.
const raggedKind = "row with another number of fields than the header"

// raggedRow returns the error for a row with another number of fields than the header.
func (c *csvCutter) raggedRow(row csvRow, line []byte, pos document.Position) *Error {
	has := "the header has"
	if c.s.opt.NoHeader {
		has = "most of the first rows have"
	}
	e := &Error{
		Pos: pos, Kind: raggedKind, Problem: fmt.Sprintf("the row has %d fields, and %s %d", row.width, has, c.columns.width),
		Bytes: quotable(bytes.TrimRight(line, "\r\n")), Remedy: "put fields that hold separators into quotes",
	}
	opens := func(f csvField) bool { return f.from < f.to && line[f.from] == '"' }
	if !c.syntax.quotes && slices.ContainsFunc(row.fields, opens) {
		e.Remedy = "--quote double takes quotes as those around fields"
	}
	return e
}

// swallowedRow returns what is said of a row with a field that has line ends and tabs.
func swallowedRow(pos document.Position) *Error {
	return &Error{
		Pos: pos, Problem: "a field in quotes goes on over a line end and holds as many tabs as a row has, as if a quote that nothing closes had swallowed rows",
		Remedy: "--quote none takes quotes as they are, --quote double says that these are right",
	}
}

// isQuoted reports whether a field has quotes around it.
func isQuoted(field []byte) bool {
	return len(field) > 1 && field[0] == '"' && field[len(field)-1] == '"'
}

// quotedLabel returns what is said of a label with quotes around it that count as its own.
func quotedLabel(pos document.Position, label []byte) *Error {
	return &Error{
		Pos: pos, Problem: "the label has quotes around it, and the beginning of the input has none around fields: they are taken as they are", Bytes: quotable(label),
		Remedy: "--quote double takes them off, --quote none says that this is right",
	}
}

// A csvReader decodes the fields of one row.
type csvReader struct {
	p        *csvParser
	pos      document.Position
	fields   []csvField
	line     []byte
	encoding string
	header   csvHeader
	literal  bool // as in the cutter
}

// field returns a field in UTF-8, valid until the next call.
func (r *csvReader) field(column int) (text []byte, err error) {
	text, r.p.plain = r.fields[column].text(r.line, r.p.plain)
	if r.header.padded {
		text = text[afterSpaces(text, 0):]
	}
	return r.p.decoder.As(r.encoding, text)
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
		if r.literal && isQuoted(name) {
			r.p.tally.remark(r.p.frame, quotedLabel(r.pos, name))
		}
		if labels, err = r.p.addLabels(labels, name, r.pos); err != nil {
			return nil, err
		}
	}
	r.p.labels = labels
	return labels, nil
}
