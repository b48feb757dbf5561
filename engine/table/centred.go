package table

import (
	"math"
	"slices"
)

// Centred holds what the sums of values lose that are no counts. Of a value that is a
// million times as large as its differences, sums of squares have lost all digits of the
// variance; sums of squared distances from the mean of the cell have them all. They add by
// the formula of Chan, Golub and LeVeque, and subtract by its inverse. Sums with what they lack
// are those of [Pair], so that also a difference of two of them has its digits.
type Centred struct {
	CF []float64 // by term: the exact sum less CF
	S  []float64 // by cell: the exact sum less S
	M2 []float64 // by cell: Σ (x - mean)² over its documents with the term; 0 for a single one
}

// mostExact is the number from which float64 does not hold all whole numbers.
const mostExact = 1 << 53

// SetLowTokens sets what the totals of real values lack of the sums over all terms, of which none
// may be missing.
func (c *Cells) SetLowTokens() {
	c.LowTokens, c.LowClassTokens = 0, nil
	if c.Centred == nil {
		return
	}
	total, of := Pair{}, make([]Pair, len(c.ClassTokens))
	c.Tiles(&Tile{NoSquares: true}, 0, c.Terms(), true, func(t *Tile) {
		for i, cf := range t.CF {
			total = total.Plus(Pair{cf, t.LowCF[i]})
		}
		for i, class := range t.Class {
			of[class] = of[class].Plus(Pair{t.S[i], t.LowS[i]})
		}
	})
	c.LowTokens, c.LowClassTokens = total.Beyond(c.Tokens), make([]float64, len(of))
	for class, sum := range of {
		c.LowClassTokens[class] = sum.Beyond(c.ClassTokens[class])
	}
}

// InexactSquares reports whether a sum of squares may be too large to be exact.
func (c *Cells) InexactSquares() bool { return c.mostSquares() >= mostExact }

// EndCentredTerm is [Cells.EndTerm] with what [Centred] holds of the term and its cells.
func (c *Cells) EndCentredTerm(df, cf, lowCF float64, lowS, m2 []float64) {
	c.centre()
	f := c.Centred
	f.CF, f.S, f.M2 = append(f.CF, lowCF), append(f.S, lowS...), append(f.M2, m2...)
	c.endTerm(df, cf)
}

// centre completes c.Centred for the terms that have ended, from their sums of squares, and what
// these lack.
func (c *Cells) centre() {
	if c.Centred == nil {
		c.Centred = &Centred{}
	}
	f, terms := c.Centred, len(c.DF)
	if len(f.CF) == terms {
		return
	}
	f.CF = append(f.CF, make([]float64, terms-len(f.CF))...)
	from, to := len(f.M2), c.Start[terms]
	f.S = append(f.S, make([]float64, to-from)...)
	for i := from; i < to; i++ {
		a := c.A.At(i, 0)
		s := c.S.At(i, a)
		f.M2 = append(f.M2, centredSquares(a, s, Pair{c.Q.At(i, s), c.LowSquare(i)}))
	}
	c.LowQ = nil
}

// centredSquares returns Σ (x - mean)² of a numbers from their sum and sum of squares.
func centredSquares(a, sum float64, squares Pair) float64 {
	if a <= 1 {
		return 0
	}
	return max(0, squares.gap(a, Pair{High: sum}, sum)) / a
}

// appendCentred appends what o.Centred holds of the terms [from, to), which c has got
// from o already, behind the first terms.
func (c *Cells) appendCentred(o *Cells, from, to int) {
	if o.Centred == nil {
		c.centre()
		return
	}
	first, end := o.Start[from], o.Start[to]
	c.Centred.CF = append(c.Centred.CF, o.Centred.CF[from:to]...)
	c.Centred.S = append(c.Centred.S, o.Centred.S[first:end]...)
	c.Centred.M2 = append(c.Centred.M2, o.Centred.M2[first:end]...)
}

// lacksAs reports whether the sums of two tiles lack the same.
func (t *Tile) lacksAs(o *Tile) bool {
	return t.Centred == o.Centred && slices.Equal(t.LowCF, o.LowCF) && slices.Equal(t.LowS, o.LowS) && slices.Equal(t.M2, o.M2) && slices.Equal(t.LowQ, o.LowQ)
}

