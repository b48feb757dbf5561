package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/markdown"
)

// A grid is benchmarks by row and column, in the order of their appearance.
type grid struct {
	rows, cols []string
	at         map[[2]string]*benchmark
}

// newGrid sorts benchmarks into rows and columns by their labels.
func newGrid(found []*benchmark, row, col func(*benchmark) string) (*grid, error) {
	label := func(b *benchmark) string { return row(b) + "\x00" + col(b) }
	if err := distinct(found, label); err != nil {
		return nil, err
	}
	g := &grid{at: map[[2]string]*benchmark{}}
	for _, b := range found {
		if !slices.Contains(g.rows, row(b)) {
			g.rows = append(g.rows, row(b))
		}
		if !slices.Contains(g.cols, col(b)) {
			g.cols = append(g.cols, col(b))
		}
		g.at[[2]string{row(b), col(b)}] = b
	}
	return g, nil
}

// by gives the label of benchmarks by keys; all must have all of them.
func by(keys []string, found []*benchmark) (func(*benchmark) string, error) {
	for _, key := range keys {
		for _, b := range found {
			if _, ok := b.keys[key]; !ok {
				return nil, fmt.Errorf("%s: %s has no key %s=", b.file, b.name, key)
			}
		}
	}
	return func(b *benchmark) string {
		return strings.Join(mapped(keys, func(key string) string { return b.keys[key] }), ", ")
	}, nil
}

// pivot is the table of {{table}}.
func (r *report) pivot(d directive) (*markdown.Table, error) {
	found, err := r.choose(d, "match")
	if err != nil {
		return nil, err
	}
	row, err := by(d.list("rows"), found)
	if err != nil {
		return nil, err
	}
	col, err := by(d.list("cols"), found)
	if err != nil {
		return nil, err
	}
	g, err := newGrid(found, row, col)
	if err != nil {
		return nil, err
	}
	head := strings.Join(d.list("rows"), ", ")
	return r.gridTable(d, g, head, func(_, _ string, s sample) string { return s.cell() })
}

// A cellText writes the figures of a row and column.
type cellText func(row, col string, s sample) string

// gridTable writes a grid with the texts of cell.
func (r *report) gridTable(d directive, g *grid, head string, cell cellText) (*markdown.Table, error) {
	t := &markdown.Table{Head: append([]string{head}, g.cols...), Text: 1}
	var runs runCount
	for _, row := range g.rows {
		line := []string{row}
		for _, col := range g.cols {
			text, err := r.gridCell(d, g, row, col, &runs, cell)
			if err != nil {
				return nil, err
			}
			line = append(line, text)
		}
		t.Rows = append(t.Rows, line)
	}
	t.Caption = fmt.Sprintf("%s, %s, ± half the range; from `%s`.", d.args["unit"], runs.String(), d.args["file"])
	return t, nil
}

// gridCell is one cell, or absent= where there is no such benchmark.
func (r *report) gridCell(d directive, g *grid, row, col string, runs *runCount, cell cellText) (string, error) {
	b := g.at[[2]string{row, col}]
	if b == nil && d.args["absent"] != "" {
		return d.args["absent"], nil
	}
	if b == nil {
		return "", fmt.Errorf("%s has nothing for row %q, column %q among what match=`%s` matches; measure it, or say absent=–", d.args["file"], row, col, d.args["match"])
	}
	s, err := r.measure(b, d.args["unit"])
	if err != nil {
		return "", err
	}
	runs.add(len(s))
	return cell(row, col, s), nil
}
