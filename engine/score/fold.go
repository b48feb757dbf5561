package score

import (
	"cmp"
	"math"
	"slices"
)

// This file folds the class values of a term for all measures at once.

// A fold combines the class values of one measure into one.
type fold struct {
	choice int
	value  func(t *counts) float64
	order  func(t *counts) float64 // of a maximum: cheaper, in the order of the values; or nil
	role   role
	finish func(r *Row, sum float64) float64
}

// A role says how values are combined, and what absent classes have to do with
// it. The folds of a set are in the order of their roles, so that a cell is
// folded by three plain loops.
type role uint8

const (
	// Of absent classes, only the smallest or the largest can matter, by what the
	// tables count, or by documents where they count tokens.
	largestOfSmallest role = iota
	largestOfLargest
	largestOfSmallestBySize
	largestOfLargestBySize

	largestOfAll // nothing is known: all absent classes
	sumOfPresent // absent classes add 0, or finish adds them
	sumOfAll
	shareOfPresent // sums weighted by P(c)
	shareOfAll
	roles
)

// A foldSet holds the folds of the measures that look at the same counts.
type foldSet struct {
	folds []fold
	first [roles + 1]int // of each role
	acc   []folded

	side    *side
	classes []classFactors
	memo    memo
	tables  []counts // of the cells at hand whose values are not known
}

// folded is a value in bits: the key of one whose maximum is looked for, the bits
// of one that is added. The maximum of integers takes no branch, which would go
// wrong a few times a row and measure.
type folded = int64

// keyOf is monotone: keys compare as their values do. It undoes itself.
func keyOf(bits folded) folded { return bits ^ int64(uint64(bits>>63)>>1) }

func (s *foldSet) prepare(side *side, classes []classFactors, places int) {
	slices.SortStableFunc(s.folds, func(a, b fold) int { return cmp.Compare(a.role, b.role) })
	s.acc = make([]folded, len(s.folds))
	for r := range s.first {
		s.first[r], _ = slices.BinarySearchFunc(s.folds, role(r), func(f fold, r role) int { return cmp.Compare(f.role, r) })
	}
	s.side, s.classes = side, classes
	if len(s.folds) > 0 {
		s.memo = newMemo(len(s.folds), places)
	}
}

// begin clears the sums.
func (s *foldSet) begin() {
	clear(s.acc)
	for i := range s.acc[:s.first[sumOfPresent]] {
		s.acc[i] = keyOf(bitsOf(math.Inf(-1)))
	}
}

func bitsOf(x float64) folded { return folded(math.Float64bits(x)) }

func valueOf(x folded) float64 { return math.Float64frombits(uint64(x)) }

// values computes the values of the tables for the folds [from, to), those of one
// table behind each other. It goes measure by measure: the formula stays in place.
func (s *foldSet) values(dst []folded, from, to int) {
	width, maxima := len(s.folds), s.first[sumOfPresent]
	for i := from; i < to; i++ {
		value := s.folds[i].value
		for j := range s.tables {
			v := bitsOf(value(&s.tables[j]))
			if i < maxima {
				v = keyOf(v)
			}
			dst[j*width+i] = v
		}
	}
}

// add adds a table to those whose values are wanted.
func (s *foldSet) add(class uint32, a, docs float64) {
	n := len(s.tables)
	if n == cap(s.tables) {
		s.tables = slices.Grow(s.tables, n+1)
	}
	s.tables = s.tables[:n+1]
	s.side.cell(&s.tables[n], &s.classes[class], a)
	s.tables[n].docs = docs
}

// take folds the values of a class in; share is P(c).
func (s *foldSet) take(values []folded, share float64) {
	s.maxima(values, 0, s.first[sumOfPresent])
	s.sums(values, s.first[sumOfPresent], s.first[shareOfPresent], 1)
	s.sums(values, s.first[shareOfPresent], s.first[roles], share)
}

