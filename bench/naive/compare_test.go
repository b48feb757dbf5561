package naive

import (
	"math"
	"slices"
	"testing"
)

// By hand. Of four values there are six pairs.
//
//	a: 1 2 2 3, b: 1 3 2 2   one pair tied in a, another in b; (1,2) (1,3) (1,4)
//	                         are concordant, (2,4) is not: (3-1)/√(5·5)
//	a: 1 2 3 4, b: 4 3 2 1   six discordant: -6/√(6·6)
//	a: 1 1 2,   b: 1 1 2     one pair tied in both, two concordant: 2/√(2·2)
//	a: 1 1 1                 nothing is untied
func TestTauByHand(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 2, 3}, []float64{1, 3, 2, 2}, .4},
		{[]float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, -1},
		{[]float64{1, 1, 2}, []float64{1, 1, 2}, 1},
		{[]float64{1, 1, 1}, []float64{1, 2, 3}, 0},
		{[]float64{nan, -inf, 0, inf}, []float64{1, 2, 3, 4}, 1},
		{[]float64{nan, nan, 0, inf}, []float64{1, 1, 3, 4}, 1},
		{[]float64{0, math.Copysign(0, -1), 1}, []float64{1, 1, 2}, 1},
	} {
		if got := TauB(c.a, c.b); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	// In either list: a b c d, ranked 1 2 3 - and 2 1 - 3. The pairs (a,c) (b,c) (a,d)
	// (b,d) are concordant, (a,b) and (c,d) are not.
	if got := ListTau([]string{"a", "b", "c"}, []string{"b", "a", "d"}); math.Abs(got-1./3) > 1e-15 {
		t.Errorf("%v", got)
	}
}

// By hand, with p = 1/2.
//
//	a b c d, b a d e: 0, 2, 2, 3 terms are shared at depths 1 to 4, so that the sum is
//	  0 + (2/2)/4 + (2/3)/8 + (3/4)/16, and what is beyond has 3/4 of the weight 1/16:
//	  1/4 + 1/12 + 3/64 + 3/64 = 41/96
//	a b, b c a: 0, 1, 2 are shared at depths 1 to 3. The third term of the short list
//	  would be shared with the chance 1/2 that its others are: (2 + 1/2)/3 = 5/6 at depth
//	  3 and beyond: (1/2)/4 + (5/6)/8 + (5/6)/8 = 1/3
func TestRBOByHand(t *testing.T) {
	list := func(s string) []string { return slices.Collect(func(yield func(string) bool) { each(s, yield) }) }
	for _, c := range []struct {
		a, b string
		p    float64
		want float64
	}{
		{"abcd", "bade", .5, 41. / 96},
		{"ab", "bca", .5, 1. / 3},
		{"bca", "ab", .5, 1. / 3},
		{"abc", "abc", .9, 1},
		{"abc", "def", .9, 0},
		{"a", "a", .3, 1},
	} {
		if got := RBO(list(c.a), list(c.b), c.p); math.Abs(got-c.want) > 1e-14 {
			t.Errorf("%s and %s: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if a, b := list("abcd"), list("bade"); Shared(a, b) != 3 || Jaccard(a, b) != 3./5 || !slices.Equal(OnlyIn(a, b), []string{"c"}) {
		t.Error("sets")
	}
}

func each(s string, yield func(string) bool) {
	for _, r := range s {
		if !yield(string(r)) {
			return
		}
	}
}
