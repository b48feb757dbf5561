package rank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file has the measures of a control, which compare a class with the others within each
// stratum and add up what they find: so a term that is frequent in a class only because the class
// is frequent in the stratum has no large value. Their source is the table of the pairs of a class
// and a stratum.

// ControlMeasures returns the measures of a control, in order.
func ControlMeasures() []MeasureInfo {
	return []MeasureInfo{mantelHaenszel(Options{}).info, commonOddsRatio().info}
}

func mantelHaenszel(o Options) *source {
	return ofStrata(MeasureInfo{
		Name: string(MH), Title: "Mantel-Haenszel test", Formula: "(Σ(A-E))²/ΣV over the strata; E = (A+B)(A+C)/n, V = (A+B)(C+D)(A+C)(B+D)/(n²(n-1))",
		Source: "Mantel & Haenszel 1959", Default: score.Max, Combinable: true, Control: true,
	}, func(m *score.MantelHaenszel) sourcedValue {
		v := sourcedValue{value: m.ChiSquare(o.Continuity), sign: m.Sign()}
		if o.Signed && v.sign < 0 {
			v.value = -v.value
		}
		return v
	})
}

func commonOddsRatio() *source {
	return ofStrata(MeasureInfo{
		Name: string(ORMH), Title: "common odds ratio of Mantel and Haenszel", Formula: "Σ(AD/n)/Σ(BC/n) over the strata",
		Source: "Mantel & Haenszel 1959", Default: score.Max, Combinable: true, Control: true,
		Undefined: "in no stratum does the term tell documents of the class from others",
	}, func(m *score.MantelHaenszel) sourcedValue {
		low, high := m.Interval()
		return sourcedValue{value: m.OddsRatio(), sign: m.Sign(), interval: Interval{m.LnVariance(), low, high}}
	})
}

// controlDistributions returns those of the measures of a control.
func controlDistributions() []distribution {
	return []distribution{{
		string(MH), countsNothing, false,
		func(v float64, _ *population) float64 { return pvalue.ChiSquare(math.Abs(v), 1) },
		func(*population) string { return "chi-square within strata, " + degrees(1) },
	}}
}

// ofStrata returns the source of a measure that value computes from the sums over the strata.
func ofStrata(info MeasureInfo, value func(m *score.MantelHaenszel) sourcedValue) *source {
	return &source{info: info, warn: warnOfStrata, open: func(_ context.Context, _ Counted, s *table.Table) (sourced, error) {
		if err := checkStrata(info.Name, s); err != nil {
			return nil, err
		}
		of := stratifiedOf(s)
		return func() termReader {
			r := &strataReader{stratified: of, value: value, sums: make([]score.MantelHaenszel, len(s.Classes())), a: make([]float64, len(s.Classes()))}
			return r.read
		}, nil
	}}
}

// checkStrata returns a usage error if there are no strata, or none with two documents.
func checkStrata(name string, s *table.Table) error {
	strata := s.Strata()
	if strata == nil {
		return usage.Errorf("%s compares classes within the strata of a control, and these documents have none; name the field that has them (--control) where the documents are counted", name)
	}
	for _, n := range strata.Documents {
		if n > 1 {
			return nil
		}
	}
	return usage.Errorf("%s compares documents of one stratum, and no two of the %d documents have the same value of the control %q: name a field with fewer values (--control)",
		name, s.Documents(), s.Provenance().Control)
}

// mostNamedStrata is how many strata a warning names.
const mostNamedStrata = 3

// warnOfStrata warns of strata in which no class can be compared with others.
func warnOfStrata(s *table.Table) []string {
	of := stratifiedOf(s)
	var without []string
	n := 0
	for h, name := range of.strata.Names {
		if of.tells(h) {
			continue
		}
		if n++; n <= mostNamedStrata {
			without = append(without, fmt.Sprintf("%q", usage.Cut(name)))
		}
	}
	if n == 0 {
		return nil
	}
	more := ""
	if n > mostNamedStrata {
		more = fmt.Sprintf(" and %d more", n-mostNamedStrata)
	}
	return []string{fmt.Sprintf("%d of %d strata of the control %q have one class or one document, and tell nothing: %s%s",
		n, len(of.strata.Names), s.Provenance().Control, strings.Join(without, ", "), more)}
}

