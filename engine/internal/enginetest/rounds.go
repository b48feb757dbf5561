package enginetest

import (
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
)

// Rounds says how many random corpora of each shape a test has: All, but no more than Large for shapes with
// many documents or classes. Package cases chooses those that a run tries.
type Rounds struct {
	All, Large int
	// InTurn tries one shape after another, for a test that adds up over all of them.
	InTurn bool
}

// Each runs a test on the corpora, the shapes in parallel unless InTurn.
func (n Rounds) Each(t *testing.T, test func(t *testing.T, r *rand.Rand, c naive.Corpus)) {
	t.Helper()
	for _, shape := range naive.Shapes {
		t.Run(shape.Name, func(t *testing.T) {
			if !n.InTurn {
				t.Parallel()
			}
			count := n.All
			if shape.Docs[1] > 100 || shape.Classes[1] > 100 {
				count = min(count, n.Large)
			}
			for round, r := range testkit.Cases(t, count) {
				c := naive.RandomCorpus(r, shape)
				test(t, r, c)
				testkit.Equal(testkit.Stop(t), t.Failed(), false, "round", round, c)
			}
		})
	}
}
