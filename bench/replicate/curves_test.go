package main

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/report"
)

// Experiments that measured F1 by numbers of terms have curves, with the figures of the raw results and
// the paper's own points; values of Best Terms by p are none.
func TestCurves(t *testing.T) {
	want := map[string]int{
		"ttest-reuters": 3*8*9 + 1, "ttest-20ng": 3 * 7 * 5, "ocfs-20ng": 6*4 + 2*4*3, "ocfs-rcv1": 3 * 4,
		"bt-reuters": 2 * (5*3 + 5*5), "bt-20ng": 2 * (5*3 + 5*5), "projection-chinese": 2*7 + 2*5 + 6, "modified-chi-20ng": 4*8 + 2*5,
	}
	for _, p := range All() {
		f := p.recorded("../results").Results.Figures
		points := p.curves(f)
		if len(points) != want[p.Name] {
			t.Errorf("%s: %d points, want %d", p.Name, len(points), want[p.Name])
		}
		for _, point := range points {
			if point.K < 2 || math.IsNaN(point.MicroF1) && math.IsNaN(point.MacroF1) || point.MicroF1 > 1 {
				t.Errorf("%s: %+v", p.Name, point)
			}
		}
	}
	p := named("ttest-reuters", All())
	f := p.recorded("../results").Results.Figures
	found := 0
	for _, point := range p.curves(f) {
		switch (report.Point{Classifier: point.Classifier, Method: point.Method, K: point.K}) {
		case report.Point{Classifier: "kNN", Method: "ttest:avg", K: 4000}:
			if found++; point.MicroF1 != f["main knn ttest:avg 4000 micro"].Value/100 || point.MacroF1 != f["main knn ttest:avg 4000 macro"].Value/100 {
				t.Errorf("%+v", point)
			}
		case report.Point{Classifier: "kNN", Method: "paper's ttest:avg", K: 4000}:
			if found++; point.MicroF1 != .898 || !math.IsNaN(point.MacroF1) {
				t.Errorf("%+v", point)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d points of kNN with 4,000 terms by the t-test", found)
	}
}

// A value of the paper in a table is one that a claim names, of a row and a column that are there.
func TestValuesOfThePaperAreThoseOfClaims(t *testing.T) {
	for _, p := range All() {
		for i := range p.Tables {
			table := &p.Tables[i]
			_, rows := variable(table.Rows)
			_, columns := variable(table.Columns)
			for column, values := range table.Paper {
				for row, v := range values {
					text, named := strconv.FormatFloat(v, 'f', -1, 64), false
					for _, c := range p.Claims {
						named = named || strings.Contains(c.Paper, text)
					}
					if !named || !slices.Contains(rows, row) || !slices.Contains(columns, column) {
						t.Errorf("%s, table %q: no claim has the paper's %s of %s with %s terms", p.Name, table.Title, text, column, row)
					}
				}
			}
		}
	}
}
