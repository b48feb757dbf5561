package reader

import (
	"bytes"
	"iter"
	"math"
	"strings"
)

// This file finds by looking what is between the fields of CSV: the separator, whether quotes
// are around fields, and whether spaces are before them.

// separators are what may stand between the fields of CSV, in the order in which they are
// tried.
var separators = []byte{',', ';', '\t'}

// mostLooked is how many rows are looked at.
const mostLooked = 100

// declaredSeparator returns the separator of a line "sep=;", by which Excel is told it, at the
// front of data, and the length of that line; 0 for none.
func declaredSeparator(data []byte) (sep byte, length int) {
	line, rest := cutLine(data)
	line = bytes.Trim(line, `"`)
	if len(line) != len("sep=;") || !strings.EqualFold(string(line[:4]), "sep=") {
		return 0, 0
	}
	if sep = line[4]; sep != '\t' && !isPunctuation(sep) {
		return 0, 0
	}
	return sep, len(data) - len(rest)
}

// isPunctuation reports whether c is an ASCII character other than a letter, a digit, a space,
// a quote, or one that controls.
func isPunctuation(c byte) bool {
	return '!' <= c && c <= '~' && c != '"' && !isDigit(c) && (c|0x20 < 'a' || 'z' < c|0x20)
}

// syntaxOf returns the syntax of CSV that begins with data: that of the first separator by
// which the header has the columns that the options name, so that CSV with commas is always
// read as such. Without a header it is the first by which, besides, all rows at the beginning
// have as many fields. If none has the columns, it is the one that finds most of them, whose
// names the error can tell.
func syntaxOf(opt *Options, separators, data []byte, end bool, encoding string) csvSyntax {
	usual := csvSyntaxBy(opt, separators[0], data, end)
	best, most, found := usual, 0, false
	for i, separator := range separators {
		sep := csvSyntaxBy(opt, separator, data, end)
		h, ok, err := sep.header(opt, data, end, encoding)
		switch {
		case !ok && i == 0:
			most = math.MaxInt // an error about it is that of the usual separator
			continue
		case !ok:
			continue
		}
		if err == nil {
			_, err = h.columns(opt)
		}
		switch {
		case err == nil && (!opt.NoHeader || sep.regular(data, end, h.width)):
			return sep
		case err == nil && !found:
			best, found = sep, true
		case !found && h.width > most:
			best, most = sep, h.width
		}
	}
	return best
}

// csvSyntaxBy returns the syntax of data with a separator.
func csvSyntaxBy(opt *Options, separator byte, data []byte, end bool) csvSyntax {
	sep := csvSyntax{separator: separator}
	switch {
	case opt.Quote == "double":
		sep.quotes = true
	case opt.Quote == "none":
	default:
		sep.quotes = separator != '\t' || quotesAroundTabs(data, end)
	}
	sep.spaces = sep.quotes && sep.spacesBeforeQuotes(data, end)
	return sep
}

// header returns the header that data begins with. It is not ok if its end is not there.
func (sep csvSyntax) header(opt *Options, data []byte, end bool, encoding string) (h csvHeader, ok bool, err error) {
	row, line, ok := sep.firstRow(data, end, opt.MaxFields)
	if ok {
		h, err = csvHeaderOf(opt, row.fields, line, sep.width(opt, row.width, data, end), encoding)
	}
	return h, ok, err
}

// width returns how many fields a row has: as many as the header or, without one, as most of
// the first rows.
func (sep csvSyntax) width(opt *Options, first int, data []byte, end bool) int {
	if !opt.NoHeader {
		return first
	}
	counts := map[int]int{}
	width, most := first, 0
	for row := range sep.firstRows(data, end) {
		counts[row.width]++
		most = max(most, counts[row.width])
	}
	for row := range sep.firstRows(data, end) {
		if counts[row.width] == most {
			width = row.width
			break
		}
	}
	return width
}

