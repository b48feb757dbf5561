package score

import (
	"slices"

	"github.com/termsift/termsift/engine/table"
)

// This file computes information gain: Σ over the classes of their two cells' parts of the
// mutual information. In sums of elements of the table of n ln n it is
//
//	N·IG = Σ_c [F(A) + F(n_c-A) - F(n_c)] + P ln N - P_t ln df - (P-P_t) ln(N-df)
//
// over the classes with the term, where P and P_t count (document, label) pairs, all
// and those with the term: absent classes add exactly 0, and where every document
// has one label the rest is F(N) - F(df) - F(N-df).

func informationGain(o Options) *definition {
	d := define("ig", "information gain", "Σ_c [A/N·ln(N·A/(df·n_c)) + C/N·ln(N·C/((N-df)·n_c))]", "Yang & Pedersen 1997", o.logged(classGain))
	d.Default, d.whole, d.logarithms = "global", gainTile(o.perLog()), true
	d.declared = summed("(" + withInside + "+" + withoutInside + ")/N^2" + o.perLogFormula())
	return d
}

func classGain(t *counts) float64 {
	if t.term.none == 0 || t.class.n == 0 {
		return 0
	}
	return t.rowDivergence() / t.term.total
}

// gainTile returns the function that computes the information gain of the terms of a tile.
func gainTile(perLog float64) tileFunc {
	return func(p *Panel, t *table.Tile, dst []float64) {
		if p.docs.entropies == nil {
			for i, df := range t.DF {
				p.documentsOf(float64(df))
				dst[i] = p.gainOf(t, i, twoPart{}, 0) * perLog
			}
			return
		}
		p.sumGains(t)
		for i, sum := range p.gained {
			p.documentsOf(float64(t.DF[i]))
			dst[i] = p.gainOf(t, i, twoPart{sum[0], sum[1]}, p.met[i]) * perLog
		}
	}
}

// sumGains adds up the parts of the cells of a tile, and the documents that they have.
func (p *Panel) sumGains(t *table.Tile) {
	p.gained = slices.Grow(p.gained[:0], len(t.DF))[:len(t.DF)]
	met := grown(&p.met, len(t.DF))
	for i, df := range t.DF {
		p.documentsOf(float64(df))
		p.gained[i] = [2]float64{p.docs.term.entropy.hi, p.docs.term.entropy.lo}
	}
	table, nc := p.docs.entropies, p.margins.NC
	for i := range p.gained {
		from, to := t.Range(i)
		sum, docs, a := p.gained[i], 0.0, t.A[from:to]
		for k, c := range t.Class[from:to] {
			part := partOf(table, int(nc[c]), int(a[k]))
			sum[0], sum[1] = sum[0]+part.hi, sum[1]+part.lo
			docs += a[k]
		}
		p.gained[i], met[i] = sum, docs
	}
}

// gainOf returns the information gain of term i of a tile in nats. sum is that of elements of
// the table of n ln n, if there is one, for classes with so many documents with the term.
func (p *Panel) gainOf(t *table.Tile, i int, sum twoPart, met float64) float64 {
	s, m := &p.docs, p.margins
	if s.term.df == m.N || s.term.df == 0 {
		return 0
	}
	if s.entropies != nil {
		if v := s.wholeGain(m, sum, met); v >= leastTabled {
			return v / m.N
		}
	}
	from, to := t.Range(i)
	return p.gainOfDeviations(t.Class[from:to], t.A[from:to])
}

// partOf returns what a class of n documents, a of them with the term, adds to N·IG.
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
func (p *Panel) gainOfDeviations(present []uint32, a []float64) float64 {
	s, m, t := &p.docs, p.margins, &p.alone
	sum, met := 0.0, 0.0
	for i, c := range present {
		s.cell(t, &m.documents[c], a[i], 0)
		sum += t.rowDivergence()
		met += m.NC[c]
	}
	without := m.logs.of(m.N) - m.logs.of(m.N-s.term.df)
	return (sum + float64((m.pairs-met)*without)) / m.N
}
