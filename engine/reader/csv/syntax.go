package csv

import (
	"bytes"
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"
)

// This file finds by looking what is between the fields: whether quotes are around them, and
// whether spaces are before them.

const (
	mostRows   = 100     // are looked at
	mostFields = 1 << 10 // of a row are looked at
)

// Declared returns the separator of a line "sep=;", by which Excel is told it, at the front of
// data, and the length of that line; 0 for none.
func Declared(data []byte) (separator byte, length int) {
	line, rest, _ := bytes.Cut(data, []byte{'\n'})
	line = bytes.Trim(line[:withoutCR(line, 0, len(line))], `"`)
	if len(line) != len("sep=;") || !strings.EqualFold(string(line[:4]), "sep=") {
		return 0, 0
	}
	if separator = line[4]; strings.IndexByte("\t!#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", separator) < 0 {
		return 0, 0
	}
	return separator, len(data) - len(rest)
}

// Look returns the syntax of data with a separator. quote is "double", "backslash" or "none", or says that
// data shows it. end says that data is the whole input.
func Look(separator byte, quote string, data []byte, end bool) Syntax {
	sep := Syntax{Separator: separator}
	switch quote {
	case "double":
		sep.Quotes = true
	case "backslash":
		sep.Quotes, sep.Backslashes = true, true
	case "none":
	default:
		quoted := Syntax{Separator: separator, Quotes: true}
		quoted.Backslashes = quoted.backslashesBeforeQuotes(data, end)
		if separator != '\t' || quoted.aroundTabs(data, end) {
			sep = quoted
		}
	}
	sep.Spaces = sep.Quotes && sep.spacesBeforeQuotes(data, end)
	return sep
}

// backslashesBeforeQuotes reports whether the rows of data fit better if a backslash makes a quote one of the text:
// more of them are as wide as the first, or fewer quotes stand in fields as nothing tells, and neither is worse.
func (sep Syntax) backslashesBeforeQuotes(data []byte, end bool) bool {
	if !bytes.Contains(data, []byte(`\"`)) {
		return false
	}
	alike, stray := sep.fit(data, end, math.MaxInt)
	sep.Backslashes = true
	fitting, odd := sep.fit(data, end, math.MaxInt)
	return fitting >= alike && odd <= stray && (fitting > alike || odd < stray)
}

// fit counts those of the first rows of data that are as wide as the first, most at most, and the stray quotes of all.
func (sep Syntax) fit(data []byte, end bool, most int) (alike, stray int) {
	first := 0
	for row, line := range sep.firstRows(data, end, most) {
		first = cmp.Or(first, row.Width)
		if row.Width == first {
			alike++
		}
		stray += sep.Stray(row, line)
	}
	return alike, stray
}

// Stray counts the quotes in quoted fields of a row that are neither doubled nor behind a backslash that counts.
func (sep Syntax) Stray(row Row, line []byte) (n int) {
	for _, f := range row.Fields {
		if field := line[f.From:f.To]; f.From > 0 && line[f.From-1] == '"' && sep.Quotes {
			if f.Escaped {
				field = bytes.ReplaceAll(bytes.ReplaceAll(field, []byte(`\\`), nil), []byte(`\"`), nil)
			}
			n += bytes.Count(field, []byte(`"`)) - 2*bytes.Count(field, []byte(`""`))
		}
	}
	return n
}

// First returns the first row with fields, and its line, if its end is in data.
func (sep Syntax) First(data []byte, end bool, most int) (row Row, line []byte, ok bool) {
	for at, row := range sep.Rows(data, most) {
		line = data[at : at+row.Length]
		return row, line, isWhole(row, line, end)
	}
	return row, nil, false
}

func isWhole(row Row, line []byte, end bool) bool {
	return row.Open < 0 && (end || line[len(line)-1] == '\n')
}

// firstRows yields the first rows of data that are whole, most at most, with their lines.
func (sep Syntax) firstRows(data []byte, end bool, most int) iter.Seq2[Row, []byte] {
	return func(yield func(Row, []byte) bool) {
		n := 0
		for at, row := range sep.Rows(data, mostFields) {
			line := data[at : at+row.Length]
			if n++; n > most || !isWhole(row, line, end) || !yield(row, line) {
				return
			}
		}
	}
}

// Widths returns how many fields the first rows of data have.
func (sep Syntax) Widths(data []byte, end bool) (widths []int) {
	for row := range sep.firstRows(data, end, mostRows) {
		widths = append(widths, row.Width)
	}
	return widths
}

// aroundTabs reports whether quotes are around fields of data that has tabs between
// them. Most programs that write tabs know no quotes, and a text may begin with one. So there
// must be a field that a quote opens and closes on its own line, and none with quotes may hold
// as many tabs and a line end as if it had swallowed a row.
func (sep Syntax) aroundTabs(data []byte, end bool) bool {
	if bytes.IndexByte(data, '"') < 0 {
		return false
	}
	first, _, _ := Syntax{Separator: '\t'}.First(data, end, 0)
	closed := false
	for at, row := range sep.Rows(data, mostFields) {
		line := data[at : at+row.Length]
		if sep.Swallowed(row, line, first.Width) || row.Open >= 0 && end {
			return false
		}
		for _, f := range row.Fields {
			closed = closed || row.Open < 0 && f.From > 0 && line[f.From-1] == '"' && bytes.IndexByte(line[f.From:f.To], '\n') < 0
		}
	}
	return closed
}

// Swallowed reports whether a field of a row has a line end and as many separators as a row of
// this width.
func (sep Syntax) Swallowed(row Row, line []byte, width int) bool {
	return row.Lines > 1 && slices.ContainsFunc(row.Fields, func(f Field) bool {
		field := line[f.From:f.To]
		return bytes.IndexByte(field, '\n') >= 0 && bytes.Count(field, []byte{sep.Separator}) >= max(width-1, 1)
	})
}

// spacesBeforeQuotes reports whether spaces stand between the separators of data and quotes
// that are around fields: at least as many of the first rows have the usual number of fields
// then as if these spaces and quotes were parts of the fields.
func (sep Syntax) spacesBeforeQuotes(data []byte, end bool) bool {
	if !bytes.Contains(data, []byte{sep.Separator, ' '}) {
		return false
	}
	spaced := sep
	spaced.Spaces = true
	seen := false
	for row, line := range spaced.firstRows(data, end, mostRows) {
		for _, f := range row.Fields {
			seen = seen || f.From > 1 && line[f.From-1] == '"' && line[f.From-2] == ' '
		}
	}
	with, _ := spaced.fit(data, end, mostRows)
	without, _ := sep.fit(data, end, mostRows)
	return seen && with >= without
}

// UsualWidth returns the width that most rows have, that of the first of these where several are as
// many.
func UsualWidth(widths []int) (usual int) {
	counts := map[int]int{}
	for _, width := range widths {
		counts[width]++
	}
	for _, width := range widths {
		if counts[width] > counts[usual] {
			usual = width
		}
	}
	return usual
}
