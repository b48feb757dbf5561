package workload

import "github.com/termsift/termsift/kernels"

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
