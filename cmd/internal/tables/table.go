// Package tables writes rows and columns, and objects, in the formats of --format: tables for people, Markdown,
// CSV, TSV, JSON, JSON lines, workbooks of Excel and pages of HTML.
package tables

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
)

// This file writes tables: all output of commands in rows and columns. What applies to
// formats for people only is in text.go, workbooks are in sheet.go, pages in page.go.

// Schema is the version of the keys of --format json.
const Schema = 1

// A Column is a column of a table whose rows are values of type T.
type Column[T any] struct {
	Key  string // name in formats for programs
	Head string // name for people; "" means the key
	In   Audience
	Left bool // aligned left in formats for people
	// Value returns a string, an int, a float64 or another value that JSON can
	// represent. A nil value gives an empty cell, and no key in JSON.
	Value func(T) any
	Text  func(T) string       // Text for people; nil means the value
	Shows func(float64) string // a number for people; nil means [Short]
	None  string               // what people see where there is no value
}

// Number returns a column of numbers, of which NaN is none.
func Number[T any](key, head string, in Audience, of func(T) float64, shows func(float64) string) Column[T] {
	value := func(row T) any {
		v := of(row)
		return If(!math.IsNaN(v), v)
	}
	return Column[T]{Key: key, Head: head, In: in, Value: value, Shows: shows, None: "-"}
}

// Decimals returns a function that shows a number with so many decimals.
func Decimals(n int) func(float64) string {
	return func(v float64) string { return strconv.FormatFloat(v, 'f', n, 64) }
}

// Percent shows a share.
func Percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// If returns the value of a column, or nil where there is none.
func If[T any](there bool, value T) any {
	if !there {
		return nil
	}
	return value
}

// A Fact is a named value that applies to the whole table.
type Fact struct {
	Key   string
	Value any
}

// A Style is the format of a table and whether it is shown on a terminal.
type Style struct {
	Format        Format
	Terminal      bool
	Name, Command string // of a page
	// Spreadsheet says how CSV is written for programs that calculate; nil means as it is.
	Spreadsheet *Spreadsheet
}

// People reports whether the format is for people.
func (s Style) People() bool { return s.Format.Audience() == ForPeople }

// A Table writes rows in one of the formats. Add and Close return the first error of writing, so
// that rows may be added without looking at it. A table must be closed.
type Table[T any] struct {
	Style
	Facts []Fact // In JSON, before the rows

	w       io.Writer
	columns []Column[T]
	buf     bytes.Buffer // Text not yet written
	err     error
	begun   bool
	book    book       // of formats that are written as a whole
	members []Fact     // of a row of JSON
	pending [][]string // rows for people, until the widths are known
	widths  []int      // of a section for people; 0 leaves a column out
}

// New returns a table of those columns that the format shows.
func New[T any](w io.Writer, s Style, columns []Column[T]) *Table[T] {
	t := &Table[T]{Style: s, w: w}
	for _, c := range columns {
		if c.In == 0 || c.In&s.Format.Audience() != 0 {
			t.columns = append(t.columns, c)
		}
	}
	return t
}

// AddAll writes the rows of a table and closes it.
func (t *Table[T]) AddAll(rows []T) error {
	for _, row := range rows {
		t.Add(row)
	}
	return t.Close()
}

// Add writes a row.
func (t *Table[T]) Add(row T) error {
	switch t.Format.Audience() {
	case ForPeople:
		t.addForPeople(row)
		return t.err
	case ForLines:
		if t.begin(); t.err != nil {
			return t.err
		}
		if t.book != nil {
			values := make([]any, len(t.columns))
			for i, c := range t.columns {
				values[i] = c.Value(row)
			}
			t.err = cmp.Or(t.err, t.book.add(values))
			return t.err
		}
		t.writeLine(func(c Column[T]) string { return t.plain(c.Value(row)) })
	default:
		if t.begun && t.Format == "json" {
			t.buf.WriteString(",\n")
		}
		t.begin()
		t.members = t.members[:0]
		for _, c := range t.columns {
			if v := c.Value(row); v != nil {
				t.members = append(t.members, Fact{c.Key, v})
			}
		}
		t.writeObject(t.members)
		if t.Format == "jsonl" {
			t.buf.WriteByte('\n')
		}
	}
	return t.writeOut()
}

