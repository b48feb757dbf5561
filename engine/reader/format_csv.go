package reader

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/csv"
)

// This file reads CSV as RFC 4180 has it, and the same with semicolons or tabs between the fields: a header line that
// names the columns, then a row for each document, of which one field is its text, one its label and one its id. A
// label is one cell as it stands; an empty cell is none. A column "split" serves --split. A backslash is one, also
// between tabs, where this program's own output has escapes.

// A csvCutter divides one input, and has what its frame parsers know of it.
type csvCutter struct {
	s          *Source
	separators []byte     // those that are tried, the usual one first
	syntax     csv.Syntax // known from the first cut on, as is what follows
	header     header
	columns    columns
	literal    bool // quotes are no quotes around fields, because of the first bytes alone
	first      int  // the line of the first row behind the header
	begun      bool
	encoding   string // of the input
}

// A csvParser parses CSV. A document refers to its memory, which the next document
// overwrites.
type csvParser struct {
	*parser
	c        *csvCutter // of the input at hand
	row      csv.Row    // at hand, as is what follows
	line     []byte
	encoding string
	plain    []byte // a field without doubled quotes
}

var csvLayout = layout{
	format: CSV, extensions: []string{".csv"}, fields: true,
	open:   func(s *Source, _ string) cutter { return &csvCutter{s: s, separators: []byte{',', ';', '\t'}} },
	parser: func(p *parser) frameParser { return (&csvParser{parser: p}).parse },
}

var tsvLayout = layout{
	format: TSV, extensions: []string{".tsv", ".tab"}, fields: true,
	open:   func(s *Source, _ string) cutter { return &csvCutter{s: s, separators: []byte{'\t'}} },
	parser: csvLayout.parser,
}

// cut returns the length of the whole rows. The first call finds the columns in the header.
func (c *csvCutter) cut(f *frame, end bool) (int, error) {
	data := f.data
	c.encoding = f.encoding
	n, declared := len(data), 0 // declared: a line in front has the separator
	if !c.begun {
		var separator byte
		if separator, declared = csv.Declared(data); declared > 0 {
			c.separators = []byte{separator}
		}
		c.syntax = c.syntaxOf(data[declared:], end)
		c.literal = !c.syntax.Quotes && c.s.opt.Quote != "none"
	}
	if !end {
		var open int
		if n, open = c.syntax.WholeRows(data[declared:]); n == 0 {
			return 0, c.endless(f, declared, open)
		}
		n += declared
	}
	if !c.begun {
		if found, err := c.begin(data[:n], declared, f.pos); err != nil || !found && !end {
			return 0, err
		}
	}
	return n, nil
}

// syntaxOf returns the syntax of CSV that begins with data: that of the first separator by
// which the header has the columns that the options name, so that CSV with commas is always
// read as such. Without a header it is the first by which, besides, all rows at the beginning
// have as many fields. If none has the columns, it is the one that finds most of them, whose
// names the error can tell.
func (c *csvCutter) syntaxOf(data []byte, end bool) (best csv.Syntax) {
	most, found := 0, false
	for i, separator := range c.separators {
		sep := csv.Look(separator, c.s.opt.Quote, data, end)
		if i == 0 {
			best = sep
		}
		row, line, ok := sep.First(data, end, c.s.opt.MaxFields)
		if !ok {
			if i == 0 {
				most = math.MaxInt // an error about it is that of the usual separator
			}
			continue
		}
		widths := sep.Widths(data, end)
		h, _, err := c.headerOf(row, line, widths)
		switch {
		case err == nil && (!c.s.opt.NoHeader || len(slices.Compact(widths)) == 1):
			return sep
		case err == nil && !found:
			best, found = sep, true
		case !found && h.width > most:
			best, most = sep, h.width
		}
	}
	return best
}

// headerOf reads the header from the first row, and finds the columns that the options name.
// Without a header line there are as many as most of the first rows have.
func (c *csvCutter) headerOf(row csv.Row, line []byte, widths []int) (h header, found columns, err error) {
	h.width = row.Width
	if c.s.opt.NoHeader {
		h.width = cmp.Or(csv.UsualWidth(widths), row.Width)
	}
	if h.width > c.s.opt.MaxFields {
		return h, found, wrong(nowhere, fmt.Sprintf("the row has %d columns, more than %d", h.width, c.s.opt.MaxFields), "",
			"is it another format? --input-format names one; --max-fields raises the limit").of("too many columns")
	}
	if !c.s.opt.NoHeader {
		h.read(row, line, c.encoding)
	}
	found, err = h.columns(&c.s.opt)
	return h, found, err
}

