// Package draw draws at random, the same on every machine: what it gives depends on the
// arguments alone, since every draw has a generator of its own, seeded by (seed, number of the
// draw). So results depend neither on the threads nor on the draws before.
//
// How the generator's numbers become a draw is written out here, for package rand may change its
// own ways. Begin reading with Order.
package draw

import (
	"math/bits"
	"math/rand/v2"
)

// Below returns a number less than n, all equally likely (Lemire, ACM Trans. Model. Comput.
// Simul. 29 (2019) 3).
func Below(r *rand.PCG, n uint64) uint64 {
	high, low := bits.Mul64(r.Uint64(), n)
	if low < n {
		for least := -n % n; low < least; {
			high, low = bits.Mul64(r.Uint64(), n)
		}
	}
	return high
}

// Order returns a permutation of the numbers less than n, all equally likely (Fisher & Yates).
func Order(n int, seed, draw uint64) []uint32 {
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	r := rand.NewPCG(seed, draw)
	for i := n - 1; i > 0; i-- {
		j := Below(r, uint64(i)+1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}
