package main

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/report"
)

// This file makes the curves of a page: F1 over the number of terms, of the tables that have it.

// metricOf finds the metric in the name of a figure, at its end.
var metricOf = regexp.MustCompile(` (micro|macro)\]$`)

// metricInTitle is what the title of a table of F1 says besides what was measured.
var metricInTitle = regexp.MustCompile(`(?i),? ?(micro|macro)-F1|, means`)

// ofThePaper stands before the name of a method whose values are the paper's own.
const ofThePaper = "paper's "

// points returns the points of a table whose rows are numbers of terms and whose cells are F1 in percent,
// those of the paper behind its own.
func (t *Table) points(f Figures) (points []report.Point) {
	rowName, rows := variable(t.Rows)
	if !metricOf.MatchString(t.Cell) || strings.HasPrefix(t.Cell, "[sd ") || rowName != "terms" && rowName != "k" {
		return nil
	}
	_, columns := variable(t.Columns)
	what := strings.TrimLeft(metricInTitle.ReplaceAllString(t.Title, ""), ", ")
	if what == "" {
		what = "SVM"
	}
	for _, column := range columns {
		var paper []report.Point
		for _, row := range rows {
			k, err := strconv.Atoi(row)
			if err != nil {
				continue // all terms
			}
			p := report.Point{Classifier: what, Method: column, K: k, MicroF1: t.share(f, row, column, "micro"), MacroF1: t.share(f, row, column, "macro")}
			if !math.IsNaN(p.MicroF1) || !math.IsNaN(p.MacroF1) {
				points = append(points, p)
			}
			if v, there := t.Paper[column][row]; there {
				own := report.Point{Classifier: what, Method: ofThePaper + column, K: k, MicroF1: math.NaN(), MacroF1: math.NaN()}
				if metricOf.FindStringSubmatch(t.Cell)[1] == "micro" {
					own.MicroF1 = v / 100
				} else {
					own.MacroF1 = v / 100
				}
				paper = append(paper, own)
			}
		}
		points = append(points, paper...)
	}
	return points
}

// share returns the F1 of a cell, from 0 to 1, by a metric; NaN if it was not measured.
func (t *Table) share(f Figures, row, column, metric string) float64 {
	rowName, _ := variable(t.Rows)
	columnName, _ := variable(t.Columns)
	cell := strings.NewReplacer("{"+rowName+"}", row, "{"+columnName+"}", column).Replace(metricOf.ReplaceAllString(t.Cell, " "+metric+"]"))
	if found := f.named(strings.Trim(cell, "[]")); len(found) == 1 {
		return f[found[0]].Value / 100
	}
	return math.NaN()
}

// curves returns the points of all tables. A table of macro-F1 whose points one of micro-F1 has already
// adds none.
func (p *Protocol) curves(f Figures) (points []report.Point) {
	type place struct {
		what, method string
		k            int
	}
	seen := map[place]bool{}
	for i := range p.Tables {
		for _, point := range p.Tables[i].points(f) {
			if at := (place{point.Classifier, point.Method, point.K}); !seen[at] {
				seen[at] = true
				points = append(points, point)
			}
		}
	}
	return points
}
