// Package csv splits the bytes of CSV into rows and the places of their fields, and finds out what is
// between the fields.
//
// Begin reading at rows.go. The package never knows what a column is for, and never has an error.
package csv

import (
	"bytes"
	"iter"
)

// This file splits CSV into rows and fields, by their places. Separators and quotes are ASCII below
// 0x30, and no byte of a character of UTF-8, GB18030 or Latin-1 is, other than a digit of GB18030's
// four bytes.

// A Syntax says what is between the fields of an input. With quotes, a field that begins
// with a quote ends at a quote before a separator, a line end or the end of the input; a quote
// doubled is one, with Backslashes so is one behind a backslash, and any other stands for itself.
// A field that begins otherwise, and any without quotes, has none but for themselves. A line ends
// at LF, CR LF or CR CR LF.
type Syntax struct {
	Separator byte
	Quotes    bool
	Spaces    bool // spaces before a field do not belong to it

	Backslashes bool // in quotes a backslash makes a quote or a backslash one of the text
}

// A Field is the place of a field in its row, without the quotes around it.
type Field struct {
	From, To int
	Doubled  bool // it has quotes that are doubled
	Escaped  bool // it may have backslashes that are not of the text
}

// A Row is what [Syntax.Row] found at the front of data.
type Row struct {
	Fields []Field
	Width  int // how many fields there are; Fields has no more than were asked for
	Length int // with the line end
	Lines  int // line ends
	Open   int // where a quote opens that is not closed, or -1
}

// keep counts the next field and keeps it if there are fewer than most.
func (r *Row) keep(field Field, most int) {
	if r.Width < most {
		r.Fields = append(r.Fields, field)
	}
	r.Width++
}

// Row splits the first row off data. An empty line has no fields. fields is
// memory to reuse; no more than most are kept. What opens a quote without an end goes
// to the end of data.
func (sep Syntax) Row(data []byte, fields []Field, most int) Row {
	r := Row{Fields: fields[:0], Open: -1}
	separator, quotes, spaces := sep.Separator, sep.Quotes, sep.Spaces
	end, next := lineEnd(data, 0)
	if end == 0 {
		r.Length, r.Lines = next, 1
		return r
	}
	for at := 0; ; {
		for spaces && at < end && data[at] == ' ' {
			at++
		}
		if at < end && data[at] == '"' && quotes {
			field, after, closed := sep.quoted(data, at+1)
			r.keep(field, most)
			if !closed {
				r.Open, r.Length = at, len(data)
				return r
			}
			if after > end {
				r.Lines += bytes.Count(data[at:after], []byte{'\n'})
				end, next = lineEnd(data, after)
			}
			at = after
		} else {
			stop := end
			if i := bytes.IndexByte(data[at:end], separator); i >= 0 {
				stop = at + i
			}
			r.keep(Field{From: at, To: stop}, most)
			at = stop
		}
		if at >= end { // the line end
			r.Length = next
			r.Lines++
			return r
		}
		at++ // the separator
	}
}

// Rows yields the rows of data that have fields, with their places. The last may not be whole. No
// more than most fields of a row are kept, until the next is asked for.
func (sep Syntax) Rows(data []byte, most int) iter.Seq2[int, Row] {
	return func(yield func(int, Row) bool) {
		var row Row
		for at := 0; at < len(data); at += row.Length {
			row = sep.Row(data[at:], row.Fields, most)
			if row.Width > 0 && !yield(at, row) {
				return
			}
		}
	}
}

// quoted returns the field whose opening quote is before from, and the place after its
// closing quote.
func (sep Syntax) quoted(data []byte, from int) (field Field, after int, closed bool) {
	field = Field{From: from, To: len(data), Escaped: sep.Backslashes}
	for at := from; ; {
		i := bytes.IndexByte(data[at:], '"')
		if i < 0 {
			return field, len(data), false
		}
		at += i + 1
		before := data[from : at-1]
		switch {
		case sep.Backslashes && (len(before)-len(bytes.TrimRight(before, `\\`)))%2 == 1:
			// it is one of the text
		case sep.closes(data[at:]):
			field.To = at - 1
			return field, at, true
		case data[at] == '"':
			field.Doubled = true
			at++
		}
	}
}