// takeAbsent folds `classes` classes without the term in, for the roles that ask
// for all of them.
func (s *foldSet) takeAbsent(values []folded, classes, share float64) {
	s.maxima(values, s.first[largestOfAll], s.first[sumOfPresent])
	s.sums(values, s.first[sumOfAll], s.first[shareOfPresent], classes)
	s.sums(values, s.first[shareOfAll], s.first[roles], float64(share*classes))
}

func (s *foldSet) asksAllAbsent() bool {
	return s.first[largestOfAll] < s.first[sumOfPresent] || s.first[sumOfAll] < s.first[shareOfPresent] ||
		s.first[shareOfAll] < s.first[roles]
}

func (s *foldSet) maxima(values []folded, from, to int) {
	acc := s.acc[from:to]
	for i, v := range values[from:to] {
		acc[i] = max(acc[i], v)
	}
}

func (s *foldSet) sums(values []folded, from, to int, times float64) {
	acc := s.acc[from:to]
	for i, v := range values[from:to] {
		acc[i] = bitsOf(valueOf(acc[i]) + float64(times*valueOf(v)))
	}
}

// end hands the results over.
func (s *foldSet) end(r *Row, values []float64) {
	maxima := s.first[sumOfPresent]
	for i := range s.folds {
		f, v := &s.folds[i], s.acc[i]
		if i < maxima {
			v = keyOf(v)
		}
		values[f.choice] = valueOf(v)
		if f.finish != nil {
			values[f.choice] = f.finish(r, valueOf(v))
		}
	}
}

// fold combines the class values of all measures.
func (p *Panel) fold(r *Row, values []float64) {
	m := p.margins
	if s := &p.docFolds; len(s.folds) > 0 {
		s.present(r, r.A, p.shares)
		s.absent(r, &m.bySize, p)
		if s.asksAllAbsent() {
			p.eachAbsent(r, s, &m.sizes)
		}
		s.end(r, values)
	}
	for _, s := range [...]*foldSet{&p.tokFolds, &p.ownFolds} {
		if len(s.folds) == 0 {
			continue
		}
		s.present(r, r.S, p.shares)
		s.absent(r, &m.byTokens, p)
		if s.asksAllAbsent() {
			p.eachAbsent(r, s, &m.groups)
		}
		s.end(r, values)
	}
}

// present folds the classes with the term in; x counts the documents or tokens.
func (s *foldSet) present(r *Row, x, shares []float64) {
	s.begin()
	m := &s.memo
	m.newTerm(s.side.term.df, x)
	s.tables = s.tables[:0]
	if !m.kept {
		for i, c := range r.Class {
			s.add(c, x[i], r.A[i])
		}
		s.takeTables(r.Class, shares)
		return
	}
	known := len(m.values)
	for i, c := range r.Class {
		if m.find(c, x[i]) {
			s.add(c, x[i], r.A[i])
		}
	}
	s.values(m.values[known:], 0, len(s.folds))
	for i, c := range r.Class {
		s.take(m.of(i), shares[c])
	}
}

// takeTables folds tables in that no other term will have, measure by measure.
func (s *foldSet) takeTables(classes []uint32, shares []float64) {
	for i := range s.folds {
		f := &s.folds[i]
		switch {
		case f.role >= shareOfPresent:
			s.acc[i] = bitsOf(f.sumOf(s.tables, classes, shares))
		case f.role >= sumOfPresent:
			s.acc[i] = bitsOf(f.sumOf(s.tables, nil, nil))
		case f.order == nil:
			s.acc[i] = largestOf(s.tables, s.acc[i], f.value)
		case len(s.tables) > 0:
			s.acc[i] = keyOf(bitsOf(f.value(firstOf(s.tables, f.order))))
		}
	}
}

