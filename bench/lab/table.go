package lab

import "strings"

// A Table is a Markdown table. The first columns are text, the others figures,
// which stand on the right.
type Table struct {
	Head    []string
	Rows    [][]string
	Text    int // number of columns of text, from the left
	Caption string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// String writes the table with its caption, without a newline at the end.
func (t *Table) String() string {
	lines := []string{row(t.Head), t.rule()}
	for _, cells := range t.Rows {
		lines = append(lines, row(cells))
	}
	if t.Caption != "" {
		lines = append(lines, "", t.Caption)
	}
	return strings.Join(lines, "\n")
}

func (t *Table) rule() string {
	rule := "|"
	for i := range t.Head {
		if i < t.Text {
			rule += "---|"
		} else {
			rule += "--:|"
		}
	}
	return rule
}

func row(cells []string) string {
	escaped := make([]string, len(cells))
	for i, c := range cells {
		escaped[i] = strings.ReplaceAll(c, "|", `\|`)
	}
	return "| " + strings.Join(escaped, " | ") + " |"
}
