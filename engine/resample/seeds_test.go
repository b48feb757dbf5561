package resample_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/resample"
	"github.com/termsift/termsift/engine/usage"
)

func TestPermutationsWeighNoSeedWords(t *testing.T) {
	c := enginetest.Build(t, "x: one two", "y: two three")
	_, err := resample.Permute(t.Context(), c, resample.PermuteOptions{B: 3, By: rank.Options{Measure: rank.CTFIDF, SeedWords: []string{"two"}}})
	if !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "seed words") {
		t.Errorf("%v", err)
	}
}

// A sample multiplies the values of seed words, as a ranking does.
func TestSamplesWeighSeedWords(t *testing.T) {
	c := enginetest.Build(t, "x: one two", "y: two three", "x: one four")
	o := rank.Options{Measure: rank.CTFIDF}
	all := []uint32{1, 1, 1}
	plain, _, err := resample.SampleValues(t.Context(), c, o, all)
	if err != nil {
		t.Fatal(err)
	}
	o.SeedWords, o.SeedMultiplier = []string{"four", "none"}, 5
	seeded, _, err := resample.SampleValues(t.Context(), c, o, all)
	if err != nil {
		t.Fatal(err)
	}
	plain["four"] *= 5
	if !maps.Equal(plain, seeded) {
		t.Errorf("%v, want %v", seeded, plain)
	}
}
