package naive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// eachRandom runs a test on random corpora of every shape.
func eachRandom(t *testing.T, test func(t *testing.T, c Corpus, tb *Tables)) {
	t.Helper()
	for i, shape := range Shapes {
		t.Run(shape.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), 11))
			rounds := 40
			if shape.Classes[1] > 100 || shape.Docs[1] > 100 {
				rounds = 3
			}
			for range rounds {
				c := RandomCorpus(r, shape)
				test(t, c, Tabulate(c))
				if t.Failed() {
					t.Fatalf("%+v", c)
				}
			}
		})
	}
}

func same(t *testing.T, got, want float64, what string) {
	t.Helper()
	if !within(got, want, 1e-9, 1e-12) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestRandomCorpus(t *testing.T) {
	eachRandom(t, func(t *testing.T, c Corpus, tb *Tables) {
		for k, n := range tb.NC {
			if n == 0 {
				t.Errorf("no document of %s", c.Classes[k])
			}
		}
		for i, n := range tb.DF {
			if n == 0 {
				t.Errorf("no document with %s", c.Terms[i])
			}
		}
		for _, names := range [][]string{c.Terms, c.Classes} {
			if len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
				t.Errorf("equal names: %q", names)
			}
		}
		for _, d := range c.Docs {
			if len(slices.Compact(slices.Sorted(slices.Values(d.Labels)))) != len(d.Labels) {
				t.Errorf("a label twice: %v", d.Labels)
			}
		}
	})
}

// What the shapes are for must occur in them.
func TestShapesReachTheirCases(t *testing.T) {
	seen := map[string]int{}
	count := func(ok bool, what string) {
		if ok {
			seen[what]++
		} else {
			seen[what] += 0
		}
	}
	eachRandom(t, func(_ *testing.T, c Corpus, tb *Tables) {
		for _, d := range c.Docs {
			count(len(d.Counts) == 0, "empty document")
			count(len(d.Labels) == 0, "unlabelled document")
			count(len(d.Labels) > 1, "several labels")
		}
		count(len(c.Classes) == 1, "one class")
		count(len(c.Classes) > 1000, "thousand classes")
		count(!slices.IsSorted(c.Terms) && !slices.IsSorted(c.Classes), "names out of order")
		for i, s2 := range tb.PooledS2() {
			count(tb.DF[i] == tb.N, "term everywhere")
			count(tb.CF[i] == 1, "hapax")
			count(tb.QF[i] > 255*255, "large count")
			count(s2 == 0 && len(c.Classes) > 1, "no variance")
		}
		count(slices.Contains(tb.TC, 0), "class without tokens")
	})
	for what, n := range seen {
		if n == 0 {
			t.Errorf("no corpus has: %s", what)
		}
	}
	t.Log(seen)
}

// Zero margins: a class with every document, and a term in every
// document.
func TestZeroMargins(t *testing.T) {
	tb := Tabulate(Corpus{
		Terms: []string{"everywhere", "some"}, Classes: []string{"all", "part"},
		Docs: []Doc{{[]int{0}, map[int]float64{0: 1, 1: 2}}, {[]int{0, 1}, map[int]float64{0: 3}}, {[]int{0}, map[int]float64{0: 1, 1: 1}}},
	})
	for _, measure := range []string{
		"chi", "ngl", "gss", "emi", "mi", "bns", "ttest", "g2", "chitf", "g2tf", "acc2", "ndm", "lor", "rs", "rsw", "logodds", "logoddsz",
		"ig", "ece", // by formula
	} {
		same(t, tb.Class(measure, Options{})[1][0], 0, measure+" of the whole class")
	}
	for _, measure := range []string{"chi", "ngl", "gss", "emi", "mi", "ig", "ece", "bns", "g2", "acc2", "ndm", "rsw"} {
		same(t, tb.Class(measure, Options{})[0][1], 0, measure+" of the term everywhere")
	}
	same(t, tb.Class("or", Options{})[1][0], 1, "or of the whole class")
	same(t, tb.Class("pr", Options{})[1][0], 1, "pr of the whole class")
	same(t, tb.Class("pr", Options{})[0][1], 1, "pr of the term everywhere")
	same(t, tb.Class("rs", Options{})[0][1], math.Log(7), "rs of the term everywhere")
	same(t, tb.Class("or", Options{})[0][1], 1.5*.5/(2.5*.5), "or of the term everywhere")
	same(t, tb.Class("dia", Options{})[1][0], 1, "dia of the whole class")
	same(t, tb.Class("rf", Options{})[1][0], 2, "rf of the whole class")
}

func TestQuantile(t *testing.T) {
	for p, want := range map[float64]float64{ // Wichura's AS 241 test values and tables
		.25: -.6744897501960817, .001: -3.090232306167813, .0005: -3.2905267314918945,
		.975: 1.959963984540054, .5: 0, .75: .6744897501960817, .9: 1.2815515655446004,
	} {
		if got := quantile(p); !within(got, want, 1e-13, 0) {
			t.Errorf("quantile(%v) = %v, want %v", p, got, want)
		}
	}
	for p := .0005; p < .5; p += .0013 {
		if back := math.Erfc(-quantile(p)/math.Sqrt2) / 2; !within(back, p, 1e-14, 0) {
			t.Errorf("quantile(%v) leads to %v", p, back)
		}
	}
}

func TestUnknownNamesPanic(t *testing.T) {
	tb := Tabulate(Corpus{Terms: []string{"t"}, Classes: []string{"c"}, Docs: []Doc{{[]int{0}, map[int]float64{0: 1}}}})
	for what, f := range map[string]func(){
		"measure":     func() { tb.Class("nonsense", Options{}) },
		"class value": func() { tb.Class("gini", Options{}) },
		"combination": func() { tb.Global("chi", "median", Options{}) },
		"weight":      func() { tb.Weights("nonsense") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("an unknown %s does not panic", what)
				}
			}()
			f()
		}()
	}
}

func ExampleTables_Global() {
	tb := Tabulate(Corpus{
		Terms: []string{"ball", "vote"}, Classes: []string{"politics", "sport"},
		Docs: []Doc{{[]int{1}, map[int]float64{0: 2}}, {[]int{1}, map[int]float64{0: 1}}, {[]int{0}, map[int]float64{1: 1}}},
	})
	fmt.Println(tb.Global("chi", "max", Options{}))
	// Output: [3 3]
}
