package tables

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
)

// This file writes for people: tables as aligned text, as Markdown and as pages of HTML, and objects, such as
// the results of info and check.

// lookAhead is the number of rows that are held back to determine the widths of the
// columns.
const lookAhead = 1000

// Title begins a section, which has its own head, in formats for people.
func (t *Table[T]) Title(format string, args ...any) {
	if !t.People() {
		return
	}
	t.flush()
	title := Visible(fmt.Sprintf(format, args...), t.Terminal)
	if t.Format == "md" {
		title = "**" + inMarkdown(title) + "**\n"
	}
	if t.begun {
		t.buf.WriteByte('\n')
	}
	t.begun, t.widths = true, nil
	t.writeHeading(title + "\n")
}

// Above writes lines before the table, and an empty one, in formats for people.
func (t *Table[T]) Above(lines ...string) {
	if !t.People() {
		return
	}
	for _, line := range lines {
		t.buf.WriteString(Visible(line, t.Terminal) + "\n")
	}
	t.buf.WriteByte('\n')
}

// writeHeading writes a line, which stands out on a terminal, and what was written before.
func (t *Table[T]) writeHeading(line string) {
	out, ok := t.w.(*Output)
	if !ok || !out.Screen.Styled || t.Format != "table" {
		t.buf.WriteString(line)
	} else if t.writeOut() == nil {
		t.err = out.Heading(line)
	}
}

// printed returns the text of a column for people.
func (c Column[T]) printed(row T) string {
	if c.Text != nil {
		return c.Text(row)
	}
	switch v := c.Value(row).(type) {
	case nil:
		return c.None
	case float64:
		if c.Shows != nil {
			return c.Shows(v)
		}
		return Short(v)
	default:
		return Plain(v)
	}
}

// addForPeople adds a row for people.
func (t *Table[T]) addForPeople(row T) {
	cells := make([]string, len(t.columns))
	for i, c := range t.columns {
		if cells[i] = Visible(c.printed(row), t.Terminal); t.Format == "table" {
			cells[i] = tsv.Escape(cells[i]) // a row is a single line
		}
	}
	if t.pending = append(t.pending, cells); len(t.pending) == lookAhead {
		t.flush()
	}
}

// flush writes the rows that were held back, preceded by the head if they are the first
// of a section.
func (t *Table[T]) flush() {
	if t.widths == nil && len(t.pending) > 0 {
		t.writeHead()
	}
	for _, cells := range t.pending {
		t.writeCells(cells)
	}
	t.pending = t.pending[:0]
	_ = t.writeOut() // the table keeps the error
}

// writeHead determines the widths of the columns, 0 for those that are empty in all
// rows, and writes their names.
func (t *Table[T]) writeHead() {
	t.begun = true
	t.widths = make([]int, len(t.columns))
	names, rule := make([]string, len(t.columns)), make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i], rule[i] = cmp.Or(c.Head, c.Key), "---:"
		if c.Left {
			rule[i] = "---"
		}
		for _, cells := range t.pending {
			t.widths[i] = max(t.widths[i], DisplayWidth(cells[i]))
		}
		if t.widths[i] > 0 || len(t.pending) == 0 {
			t.widths[i] = max(t.widths[i], len(names[i]))
		}
	}
	if t.Format == "md" {
		t.writeCells(names)
		t.writeCells(rule)
		return
	}
	before := t.buf.Len()
	t.writeCells(names)
	line := string(t.buf.Bytes()[before:])
	t.buf.Truncate(before)
	t.writeHeading(line)
}

// writeCells writes a line for people.
func (t *Table[T]) writeCells(cells []string) {
	spaces := 0 // number of spaces before the next cell
	for i, text := range cells {
		pad := max(0, t.widths[i]-DisplayWidth(text))
		switch {
		case t.widths[i] == 0:
			continue
		case t.Format == "md":
			t.buf.WriteString("| " + inMarkdown(text) + " ")
			continue
		case !t.columns[i].Left:
			spaces, pad = spaces+pad, 0
		}
		if text != "" {
			fmt.Fprintf(&t.buf, "%*s%s", spaces, "", text)
			spaces = 0
		}
		spaces += pad + 2
	}
	if t.Format == "md" {
		t.buf.WriteByte('|')
	}
	t.buf.WriteByte('\n')
}

