package engine

import (
	"cmp"
	"slices"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/store"
)

// This file projects one term after another, from its cells alone.
//
// For a class without the term chi-square on tokens is
//
//	T·(cf·T_c)² / (cf·(T-cf)·T_c·(T-T_c)) = cf·T/(T-cf) · T_c/(T-T_c)
//
// a part of the term times the odds of the class. The absent classes' sum is that of
// all odds without those present, and their largest is that of the class with most
// tokens. So a term costs its cells, however many classes there are.

// What class of a term says where there is none.
const (
	filtered    = -1 // the largest chi-square is less than alpha of the sum
	unprojected = -2 // no class of the rule has a chi-square above 0
)

// projectTolerance is the relative difference that values may owe to rounding
// (FORMULAS.md, finding 9).
const projectTolerance = 1e-12

// A projecting is what all workers share. They write to different terms of the
// columns.
type projecting struct {
	o       Projecting
	margins *score.Margins
	least   float64 // the share that the largest chi-square must have

	inverse []float64 // by class: 1/(T_c(T-T_c)), 0 where that is infinite
	odds    []float64 // by class: T_c/(T-T_c), likewise
	allOdds compensated
	byOdds  []uint32 // classes that have odds: most tokens first, then in their order
	emptyPR float64  // the largest PR of a class without the term

	chi, total, pr, prMax []float64 // by term
	class                 []int32
}

func newProjecting(o Projecting, m *score.Margins, terms int) *projecting {
	j := &projecting{
		o: o, margins: m, least: float64(o.alpha() * (1 - projectTolerance)),
		inverse: make([]float64, m.Classes()), odds: make([]float64, m.Classes()),
		chi: make([]float64, terms), total: make([]float64, terms), pr: make([]float64, terms), prMax: make([]float64, terms),
		class: make([]int32, terms),
	}
	for c, n := range m.TC {
		if m.NC[c] == 0 {
			j.emptyPR = 1 // FORMULAS.md 1: the PR of a class without documents
		}
		if m.NC[c] == m.N || n == 0 || n == m.T {
			continue
		}
		j.inverse[c] = 1 / float64(n*(m.T-n))
		j.odds[c] = n / (m.T - n)
		j.allOdds.add(j.odds[c])
		j.byOdds = append(j.byOdds, uint32(c))
	}
	slices.SortStableFunc(j.byOdds, func(a, b uint32) int { return cmp.Compare(m.TC[b], m.TC[a]) })
	return j
}

// ranked gives the values by which terms are ranked: those that did not pass come
// behind all others.
func (j *projecting) ranked() []float64 {
	values := slices.Clone(j.chi)
	for t, class := range j.class {
		if class < 0 {
			values[t] = -1
		}
	}
	return values
}

// A projector is the visitor of one worker.
type projector struct {
	*projecting
	gap, chi []float64 // of the cells: of projecting, chi is the column
	met      []int     // by class: 1 + the last term that was there
	single   store.Row // of a term of one document
}

func newProjector(j *projecting) *projector {
	return &projector{projecting: j, met: make([]int, j.margins.Classes())}
}

// Few implements [store.Visitor]; it has asked for terms of one document.
func (p *projector) Few(first, _ int, classes []uint32, tf []uint8) {
	r := &p.single
	for i, c := range classes {
		v := float64(tf[i])
		r.Term, r.DF, r.CF = first+i, 1, v
		r.Class, r.A, r.S = r.Class[:0], r.A[:0], r.S[:0]
		if int(c) < p.margins.Classes() {
			r.Class, r.A, r.S = append(r.Class, c), append(r.A, 1), append(r.S, v)
		}
		p.Row(r)
	}
}

// Row implements [store.Visitor].
func (p *projector) Row(r *store.Row) {
	t, m := r.Term, p.margins
	scale := 0.0 // of a term that is every token
	if r.CF < m.T {
		scale = m.T / float64(r.CF*(m.T-r.CF))
	}
	total := p.cells(r, scale)
	absent, absentChi := p.absent(r, scale)
	largest := max(absentChi, 0)
	for _, v := range p.chi {
		largest = max(largest, v)
	}
	p.projecting.chi[t], p.total[t] = largest, total
	if largest < float64(p.least*total) {
		p.class[t] = filtered
		return
	}
	at := p.positive(r.Class)
	class := int32(unprojected)
	if at >= 0 {
		class = int32(r.Class[at])
	}
	if p.o.Rule == ProjectLiteral {
		class, at = p.literal(r.Class, largest, absent, absentChi)
	}
	p.class[t] = class
	p.prOf(r, at)
}

