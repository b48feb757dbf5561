package score

import (
	"math"
	"math/bits"
	"sync"
	"sync/atomic"

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
		case p.entropies != nil:
			if dst[i] = p.tabledGain(t, i); dst[i] >= leastTabled {
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
		p.gains = newEvaluator(m, ofDocuments).add(compiled(gainFormula), false)
	}
	p.gains.read(t)
	for i, v := range dst {
		if v != v {
			dst[i] = p.gainOfDeviations(t, i)
		}
	}
}

// tabledGain returns N times the information gain of term i of a tile by the table.
func (p *Panel) tabledGain(t *table.Tile, i int) float64 {
	m, table, df := p.margins, p.entropies, int(t.DF[i])
	n := int(m.N)
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
	for _, v := range p.gains.ofTerm(i) {
		sum += v
	}
	from, to := t.Range(i)
	for _, c := range t.Class[from:to] {
		met += m.NC[c]
	}
	without := kernels.Log(m.N) - kernels.Log(m.N-float64(t.DF[i]))
	return sum + float64((m.pairs-met)*without)/m.N
}

// The table of n ln n. Divergences of tables of counts are sums of
// its elements, [Margins] and terms adding theirs, so that a cell costs look-ups
// and additions instead of logarithms: the information gain of all terms of 20
// Newsgroups takes 3 ms instead of 9, counting included. Such sums cancel nearly all
// of their digits, so every element has two parts.

// A twoPart is the number hi + lo. In the table hi is a multiple of 2^-20, so that
// sums of less than 2^33 are exact in it, and |lo| <= 2^-21 carries the rest of the
// digits, down to multiples of 2^-64: sums of up to 1,024 elements are exact in it, too, so
// that they may be added in any order.
type twoPart struct{ hi, lo float64 }

// minus returns x - y, exact in the high part of table elements.
func (x twoPart) minus(y twoPart) twoPart { return twoPart{x.hi - y.hi, x.lo - y.lo} }

// plus returns x + y with a relative error of 2^-103 of the larger (Dekker's
// double-double).
func (x twoPart) plus(y twoPart) twoPart {
	sum := x.hi + y.hi
	of := sum - x.hi
	lost := (x.hi - (sum - of)) + (y.hi - of)
	return normal(sum, lost+(x.lo+y.lo))
}

// times returns n·x with a relative error of 2^-103.
func (x twoPart) times(n float64) twoPart {
	product := float64(x.hi * n)
	return normal(product, math.FMA(x.hi, n, -product)+float64(x.lo*n))
}

// per returns x/n with a relative error of 2^-103.
func (x twoPart) per(n float64) twoPart {
	quotient := (x.hi + x.lo) / n
	return normal(quotient, (math.FMA(-quotient, n, x.hi)+x.lo)/n)
}

func normal(hi, lo float64) twoPart {
	sum := hi + lo
	return twoPart{sum, lo - (sum - hi)}
}

// ln2 is ln 2 with an error of 2^-110.
var ln2 = twoPart{6.931471805599453094172e-01, 2.319046813846299558418e-17}

// Logarithms are added up from ln 2^13 = 13 ln 2 on.
const (
	firstLogBits = 13
	firstLog     = 1 << firstLogBits
)

// nextLog gives ln(n+1) of ln n, n >= 2^13, by ln(1+1/n) = 2 atanh(x), x = 1/(2n+1).
// Of 2x(1 + x²/3 + x⁴/5 + ...) the first term has two parts; the rest is at most
// 2/3·x³, and rounding it adds an error of at most 2^-52/(12n³), in all those from
// 2^13 on less than 2^-82. The sums themselves add 2^-102 each, 2^-82 up to 2^20:
// ln n is known within 2^-81 and n ln n within 2^-61, far less in practice.
func nextLog(ln twoPart, n float64) twoPart {
	d := float64(2*n) + 1
	x := 1 / d
	z := float64(x * x)
	series := float64(z * (1./3 + float64(z*(1./5+float64(z*(1./7))))))
	rest := math.FMA(-x, d, 1)/d + float64(x*series)
	return ln.plus(twoPart{2 * x, 2 * rest})
}

// entropy is n ln n as an element of the table, of ln n.
func entropy(ln twoPart, n float64) twoPart {
	const onGrid = 3 << 31 // plus and minus 1.5·2^32 rounds to multiples of 2^-20
	v := ln.times(n)
	hi := (v.hi + onGrid) - onGrid
	const onFineGrid = 3. / (1 << 13) // the same for multiples of 2^-64
	lo := (v.hi - hi) + v.lo
	return twoPart{hi, (lo + onFineGrid) - onFineGrid}
}

// entropyMax bounds the counts in the table: 18 MiB, made in 15 ms.
const entropyMax = 1 << 20

// entropyTable grows with the largest corpus; its elements are the same at every
// size.
var entropyTable struct {
	sync.Mutex
	atomic.Pointer[[]twoPart]
}

// entropies returns the table up to at least n, or nil if n is above its limit.
func entropies(n float64) []twoPart {
	if !(n < entropyMax) {
		return nil
	}
	if t := entropyTable.Load(); t != nil && n < float64(len(*t)) {
		return *t
	}
	entropyTable.Lock()
	defer entropyTable.Unlock()
	t := entropyTable.Load()
	if t == nil || n >= float64(len(*t)) {
		made := newEntropies(n)
		t = &made
		entropyTable.Store(t)
	}
	return *t
}

// newEntropies returns the table up to at least n. For counts below 2^13 the logarithm
// is that of n·2^k less k ln 2.
func newEntropies(n float64) []twoPart {
	size := max(2*firstLog, int(n+n/8)+1) // a corpus a little larger needs no other
	t := make([]twoPart, size)
	ln := ln2.times(firstLogBits)
	for i := firstLog; i < size; i++ {
		t[i] = entropy(ln, float64(i))
		for k := 1; i < 2*firstLog && i>>k<<k == i; k++ {
			t[i>>k] = entropy(ln.plus(ln2.times(float64(-k))), float64(i>>k))
		}
		ln = nextLog(ln, float64(i))
	}
	return t
}

// A FixedEntropy is the table of n ln n in whole numbers. Sums of its elements are
// exact: whatever their order, and whichever parts of them were added up before,
// equal counts give equal bits.
type FixedEntropy struct {
	// Of holds n ln n for n = 0, 1, ..., times 2^Bits and rounded to a whole number.
	// Each is off by no more than 0.51.
	Of []int64
	// Bits are as many as leave four times the largest element below 2^62.
	Bits int
}

// NewFixedEntropy returns the table up to n.
func NewFixedEntropy(n int) *FixedEntropy {
	size := bits.Len(uint(n)) // n ln n is less than n times the bits of n
	t := &FixedEntropy{Of: make([]int64, n+1), Bits: 60 - size - bits.Len(uint(size))}
	table := newEntropies(float64(n))
	for i := range t.Of {
		t.Of[i] = fixed(table[i], t.Bits)
	}
	return t
}

// fixed returns x·2^bits, rounded. The scaled high part is whole, or has a fraction
// that the low part corrects.
func fixed(x twoPart, bits int) int64 {
	hi, lo := math.Ldexp(x.hi, bits), math.Ldexp(x.lo, bits)
	whole := math.Floor(hi)
	return int64(whole) + int64(math.RoundToEven((hi-whole)+lo))
}

// leastTabled is the divergence from which on the table gives it: the parts of the
// elements are off by 2^-61 each, which leaves 12 digits of 2^-16 at the very worst.
// Below, near independence, the series of the deviations keep them.
const leastTabled = 1. / (1 << 16)
