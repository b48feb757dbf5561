package resample

import (
	"math/rand/v2"

	"github.com/termsift/termsift/engine/draw"
)

// This file draws samples of documents as how often each of them is drawn.

// bootstrapWeights returns how often each of n documents is drawn in n draws with
// replacement.
func bootstrapWeights(n int, seed, number uint64) []uint32 {
	times := make([]uint32, n)
	r := rand.NewPCG(seed, number)
	for range n {
		times[draw.Below(r, uint64(n))]++
	}
	return times
}

// shareWeights returns 1 for the documents at the places [from, to) of a shuffled order of
// n documents, 0 for the others.
func shareWeights(n, from, to int, seed, number uint64) []uint32 {
	times := make([]uint32, n)
	for _, d := range draw.Order(n, seed, number)[from:to] {
		times[d] = 1
	}
	return times
}
