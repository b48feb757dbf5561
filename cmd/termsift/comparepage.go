package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/termsift/termsift/engine/report"
)

// This file makes the page of compare: how much lists share, pair by pair, and the terms of one list only.

func (f *compareFlags) writePage(ctx context.Context, l *comparedLists, inputs []string) error {
	title := "How far " + nameOf(inputs...) + " agree"
	if l.counted != nil {
		title = fmt.Sprintf("How far measures agree on %s: %s", nameOf(inputs...), strings.Join(l.names, ", "))
	}
	r, err := f.newReport(ctx, title, l.counted, inputs...)
	if err != nil {
		return err
	}
	for i, k := range l.K {
		r.Overlaps = append(r.Overlaps, l.overlap(i, k))
	}
	if l.only > 0 {
		r.Tables = append(r.Tables, l.onlyTable(l.K[0]))
	}
	last := len(l.K) - 1
	r.Tables = append(r.Tables, l.pageMatrix(fmt.Sprintf("RBO, p = %v, %s terms deep", l.P, report.Count(l.K[last])), func(a, b int) float64 { return l.Pair(a, b).At[last].RBO }))
	if !math.IsNaN(l.Pairs[0].Tau) {
		r.Tables = append(r.Tables, l.pageMatrix("Kendall's tau-b, all terms", func(a, b int) float64 { return l.Pair(a, b).Tau }))
	}
	r.Tables = append(r.Tables, pageTable("Every pair of lists", l.columns(), l.pairs()))
	for i := range r.Tables {
		r.Tables[i].Last = true
	}
	return f.writeHTML(f.html, r)
}

// overlap returns the numbers of the best k terms that lists share, which are at place i of every pair.
func (l *comparedLists) overlap(i, k int) report.Overlap {
	o := report.Overlap{K: k, Methods: l.names}
	for a := range l.names {
		row := make([]int, len(l.names))
		for b := range l.names {
			if row[b] = l.Size(k, a); a != b {
				row[b] = l.Pair(a, b).At[i].Shared
			}
		}
		o.Shared = append(o.Shared, row)
	}
	return o
}

// onlyTable returns the terms that are among the best of one list only.
func (l *comparedLists) onlyTable(k int) report.Table {
	t := report.Table{Title: fmt.Sprintf("Only there among the %s best", report.Count(k)), Head: []string{"among the best of", "terms"}, Text: 2}
	for _, only := range l.onlyThere(k) {
		t.Rows = append(t.Rows, []string{only.where, only.text()})
	}
	return t
}

// pageMatrix returns a value of every two lists as a table; that of a list with itself is 1.
func (l *comparedLists) pageMatrix(title string, value func(a, b int) float64) report.Table {
	t := report.Table{Title: title, Head: append([]string{"list"}, l.names...), Text: 1}
	for a, name := range l.names {
		row := []string{name}
		for b := range l.names {
			v := 1.
			if a != b {
				v = value(a, b)
			}
			row = append(row, fmt.Sprintf("%.3f", v))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
