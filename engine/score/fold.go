package score

import (
	"cmp"
	"math"
	"slices"
)

// This file folds the class values of a term, cell by cell, for all measures at
// once.

// A fold combines the class values of one measure into one.
type fold struct {
	choice int
	value  func(t *Table) float64
	role   role
	finish func(r *Row, sum float64) float64
}

// A role says how values are combined, and what absent classes have to do with
// it. The folds of a set are in the order of their roles, so that a cell is
// folded by three plain loops.
type role uint8

const (
	largestBySize   role = iota // absent: only the smallest and the largest class, by documents, can matter
	largestByTokens             // the same by tokens
	largestOfAll                // nothing is known: all absent classes
	sumOfPresent                // absent classes add 0, or finish adds them
	sumOfAll
	shareOfPresent // sums weighted by P(c)
	shareOfAll
	roles
)

// A foldSet holds the folds of the measures that look at the same counts.
type foldSet struct {
	folds []fold
	first [roles + 1]int // of each role
	acc   []float64
}

func (s *foldSet) prepare() {
	slices.SortStableFunc(s.folds, func(a, b fold) int { return cmp.Compare(a.role, b.role) })
	s.acc = make([]float64, len(s.folds))
	for r := range s.first {
		s.first[r], _ = slices.BinarySearchFunc(s.folds, role(r), func(f fold, r role) int { return cmp.Compare(f.role, r) })
	}
}

// begin clears the sums.
func (s *foldSet) begin() {
	for i := range s.acc {
		s.acc[i] = 0
	}
	for i := range s.acc[:s.first[sumOfPresent]] {
		s.acc[i] = math.Inf(-1)
	}
}

// values appends the values of the folds [from, to) of the table at hand.
func (s *foldSet) values(dst []float64, t *Table, from, to int) []float64 {
	for i := from; i < to; i++ {
		dst = append(dst, s.folds[i].value(t))
	}
	return dst
}

// take folds the values of a class in; share is P(c).
func (s *foldSet) take(values []float64, share float64) {
	s.maxima(values, 0, s.first[sumOfPresent])
	s.sums(values, s.first[sumOfPresent], s.first[shareOfPresent], 1)
	s.sums(values, s.first[shareOfPresent], s.first[roles], share)
}

// takeAbsent folds `classes` classes without the term in, for the roles that ask
// for all of them.
func (s *foldSet) takeAbsent(values []float64, classes, share float64) {
	s.maxima(values, s.first[largestOfAll], s.first[sumOfPresent])
	s.sums(values, s.first[sumOfAll], s.first[shareOfPresent], classes)
	s.sums(values, s.first[shareOfAll], s.first[roles], float64(share*classes))
}

func (s *foldSet) asksAllAbsent() bool {
	return s.first[largestOfAll] < s.first[sumOfPresent] || s.first[sumOfAll] < s.first[shareOfPresent] ||
		s.first[shareOfAll] < s.first[roles]
}

func (s *foldSet) maxima(values []float64, from, to int) {
	acc := s.acc[from:to]
	for i, v := range values[from:to] {
		if v > acc[i] {
			acc[i] = v
		}
	}
}

func (s *foldSet) sums(values []float64, from, to int, times float64) {
	acc := s.acc[from:to]
	for i, v := range values[from:to] {
		acc[i] += float64(times * v)
	}
}

// end hands the results over.
func (s *foldSet) end(r *Row, values []float64) {
	for i := range s.folds {
		f := &s.folds[i]
		values[f.choice] = s.acc[i]
		if f.finish != nil {
			values[f.choice] = f.finish(r, s.acc[i])
		}
	}
}

