package score

import (
	"math"
	"math/big"

	"github.com/termsift/termsift/engine/table"
)

// This file compares the terms of a tile with a target.

// An association is what Pearson's coefficient r of a term and a target is made of: r² = gap²/product.
type association struct {
	gap     table.Pair // NΣxy - ΣxΣy
	product table.Pair // (NΣx² - (Σx)²)(NΣy² - (Σy)²); 0 where x or y is constant
	rest    table.Pair // product - gap², exactly 0 where |r| = 1
}

// associate returns the association of a term with the spread NΣx² - (Σx)², if it is exact: sums of
// whole numbers.
func associate(gap, spread table.Pair, y *axis, exact bool) association {
	if spread.High <= 0 || y.spread.High <= 0 {
		return association{}
	}
	a := association{gap: gap, product: spread.By(y.spread).Plus(table.Pair{})}
	a.rest = a.product.Minus(gap.By(gap))
	if a.rest.High > float64(a.product.High*nearlyNothing) {
		return a
	}
	a.rest = table.Pair{}
	if exact = exact && y.whole; exact && max(math.Abs(gap.High), spread.High, y.spread.High) < mostExactPair {
		a.rest.High = exactRest(gap, spread, y.spread)
	}
	return a
}

const (
	// nearlyNothing is the part of a product that a difference must exceed: a smaller one may be what
	// rounding leaves.
	nearlyNothing = 1. / (1 << 60) / (1 << 30)
	// mostExactPair is a number below which sums of whole numbers in two parts are exact.
	mostExactPair = 1 << 100
)

// exactRest returns x*y - gap², of whole numbers.
func exactRest(gap, x, y table.Pair) float64 {
	product, square := new(big.Int).Mul(wholeNumber(x), wholeNumber(y)), wholeNumber(gap)
	rest, _ := new(big.Float).SetInt(product.Sub(product, square.Mul(square, square))).Float64()
	return rest
}

// wholeNumber returns a pair that is a whole number.
func wholeNumber(p table.Pair) *big.Int {
	high, _ := big.NewFloat(p.High).Int(nil)
	low, _ := big.NewFloat(p.Low).Int(nil)
	return high.Add(high, low)
}

// share returns r².
func (a *association) share() table.Pair {
	switch {
	case a.product.High == 0:
		return table.Pair{}
	case a.rest.High <= 0:
		return table.Pair{High: 1}
	}
	return a.gap.By(a.gap).Over(a.product)
}

// belowOne is the largest number below 1.
const belowOne = 1 - 1./mostWhole

// coefficient returns |r|, which is 1 only if it is exactly.
func (a *association) coefficient() float64 {
	if a.product.High != 0 && a.rest.High <= 0 {
		return 1
	}
	return min(belowOne, a.share().Root().High)
}

// association returns that of term i of a tile with the target.
func (m *Margins) association(t *table.Tile, i int, c comparison) association {
	df := float64(t.DF[i])
	if c == occurrences {
		return m.ofOccurrences(t, i)
	}
	y := m.axisOf(c == ranked)
	from, to := t.Range(i)
	along := y.along(t.Class[from:to], t.A[from:to], df)
	return associate(m.gap(along, table.Pair{High: df}, y), table.Product(df, m.N-df), y, true)
}

// gap returns NΣxy - ΣxΣy from Σxy and Σx.
func (m *Margins) gap(along, sum table.Pair, y *axis) table.Pair {
	return along.Times(m.N).Minus(sum.By(y.sum))
}

// ofOccurrences returns the association of the values of term i of a tile with the numbers of documents.
func (m *Margins) ofOccurrences(t *table.Tile, i int) association {
	from, to := t.Range(i)
	class, sums := t.Class[from:to], t.S[from:to]
	y, total := &m.targets().scores, table.Pair{High: t.CF[i]}
	gap := m.gap(y.along(class, sums, total.High), total, y)
	if t.M2 != nil {
		return associate(gap, table.Pair{High: m.spreadOfMoments(t, i)}, y, false)
	}
	squares := squaresOf(t.Q[from:to])
	whole := float64(squares.High*m.N) < mostExactPair
	return associate(gap, m.spreadOfSums(Sums{X: total, Squares: squares, Whole: whole}), y, whole)
}

// squaresOf returns the sum of sums of squares, each of which is exact.
func squaresOf(squares []float64) table.Pair {
	sum := table.Pair{High: sumOf(squares)}
	if sum.High < mostWhole {
		return sum
	}
	sum = table.Pair{}
	for _, q := range squares {
		sum = sum.Plus(table.Pair{High: q})
	}
	return sum
}

// spreadOfMoments returns NΣx² - (Σx)² of term i of a tile that has squared distances.
func (m *Margins) spreadOfMoments(t *table.Tile, i int) float64 {
	from, to := t.Range(i)
	docs, mean := float64(t.DF[i]), t.CF[i]/m.N
	spread := float64((m.N - docs) * float64(mean*mean))
	for k := from; k < to; k++ {
		gap := t.S[k]/t.A[k] - mean
		spread += t.M2[k] + float64(t.A[k]*float64(gap*gap))
	}
	if spread <= float64(m.N*float64(mean*mean))*nearlyNothing { // of equal values
		return 0
	}
	return float64(m.N * spread)
}

// Sums are those of the values x of a term in the documents that have it, and of their products with the
// numbers of these documents, as [Margins.Along] has them.
type Sums struct {
	X, Squares, Along table.Pair
	Whole             bool // the values are whole numbers
}

// Along returns the numbers of the classes that [Sums] are made with: their scores in a unit of their own, or
// ranks. The slice must not be modified.
func (m *Margins) Along(ranked bool) []float64 { return m.axisOf(ranked).of }

func (m *Margins) axisOf(ranked bool) *axis {
	if ranked {
		return &m.targets().ranks
	}
	return &m.targets().scores
}

// Correlate returns Pearson's coefficient of sums, 0 where the values or the numbers are constant. The classes must have
// numbers.
func (m *Margins) Correlate(s Sums, ranked bool) float64 {
	y := m.axisOf(ranked)
	a := associate(m.gap(s.Along, s.X, y), m.spreadOfSums(s), y, s.Whole)
	return math.Copysign(a.coefficient(), a.gap.High)
}

// spreadOfSums returns NΣx² - (Σx)², and 0 for what rounding leaves of equal values.
func (m *Margins) spreadOfSums(s Sums) table.Pair {
	squares := s.Squares.Times(m.N)
	spread := squares.Minus(s.X.By(s.X))
	if !s.Whole && spread.High <= float64(squares.High*nearlyNothing) {
		return table.Pair{}
	}
	return spread
}