// cells computes the chi-square of the cells and gives the sum over all classes.
func (p *projector) cells(r *store.Row, scale float64) float64 {
	n := len(r.Class)
	p.gap, p.chi = slices.Grow(p.gap[:0], n)[:n], slices.Grow(p.chi[:0], n)[:n]
	total, odds := 0.0, p.allOdds
	for i, c := range r.Class {
		p.met[c] = r.Term + 1
		gap := score.DiffOfProducts(p.margins.T, r.S[i], r.CF, p.margins.TC[c])
		chi := float64(float64(gap*float64(gap*p.inverse[c])) * scale)
		p.gap[i], p.chi[i] = gap, chi
		total += chi
		odds.add(-p.odds[c])
	}
	return total + float64(float64(r.CF*float64(r.CF*scale))*max(odds.value(), 0))
}

// absent gives the class with the largest chi-square among those without the term;
// -1 where there is none.
func (p *projector) absent(r *store.Row, scale float64) (class int, chi float64) {
	for _, c := range p.byOdds {
		if p.met[c] != r.Term+1 {
			gap := float64(r.CF * p.margins.TC[c])
			return int(c), float64(float64(gap*float64(gap*p.inverse[c])) * scale)
		}
	}
	return -1, 0
}

// positive gives the cell with the largest chi-square among those where the term is
// more frequent than by chance, the first of equal ones; -1 where there is none.
func (p *projector) positive(classes []uint32) int {
	largest := 0.0
	for i := range classes {
		if p.gap[i] > 0 {
			largest = max(largest, p.chi[i])
		}
	}
	if largest > 0 {
		for i := range classes {
			if p.gap[i] > 0 && p.chi[i] >= tied(largest) {
				return i
			}
		}
	}
	return -1
}

// literal gives the class with the largest chi-square and its cell, which is -1 where
// the term is absent.
func (p *projector) literal(classes []uint32, largest float64, absent int, absentChi float64) (class int32, at int) {
	if largest == 0 {
		return unprojected, -1
	}
	class, at = unprojected, -1
	for i, c := range classes {
		if p.chi[i] >= tied(largest) {
			class, at = int32(c), i
			break
		}
	}
	if absentChi >= tied(largest) && (at < 0 || absent < int(class)) {
		return int32(absent), -1
	}
	return class, at
}

// tied is the least value that counts as equal to the largest.
func tied(largest float64) float64 { return float64(largest * (1 - projectTolerance)) }

// prOf sets the term's probability ratio for the class of a cell, and its largest.
func (p *projector) prOf(r *store.Row, at int) {
	most := p.emptyPR
	for i, c := range r.Class {
		v := probabilityRatio(r.A[i], r.DF, p.margins.NC[c], p.margins.N)
		most = max(most, v)
		if i == at {
			p.pr[r.Term] = v
		}
	}
	if r.DF == p.margins.N {
		most = 1
	}
	p.prMax[r.Term] = most
}

// probabilityRatio is the measure pr: P(t|c)/P(t|not c), ½ for none outside, and 1
// where a margin is zero.
func probabilityRatio(a, df, nc, n float64) float64 {
	if df == n || nc == n || nc == 0 {
		return 1
	}
	b := df - a
	if b == 0 {
		b = .5
	}
	return float64(a*(n-nc)) / float64(b*nc)
}

// A compensated sum carries what its additions round off (Knuth's TwoSum): the odds
// of many classes cancel down to those of a few.
type compensated struct{ sum, lost float64 }

func (s *compensated) add(x float64) {
	sum := s.sum + x
	part := sum - s.sum
	s.lost += (s.sum - (sum - part)) + (x - part)
	s.sum = sum
}

func (s *compensated) value() float64 { return s.sum + s.lost }