// fold combines the class values of all measures.
func (p *Panel) fold(r *Row, values []float64) {
	if len(p.docFolds.folds) > 0 {
		p.docFolds.begin()
		for i, c := range r.Class {
			p.docFolds.take(p.documentValues(c, r.A[i]), p.shares[c])
		}
		if len(r.Class) < p.margins.Classes() {
			p.foldAbsentDocuments(r)
		}
		p.docFolds.end(r, values)
	}
	if len(p.tokFolds.folds) > 0 {
		p.tokFolds.begin()
		for i, c := range r.Class {
			p.cell(c, r.A[i], r.S[i])
			p.tokValues = p.tokFolds.values(p.tokValues[:0], &p.t, 0, len(p.tokFolds.folds))
			p.tokFolds.take(p.tokValues, p.shares[c])
		}
		if len(r.Class) < p.margins.Classes() {
			p.foldAbsentTokens(r)
		}
		p.tokFolds.end(r, values)
	}
}

// foldAbsentDocuments takes the classes in which the term does not occur: the two
// ends of their order for a maximum of a standard measure, every group for a sum
// and for a measure of which nothing is known.
func (p *Panel) foldAbsentDocuments(r *Row) {
	s := &p.docFolds
	if to := s.first[largestByTokens]; to > 0 {
		for _, c := range p.ends(r, &p.margins.bySize) {
			s.maxima(p.documentValues(c, 0), 0, to)
		}
	}
	if s.asksAllAbsent() {
		p.eachAbsent(r, &p.margins.sizes, func(class uint32, left float64) {
			s.takeAbsent(p.documentValues(class, 0), left, p.shares[class])
		})
	}
}

func (p *Panel) foldAbsentTokens(r *Row) {
	s := &p.tokFolds
	for i, order := range []*absentOrder{&p.margins.bySize, &p.margins.byTokens} {
		from, to := s.first[i], s.first[i+1]
		if from == to {
			continue
		}
		for _, c := range p.ends(r, order) {
			p.cell(c, 0, 0)
			p.tokValues = s.values(p.tokValues[:from], &p.t, from, to)
			s.maxima(p.tokValues, from, to)
		}
	}
	if s.asksAllAbsent() {
		p.eachAbsent(r, &p.margins.groups, func(class uint32, left float64) {
			p.cell(class, 0, 0)
			p.tokValues = s.values(p.tokValues[:0], &p.t, 0, len(s.folds))
			s.takeAbsent(p.tokValues, left, p.shares[class])
		})
	}
}

// ends gives the smallest and the largest class without the term, and an empty
// one if there is any.
func (p *Panel) ends(r *Row, o *absentOrder) []uint32 {
	p.absent = p.absent[:0]
	for _, c := range o.order {
		if r.absentFrom(c) {
			p.absent = append(p.absent, c)
			break
		}
	}
	for i := len(o.order) - 1; i >= 0; i-- {
		if c := o.order[i]; r.absentFrom(c) {
			p.absent = append(p.absent, c)
			break
		}
	}
	if len(o.empty) > 0 {
		p.absent = append(p.absent, o.empty[0])
	}
	return p.absent
}

// eachAbsent calls f with a class of every group that has classes without the
// term, and their number.
func (p *Panel) eachAbsent(r *Row, classes *grouping, f func(class uint32, left float64)) {
	p.left = p.left[:0]
	for _, g := range classes.groups {
		p.left = append(p.left, g.size)
	}
	for _, c := range r.Class {
		p.left[classes.of[c]]--
	}
	for g, left := range p.left {
		if left > 0 {
			f(classes.groups[g].class, float64(left))
		}
	}
}

// informationGain finishes Σ over the present classes of the class parts: absent
// classes add n_c/N·ln(N/(N-df)) each, in one term.
func informationGain(r *Row, sum float64) float64 {
	if r.DF == r.N || r.DF == 0 {
		return 0
	}
	met := 0.0
	for _, c := range r.Class {
		met += r.NC[c]
	}
	without := r.logs.of(r.N) - r.logs.of(r.N-r.DF)
	return sum + float64((r.pairs-met)*without)/r.N
}
