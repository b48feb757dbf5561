package tables

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/termsift/termsift/cmd/internal/terminal"
	"github.com/termsift/termsift/engine/tsv"
)

// This file writes tables for people: as aligned text and as Markdown.

// lookAhead is the number of rows that are held back to determine the widths of the
// columns.
const lookAhead = 1000

// Title begins a section, which has its own head, in formats for people.
func (t *Table[T]) Title(format string, args ...any) {
	if !t.People() {
		return
	}
	t.flush()
	title := fmt.Sprintf(format, args...)
	if t.Format == "md" {
		title = "**" + inMarkdown(title) + "**\n"
	}
	if t.begun {
		t.buf.WriteByte('\n')
	}
	t.begun, t.widths = true, nil
	t.writeHeading(title + "\n")
}

// writeHeading writes a line, which stands out on a terminal, and what was written before.
func (t *Table[T]) writeHeading(line string) {
	out, ok := t.w.(*terminal.Output)
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
	v := c.Value(row)
	if number, ok := v.(float64); ok {
		return Short(number)
	}
	return Plain(v)
}

// addForPeople adds a row for people.
func (t *Table[T]) addForPeople(row T) {
	cells := make([]string, len(t.columns))
	for i, c := range t.columns {
		if cells[i] = terminal.Visible(c.printed(row), t.Terminal); t.Format == "table" {
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
			t.widths[i] = max(t.widths[i], terminal.DisplayWidth(cells[i]))
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
		pad := max(0, t.widths[i]-terminal.DisplayWidth(text))
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
