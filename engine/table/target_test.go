package table

import (
	"maps"
	"slices"
	"testing"
)

func TestDescribeTarget(t *testing.T) {
	got := DescribeTarget("stars", map[string]int{"5": 2, "-1.5": 1, "10": 1, "1e+21": 0, "x": 7})
	if want := (Target{"stars", 3, -1.5, 4.625, 10}); *got != want {
		t.Errorf("%+v, want %+v", *got, want)
	}
	if got := DescribeTarget("stars", nil); *got != (Target{Field: "stars"}) {
		t.Errorf("no documents: %+v", *got)
	}
	// The sum loses nothing that a float64 would.
	large := DescribeTarget("n", map[string]int{"1e+20": 1, "-1e+20": 1, "3": 2})
	if large.Mean != 1.5 {
		t.Errorf("the mean is %v", large.Mean)
	}
}

func TestSortNumbers(t *testing.T) {
	numbers := map[string]bool{"10": true, "9": true, "-2.5": true, "1e+21": true, "0": true, "b": true, "a": true}
	if got := SortNumbers(maps.Keys(numbers)); !slices.Equal(got, []string{"-2.5", "0", "9", "10", "1e+21", "a", "b"}) {
		t.Error(got)
	}
}