// Close writes the rows that are held back and the end of the table.
func (t *Table[T]) Close() error {
	if t.People() {
		if !t.begun { // there are no rows
			t.writeHead()
		}
		t.flush()
		return t.err
	}
	if t.begun && t.Format == "json" {
		t.buf.WriteByte('\n')
	}
	t.begin()
	if t.book != nil && t.err == nil {
		t.err = t.book.writeTo(t.w)
	}
	if t.Format == "json" {
		t.buf.WriteString("]}\n")
	}
	return t.writeOut()
}

// A book is a table of a format that is written as a whole. It keeps the rows.
type book interface {
	add(values []any) error
	writeTo(w io.Writer) error
}

// begin writes what precedes the first row in formats for programs: a head or the facts.
func (t *Table[T]) begin() {
	if t.begun {
		return
	}
	t.begun = true
	heads, left := make([]string, len(t.columns)), make([]bool, len(t.columns))
	for i, c := range t.columns {
		heads[i], left[i] = c.Key, c.Left
	}
	switch t.Format {
	case "html":
		p := &page{t.Style, report.Table{Head: heads}}
		for i, words := range left {
			if words {
				p.Words = append(p.Words, i)
			}
		}
		t.book = p
	case "xlsx":
		sheet, err := newSheet(heads, left)
		t.book, t.err = sheet, cmp.Or(t.err, err)
	case "csv", "tsv":
		if t.Format == "csv" && t.Spreadsheet != nil && t.Spreadsheet.Mark {
			t.buf.WriteString("\ufeff")
		}
		t.writeLine(func(c Column[T]) string { return c.Key })
	case "json":
		t.writeObject(append([]Fact{{"schema", Schema}}, t.Facts...))
		t.buf.Truncate(t.buf.Len() - 1) // the brace, since the rows are members, too
		t.buf.WriteString(`,"rows":[` + "\n")
	default:
		if len(t.Facts) > 0 {
			t.writeObject(t.Facts)
			t.buf.WriteByte('\n')
		}
	}
}

// writeOut writes the buffer to the output, unless an earlier write failed.
func (t *Table[T]) writeOut() error {
	if t.err == nil {
		_, t.err = t.buf.WriteTo(t.w)
	}
	t.buf.Reset()
	return t.err
}

// writeLine writes a line of csv or tsv.
func (t *Table[T]) writeLine(cell func(Column[T]) string) {
	between := map[Format]byte{"csv": ',', "tsv": '\t'}[t.Format]
	for i, c := range t.columns {
		if i > 0 {
			t.buf.WriteByte(between)
		}
		switch text := cell(c); {
		case t.Format != "csv":
			t.buf.WriteString(tsv.Escape(text))
		case strings.ContainsAny(text, ",\"\n\r") || strings.TrimSpace(text) != text: // RFC 4180
			t.buf.WriteString(`"` + strings.ReplaceAll(text, `"`, `""`) + `"`)
		default:
			t.buf.WriteString(text)
		}
	}
	t.buf.WriteByte('\n')
}

// writeObject writes a JSON object.
func (t *Table[T]) writeObject(members []Fact) { t.err = cmp.Or(t.err, writeObject(&t.buf, members)) }

