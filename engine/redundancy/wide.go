package redundancy

import "math/bits"

// A wide is a whole number of 128 bits: sums over any number of chosen terms are
// exact, so that no rounding decides between candidates.
type wide struct {
	hi int64
	lo uint64
}

// whole is v.
func whole(v int64) wide { return wide{v >> 63, uint64(v)} }

// plus is x + v.
func (x wide) plus(v int64) wide {
	return x.add(whole(v))
}

// add is x + y.
func (x wide) add(y wide) wide {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	return wide{x.hi + y.hi + int64(carry), lo}
}

// plusProduct is x + m·v, for m and v of at least 0.
func (x wide) plusProduct(m, v int64) wide {
	hi, lo := bits.Mul64(uint64(m), uint64(v))
	return x.add(wide{int64(hi), lo})
}

// less says that x < y.
func (x wide) less(y wide) bool { return x.hi < y.hi || x.hi == y.hi && x.lo < y.lo }

// float is x as a float64, off by no more than two roundings.
func (x wide) float() float64 {
	if x.hi < 0 { // as its opposite: a small one would cancel
		lo, borrow := bits.Sub64(0, x.lo, 0)
		return -wide{-x.hi - int64(borrow), lo}.float()
	}
	return float64(float64(x.hi)*(1<<64)) + float64(x.lo)
}
