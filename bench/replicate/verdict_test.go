package main

import (
	"math"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		holds []bool // two a group
		want  string
	}{
		{nil, "not checked"},
		{[]bool{true, true}, "holds"},
		{[]bool{false, false, false, false}, "does not hold"},
		{[]bool{true, true, false, false, true, false}, "in part, 3 of 6; holds at A; not at B; at C not for 1"},
	} {
		var v Verdict
		for i, holds := range c.holds {
			v.add(holds, string(rune('A'+i/2)), string(rune('0'+i%2)))
		}
		if got := v.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Cases that are closer than a standard error of a share of right documents are told; differences,
// macro-F1 and figures of a class by itself are no such shares.
func TestStandardErrors(t *testing.T) {
	share := Basis{Unit: unitMicro, Decisions: mostLikely, Scope: "documents"}
	macro, alone := share, share
	macro.Unit, alone.Decisions = "macro-F1 in percent", eachClass
	f := Figures{"x": {80, share}, "y": {80.5, share}, "z": {83, share}, "mx": {80, macro}, "my": {80.5, macro}, "ax": {80, alone}, "ay": {80.5, alone}}
	for _, c := range []struct {
		rule   Rule
		tested string
		want   string
	}{
		{Rule{Left: "[x]", Op: "<", Right: "[y]"}, "2500", "holds; 1 of 1 within a standard error (0.8 points)"},
		{Rule{Left: "[x]", Op: ">", Right: "79.5"}, "2500", "holds; 1 of 1 within a standard error (0.8 points)"},
		{Rule{Left: "max([x], [y])", Op: "<", Right: "[z]"}, "2500", "holds"},
		{Rule{Each: []string{"k: y z"}, Left: "[x]", Op: ">", Right: "[{k}]"}, "2500", "does not hold; 1 of 2 within a standard error (0.8 points)"},
		{Rule{Left: "[x]", Op: "<", Right: "[y]"}, "", "holds"},
		{Rule{Left: "[x]", Op: "<", Right: "[y]"}, "250000", "holds"},
		{Rule{Left: "[mx]", Op: "<", Right: "[my]"}, "2500", "holds"},
		{Rule{Left: "[ax]", Op: "<", Right: "[ay]"}, "2500", "holds"},
		{Rule{Left: "[y] - [x]", Op: "<", Right: "0.6"}, "2500", "holds"},
		{Rule{Left: "apart([x], [y])", Op: "<", Right: "0.6"}, "2500", "holds"},
	} {
		p := &Protocol{Tested: c.tested, Claims: []Claim{{Rules: []Rule{c.rule}}}}
		out, err := lab.TryOf(func() []Outcome { return p.Judge(f) })
		if err != nil || out[0].Verdict != c.want {
			t.Errorf("%s of %q: %v, %v; want %s", c.rule.String(), c.tested, out, err, c.want)
		}
	}
}

func TestSpearman(t *testing.T) {
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{5, 9, 100}, 1},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{[]float64{1, 2, 3}, []float64{4, 4, 4}, 0},
		{[]float64{10, 20, 20, 30}, []float64{1, 2, 3, 4}, 4.5 / math.Sqrt(4.5*5)}, // ranks 1, 2.5, 2.5, 4
	} {
		if got := spearman(c.x, c.y); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v, %v: %v, want %v", c.x, c.y, got, c.want)
		}
	}
}
