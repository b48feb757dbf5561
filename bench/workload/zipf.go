package workload

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// A zipf is the law of ranks: a density that falls by a power over [1, bend) and
// by one power more over [bend, terms+1). Rank r, from 0, has the interval
// [r+1, r+2). A rank is drawn by turning the mass before it into the place.
type zipf struct {
	exponent  float64
	terms     float64
	bend      float64 // where the kernel ends
	head, all float64 // mass of the kernel, and of all ranks
	steepness float64 // what a mass behind the bend takes from bendPower
	bendPower float64 // bend^-exponent
}

// newZipf makes the law of so many terms. kernel 0 is all of them.
func newZipf(exponent float64, kernel, terms int) zipf {
	last := float64(terms) + 1
	bend := last
	if 0 < kernel && kernel < terms {
		bend = float64(kernel) + 1
	}
	z := zipf{exponent: exponent, terms: float64(terms), bend: bend, steepness: exponent / bend, bendPower: power(bend, -exponent)}
	if exponent == 1 {
		z.head = kernels.Log(bend)
	} else {
		z.head = (power(bend, 1-exponent) - 1) / (1 - exponent)
	}
	z.all = z.head + (z.bendPower-power(last, -exponent))/z.steepness
	return z
}

// rank gives the rank before which the share u of the mass lies. Computing it takes
// less time than a look-up in a table of ranks, which leaves the caches.
func (z *zipf) rank(u float64) uint32 {
	mass := float64(u * z.all)
	var place float64
	if mass < z.head {
		place = z.inKernel(mass)
	} else {
		place = z.behind(mass - z.head)
	}
	return uint32(min(max(place, 1), z.terms)) - 1
}

// tiniest stands for what rounding has brought to zero or below: the place is then
// the last one.
const tiniest = 0x1p-1000

func (z *zipf) inKernel(mass float64) float64 {
	if z.exponent == 1 {
		return exp(mass)
	}
	rest := 1 - z.exponent
	return min(power(max(1+float64(mass*rest), tiniest), 1/rest), z.bend)
}

func (z *zipf) behind(mass float64) float64 {
	return power(max(z.bendPower-float64(mass*z.steepness), tiniest), -1/z.exponent)
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
func power(x, y float64) float64 {
	if y == -1 {
		return 1 / x
	}
	return exp(float64(y * kernels.Log(x)))
}
