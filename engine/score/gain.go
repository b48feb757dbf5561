package score

import (
	"math"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file computes information gain: Σ over the classes of their two cells' parts of the
// mutual information. In sums of elements of the table of n ln n it is
//
//	N·IG = Σ_c [F(A) + F(n_c-A) - F(n_c)] + P ln N - P_t ln df - (P-P_t) ln(N-df)
//
// over the classes with the term, where P and P_t count (document, label) pairs, all
// and those with the term: absent classes add exactly 0, and where every document
// has one label the rest is F(N) - F(df) - F(N-df).

const gainFormula = "(" + withInside + "+" + withoutInside + ")/N^2"

func informationGain(o Options) *definition {
	perLog := o.perLog()
	of := gainFormula + o.perLogFormula()
	d := define("ig", "information gain", "Σ_c [A/N·ln(N·A/(df·n_c)) + C/N·ln(N·C/((N-df)·n_c))]", "Yang & Pedersen 1997", of)
	d.Default, d.own, d.tables = "global", "sum("+of+")", true
	d.whole = func(p *Panel, t *table.Tile, dst []float64) {
		p.gain(t, dst)
		for i := range dst {
			dst[i] *= perLog
		}
	}
	return d.tells("what does the term tell about the class of a document?", "0 to ln 2 with one label a document",
		"frequent classes decide; absence of a term counts as much as presence", "yang1997")
}

// gain sets dst to the information gain of the terms of a tile in nats.
func (p *Panel) gain(t *table.Tile, dst []float64) {
	m, few := p.margins, false
	for i, df := range t.DF {
		switch {
		case df == 0 || float64(df) == m.N:
			dst[i] = 0
			continue
		case m.entropies != nil:
			if dst[i] = m.tabledGain(t, i); dst[i] >= leastTabled {
				dst[i] /= m.N
				continue
			}
		}
		dst[i], few = math.NaN(), true
	}
	if !few {
		return
	}
	if p.gains == nil {
		p.gains = newEvaluator(m, ofDocuments)
		p.gains.add(compiled(gainFormula), false)
	}
	p.gains.read(t)
	for i, v := range dst {
		if v != v {
			dst[i] = p.gainOfDeviations(t, i)
		}
	}
}

// tabledGain returns N times the information gain of term i of a tile by the table.
func (m *Margins) tabledGain(t *table.Tile, i int) float64 {
	table, n, df := m.entropies, int(m.N), int(t.DF[i])
	ofTerm := table[n].minus(table[df]).minus(table[n-df])
	sum, met := ofTerm, 0.0
	from, to := t.Range(i)
	for k := from; k < to; k++ {
		a, size := int(t.A[k]), int(m.NC[t.Class[k]])
		with, without, all := &table[a], &table[size-a], &table[size]
		sum.hi, sum.lo = sum.hi+((with.hi+without.hi)-all.hi), sum.lo+((with.lo+without.lo)-all.lo)
		met += t.A[k]
	}
	if met != float64(df) || m.pairs != m.N {
		sum = sum.plus(overlap(table, n, df, m.pairs-m.N, met-float64(df)))
	}
	return sum.hi + sum.lo
}

// overlap is the rest of P ln N - P_t ln df - (P-P_t) ln(N-df) where P exceeds N by
// `pairs` and P_t exceeds df by `with`.
func overlap(table []twoPart, n, df int, pairs, with float64) twoPart {
	ln := func(n int) twoPart { return table[n].per(float64(n)) }
	return ln(n).times(pairs).plus(ln(df).times(-with)).plus(ln(n - df).times(with - pairs))
}

// gainOfDeviations sums the class parts of term i of a tile without the table; absent classes add
// n_c/N·ln(N/(N-df)) each, in one term.
func (p *Panel) gainOfDeviations(t *table.Tile, i int) float64 {
	m, sum, met := p.margins, 0.0, 0.0
	for _, v := range p.gains.ofTerm(p.gains.formulas[0], i) {
		sum += v
	}
	from, to := t.Range(i)
	for _, c := range t.Class[from:to] {
		met += m.NC[c]
	}
	without := kernels.Log(m.N) - kernels.Log(m.N-float64(t.DF[i]))
	return sum + float64((m.pairs-met)*without)/m.N
}
