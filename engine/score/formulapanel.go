package score

import (
	"cmp"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/score/formula"
	"github.com/termsift/termsift/engine/table"
)

// This file computes formulas for tiles of cells, all cells of a tile at once, and combines their values over
// the classes. Where a term does not occur, the value depends on the sizes of the class and on how often the
// term occurs: it is computed once for the classes of one size.

// A formulaScorer computes a formula for one panel.
type formulaScorer struct {
	*Formula
	combine string
	margins *Margins
	groups  *grouping
	machine *formula.Machine

	columns formulaColumns
	values  []float64 // of the cells of the tile at hand

	absentColumns    formulaColumns
	absent           absentValues
	readsDF, readsCF bool      // absent values depend on them
	left             []int     // by group: its classes without the term at hand
	all              []float64 // by class
}

// absentValues are the values of the classes without a term, by group, for terms that occur so often.
type absentValues struct {
	known  bool
	df, cf float64
	values []float64
	order  []uint32 // the groups whose value is defined, the largest first
}

// scorer returns what computes the formula for a panel.
func (f *Formula) scorer(m *Margins, combine string) *formulaScorer {
	s := &formulaScorer{Formula: f, combine: cmp.Or(combine, Max), margins: m, groups: &m.sizes, machine: f.program.NewMachine()}
	if f.program.Reads(formula.TC) {
		s.groups = &m.groups
	}
	s.columns.program, s.absentColumns.program = f.program, f.program
	s.readsDF, s.readsCF = s.columns.reads(formula.DF), s.columns.reads(formula.CF)
	return s
}

// tile sets dst to the values of the terms of a tile.
func (s *formulaScorer) tile(_ *Panel, t *table.Tile, dst []float64) {
	s.compute(t)
	for i := range dst {
		from, to := t.Range(i)
		dst[i] = s.combined(t.Class[from:to], s.values[from:to], float64(t.DF[i]), s.occurrences(t, i))
	}
}

// occurrences returns the occurrences of a term of a tile, and 0 if the formula reads none.
func (s *formulaScorer) occurrences(t *table.Tile, i int) float64 {
	if s.info.UsesTokens {
		return t.CF[i]
	}
	return 0
}

// compute sets values to those of the cells of a tile.
func (s *formulaScorer) compute(t *table.Tile) {
	m, x, n := s.margins, &s.columns, len(t.Class)
	x.make(s.program, n)
	copy(x.of[formula.A], t.A)
	copy(x.of[formula.S], t.S)
	copy(x.of[formula.Q], t.Q)
	for i, df := range t.DF {
		from, to := t.Range(i)
		x.setTerms(from, to, float64(df), s.occurrences(t, i), m.N, m.T)
	}
	choose(x.of[formula.NC], m.NC, t.Class)
	choose(x.of[formula.TC], m.TC, t.Class)
	x.derive(n)
	s.machine.Run(grown(&s.values, n), &x.of)
	if s.positive {
		s.leaveNegative(t)
	}
}

// choose sets to to the elements of a column by class.
func choose(to, column []float64, classes []uint32) {
	for k := range to {
		to[k] = column[classes[k]]
	}
}

// leaveNegative replaces the values of classes that do not have more of their terms.
func (s *formulaScorer) leaveNegative(t *table.Tile) {
	m := s.margins
	for i, df := range t.DF {
		from, to := t.Range(i)
		for k := from; k < to; k++ {
			class := t.Class[k]
			of := Table{N: m.N, DF: float64(df), NC: m.NC[class], A: t.A[k]}
			if s.info.UsesTokens {
				of.T, of.CF, of.TC, of.S = m.T, t.CF[i], m.TC[class], t.S[k]
			}
			if Sign(s.Formula, &of) <= 0 {
				s.values[k] = math.Inf(-1)
			}
		}
	}
}

// combined returns the value of a term from those of its cells.
func (s *formulaScorer) combined(classes []uint32, values []float64, df, cf float64) float64 {
	if s.combine == Max {
		return s.largest(classes, values, df, cf)
	}
	sum := 0.0
	for k, v := range values {
		sum += weighted(s.share(int(classes[k])), v)
	}
	if len(classes) < len(s.margins.NC) {
		of := s.absentOf(df, cf)
		for g, left := range s.leftOf(classes) {
			if left > 0 {
				sum += weighted(float64(s.share(int(s.groups.groups[g].class))*float64(left)), of.values[g])
			}
		}
	}
	if s.combine == Mean {
		sum /= float64(len(s.margins.NC))
	}
	if sum != sum {
		return math.NaN()
	}
	return sum + 0
}

// weighted returns w·v, and 0 for a weight of 0, whatever v is.
func weighted(w, v float64) float64 {
	if w == 0 {
		return 0
	}
	return float64(w * v)
}

