package main

import (
	"context"
	"fmt"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/resample"
)

// stabilityBars is the number of terms with a bar.
const stabilityBars = 20

// writePage writes the page of a stability: how alike the selections are, and how often each term is selected.
func (f *stabilityFlags) writePage(ctx context.Context, of rank.Counted, s *resample.Stability, inputs []string) error {
	r, err := f.newReport(ctx, fmt.Sprintf("How stable are %d terms of %s by %s?", s.K, nameOf(inputs...), s.Measure), of, inputs...)
	if err != nil {
		return err
	}
	summary := stabilitySummary(s)
	if s.Bound != nil {
		r.Headline, summary = summary[2], append(summary[:2:2], summary[3:]...)
	}
	r.Findings = summary
	selected := f.shown(s)
	if len(s.Selected) > 0 {
		r.Bars = []report.BarList{oftenBars(s), termBars(selected)}
	}
	t := pageTable("Selected terms", stabilityColumns, selected[:min(len(selected), pageRows)])
	if more := len(selected) - len(t.Rows); more > 0 {
		t.Notes = []string{fmt.Sprintf("The first %s of %s terms; the others are in the output of the command.", report.Count(len(t.Rows)), report.Count(len(selected)))}
	}
	t.Last = true
	r.Tables = []report.Table{t}
	return f.writeHTML(f.html, r)
}

// oftenBars tells how many terms are selected how often, of all that ever are.
func oftenBars(s *resample.Stability) report.BarList {
	l := report.BarList{Title: "How often terms are selected", Names: "by", Values: "terms"}
	if s.Bound != nil {
		l.Notes = []string{fmt.Sprintf("Stable terms are those selected by %.4g %% or more.", 100*s.Bound.Threshold)}
	}
	var counts [11]int // by tenths, last those that all selections have
	for _, t := range s.Selected {
		tenth := t.Count * 10 / s.Samples
		counts[tenth]++
	}
	for tenth := 10; tenth >= 0; tenth-- {
		name := fmt.Sprintf("%d to %d %%", 10*tenth, 10*tenth+10)
		switch tenth {
		case 10:
			name = "all selections"
		case 0:
			name = "below 10 %"
		}
		l.Bars = append(l.Bars, report.Bar{Term: name, Value: float64(counts[tenth]), Text: report.Count(counts[tenth])})
	}
	return l
}

// termBars tells how often the first terms are selected.
func termBars(selected []resample.StableTerm) report.BarList {
	l := report.BarList{Title: "Which terms are selected most often", Names: "term", Values: "selected"}
	share := stabilityColumns[1]
	for _, t := range selected[:min(len(selected), stabilityBars)] {
		l.Bars = append(l.Bars, report.Bar{Term: t.Term, Value: t.Share, Text: share.Printed(t)})
	}
	return l
}