// endless returns an error if the row at the front of data[from:], whose end is not in data, is
// already longer than a row may be. A quoted field may have line breaks; then Source.cut
// bounds the row instead.
func (c *csvCutter) endless(f *frame, from, open int) error {
	pos, data := f.pos, f.data[from:]
	pos.Line += bytes.Count(f.data[:from], []byte{'\n'})
	switch limit := &c.s.opt; {
	case open >= 0 && int64(len(data)) > limit.MaxDocument+limit.MaxLine:
		return unclosed(data, open, pos)
	case open < 0 && int64(len(data)) > limit.MaxLine && bytes.IndexByte(data, '\n') < 0:
		return c.s.opt.longLine(pos)
	}
	return nil
}

// begin finds the columns in the first row of data[from:] and reports whether it has a row. pos is that of data.
func (c *csvCutter) begin(data []byte, from int, pos document.Position) (found bool, err error) {
	for at, row := range c.syntax.Rows(data[from:], c.s.opt.MaxFields) {
		at += from
		pos.Line += bytes.Count(data[:at], []byte{'\n'})
		if row.Open >= 0 {
			return false, unclosed(data[at:], row.Open, pos)
		}
		c.first = pos.Line
		if !c.s.opt.NoHeader {
			c.first += row.Lines
		}
		if c.header, c.columns, err = c.headerOf(row, data[at:], c.syntax.Widths(data[at:], true)); err != nil {
			return true, placed(c.belowTitle(err, data[at:], pos.Line), pos)
		}
		c.begun = true
		return true, nil
	}
	return false, nil
}

// mostTitle is how many rows are looked at for a header below a title.
const mostTitle = 20

// belowTitle adds to the error that the first row of data lacks a column the separator by which it
// has all, or the line of a row that has, if one of the next does. data begins at a line.
func (c *csvCutter) belowTitle(err error, data []byte, line int) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || c.s.opt.NoHeader || c.header.width > c.s.opt.MaxFields {
		return err
	}
	if c.literal && slices.ContainsFunc(c.header.names, func(name string) bool { return isQuoted([]byte(name)) }) {
		e.Remedy = "quotes are taken as they are here: --quote double takes them off"
		return e
	}
	for _, separator := range []byte("|,;:^~") {
		sep := csv.Look(separator, c.s.opt.Quote, data, true)
		row, line, ok := sep.First(data, true, c.s.opt.MaxFields)
		if _, _, err := c.headerOf(row, line, nil); ok && err == nil {
			e.Remedy = fmt.Sprintf("fields seem to be between %c: begin the file with a line sep=%c", separator, separator)
			return e
		}
	}
	for _, separator := range c.separators {
		n := 0
		for at, row := range csv.Look(separator, c.s.opt.Quote, data, true).Rows(data, c.s.opt.MaxFields) {
			if n++; n > mostTitle {
				break
			}
			if _, _, err := c.headerOf(row, data[at:], nil); err == nil {
				line += bytes.Count(data[:at], []byte{'\n'})
				e.Remedy = fmt.Sprintf("the header is line %d? leave out what stands above it, as tail -n +%d does", line, line)
				return e
			}
		}
	}
	return err
}

// unclosed returns the error for a field that a quote opens and none closes. pos is the
// position of data, quote an offset in it.
func unclosed(data []byte, quote int, pos document.Position) error {
	pos.Line += bytes.Count(data[:quote], []byte{'\n'})
	pos.Column = quote - bytes.LastIndexByte(data[:quote], '\n')
	return wrong(pos, "a quote opens a field here, and no quote closes it", data[quote:],
		"put it into quotes as a whole, with the quotes in it doubled, or take quotes as they are with --quote none")
}

func (p *csvParser) parse(from any, f *frame) error {
	c := from.(*csvCutter)
	p.c = c
	pos := f.pos
	for rest := f.data; len(rest) > 0; {
		rest = p.unmarked(rest, pos)
		row := c.syntax.Row(rest, p.row.Fields, c.columns.width)
		line := rest[:row.Length]
		p.row, p.line = row, line
		if row.Lines == 1 && int64(len(line)) > c.s.opt.MaxLine && int64(len(bytes.TrimRight(line, "\r\n"))) > c.s.opt.MaxLine {
			return c.s.opt.longLine(pos)
		}
		if row.Width > 0 && pos.Line >= c.first {
			p.tally.rows++
			if err := p.bad(p.document(pos)); err != nil {
				return err
			}
		}
		rest = rest[row.Length:]
		pos.Line += row.Lines
	}
	return nil
}