// stratified has the strata of a table by number.
type stratified struct {
	strata  *table.Strata
	classes [][]classIn // by stratum: the classes that have documents there
}

// classIn is a class in a stratum, with its documents there.
type classIn struct {
	class uint32
	docs  float64
}

// stratifiedKey is the key under which stratifiedOf caches its result.
type stratifiedKey struct{}

// stratifiedOf returns the strata of a table that has them. They are made once.
func stratifiedOf(s *table.Table) *stratified {
	return s.Derive(stratifiedKey{}, func() any {
		of := &stratified{strata: s.Strata(), classes: make([][]classIn, len(s.Strata().Names))}
		for pair, class := range of.strata.Class {
			if docs := of.strata.Pairs.Cells.ClassDocs[pair]; class != table.AllClasses && docs > 0 {
				h := of.strata.Stratum[pair]
				of.classes[h] = append(of.classes[h], classIn{uint32(class), docs})
			}
		}
		return of
	}).(*stratified)
}

// tells reports whether a stratum has a class and documents that are not in it.
func (s *stratified) tells(h int) bool {
	for _, c := range s.classes[h] {
		if c.docs < s.strata.Documents[h] {
			return true
		}
	}
	return false
}

// A strataReader reads terms on one goroutine.
type strataReader struct {
	*stratified
	value func(m *score.MantelHaenszel) sourcedValue
	tile  table.Tile
	sums  []score.MantelHaenszel // by class
	a     []float64              // by class: its documents with the term in the stratum at hand
	cells []strataCell
	order []int // of the cells in the tile
}

// A strataCell is a cell of the term: a class, or all documents, in a stratum.
type strataCell struct {
	class, stratum int32
	docs           float64
}

// read is the [termReader]. It adds up the strata that have the term, for the classes that they
// have: other strata add nothing.
func (r *strataReader) read(values []sourcedValue, t int) error {
	clear(r.sums)
	r.readCells(t)
	for from := 0; from < len(r.cells); {
		to := from
		for to < len(r.cells) && r.cells[to].stratum == r.cells[from].stratum {
			to++
		}
		r.addStratum(r.cells[from:to])
		from = to
	}
	for c := range values {
		values[c] = r.value(&r.sums[c])
	}
	return nil
}

// addStratum adds the cells of a stratum: that of all documents comes first.
func (r *strataReader) addStratum(cells []strataCell) {
	h := cells[0].stratum
	for _, c := range cells[1:] {
		r.a[c.class] = c.docs
	}
	for _, c := range r.classes[h] {
		r.sums[c.class].Add(r.a[c.class], cells[0].docs, c.docs, r.strata.Documents[h])
		r.a[c.class] = 0
	}
}

// readCells sets r.cells to those of a term, by stratum, then by class.
func (r *strataReader) readCells(t int) {
	r.strata.Pairs.Cells.Read(&r.tile, t, t+1, false)
	pairs, strata, classes := r.tile.Class, r.strata.Stratum, r.strata.Class
	r.order = r.order[:0]
	for i, pair := range pairs {
		if strata[pair] >= 0 {
			r.order = append(r.order, i)
		}
	}
	slices.SortFunc(r.order, func(i, j int) int { // places: a sort of cells would be 15 kB more of the C library
		x, y := pairs[i], pairs[j]
		return cmp.Or(cmp.Compare(strata[x], strata[y]), cmp.Compare(classes[x], classes[y]))
	})
	r.cells = r.cells[:0]
	for _, i := range r.order {
		r.cells = append(r.cells, strataCell{classes[pairs[i]], strata[pairs[i]], r.tile.A[i]})
	}
}
