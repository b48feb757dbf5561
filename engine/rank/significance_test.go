package rank_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/rank"
)

// Orders of three are equally likely, and an order stays what it always was.
func TestDrawnOrdersAreUniform(t *testing.T) {
	counts := map[string]int{}
	const n = 60_000
	for b := range uint64(n) {
		counts[fmt.Sprint(rank.DrawOrder(3, 9, b))]++
	}
	chi := 0.
	for _, count := range counts {
		chi += math.Pow(float64(count)-n/6, 2) / (n / 6)
	}
	if len(counts) != 6 || chi > 20.5 { // 0.1 % of 5 degrees of freedom
		t.Errorf("%v: chi-square is %v", counts, chi)
	}
	testkit.EqualSlices(t, rank.DrawOrder(8, 1, 2), []uint32{1, 2, 5, 0, 3, 7, 4, 6}, "seed 1, draw 2", "and always")
	testkit.Equal(t, len(rank.DrawOrder(0, 1, 2)), 0, "no numbers have an order")
}

// Numbers below a bound that does not divide 2^64 are equally likely, and below it.
func TestBelowIsUniform(t *testing.T) {
	r := rand.NewPCG(1, 2)
	var counts [3]int
	for range 30_000 {
		counts[rank.DrawBelow(r, 3<<62)>>62]++
	}
	for _, n := range counts {
		testkit.Close(t, float64(n), 10_000, 0, 350, counts)
	}
}
