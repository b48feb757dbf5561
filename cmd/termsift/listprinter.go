package main

import (
	"context"
	"fmt"
	"math"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/collocation"
	"github.com/termsift/termsift/engine/report"
)

// This file prints lists of collocations, collocates and C-values, and makes a page of them: bars for each list,
// and a table with what the command prints.

// pageBars is the number of bars of a list.
const pageBars = 30

// A listPrinter prints lists whose rows have type T, best first.
type listPrinter[T any] struct {
	f       *collocationsFlags
	table   *tables.Table[T]
	columns []tables.Column[T]
	bar     func(T) (term string, value float64)
	page    *report.Report // nil if none was asked for
	most    int            // rows of a list on the page
	cut     bool           // a list has more
}

// newListPrinter returns a printer of so many lists.
func newListPrinter[T any](
	ctx context.Context, f *collocationsFlags, title string, inputs []string, lists int, columns []tables.Column[T], bar func(T) (term string, value float64),
) (p *listPrinter[T], err error) {
	p = &listPrinter[T]{f: f, table: tables.New(f.stdout, f.style(f.format), columns), columns: columns, bar: bar, most: max(1, min(pageTerms, pageRows/max(1, lists)))}
	if f.html != "" {
		p.page, err = f.newReport(ctx, title+" in "+nameOf(inputs...), nil, inputs...)
	}
	return p, err
}

// add adds a list, whose name stands above its bars.
func (p *listPrinter[T]) add(name, title string, rows []T) {
	p.table.Title("%s", p.f.visible(title))
	for _, row := range rows {
		p.table.Add(row)
	}
	if p.page == nil || len(rows) == 0 {
		return
	}
	shown := rows[:min(len(rows), p.most)]
	p.cut = p.cut || len(shown) < len(rows)
	bars := report.BarList{Title: name, Names: "words", Values: p.f.by}
	for _, row := range shown[:min(len(shown), pageBars)] {
		if term, v := p.bar(row); !math.IsNaN(v) {
			bars.Bars = append(bars.Bars, report.Bar{Term: term, Value: v, Text: tables.Short(v)})
		}
	}
	if len(bars.Bars) > 0 {
		p.page.Bars = append(p.page.Bars, bars)
	}
	of := pageTable(title, p.columns, shown)
	of.Last = true
	p.page.Tables = append(p.page.Tables, of)
}

// end ends the table, and writes the page.
func (p *listPrinter[T]) end() error {
	if err := p.table.Close(); err != nil || p.page == nil {
		return err
	}
	if p.cut {
		p.page.Findings = append(p.page.Findings, fmt.Sprintf("This page has the best %s of each list; the others are in the output of the command.", report.Count(p.most)))
	}
	return p.f.writeHTML(p.f.html, p.page)
}

// classSuffix says of which class a list is, for what stands before it.
func classSuffix(class string) string {
	if class == "" {
		return ""
	}
	return " in " + class
}

// listName says what a list has.
func listName(l *collocation.List) string {
	what := "pairs of words"
	if l.Words > 2 {
		what = fmt.Sprintf("runs of %d words", l.Words)
	}
	return what + classSuffix(l.Class)
}

// valueText is a value as people see it.
func valueText(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return twoDecimals(v)
}

// ofBar is the bar of a collocation.
func (r collocationRow) ofBar() (term string, v float64) { return r.Term, r.Value }