// sumOf adds the values, weighted by the shares of the classes if there are any.
func (f *fold) sumOf(tables []counts, classes []uint32, shares []float64) float64 {
	sum, share := 0.0, 1.0
	for j := range tables {
		if classes != nil {
			share = shares[classes[j]]
		}
		sum += float64(share * f.value(&tables[j]))
	}
	return sum
}

// largestOf gives the key of the largest value, at least that given.
func largestOf(tables []counts, largest folded, value func(t *counts) float64) folded {
	for j := range tables {
		largest = max(largest, keyOf(bitsOf(value(&tables[j]))))
	}
	return largest
}

// firstOf gives the table that comes first in an order, the largest.
func firstOf(tables []counts, order func(t *counts) float64) *counts {
	first, largest := &tables[0], math.Inf(-1)
	for j := range tables {
		if v := order(&tables[j]); v > largest {
			first, largest = &tables[j], v
		}
	}
	return first
}

// ofAbsent gives the values of a class without the term, for the folds [from, to)
// at least.
func (s *foldSet) ofAbsent(class uint32, from, to int) []folded {
	m := &s.memo
	known := len(m.values)
	if m.find(class, 0) {
		s.tables = s.tables[:0]
		s.add(class, 0, 0)
		if m.kept {
			from, to = 0, m.width
		}
		s.values(m.values[known:], from, to)
	}
	return m.of(len(m.at) - 1)
}

// absent takes the classes in which the term does not occur, an end of their
// order, for the maxima of standard measures.
func (s *foldSet) absent(r *Row, order *absentOrder, p *Panel) {
	if len(r.Class) == len(s.classes) {
		return
	}
	for role, o := range [...]*absentOrder{order, order, &p.margins.bySize, &p.margins.bySize} {
		from, to := s.first[role], s.first[role+1]
		if from == to {
			continue
		}
		largest := role&1 == 1
		if s.mayExceed(o, largest, from, to) {
			if c, ok := o.end(r, largest); ok {
				s.maxima(s.ofAbsent(c, from, to), from, to)
			}
		}
		if len(o.empty) > 0 {
			s.maxima(s.ofAbsent(o.empty[0], from, to), from, to)
		}
	}
}

// mayExceed says whether the values of a class without the term can exceed those of
// the present ones, if it could be any class: few terms need to know which ones
// they are absent from.
func (s *foldSet) mayExceed(o *absentOrder, largest bool, from, to int) bool {
	if len(o.order) == 0 {
		return false
	}
	c := o.order[0]
	if largest {
		c = o.order[len(o.order)-1]
	}
	if s.classes[c].n > s.side.term.none {
		return true // there is no such table: it is not absent
	}
	bound := s.ofAbsent(c, from, to)
	for i := from; i < to; i++ {
		if bound[i] > s.acc[i] {
			return true
		}
	}
	return false
}

// end gives the smallest or the largest class without the term.
func (o *absentOrder) end(r *Row, largest bool) (class uint32, ok bool) {
	for i := range o.order {
		if largest {
			i = len(o.order) - 1 - i
		}
		if c := o.order[i]; r.absentFrom(c) {
			return c, true
		}
	}
	return 0, false
}

// ends gives the smallest and the largest class without the term, and an empty
// one if there is any.
func (p *Panel) ends(r *Row, o *absentOrder) []uint32 {
	p.absent = p.absent[:0]
	if c, ok := o.end(r, false); ok {
		p.absent = append(p.absent, c)
		c, _ = o.end(r, true)
		p.absent = append(p.absent, c)
	}
	if len(o.empty) > 0 {
		p.absent = append(p.absent, o.empty[0])
	}
	return p.absent
}

// eachAbsent folds the classes without the term in, by a class of every group.
func (p *Panel) eachAbsent(r *Row, s *foldSet, classes *grouping) {
	p.left = p.left[:0]
	for _, g := range classes.groups {
		p.left = append(p.left, g.size)
	}
	for _, c := range r.Class {
		p.left[classes.of[c]]--
	}
	for g, left := range p.left {
		if left > 0 {
			c := classes.groups[g].class
			s.takeAbsent(s.ofAbsent(c, 0, len(s.folds)), float64(left), p.shares[c])
		}
	}
}

