package engine_test

import (
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/naive"
)

// rounds are how many random corpora of each shape a test tries: of all of them, in
// short tests, and of large shapes.
type rounds struct {
	seed              uint64
	all, short, large int
	// inTurn tries one shape after the other, for a test that sums up over all of them.
	inTurn bool
}

// each runs a test on the corpora, shapes beside each other.
func (n rounds) each(t *testing.T, test func(t *testing.T, r *rand.Rand, c naive.Corpus)) {
	t.Helper()
	for i, shape := range naive.Shapes {
		t.Run(shape.Name, func(t *testing.T) {
			if !n.inTurn {
				t.Parallel()
			}
			r, count := rand.New(rand.NewPCG(uint64(i), n.seed)), n.all
			if testing.Short() {
				count = n.short
			}
			if shape.Docs[1] > 100 || shape.Classes[1] > 100 {
				count = min(count, n.large)
			}
			for round := range count {
				c := naive.RandomCorpus(r, shape)
				test(t, r, c)
				if t.Failed() {
					t.Fatalf("round %d: %+v", round, c)
				}
			}
		})
	}
}
