package main

import (
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

func TestCite(t *testing.T) {
	for paper, want := range map[string]string{
		"Wang, Zhang and Lv, Selection, CIKM 2012": "Wang et al. 2012",
		"Yan":                         "Yan",
		"Li, Sun, 1999, printed 2001": "Li et al. 2001",
	} {
		if got := cite(paper); got != want {
			t.Errorf("%q: %q, want %q", paper, got, want)
		}
	}
}

// A claim is counted once, by what became of its cases.
func TestClaimsAreCounted(t *testing.T) {
	p := &Protocol{Finding: "x"}
	for _, each := range []string{"v: 1 2", "v: 1 -1", "v: -1 1", "v: -1 -2", ""} {
		c := Claim{Rules: []Rule{{Each: []string{each}, Left: "{v}", Op: ">", Right: "0"}}}
		if each == "" {
			c = Claim{Unchecked: "lost"}
		}
		p.Claims = append(p.Claims, c)
	}
	got, err := lab.TryOf(func() Summary { return p.Summary(&Results{}) })
	if want := [...]int{unchecked: 1, holds: 1, inPart: 2, fails: 1}; err != nil || got.Claims != want {
		t.Errorf("%+v, want %+v, %v", got, want, err)
	}
	if got.Outcomes[1].Short != "in part, 1 of 2" || got.Outcomes[3].Short != "does not hold" {
		t.Errorf("%+v", got.Outcomes)
	}
}
