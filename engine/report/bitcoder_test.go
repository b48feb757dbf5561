package report

import (
	"math/rand/v2"
	"testing"
)

// Numbers whose context tells them take almost no room, and random ones no more than their bits.
func TestBitCoderSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	c := newBitCoder()
	for range 100_000 {
		c.number(context{}, 7)
	}
	if n := len(c.finish()); n > 400 {
		t.Errorf("equal numbers take %d bytes", n)
	}
	c = newBitCoder()
	for range 100_000 {
		c.number(context{}, 255+r.Uint64N(256)) // eight bits each
	}
	if n := len(c.finish()); n < 99_000 || n > 103_000 {
		t.Errorf("random bytes take %d bytes", n)
	}
}

// Columns that no documents have are refused.
func TestExploreRefusesImpossibleColumns(t *testing.T) {
	for name, spoil := range map[string]func(e *Explore){
		"short df":          func(e *Explore) { e.Terms.DF = e.Terms.DF[1:] },
		"short A":           func(e *Explore) { e.Terms.A = e.Terms.A[1:] },
		"p of other terms":  func(e *Explore) { e.Terms.Log10P = e.Terms.Log10P[1:] },
		"terms not sorted":  func(e *Explore) { e.Terms.Names[0], e.Terms.Names[1] = e.Terms.Names[1], e.Terms.Names[0] },
		"a term twice":      func(e *Explore) { e.Terms.Names[1] = e.Terms.Names[0] },
		"a class too large": func(e *Explore) { e.Terms.Class[0] = 9 },
		"no documents":      func(e *Explore) { e.Terms.A[0] = 0 },
		"few occurrences":   func(e *Explore) { e.Terms.S[0] = e.Terms.A[0] - 1 },
		"few squares":       func(e *Explore) { e.Terms.Q[0] = e.Terms.A[0] - 1 },
		"odd squares":       func(e *Explore) { e.Terms.Q[0]++ },
		"large df":          func(e *Explore) { e.Terms.DF[0] = 1<<53 + 1 },
		"large S":           func(e *Explore) { e.Terms.S[0] = 1<<53 + 1 },
	} {
		e := randomExplore(1, 20, 3)
		if err := e.check(); err != nil {
			t.Fatal(err)
		}
		spoil(e)
		if _, err := e.pack(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
