package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/termsift/termsift/bench/lab"
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
	// Paper has values of the paper, by column and row.
	Paper map[string]map[string]float64 `json:"paper,omitempty"`
}

// Grid makes the table of the figures, and says what they have in common. Figures of
// several ways to decide or of several scopes in one table are an error.
func (t *Table) Grid(f Figures) (table *lab.Table, caption string) {
	lab.In(fmt.Sprintf("table %q", t.Title), func() { table, caption = t.grid(f) })
	return table, caption
}

func (t *Table) grid(f Figures) (table *lab.Table, caption string) {
	head, rows := variable(t.Rows)
	_, columns := variable(t.Columns)
	table = &lab.Table{Head: append([]string{head}, columns...), Text: 1}
	var all bases
	filled := false
	for _, row := range rows {
		line := []string{row}
		for _, column := range columns {
			cell, of := t.cell(f, row, column)
			filled, all = filled || cell != "", all.and(of)
			line = append(line, cell)
		}
		table.Add(line...)
	}
	if !filled {
		panic(lab.Errorf("none of its figures was measured"))
	}
	all.alike()
	return table, all.caption()
}

func (t *Table) cell(f Figures, row, column string) (string, bases) {
	rowName, _ := variable(t.Rows)
	columnName, _ := variable(t.Columns)
	text := strings.NewReplacer("{"+rowName+"}", row, "{"+columnName+"}", column).Replace(t.Cell)
	if strings.Contains(text, "{{") {
		return f.fill(text)
	}
	if pattern, whole := strings.CutPrefix(text, "["); whole && strings.HasSuffix(pattern, "]") && !strings.Contains(pattern, "[") {
		if len(f.named(strings.TrimSuffix(pattern, "]"))) == 0 {
			return "", nil // not measured: the paper has no such setting
		}
	}
	v, of := f.evaluate(text)
	return strconv.FormatFloat(v, 'f', t.Digits, 64), of
}