// firstRow returns the first row with fields, and its line, if its end is in data.
func (sep csvSyntax) firstRow(data []byte, end bool, most int) (row csvRow, line []byte, ok bool) {
	for len(data) > 0 {
		row = sep.row(data, nil, most)
		line = data[:row.length]
		if row.open >= 0 || !end && line[len(line)-1] != '\n' {
			return row, nil, false
		}
		if row.width > 0 {
			return row, line, true
		}
		data = data[row.length:]
	}
	return row, nil, false
}

// firstRows yields the first rows of data that have fields and are whole, with their lines.
func (sep csvSyntax) firstRows(data []byte, end bool) iter.Seq2[csvRow, []byte] {
	return func(yield func(csvRow, []byte) bool) {
		n := 0
		for row, line := range sep.rows(data) {
			if n++; n > mostLooked || row.open >= 0 || !end && line[len(line)-1] != '\n' || !yield(row, line) {
				return
			}
		}
	}
}

// rows yields the rows of data that have fields, with their lines. The last may not be whole.
func (sep csvSyntax) rows(data []byte) iter.Seq2[csvRow, []byte] {
	return func(yield func(csvRow, []byte) bool) {
		var fields []csvField
		for len(data) > 0 {
			row := sep.row(data, fields, mostFieldsLooked)
			if row.width > 0 && !yield(row, data[:row.length]) {
				return
			}
			fields, data = row.fields, data[row.length:]
		}
	}
}

// mostFieldsLooked is how many fields of a row are looked at.
const mostFieldsLooked = 1 << 10

// regular reports whether the first rows of data have this many fields.
func (sep csvSyntax) regular(data []byte, end bool, width int) bool {
	for row := range sep.firstRows(data, end) {
		if row.width != width {
			return false
		}
	}
	return true
}

// quotesAroundTabs reports whether quotes are around fields of data that has tabs between
// them. Most programs that write tabs know no quotes, and a text may begin with one. So there
// must be a field that a quote opens and closes on its own line, and none with quotes may hold
// as many tabs and a line end as if it had swallowed a row.
func quotesAroundTabs(data []byte, end bool) bool {
	if bytes.IndexByte(data, '"') < 0 {
		return false
	}
	first, _, _ := csvSyntax{separator: '\t'}.firstRow(data, end, 0)
	quoted := csvSyntax{separator: '\t', quotes: true}
	closed := false
	for row, line := range quoted.rows(data) {
		if quoted.swallowed(row, line, first.width) || row.open >= 0 && end {
			return false
		}
		for _, f := range row.fields {
			closed = closed || row.open < 0 && f.from > 0 && line[f.from-1] == '"' && bytes.IndexByte(line[f.from:f.to], '\n') < 0
		}
	}
	return closed
}

// swallowed reports whether a field of a row has a line end and as many separators as a row of
// this width.
func (sep csvSyntax) swallowed(row csvRow, line []byte, width int) bool {
	if row.lines < 2 {
		return false
	}
	for _, f := range row.fields {
		field := line[f.from:f.to]
		if bytes.IndexByte(field, '\n') >= 0 && bytes.Count(field, []byte{sep.separator}) >= max(width-1, 1) {
			return true
		}
	}
	return false
}

// spacesBeforeQuotes reports whether spaces stand between the separators of data and quotes
// that are around fields: at least as many of the first rows have the usual number of fields
// then as if these spaces and quotes were parts of the fields.
func (sep csvSyntax) spacesBeforeQuotes(data []byte, end bool) bool {
	if !bytes.Contains(data, []byte{sep.separator, ' '}) {
		return false
	}
	spaced := sep
	spaced.spaces = true
	seen := false
	for row, line := range spaced.firstRows(data, end) {
		for _, f := range row.fields {
			seen = seen || f.from > 1 && line[f.from-1] == '"' && line[f.from-2] == ' '
		}
	}
	return seen && spaced.usualRows(data, end) >= sep.usualRows(data, end)
}

// usualRows returns how many of the first rows have as many fields as the first.
func (sep csvSyntax) usualRows(data []byte, end bool) int {
	n, width := 0, 0
	for row := range sep.firstRows(data, end) {
		if n == 0 {
			width = row.width
		}
		if row.width == width {
			n++
		}
	}
	return n
}
