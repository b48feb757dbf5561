package enginetest

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/termsift/termsift/bench/naive"
)

// Heavy reports whether tests should try every case, which takes minutes. .ci/run asks for
// that by the environment variable TERMSIFT_HEAVY; else tests try a sample.
func Heavy() bool { return os.Getenv("TERMSIFT_HEAVY") != "" }

// Sample returns the number of n cases to try: all if [Heavy], a sixteenth with -short, else a quarter.
func Sample(n int) int {
	switch {
	case Heavy():
		return n
	case testing.Short():
		return (n + 15) / 16
	}
	return (n + 3) / 4
}

// Rounds says how many random corpora of each shape a test tries: All, but no more than Large for shapes with
// many documents or classes. [Sample] of both are tried.
type Rounds struct {
	Seed       uint64
	All, Large int
	// InTurn tries one shape after another, for a test that adds up over all of them.
	InTurn bool
}

// Each runs a test on the corpora, the shapes in parallel unless InTurn.
func (n Rounds) Each(t *testing.T, test func(t *testing.T, r *rand.Rand, c naive.Corpus)) {
	t.Helper()
	for i, shape := range naive.Shapes {
		t.Run(shape.Name, func(t *testing.T) {
			if !n.InTurn {
				t.Parallel()
			}
			r, count := rand.New(rand.NewPCG(uint64(i), n.Seed)), Sample(n.All)
			if shape.Docs[1] > 100 || shape.Classes[1] > 100 {
				count = min(count, Sample(n.Large))
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
