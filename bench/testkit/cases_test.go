package testkit

import (
	"fmt"
	"slices"
	"testing"
)

// A run tries one case of each thirty, the same for the same seed; many seeds try all; and the random numbers of a case
// do not hang on the seed.
func TestCases(t *testing.T) {
	t.Setenv("TERMSIFT_HEAVY", "")
	drawn := map[int]uint64{}
	for seed := range 300 {
		t.Setenv("TERMSIFT_SEED", fmt.Sprint(seed))
		numbers := CaseNumbers(t, 100)
		if len(numbers) != 4 || !slices.Equal(numbers, CaseNumbers(t, 100)) {
			t.Fatalf("seed %d tries %v", seed, numbers)
		}
		for k, i := range numbers {
			if i/30 != k {
				t.Fatalf("seed %d tries %v", seed, numbers)
			}
		}
		for i, r := range Cases(t, 100) {
			if x := r.Uint64(); drawn[i] != 0 && drawn[i] != x {
				t.Fatalf("case %d has other random numbers under seed %d", i, seed)
			} else {
				drawn[i] = x
			}
		}
	}
	if len(drawn) != 100 {
		t.Errorf("300 seeds tried %d of 100 cases", len(drawn))
	}
	t.Setenv("TERMSIFT_HEAVY", "1")
	if numbers := CaseNumbers(t, 100); len(numbers) != 100 || numbers[99] != 99 {
		t.Errorf("all cases are %v", numbers)
	}
	if first, next := CaseSteps(t, 7); first != 1 || next != 1 {
		t.Errorf("all steps from 1 are %d, %d", first, next)
	}
}