// document emits the document of the row at hand.
func (p *csvParser) document(pos document.Position) error {
	c, row, line := p.c, p.row, p.line
	if row.Open >= 0 {
		return unclosed(line, row.Open, pos)
	}
	if row.Width != c.columns.width {
		return p.ragged(c.raggedRow(row, line, pos))
	}
	if row.Lines > 1 && c.syntax.Stray(row, line) > 0 && bytes.Contains(line, []byte(`\"`)) && c.syntax.Swallowed(row, line, c.columns.width) {
		p.tally.remark(p.frame, wrong(pos, "a field in quotes with a backslash before a quote goes on over a line end and holds as many separators as a row has, as if it had swallowed rows", "",
			"--quote backslash makes such quotes part of the field, --quote double the backslashes"))
	} else if row.Lines > 1 && c.syntax.Separator == '\t' && c.s.opt.Quote != "double" && c.syntax.Swallowed(row, line, c.columns.width) {
		p.tally.remark(p.frame, wrong(pos, "a field in quotes goes on over a line end and holds as many tabs as a row has, as if a quote that nothing closes had swallowed rows", "",
			"--quote none takes quotes as they are, --quote double says that these are right"))
	}
	p.encoding = p.decoder.EncodingOf(line)
	d := document.Document{}
	if at := c.columns.split; at >= 0 {
		d.Split = p.splitOf(p.field(at))
	}
	if c.s.opt.Split != "" && c.s.opt.Split != d.Split {
		return nil
	}
	if at := c.columns.id; at >= 0 {
		d.ID = string(p.field(at))
	}
	if err := p.labelsOf(pos); err != nil {
		return err
	}
	d.Labels = p.labels
	if c.columns.parts == nil {
		d.Text = p.field(c.columns.text[0])
	} else {
		d.Text, _ = p.join(c.columns.parts, func(i int) ([]byte, bool) { return p.field(c.columns.text[i]), true })
	}
	p.tally.encodings[p.encoding]++
	return p.emitLine(d, line, pos)
}

// raggedKind is what rows with another number of fields are counted as.
const raggedKind = "row with another number of fields than the header"

// raggedRow returns the error for a row with another number of fields than the header.
func (c *csvCutter) raggedRow(row csv.Row, line []byte, pos document.Position) *Error {
	has := "the header has"
	if c.s.opt.NoHeader {
		has = "most of the first rows have"
	}
	e := wrong(pos, fmt.Sprintf("the row has %d fields, and %s %d", row.Width, has, c.columns.width), bytes.TrimRight(line, "\r\n"),
		"put fields that hold separators into quotes").of(raggedKind)
	if c.syntax.Quotes && bytes.Contains(line, []byte(`\"`)) {
		e.Remedy = "--quote backslash makes quotes behind backslashes part of the field, --quote double the backslashes"
	}
	opens := func(f csv.Field) bool { return f.From < f.To && line[f.From] == '"' }
	if !c.syntax.Quotes && slices.ContainsFunc(row.Fields, opens) {
		e.Remedy = "--quote double takes quotes as those around fields"
	}
	return e
}

// isQuoted reports whether a field has quotes around it.
func isQuoted(field []byte) bool {
	return len(field) > 1 && field[0] == '"' && field[len(field)-1] == '"'
}

// field returns a field of the row in UTF-8, valid until the next call.
func (p *csvParser) field(column int) (text []byte) {
	text, p.plain = p.row.Fields[column].Text(p.line, p.plain)
	if p.c.header.padded {
		text = bytes.TrimLeft(text, " ")
	}
	return p.decoder.As(p.encoding, text)
}

// labelsOf sets p.labels.
func (p *csvParser) labelsOf(pos document.Position) error {
	p.labels = p.labels[:0]
	if p.c.columns.label < 0 {
		p.noLabel(pos, func() fieldNames { return p.c.header.names })
		return nil
	}
	name := p.field(p.c.columns.label)
	if p.c.literal && isQuoted(name) {
		p.tally.remark(p.frame, wrong(pos, "the label has quotes around it, and the beginning of the input has none around fields: they are taken as they are", name,
			"--quote double takes them off, --quote none says that this is right"))
	}
	return p.addLabels(name, pos)
}
