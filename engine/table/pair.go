package table

import "math"

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