// informationGain is Σ over the classes of their two cells' parts of the mutual
// information. In sums of elements of the table of n ln n it is
//
//	N·IG = Σ_c [F(A) + F(n_c-A) - F(n_c)] + P ln N - P_t ln df - (P-P_t) ln(N-df)
//
// over the classes with the term, where P and P_t count (document, label) pairs, all
// and those with the term: absent classes add exactly 0, and where every document
// has one label the rest is F(N) - F(df) - F(N-df).
func informationGain(r *Row) float64 {
	if r.DF == r.N || r.DF == 0 {
		return 0
	}
	s := r.side()
	if s.entropies != nil {
		hi, lo, met := s.term.entropy.hi, s.term.entropy.lo, 0.0
		for i, c := range r.Class {
			part := partOf(s.entropies, int(r.NC[c]), int(r.A[i]))
			hi, lo, met = hi+part.hi, lo+part.lo, met+r.A[i]
		}
		if v := s.wholeGain(r.Margins, twoPart{hi, lo}, met); v >= leastTabled {
			return v / r.N
		}
	}
	return gainOfDeviations(r, s)
}

// denseGain is informationGain of the documents of every class, the same bits.
func denseGain(m *Margins, s *side, counts []uint32) float64 {
	if s.term.df == 0 || s.term.none == 0 {
		return 0
	}
	if s.entropies != nil {
		hi, lo, met := s.term.entropy.hi, s.term.entropy.lo, uint32(0)
		for c, a := range counts {
			part := partOf(s.entropies, int(m.NC[c]), int(a)) // 0 for a = 0
			hi, lo, met = hi+part.hi, lo+part.lo, met+a
		}
		if v := s.wholeGain(m, twoPart{hi, lo}, float64(met)); v >= leastTabled {
			return v / m.N
		}
	}
	r := Row{Margins: m, DF: s.term.df}
	for c, a := range counts {
		if a > 0 {
			r.Class, r.A = append(r.Class, uint32(c)), append(r.A, float64(a))
		}
	}
	return gainOfDeviations(&r, s)
}

// partOf is what a class of n documents, a of them with the term, adds to N·IG.
func partOf(table []twoPart, n, a int) twoPart {
	with, without, all := &table[a], &table[n-a], &table[n]
	return twoPart{(with.hi + without.hi) - all.hi, (with.lo + without.lo) - all.lo}
}

// wholeGain completes N·IG; met documents with the term were counted in classes.
func (s *side) wholeGain(m *Margins, sum twoPart, met float64) float64 {
	if met != s.term.df || m.pairs != m.N {
		sum = sum.plus(s.term.overlap(s.entropies, m.pairs-m.N, met-s.term.df))
	}
	return sum.hi + sum.lo
}

// overlap is the rest of P ln N - P_t ln df - (P-P_t) ln(N-df) where P exceeds N by
// `pairs` and P_t exceeds df by `with`.
func (f *termFactors) overlap(table []twoPart, pairs, with float64) twoPart {
	ln := func(n float64) twoPart { return table[int(n)].per(n) }
	return ln(f.total).times(pairs).plus(ln(f.df).times(-with)).plus(ln(f.none).times(with - pairs))
}

// gainOfDeviations sums the class parts without the table; absent classes add
// n_c/N·ln(N/(N-df)) each, in one term.
func gainOfDeviations(r *Row, s *side) float64 {
	var t counts
	sum, met := 0.0, 0.0
	for i, c := range r.Class {
		s.cell(&t, &r.documents[c], r.A[i])
		sum += t.rowDivergence()
		met += r.NC[c]
	}
	without := r.logs.of(r.N) - r.logs.of(r.N-r.DF)
	return (sum + float64((r.pairs-met)*without)) / r.N
}