var markdownEscaper = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "&", `\&`, "\n", " ", "\r", " ", "\t", " ")

// inMarkdown escapes a text so that Markdown shows it as it is.
func inMarkdown(s string) string { return markdownEscaper.Replace(s) }

// WriteObject writes an object: as such in JSON, as lines of text in a table, and as one row for
// each value in the other formats.
func WriteObject(w io.Writer, s Style, facts []Fact) error {
	if s.Format.Audience() == ForJSON {
		var b bytes.Buffer
		if err := writeObject(&b, append([]Fact{{"schema", Schema}}, facts...)); err != nil {
			return err
		}
		b.WriteByte('\n')
		_, err := b.WriteTo(w)
		return err
	}
	if s.Format == "table" {
		return writeText(w, s, values(facts))
	}
	return New(w, s, []Column[value]{
		{Key: "key", Left: true, Value: func(v value) any { return v.key }},
		{Key: "name", Left: true, Value: func(v value) any { return v.name }},
		{Key: "value", Left: true, Value: func(v value) any { return v.of }},
	}).AddAll(append([]value{{"schema", "", Schema}}, values(facts)...))
}

// A value is a value of an object, identified by its key and, within a map or a list, by a name or
// an index.
type value struct {
	key, name string
	of        any
}

// values returns the values of facts one by one.
func values(facts []Fact) (all []value) {
	for _, f := range facts {
		switch v := f.Value.(type) {
		case int, int64, bool, string:
			all = append(all, value{f.Key, "", v})
		case map[string]int:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				all = append(all, value{f.Key, name, v[name]})
			}
		case []string:
			for i, text := range v {
				all = append(all, value{f.Key, fmt.Sprint(i + 1), text})
			}
		default:
			var b strings.Builder
			if err := WriteJSON(&b, v); err != nil {
				panic(err) // facts are representable
			}
			all = append(all, value{f.Key, "", strings.TrimSuffix(b.String(), "\n")})
		}
	}
	return all
}

// writeText writes the values of an object line by line: those of a list below the name of the list, unless a single
// value of that name stands before them.
func writeText(w io.Writer, s Style, all []value) (err error) {
	last := ""
	for _, v := range all {
		key, text := strings.ReplaceAll(v.key, "_", " "), Visible(Plain(v.of), s.Terminal)
		switch _, isText := v.of.(string); {
		case v.name == "":
			_, err = fmt.Fprintf(w, "%-14s %s\n", key, text)
			last = key
			continue
		case !isText: // the elements of a list have numbers for names
			text = Named(Visible(v.name, s.Terminal), text)
		}
		if key != last {
			fmt.Fprintf(w, "%s\n", key)
			last = key
		}
		_, err = fmt.Fprintf(w, "  %s\n", text)
	}
	return err
}

// Named returns an element of a list of an object, for people.
func Named(name string, value any) string { return fmt.Sprintf("%-28s %v", name, value) }

// mostPageRows is the number of rows that a browser still sorts without a wait.
const mostPageRows = 20_000

// A page is a table as a page.
type page struct {
	style Style
	report.Table
}

// add adds a row of values as those of [Column].
func (p *page) add(values []any) error {
	if len(p.Rows) == mostPageRows {
		return usage.Errorf("a page has %d rows at most, and the table has more: take fewer by --top, or write csv, xlsx or jsonl", mostPageRows)
	}
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = Plain(v)
		if _, isText := v.(string); isText && !slices.Contains(p.Words, i) && !slices.Contains(p.Ends, i) {
			p.Ends = append(p.Ends, i)
		}
	}
	p.Rows = append(p.Rows, row)
	return nil
}

// writeTo writes the page.
func (p *page) writeTo(w io.Writer) error {
	r := report.Report{Title: p.style.Name, Command: p.style.Command, Tables: []report.Table{p.Table}}
	return r.WriteHTML(w)
}
