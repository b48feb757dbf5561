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
// term occurs: so it is computed once for classes of one size and terms of one frequency.

// formulaColumns are the variables of cells, as far as a program reads them.
type formulaColumns struct {
	of      [formula.Variables][]float64
	program *formula.Program
}

// make gives the columns that the program reads n elements.
func (x *formulaColumns) make(p *formula.Program, n int) {
	x.program = p
	for v := range x.of {
		if x.reads(formula.Variable(v)) {
			grown(&x.of[v], n)
		}
	}
}

// reads reports whether the program reads a variable, or another one that follows from it.
func (x *formulaColumns) reads(v formula.Variable) bool {
	p := x.program
	switch v {
	case formula.A:
		return p.Reads(v) || p.Reads(formula.B) || p.Reads(formula.C) || p.Reads(formula.D)
	case formula.DF:
		return p.Reads(v) || p.Reads(formula.B) || p.Reads(formula.D)
	case formula.NC:
		return p.Reads(v) || p.Reads(formula.C) || p.Reads(formula.D)
	case formula.N:
		return p.Reads(v) || p.Reads(formula.D)
	}
	return p.Reads(v)
}

// setTerms sets what the cells [from, to) share.
func (x *formulaColumns) setTerms(from, to int, df, cf, n, t float64) {
	for _, column := range [...]struct {
		v     formula.Variable
		value float64
	}{{formula.DF, df}, {formula.CF, cf}, {formula.N, n}, {formula.T, t}} {
		if of := x.of[column.v]; of != nil {
			fill(of[from:to], column.value)
		}
	}
}

func fill(to []float64, v float64) {
	for i := range to {
		to[i] = v
	}
}

// setCell sets what a cell has of its own.
func (x *formulaColumns) setCell(i int, a, s, q, nc, tc float64) {
	for _, column := range [...]struct {
		v     formula.Variable
		value float64
	}{{formula.A, a}, {formula.S, s}, {formula.Q, q}, {formula.NC, nc}, {formula.TC, tc}} {
		if of := x.of[column.v]; of != nil {
			of[i] = column.value
		}
	}
}

// derive sets B, C and D of the cells [from, to).
func (x *formulaColumns) derive(from, to int) {
	a, df, nc, n := x.of[formula.A], x.of[formula.DF], x.of[formula.NC], x.of[formula.N]
	if b := x.of[formula.B]; b != nil {
		for i := from; i < to; i++ {
			b[i] = df[i] - a[i]
		}
	}
	if c := x.of[formula.C]; c != nil {
		for i := from; i < to; i++ {
			c[i] = nc[i] - a[i]
		}
	}
	if d := x.of[formula.D]; d != nil {
		for i := from; i < to; i++ {
			d[i] = n[i] - df[i] - nc[i] + a[i]
		}
	}
}

// A formulaScorer computes a formula for one panel.
type formulaScorer struct {
	*Formula
	combine string
	margins *Margins
	groups  *grouping
	machine *formula.Machine
	columns formulaColumns
	values  []float64 // of the cells at hand

	absent formulaColumns
	kept   []absentValues
	left   []int     // by group: its classes without the term at hand
	all    []float64 // by class
}

// absentValues are the values of the classes without a term, by group, for terms that occur so often.
type absentValues struct {
	known  bool
	df, cf float64
	values []float64
	order  []uint32 // the groups whose value is defined, the largest first
}

// keptAbsent is the number of frequencies whose values are kept at a time; less for so many groups that their values
// would take more than half a megabyte.
const (
	keptAbsent = 64
	keptValues = 1 << 16
)

// scorer returns what computes the formula for a panel.
func (f *Formula) scorer(m *Margins, combine string) *formulaScorer {
	s := &formulaScorer{Formula: f, combine: cmp.Or(combine, Max), margins: m, groups: &m.sizes, machine: f.program.NewMachine()}
	if f.program.Reads(formula.TC) {
		s.groups = &m.groups
	}
	s.kept = make([]absentValues, max(1, min(keptAbsent, keptValues/max(1, len(s.groups.groups)))))
	return s
}

