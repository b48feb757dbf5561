package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/tsv"
)

// This file writes tables: all output of commands in rows and columns. What applies to
// formats for people only is in tabletext.go.

// jsonSchema is the version of the keys of --format json.
const jsonSchema = 1

// A column is a column of a table whose rows are values of type T.
type column[T any] struct {
	key  string // name in formats for programs
	head string // name for people; "" means the key
	in   audience
	left bool // aligned left in formats for people
	// value returns a string, an int, a float64 or another value that JSON can
	// represent. A nil value gives an empty cell, and no key in JSON.
	value func(T) any
	text  func(T) string // text for people; nil means the value
}

// A fact is a named value that applies to the whole table.
type fact struct {
	key   string
	value any
}

// A style is the format of a table and whether it is shown on a terminal.
type style struct {
	format   tableFormat
	terminal bool
}

func (o *outputs) style(format tableFormat) style { return style{format, o.toTerminal} }

// people reports whether the format is for people.
func (s style) people() bool { return s.format.audience() == forPeople }

// A table writes rows in one of the formats. It must be closed.
type printedTable[T any] struct {
	style
	facts []fact // in JSON, before the rows

	w       io.Writer
	columns []column[T]
	buf     bytes.Buffer // text not yet written
	begun   bool
	members []fact     // of a row of JSON
	pending [][]string // rows for people, until the widths are known
	widths  []int      // of a section for people; 0 leaves a column out
}

// newTable returns a table of those columns that the format shows.
func newTable[T any](w io.Writer, s style, columns []column[T]) *printedTable[T] {
	t := &printedTable[T]{style: s, w: w}
	for _, c := range columns {
		if c.in == 0 || c.in&s.format.audience() != 0 {
			t.columns = append(t.columns, c)
		}
	}
	return t
}

// addAll writes the rows of a table and closes it.
func (t *printedTable[T]) addAll(rows []T) error {
	for _, row := range rows {
		if err := t.add(row); err != nil {
			return err
		}
	}
	return t.close()
}

// add writes a row.
func (t *printedTable[T]) add(row T) error {
	if t.people() {
		return t.addForPeople(row)
	}
	if err := t.begin(",\n"); err != nil {
		return err
	}
	if t.format.audience() == forLines {
		t.writeLine(func(c column[T]) string { return plain(c.value(row)) })
		return t.writeOut()
	}
	t.members = t.members[:0]
	for _, c := range t.columns {
		if v := c.value(row); v != nil {
			t.members = append(t.members, fact{c.key, v})
		}
	}
	t.buf.WriteByte('{')
	if err := t.writeMembers(t.members); err != nil {
		return err
	}
	t.buf.WriteByte('}')
	if t.format == "jsonl" {
		t.buf.WriteByte('\n')
	}
	return t.writeOut()
}

// close writes the rows that are held back and the end of the table.
func (t *printedTable[T]) close() error {
	if t.people() {
		if !t.begun {
			if err := t.writeHead(); err != nil { // there are no rows
				return err
			}
		}
		return t.flush()
	}
	if err := t.begin("\n"); err != nil {
		return err
	}
	if t.format == "json" {
		t.buf.WriteString("]}\n")
	}
	return t.writeOut()
}

// begin writes what precedes the first row in formats for programs: a head or the
// facts. Before later rows it writes between, in JSON only.
func (t *printedTable[T]) begin(between string) error {
	first := !t.begun
	t.begun = true
	switch {
	case !first:
		if t.format == "json" {
			t.buf.WriteString(between)
		}
		return nil
	case t.format.audience() == forLines:
		t.writeLine(func(c column[T]) string { return c.key })
		return nil
	case t.format == "json":
		t.buf.WriteByte('{')
		err := t.writeMembers(append([]fact{{"schema", jsonSchema}}, t.facts...))
		t.buf.WriteString(`,"rows":[` + "\n")
		return err
	case len(t.facts) > 0:
		t.buf.WriteByte('{')
		err := t.writeMembers(t.facts)
		t.buf.WriteString("}\n")
		return err
	}
	return nil
}

// writeOut writes the buffer to the output.
func (t *printedTable[T]) writeOut() error {
	_, err := t.buf.WriteTo(t.w)
	return err
}

// write appends texts to the buffer.
func (t *printedTable[T]) write(texts ...string) {
	for _, text := range texts {
		t.buf.WriteString(text)
	}
}

// writeLine writes a line of csv or tsv.
func (t *printedTable[T]) writeLine(cell func(column[T]) string) {
	between := map[tableFormat]byte{"csv": ',', "tsv": '\t'}[t.format]
	for i, c := range t.columns {
		if i > 0 {
			t.buf.WriteByte(between)
		}
		if text := cell(c); t.format == "csv" {
			t.buf.WriteString(inCSV(text))
		} else {
			t.buf.WriteString(tsv.Escape(text))
		}
	}
	t.buf.WriteByte('\n')
}

// inCSV returns a cell, quoted if necessary (RFC 4180).
func inCSV(s string) string {
	if strings.ContainsAny(s, ",\"\n\r") || strings.TrimSpace(s) != s {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// writeMembers writes members of a JSON object.
func (t *printedTable[T]) writeMembers(members []fact) error {
	for i, m := range members {
		if i > 0 {
			t.buf.WriteByte(',')
		}
		t.write(`"`, m.key, `":`)
		switch v := m.value.(type) {
		case int:
			t.buf.Write(strconv.AppendInt(t.buf.AvailableBuffer(), int64(v), 10))
			continue
		case float64:
			number, _ := jsonNumber(v).MarshalJSON() // it never fails
			t.buf.Write(number)
			continue
		case string:
			if isPlainASCII(v) { // most are, and an encoder is slow
				t.write(`"`, v, `"`)
				continue
			}
		}
		if err := writeJSON(&t.buf, m.value); err != nil {
			return err
		}
		t.buf.Truncate(t.buf.Len() - 1) // the newline
	}
	return nil
}

// isPlainASCII reports whether a text needs no escapes in JSON.
func isPlainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// jsonRows returns rows as a JSON array.
func jsonRows[T any](columns []column[T], rows []T) (json.RawMessage, error) {
	var b bytes.Buffer
	err := newTable(&b, style{format: "jsonl"}, columns).addAll(rows)
	lines := bytes.ReplaceAll(bytes.TrimSpace(b.Bytes()), []byte("\n"), []byte(","))
	return slices.Concat([]byte("["), lines, []byte("]")), err
}

// writeJSON writes a line of JSON, without the escapes of HTML.
func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// A jsonNumber is a number that is encoded in JSON with infinities as text and NaN as
// null.
type jsonNumber float64

func (n jsonNumber) MarshalJSON() ([]byte, error) {
	switch v := float64(n); {
	case math.IsNaN(v):
		return []byte("null"), nil
	case math.IsInf(v, 0):
		return strconv.AppendQuote(nil, tsv.FormatValue(v)), nil
	default:
		return json.Marshal(v)
	}
}

// plain formats a value for a cell of csv and tsv.
func plain(v any) string {
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

// short formats a number for people.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