// writeObject writes a JSON object without the end of the line.
func writeObject(to *bytes.Buffer, members []Fact) (err error) {
	to.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			to.WriteByte(',')
		}
		err = cmp.Or(err, jsonText(to, m.Key))
		to.WriteByte(':')
		switch v := m.Value.(type) {
		case int:
			to.Write(strconv.AppendInt(to.AvailableBuffer(), int64(v), 10))
		case float64:
			number, _ := JSONNumber(v).MarshalJSON() // it never fails
			to.Write(number)
		case string:
			err = cmp.Or(err, jsonText(to, v))
		default:
			err = cmp.Or(err, jsonValue(to, v))
		}
	}
	to.WriteByte('}')
	return err
}

// jsonText writes a text in JSON. Most need no escapes, and an encoder is slow.
func jsonText(to *bytes.Buffer, text string) error {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return jsonValue(to, text)
		}
	}
	to.WriteByte('"')
	to.WriteString(text)
	to.WriteByte('"')
	return nil
}

// jsonValue writes a value in JSON.
func jsonValue(to *bytes.Buffer, value any) error {
	err := WriteJSON(to, value)
	if err == nil {
		to.Truncate(to.Len() - 1) // the newline
	}
	return err
}

// JSONRows returns rows as a JSON array. The values must be representable.
func JSONRows[T any](columns []Column[T], rows []T) json.RawMessage {
	var b bytes.Buffer
	if err := New(&b, Style{Format: "jsonl"}, columns).AddAll(rows); err != nil {
		panic(err)
	}
	lines := bytes.ReplaceAll(bytes.TrimSpace(b.Bytes()), []byte("\n"), []byte(","))
	return slices.Concat([]byte("["), lines, []byte("]"))
}

// WriteJSON writes a line of JSON, without the escapes of HTML.
func WriteJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// A JSONNumber is a number that is encoded in JSON with infinities as text and NaN as
// null.
type JSONNumber float64

func (n JSONNumber) MarshalJSON() ([]byte, error) {
	switch v := float64(n); {
	case math.IsNaN(v):
		return []byte("null"), nil
	case math.IsInf(v, 0):
		return strconv.AppendQuote(nil, tsv.FormatValue(v)), nil
	default:
		return json.Marshal(v)
	}
}

// Plain formats a value for a cell of csv and tsv.
func Plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case float64:
		return tsv.FormatValue(v)
	}
	return fmt.Sprint(v)
}

// Short formats a number for people.
func Short(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// A Format is a value of --format.
type Format string

// Formats are the names of the formats.
var Formats = []string{"table", "csv", "tsv", "json", "jsonl", "md", "xlsx", "html"}

// endings are those of files by which their format is known.
var endings = map[string]Format{
	".txt": "table", ".csv": "csv", ".tsv": "tsv", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl",
	".md": "md", ".xlsx": "xlsx", ".html": "html", ".htm": "html",
}

// FormatOf returns the format of a file by the ending of its name, "" if it is not known.
func FormatOf(path string) Format { return endings[strings.ToLower(filepath.Ext(path))] }

// Set implements [pflag.Value]. It accepts text for table, the former name in info and
// check.
func (f *Format) Set(name string) error {
	if name == "text" {
		name = "table"
	}
	if !slices.Contains(Formats, name) {
		return usage.Errorf("unknown format %q; known: %s", name, strings.Join(Formats, " "))
	}
	*f = Format(name)
	return nil
}

// String implements [pflag.Value].
func (f *Format) String() string { return string(*f) }

// Type implements [pflag.Value].
func (f *Format) Type() string { return "string" }

// An Audience is the set of formats that show a column; 0 means all.
type Audience int

const (
	ForPeople   Audience = 1 << iota // table and md
	ForLines                         // csv, tsv, xlsx and html
	ForJSON                          // json and jsonl
	ForPrograms = ForLines | ForJSON
)

// Audience returns the audience to which the format belongs.
func (f Format) Audience() Audience {
	switch f {
	case "csv", "tsv", "xlsx", "html":
		return ForLines
	case "json", "jsonl":
		return ForJSON
	}
	return ForPeople
}
