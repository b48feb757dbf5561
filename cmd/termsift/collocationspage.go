package main

import (
	"context"
	"fmt"
	"math"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/collocation"
	"github.com/termsift/termsift/engine/report"
)

// This file makes the page of collocations and collocates: bars for each list, and a table with what the
// command prints.

// pageBars is the number of bars of a list.
const pageBars = 30

// A collocationsPage collects lists for a page.
type collocationsPage struct {
	report *report.Report
	by     string // the values of the bars
	most   int    // rows of a list
	cut    bool
}

// newPage returns the page of so many lists, nil if none was asked for.
func (f *collocationsFlags) newPage(ctx context.Context, title string, inputs []string, lists int) (*collocationsPage, error) {
	if f.html == "" {
		return nil, nil
	}
	r, err := f.newReport(ctx, title+" in "+nameOf(inputs...), nil, inputs...)
	return &collocationsPage{report: r, by: f.by, most: max(1, min(pageTerms, pageRows/max(1, lists)))}, err
}

// addToPage adds a list with the columns that people see, best first.
func addToPage[T any](p *collocationsPage, name, title string, columns []tables.Column[T], rows []T, value func(T) (term string, v float64)) {
	if p == nil || len(rows) == 0 {
		return
	}
	shown := rows[:min(len(rows), p.most)]
	p.cut = p.cut || len(shown) < len(rows)
	bars := report.BarList{Title: name, Names: "words", Values: p.by}
	for _, row := range shown[:min(len(shown), pageBars)] {
		term, v := value(row)
		if !math.IsNaN(v) {
			bars.Bars = append(bars.Bars, report.Bar{Term: term, Value: v, Text: tables.Short(v)})
		}
	}
	if len(bars.Bars) > 0 {
		p.report.Bars = append(p.report.Bars, bars)
	}
	of := pageTable(title, columns, shown)
	of.Last = true
	p.report.Tables = append(p.report.Tables, of)
}

// writePage writes the page, if one was asked for.
func (f *collocationsFlags) writePage(p *collocationsPage) error {
	if p == nil {
		return nil
	}
	if p.cut {
		p.report.Findings = append(p.report.Findings, fmt.Sprintf("This page has the best %s of each list; the others are in the output of the command.", report.Count(p.most)))
	}
	return f.writeHTML(f.html, p.report)
}

// listName says what a list has.
func listName(l *collocation.List) string {
	what := "pairs of words"
	if l.Words > 2 {
		what = fmt.Sprintf("runs of %d words", l.Words)
	}
	if l.Class != "" {
		what += " in " + l.Class
	}
	return what
}

// valueText is a value as people see it.
func valueText(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return twoDecimals(v)
}

// collocationRows returns collocations of a list as rows.
func collocationRows(l *collocation.List, shown []collocation.Collocation) (rows []collocationRow) {
	for i := range shown {
		rows = append(rows, collocationRow{&shown[i], l, i + 1})
	}
	return rows
}

// ofBar is the bar of a collocation.
func (r collocationRow) ofBar() (term string, v float64) { return r.Term, r.Value }
