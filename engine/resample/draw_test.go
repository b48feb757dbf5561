package resample_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/termsift/termsift/engine/resample"
)

// Every document is as likely at every place, and orders of three are equally likely.
func TestShufflesAreUniform(t *testing.T) {
	counts := map[string]int{}
	const n = 60_000
	for b := range uint64(n) {
		counts[fmt.Sprint(resample.ShuffledOrder(3, 9, b))]++
	}
	chi := 0.
	for _, count := range counts {
		chi += math.Pow(float64(count)-n/6, 2) / (n / 6)
	}
	if len(counts) != 6 || chi > 20.5 { // 0.1 % of 5 degrees of freedom
		t.Errorf("%v: chi-square is %v", counts, chi)
	}
	if got, want := resample.ShuffledOrder(8, 1, 2), []uint32{1, 2, 5, 0, 3, 7, 4, 6}; !slices.Equal(got, want) {
		t.Errorf("seed 1, draw 2 gives %v, and always gave %v", got, want)
	}
	total := 0
	for _, times := range resample.BootstrapWeights(1000, 1, 2) {
		total += int(times)
	}
	if total != 1000 {
		t.Errorf("%d draws", total)
	}
}