// share returns the weight of a class in a sum.
func (s *formulaScorer) share(class int) float64 {
	if s.combine == Avg {
		return s.margins.NC[class] / s.margins.N
	}
	return 1
}

// largest returns the largest of the values of a term that are defined, and NaN if none is.
func (s *formulaScorer) largest(classes []uint32, values []float64, df, cf float64) float64 {
	most := math.NaN()
	for _, v := range values {
		if v > most || most != most {
			most = v
		}
	}
	if len(classes) == len(s.margins.NC) {
		return most
	}
	of := s.absentOf(df, cf)
	for _, g := range of.order {
		v := of.values[g]
		if v <= most {
			break
		}
		if s.hasAbsent(g, classes) {
			return v
		}
	}
	return most
}

// hasAbsent reports whether a group has a class that is not among those present.
func (s *formulaScorer) hasAbsent(g uint32, present []uint32) bool {
	left := s.groups.groups[g].size
	for _, c := range present {
		if s.groups.of[c] == g {
			left--
		}
	}
	return left > 0
}

// leftOf returns the number of classes without a term in each group.
func (s *formulaScorer) leftOf(present []uint32) []int {
	s.left = s.left[:0]
	for _, g := range s.groups.groups {
		s.left = append(s.left, g.size)
	}
	for _, c := range present {
		s.left[s.groups.of[c]]--
	}
	return s.left
}

// absentOf returns the values of classes without a term that occurs so often.
func (s *formulaScorer) absentOf(df, cf float64) *absentValues {
	m, x, groups := s.margins, &s.absentColumns, s.groups.groups
	positive := s.positive && df > 0 // no class has more of a term that it lacks
	if !s.readsDF {
		df = 0
	}
	if !s.readsCF {
		cf = 0
	}
	of := &s.absent
	if of.known && of.df == df && of.cf == cf {
		return of
	}
	of.known, of.df, of.cf = true, df, cf
	x.make(s.program, len(groups))
	x.setTerms(0, len(groups), df, cf, m.N, m.T)
	for g, group := range groups {
		x.setCell(g, 0, 0, 0, m.NC[group.class], m.TC[group.class])
	}
	x.derive(len(groups))
	s.machine.Run(grown(&of.values, len(groups)), &x.of)
	if positive {
		fill(of.values, math.Inf(-1))
	}
	of.order = of.order[:0]
	for g, v := range of.values {
		if v == v {
			of.order = append(of.order, uint32(g))
		}
	}
	slices.SortStableFunc(of.order, func(a, b uint32) int { return cmp.Compare(of.values[b], of.values[a]) })
	return of
}

// byClass sets dst to the values of all classes for a term.
func (s *formulaScorer) byClass(dst []float64, r *Row) {
	df, cf := r.DF, 0.0
	if s.info.UsesTokens {
		cf = r.CF
	}
	of := s.absentOf(df, cf)
	for c := range dst {
		dst[c] = of.values[s.groups.of[c]]
	}
	s.readRow(r)
	for k, c := range r.Class {
		dst[c] = s.values[k]
	}
}

// readRow computes the values of the cells of a term.
func (s *formulaScorer) readRow(r *Row) {
	s.compute(&table.Tile{
		DF: []uint32{uint32(r.DF)}, CF: []float64{r.CF}, Start: []int{0, len(r.Class)}, Class: r.Class, A: r.A, S: r.S, Q: r.Q,
	})
}

// class returns the value of a class, of which i is the cell, or -1.
func (s *formulaScorer) class(r *Row, c, i int) float64 {
	if i < 0 {
		cf := 0.0
		if s.info.UsesTokens {
			cf = r.CF
		}
		return s.absentOf(r.DF, cf).values[s.groups.of[c]]
	}
	one := Row{DF: r.DF, CF: r.CF, Class: r.Class[i : i+1], A: r.A[i : i+1]}
	if s.info.UsesTokens {
		one.S = r.S[i : i+1]
		if s.program.Reads(formula.Q) {
			one.Q = r.Q[i : i+1]
		}
	}
	s.readRow(&one)
	return s.values[0]
}

// best returns the class with the largest value that is defined, and its cell, or -1 if the term is absent from it. Of
// equal values the first counts, cells before absent classes.
func (s *formulaScorer) best(r *Row) (class, cell int) {
	all := grown(&s.all, len(s.margins.NC))
	s.byClass(all, r)
	class, cell = 0, -1
	largest, found := math.Inf(-1), false
	for k, c := range r.Class {
		if v := all[c]; v > largest || !found && v == v {
			largest, class, cell, found = v, int(c), k, true
		}
		all[c] = math.NaN()
	}
	for c, v := range all {
		if v > largest || !found && v == v {
			largest, class, cell, found = v, c, -1, true
		}
	}
	return class, cell
}
