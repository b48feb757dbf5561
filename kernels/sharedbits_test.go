package kernels

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A sharer is a form of SharedBits.
type sharer = func(dst []uint32, sets, set []uint64)

func TestSharedBits(t *testing.T) {
	const mostSets = 11 // two rounds of four, and three
	forEach(t, func(p implementation) sharer { return p.sharedBits }, func(t *testing.T, shared sharer) {
		r := rand.New(rand.NewPCG(47, 48))
		allSets, allSet := newGround[uint64](t, mostSets*most, 1<<63|1), newGround[uint64](t, most, 1<<62|2)
		allDst := newGround[uint32](t, mostSets, 0xFFFFFFFF)
		for _, words := range everyLength() {
			for _, at := range somePlaces {
				n := 1 + r.IntN(mostSets)
				sets, set := allSets.take(n*words, at), allSet.take(words, somePlaces[r.IntN(len(somePlaces))])
				dst := allDst.take(n, somePlaces[r.IntN(len(somePlaces))])
				mask := uint64(r.IntN(3)) - 1 // all bits, none, or one
				for i := range sets {
					sets[i] = r.Uint64() | mask
				}
				for i := range set {
					set[i] = r.Uint64()
				}
				shared(dst, sets, set)
				for i := range dst {
					want := 0
					for j := range set {
						want += bits.OnesCount64(sets[i*words+j] & set[j])
					}
					testkit.Equal(testkit.Stop(t), int(dst[i]), want, n, "sets of", words, "words", dst[i],
						"bits of the", i, "th")
				}
				allSets.check(t)
				allSet.check(t)
				allDst.check(t)
			}
		}
	})
}

func TestSharedBitsOfNone(t *testing.T) {
	SharedBits(nil, nil, []uint64{1})
	dst := []uint32{7, 8}
	if SharedBits(dst, nil, nil); dst[0] != 0 || dst[1] != 0 {
		t.Fatal(dst)
	}
}