// tile sets dst to the values of the terms of a tile.
func (s *formulaScorer) tile(_ *Panel, t *table.Tile, dst []float64) {
	s.read(t)
	for i := range dst {
		from, to := t.Range(i)
		cf := 0.0
		if s.info.UsesTokens {
			cf = t.CF[i]
		}
		dst[i] = s.combined(t.Class[from:to], s.values[from:to], float64(t.DF[i]), cf)
	}
}

// read computes the values of the cells of a tile.
func (s *formulaScorer) read(t *table.Tile) {
	m, x, n := s.margins, &s.columns, len(t.Class)
	x.make(s.program, n)
	copy(x.of[formula.A], t.A)
	copy(x.of[formula.S], t.S)
	copy(x.of[formula.Q], t.Q)
	gather(x.of[formula.NC], m.NC, t.Class)
	gather(x.of[formula.TC], m.TC, t.Class)
	if of := x.of[formula.N]; of != nil {
		fill(of, m.N)
	}
	if of := x.of[formula.T]; of != nil {
		fill(of, m.T)
	}
	for i, df := range t.DF {
		from, to := t.Range(i)
		if of := x.of[formula.DF]; of != nil {
			fill(of[from:to], float64(df))
		}
		if of := x.of[formula.CF]; of != nil {
			fill(of[from:to], t.CF[i])
		}
	}
	x.derive(0, n)
	s.machine.Run(grown(&s.values, n), &x.of)
	if !s.positive {
		return
	}
	for i := range t.DF {
		from, to := t.Range(i)
		for k := from; k < to; k++ {
			cell := Table{N: m.N, DF: float64(t.DF[i]), NC: m.NC[t.Class[k]], A: t.A[k]}
			if s.info.UsesTokens {
				cell.T, cell.CF, cell.TC, cell.S = m.T, t.CF[i], m.TC[t.Class[k]], t.S[k]
			}
			if Sign(s.Formula, &cell) <= 0 {
				s.values[k] = math.Inf(-1)
			}
		}
	}
}

// gather sets to to the elements of a column with the given numbers.
func gather(to, column []float64, numbers []uint32) {
	for i := range to {
		to[i] = column[numbers[i]]
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
	if absent := len(s.margins.NC) - len(classes); absent > 0 {
		of := s.absentOf(df, cf)
		for g, left := range s.leftOf(classes) {
			if left > 0 {
				sum += weighted(s.share(int(s.groups.groups[g].class))*float64(left), of.values[g])
			}
		}
	}
	if s.combine == Mean {
		sum /= float64(len(s.margins.NC))
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
	most, defined := math.Inf(-1), false
	for _, v := range values {
		if v >= most {
			most, defined = v, true
		}
	}
	if len(classes) < len(s.margins.NC) {
		of := s.absentOf(df, cf)
		if len(of.order) > 0 && (!defined || of.values[of.order[0]] > most) {
			left := s.leftOf(classes)
			for _, g := range of.order {
				if left[g] > 0 {
					most, defined = max(most, of.values[g]), true
					break
				}
			}
		}
	}
	if !defined {
		return math.NaN()
	}
	return most
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
	of := &s.kept[uint64(df+float64(7*cf))%uint64(len(s.kept))]
	if of.known && of.df == df && of.cf == cf {
		return of
	}
	m, x, groups := s.margins, &s.absent, s.groups.groups
	of.known, of.df, of.cf = true, df, cf
	x.make(s.program, len(groups))
	x.setTerms(0, len(groups), df, cf, m.N, m.T)
	for g, group := range groups {
		x.setCell(g, 0, 0, 0, m.NC[group.class], m.TC[group.class])
	}
	x.derive(0, len(groups))
	s.machine.Run(grown(&of.values, len(groups)), &x.of)
	if s.positive && df > 0 {
		fill(of.values, math.Inf(-1)) // no class has more of a term that it lacks
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
	t := table.Tile{DF: []uint32{uint32(r.DF)}, CF: []float64{r.CF}, Start: []int{0, len(r.Class)}, Class: r.Class, A: r.A, S: r.S, Q: r.Q}
	s.read(&t)
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
