package engine

import (
	"math/bits"
	"math/rand/v2"
)

// This file draws documents at random. Every draw has a generator of its own, seeded
// by (seed, number of the draw), so that results depend neither on the threads nor on
// the draws before. The ways from its numbers to documents are our own: those of
// package rand may change.

// below gives a number less than n, all equally likely (Lemire, ACM Trans. Model.
// Comput. Simul. 29 (2019) 3).
func below(r *rand.PCG, n uint64) uint64 {
	high, low := bits.Mul64(r.Uint64(), n)
	if low < n {
		for least := -n % n; low < least; {
			high, low = bits.Mul64(r.Uint64(), n)
		}
	}
	return high
}

// shuffled gives a permutation of the numbers less than n, all equally likely (Fisher
// & Yates).
func shuffled(n int, seed, draw uint64) []uint32 {
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	r := rand.NewPCG(seed, draw)
	for i := n - 1; i > 0; i-- {
		j := below(r, uint64(i)+1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// drawn says how often each of n documents is there in n draws with replacement.
func drawn(n int, seed, draw uint64) []uint32 {
	times := make([]uint32, n)
	r := rand.NewPCG(seed, draw)
	for range n {
		times[below(r, uint64(n))]++
	}
	return times
}

// part gives 1 to the documents that draw has at the places [from, to) of a shuffled
// order, 0 to the others.
func part(n, from, to int, seed, draw uint64) []uint32 {
	times := make([]uint32, n)
	for _, d := range shuffled(n, seed, draw)[from:to] {
		times[d] = 1
	}
	return times
}
