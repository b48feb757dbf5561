package workload

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// A zipf is the law of ranks: a density of 1/x over [1, bend), where the kernel ends, and of bend/x² over
// [bend, terms+1). Rank r, from 0, has the interval [r+1, r+2). A rank is drawn by turning the mass before it into the
// place.
type zipf struct{ terms, bend, head, all float64 } // head is the mass of the kernel

// newZipf makes the law of so many terms. kernel 0 is all of them.
func newZipf(kernel, terms int) zipf {
	last := float64(terms) + 1
	z := zipf{terms: float64(terms), bend: last}
	if 0 < kernel && kernel < terms {
		z.bend = float64(kernel) + 1
	}
	z.head = kernels.Log(z.bend)
	z.all = z.head + (1/z.bend-1/last)/(1/z.bend)
	return z
}

// tiniest stands for what rounding has brought to zero or below: the place is then
// the last one.
const tiniest = 0x1p-1000

// rank gives the rank before which the share u of the mass lies. Computing it takes
// less time than a look-up in a table of ranks, which leaves the caches.
func (z *zipf) rank(u float64) uint32 {
	mass := float64(u * z.all)
	var place float64
	if mass < z.head {
		place = exp(mass)
	} else {
		place = 1 / max(1/z.bend-float64((mass-z.head)*(1/z.bend)), tiniest)
	}
	return uint32(min(max(place, 1), z.terms)) - 1
}

// This file holds the exponential with the same bits on every CPU and for every
// build, as kernels.Log is: a corpus must not depend on the machine.

// inverseFactorials are 1/0!, 1/1!, ... With |r| <= ln(2)/2 fourteen of them leave
// less than 2^-57.
var inverseFactorials = [...]float64{
	1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880,
	1. / 3628800, 1. / 39916800, 1. / 479001600, 1. / 6227020800,
}

// exp returns e^x, within two ulp; beyond ±700 it stays where it is.
func exp(x float64) float64 {
	const (
		ln2Hi = 6.93147180369123816490e-01 // ln 2 rounded to 33 bits
		ln2Lo = 1.90821492927057770002e-10 // the rest of it
	)
	x = min(max(x, -700), 700)
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := (x - float64(k*ln2Hi)) - float64(k*ln2Lo)
	// Two chains, of the even and of the odd powers, wait half as long as one.
	z := float64(r * r)
	even, odd := 0.0, 0.0
	for i := len(inverseFactorials) - 2; i >= 0; i -= 2 {
		even = float64(even*z) + inverseFactorials[i]
		odd = float64(odd*z) + inverseFactorials[i+1]
	}
	scale := math.Float64frombits(uint64(1023+int64(k)) << 52)
	return (float64(odd*r) + even) * scale
}

// power returns x^y for x > 0.
func power(x, y float64) float64 { return exp(float64(y * kernels.Log(x))) }
