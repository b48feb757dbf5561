package score

import (
	"math"
	"sync"
	"sync/atomic"
)

// This file holds the table of n ln n. Divergences of tables of counts are sums of
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
		if i < 2*firstLog {
			shortened(t, ln, i)
		}
		ln = nextLog(ln, float64(i))
	}
	return t
}

// shortened fills in the elements i/2, i/4, ... as far as these are whole numbers.
func shortened(t []twoPart, ln twoPart, i int) {
	for k := 1; i&1 == 0; k++ {
		i /= 2
		t[i] = entropy(ln.plus(ln2.times(float64(-k))), float64(i))
	}
}

// leastTabled is the divergence from which on the table gives it: the parts of the
// elements are off by 2^-61 each, which leaves 12 digits of 2^-16 at the very worst.
// Below, near independence, the series of the deviations keep them.
const leastTabled = 1. / (1 << 16)