// moments are the number of documents of a cell, their sum, and their squared distances
// from the mean.
type moments struct {
	docs float64
	sum  Pair
	m2   float64
}

// moments returns those of cell i of a tile.
func (t *Tile) moments(i int) moments {
	if t.Centred {
		return moments{t.A[i], Pair{t.S[i], t.LowS[i]}, t.M2[i]}
	}
	return moments{t.A[i], Pair{High: t.S[i]}, centredSquares(t.A[i], t.S[i], Pair{High: t.Q[i]})}
}

// spread returns what the distance between the means of x and y adds to the squared
// distances of both together.
func spread(x, y moments) float64 {
	d := x.sum.gap(y.docs, y.sum, x.docs)
	return float64((d / float64(x.docs*y.docs)) * (d / (x.docs + y.docs)))
}

// with returns the moments of both, or those of x without y, a part of it, by the sign of y.
func (x moments) with(y moments, sign float64) moments {
	z := moments{x.docs + float64(sign*y.docs), x.sum.Plus(y.sum.Times(sign)), x.m2 + float64(sign*y.m2)}
	switch {
	case x.docs == 0 || z.docs == 0:
	case sign > 0:
		z.m2 += spread(x, y)
	case z.docs == 1:
		z.m2 = 0
	default:
		z.m2 -= spread(z, y)
	}
	return z
}

// Spread returns NΣx² - (Σx)² of term i over n documents, of which those without the term have 0.
func (t *Tile) Spread(i int, n float64) float64 {
	all := moments{}
	for k, to := t.Range(i); k < to; k++ {
		all = all.with(t.moments(k), 1)
	}
	if without := n - all.docs; without > 0 {
		all = all.with(moments{docs: without}, 1)
	}
	return float64(n * all.m2)
}

// A Pair is a number as the sum of two. Low holds what rounding has cut off High, so that
// differences of large sums keep their digits. Sums of pairs have an error of a few 2^-106.
type Pair struct{ High, Low float64 }

// Product returns x*y, exact but for numbers whose product is below 2^-969.
func Product(x, y float64) Pair {
	high := float64(x * y)
	return Pair{high, math.FMA(x, y, -high)}
}

// Plus returns p + o.
func (p Pair) Plus(o Pair) Pair {
	high := p.High + o.High
	part := high - p.High
	lost := (p.High - (high - part)) + (o.High - part)
	low := lost + (p.Low + o.Low)
	sum := high + low
	return Pair{sum, low - (sum - high)}
}

// Minus returns p - o.
func (p Pair) Minus(o Pair) Pair { return p.Plus(Pair{-o.High, -o.Low}) }

// By returns p*o.
func (p Pair) By(o Pair) Pair {
	product := Product(p.High, o.High)
	product.Low += float64(p.High*o.Low) + float64(p.Low*o.High)
	return product
}

// Times returns p*x.
func (p Pair) Times(x float64) Pair {
	product := Product(p.High, x)
	product.Low += float64(p.Low * x)
	return product
}

// Over returns p/o, for o that is not 0.
func (p Pair) Over(o Pair) Pair {
	quotient := p.High / o.High
	rest := p.Minus(o.Times(quotient))
	return Pair{High: quotient}.Plus(Pair{High: rest.High / o.High})
}

// Root returns the square root of p, which is not negative.
func (p Pair) Root() Pair {
	root := math.Sqrt(p.High)
	if root == 0 {
		return Pair{}
	}
	rest := p.Minus(Product(root, root))
	return Pair{High: root}.Plus(Pair{High: rest.High / float64(2*root)})
}

// Beyond returns p - v, for v near p.
func (p Pair) Beyond(v float64) float64 { return (p.High - v) + p.Low }

// Gap returns p*x - o*y, however much the two products cancel.
func (p Pair) gap(x float64, o Pair, y float64) float64 {
	d := p.Times(x).Plus(o.Times(-y))
	return d.High + d.Low
}
