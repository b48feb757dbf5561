package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/report"
)

// writePage writes the page of a term: its two-by-two tables, its values, and the evidence.
func (f *explainFlags) writePage(ctx context.Context, input string, of rank.Counted, x *rank.Explanation, e *termEvidence) error {
	r, err := f.newReport(ctx, fmt.Sprintf("“%s” in %s", x.Term, nameOf(input)), of, input, f.text, f.reference)
	if err != nil {
		return err
	}
	r.Headline = fmt.Sprintf("in %s of %s documents, %s occurrences", report.Count(x.DF), report.Count(x.N), tables.Plain(x.CF))
	if x.Target != "" {
		r.Findings = []string{targetText(x)}
	}
	r.Crosses = crosses(x.Tables)
	if more := len(x.Tables) - len(r.Crosses); more > 0 {
		r.CrossesNote = fmt.Sprintf("The %d classes of which the largest shares have it; all are in the table.", len(r.Crosses))
	}
	if len(x.Tables) > 0 {
		t := pageTable("Counts of the classes", classColumns, x.Tables)
		t.Notes = []string{countsLegend}
		r.Tables = append(r.Tables, t)
	}
	r.Tables = append(r.Tables, pageTable("Values and ranks", explainedColumns(x), x.Measures))
	if e.documents != nil {
		r.Tables = append(r.Tables, pageTable("Documents with the term", evidenceDocumentColumns, e.documents))
	}
	if e.lines != nil {
		r.Evidence = []report.Evidence{termEvidence{lines: e.lines}.onPage("", x.Term)}
	}
	return f.writeHTML(f.html, r)
}

// pageCrosses is the number of two-by-two tables on the page of a term.
const pageCrosses = 12

// crosses returns the tables of the classes of which the largest shares have the term, those first.
func crosses(of []rank.ClassTable) (all []report.Cross) {
	share := func(t rank.ClassTable) float64 { return float64(t.A) / float64(max(1, t.A+t.C)) }
	sorted := slices.SortedStableFunc(slices.Values(of), func(s, t rank.ClassTable) int { return cmp.Compare(share(t), share(s)) })
	for _, t := range sorted[:min(len(sorted), pageCrosses)] {
		all = append(all, report.Cross{Class: t.Class, A: t.A, B: t.B, C: t.C, D: t.D})
	}
	return all
}
