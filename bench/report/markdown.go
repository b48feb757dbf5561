package main

import "strings"

// A table is a Markdown table. The first columns are text, the others figures,
// which stand on the right.
type table struct {
	head    []string
	rows    [][]string
	text    int // number of columns of text, from the left
	caption string
}

// String writes the table with its caption, without a newline at the end.
func (t *table) String() string {
	lines := []string{tableRow(t.head), t.rule()}
	for _, row := range t.rows {
		lines = append(lines, tableRow(row))
	}
	if t.caption != "" {
		lines = append(lines, "", t.caption)
	}
	return strings.Join(lines, "\n")
}

func (t *table) rule() string {
	rule := "|"
	for i := range t.head {
		if i < t.text {
			rule += "---|"
		} else {
			rule += "--:|"
		}
	}
	return rule
}

func tableRow(cells []string) string {
	return "| " + strings.Join(mapped(cells, escapeCell), " | ") + " |"
}

func escapeCell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

func code(s string) string { return "`" + s + "`" }

func mapped[A, B any](list []A, f func(A) B) []B {
	result := make([]B, len(list))
	for i, v := range list {
		result[i] = f(v)
	}
	return result
}
