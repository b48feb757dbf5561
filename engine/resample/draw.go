package resample

import (
	"math/bits"
	"math/rand/v2"
)

// This file draws documents at random. Every draw has its own generator, seeded by (seed,
// number of the draw), so that results depend neither on the threads nor on the draws
// before. How its numbers become documents is written out here, for package rand may
// change its own ways.

// randomBelow returns a number less than n, all equally likely (Lemire, ACM Trans. Model.
// Comput. Simul. 29 (2019) 3).
func randomBelow(r *rand.PCG, n uint64) uint64 {
	high, low := bits.Mul64(r.Uint64(), n)
	if low < n {
		for least := -n % n; low < least; {
			high, low = bits.Mul64(r.Uint64(), n)
		}
	}
	return high
}

// shuffledOrder returns a permutation of the numbers less than n, all equally likely
// (Fisher & Yates).
func shuffledOrder(n int, seed, draw uint64) []uint32 {
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	r := rand.NewPCG(seed, draw)
	for i := n - 1; i > 0; i-- {
		j := randomBelow(r, uint64(i)+1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// bootstrapWeights returns how often each of n documents is drawn in n draws with
// replacement.
func bootstrapWeights(n int, seed, draw uint64) []uint32 {
	times := make([]uint32, n)
	r := rand.NewPCG(seed, draw)
	for range n {
		times[randomBelow(r, uint64(n))]++
	}
	return times
}

// shareWeights returns 1 for the documents at the places [from, to) of a shuffled order of
// n documents, 0 for the others.
func shareWeights(n, from, to int, seed, draw uint64) []uint32 {
	times := make([]uint32, n)
	for _, d := range shuffledOrder(n, seed, draw)[from:to] {
		times[d] = 1
	}
	return times
}