// closes reports whether a quote that rest follows closes its field.
func (sep Syntax) closes(rest []byte) bool {
	if len(rest) == 0 || rest[0] == sep.Separator || rest[0] == '\n' {
		return true
	}
	return rest[0] == '\r' && (len(rest) == 1 || rest[1] == '\n' || rest[1] == '\r' && (len(rest) == 2 || rest[2] == '\n'))
}

// lineEnd returns the end of the line at from and the begin of the next.
func lineEnd(data []byte, from int) (end, next int) {
	end, next = len(data), len(data)
	if i := bytes.IndexByte(data[from:], '\n'); i >= 0 {
		end, next = from+i, from+i+1
	}
	return withoutCR(data, from, end), next
}

// withoutCR returns the end of the line data[from:end] without the carriage returns that
// belong to its end: one, or two where a program that ends lines by CR LF wrote to a file
// that did so again.
func withoutCR(data []byte, from, end int) int {
	if end > from && data[end-1] == '\r' {
		if end--; end > from && data[end-1] == '\r' {
			end--
		}
	}
	return end
}

// Text returns the bytes of a field of data. A field with doubled quotes or backslashes that
// are not of the text is put together in buffer, which is returned grown.
func (f Field) Text(data, buffer []byte) (text, grown []byte) {
	if !f.Doubled && !f.Escaped {
		return data[f.From:f.To], buffer
	}
	buffer = buffer[:0]
	for rest := data[f.From:f.To]; len(rest) > 0; {
		n := bytes.IndexAny(rest, `"\`)
		if n < 0 || n == len(rest)-1 {
			buffer = append(buffer, rest...)
			break
		}
		buffer = append(buffer, rest[:n]...)
		if c, next := rest[n], rest[n+1]; c == '"' && next == c || f.Escaped && c == '\\' && (next == '"' || next == c) {
			n++
		}
		buffer = append(buffer, rest[n])
		rest = rest[n+1:]
	}
	return buffer, buffer
}

// WholeRows returns the length of the whole rows at the front of data, of which more will
// follow, and the place after them of a quote that is not closed, or -1. It examines
// quotes, and line ends outside of them, only.
func (sep Syntax) WholeRows(data []byte) (length, open int) {
	if !sep.Quotes {
		return bytes.LastIndexByte(data, '\n') + 1, -1
	}
	for outside := 0; ; { // of quotes
		quote := sep.opening(data, outside)
		if i := bytes.LastIndexByte(data[outside:quote], '\n'); i >= 0 {
			length = outside + i + 1
		}
		if quote == len(data) {
			return length, -1
		}
		_, after, closed := sep.quoted(data, quote+1)
		rest := data[after:] // by which, when more follows, the quote may turn out not to close its field
		if !closed || len(rest) < len("\r\r\n") && len(bytes.TrimLeft(rest, "\r")) == 0 {
			return length, quote
		}
		outside = after
	}
}

// opening returns the place of the next quote that opens a field, len(data) for none. from
// must be outside of quotes.
func (sep Syntax) opening(data []byte, from int) int {
	for {
		i := bytes.IndexByte(data[from:], '"')
		if i < 0 {
			return len(data)
		}
		from += i + 1
		before := from - 1
		for sep.Spaces && before > 0 && data[before-1] == ' ' {
			before--
		}
		if bytes.HasSuffix(data[:before], []byte("\xef\xbb\xbf")) { // a mark of UTF-8, where files were put together
			before -= 3
		}
		if before == 0 || data[before-1] == '\n' || data[before-1] == sep.Separator {
			return from - 1
		}
	}
}
