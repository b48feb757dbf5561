package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/termsift/termsift/bench/markdown"
)

// A Table shows figures.
type Table struct {
	Title string `json:"title"`
	// Rows and Columns are variables like those of a [Rule]: "features: 2000 4000".
	Rows    string `json:"rows"`
	Columns string `json:"columns"`
	// Cell is the expression of a cell, or a text with several between double braces. One without
	// figures stays empty.
	Cell string `json:"cell"`
	// Digits behind the point.
	Digits int `json:"digits"`
}

// Grid makes the table of the figures, and says what they have in common. Figures of
// several ways to decide or of several scopes in one table are an error.
func (t *Table) Grid(f Figures) (table *markdown.Table, caption string, err error) {
	head, rows := variable(t.Rows)
	_, columns := variable(t.Columns)
	out := &markdown.Table{Head: append([]string{head}, columns...), Text: 1}
	var all bases
	filled := false
	for _, row := range rows {
		line := []string{row}
		for _, column := range columns {
			cell, of, err := t.cell(f, row, column)
			if err != nil {
				return nil, "", fmt.Errorf("table %q: %w", t.Title, err)
			}
			filled, all = filled || cell != "", all.and(of)
			line = append(line, cell)
		}
		out.Rows = append(out.Rows, line)
	}
	if !filled {
		return nil, "", fmt.Errorf("table %q: none of its figures was measured", t.Title)
	}
	if err := all.alike(); err != nil {
		return nil, "", fmt.Errorf("table %q: %w", t.Title, err)
	}
	return out, all.caption(), nil
}

func (t *Table) cell(f Figures, row, column string) (string, bases, error) {
	rowName, _ := variable(t.Rows)
	columnName, _ := variable(t.Columns)
	text := strings.NewReplacer("{"+rowName+"}", row, "{"+columnName+"}", column).Replace(t.Cell)
	if strings.Contains(text, "{{") {
		return f.fill(text)
	}
	if pattern, whole := strings.CutPrefix(text, "["); whole && strings.HasSuffix(pattern, "]") && !strings.Contains(pattern, "[") {
		if _, err := f.match(strings.TrimSuffix(pattern, "]")); err != nil {
			return "", nil, nil // not measured: the paper has no such setting
		}
	}
	v, of, err := f.evaluate(text)
	if err != nil {
		return "", nil, err
	}
	return strconv.FormatFloat(v, 'f', t.Digits, 64), of, nil
}
