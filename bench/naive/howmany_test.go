package naive

import (
	"math"
	"slices"
	"testing"
)

// Values of 60-digit arithmetic, and two that are told by hand: F with 2 and 2
// degrees is 1/(1+f), chi-square with 2 is e^(-x/2).
func TestLnPValues(t *testing.T) {
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"chi 3.84", lnChiSquare(3.841458820694124, 1), -2.9957322735539898447},
		{"chi 10", lnChiSquare(10, 1), -6.4596124542},
		{"chi 300", lnChiSquare(300, 1), -153.08098859174724001},
		{"chi 10000", lnChiSquare(10000, 1), math.Log(math.Sqrt(2/(math.Pi*10000))) - 5000 + math.Log1p(-1e-4+3e-8)},
		{"chi 7, 2", lnChiSquare(7, 2), -3.5},
		{"chi 7, 4", lnChiSquare(7, 4), -3.5 + math.Log(4.5)},
		{"f 3, 2, 2", lnF(3, 2, 2), -math.Log(4)},
		{"f 1e6, 2, 2", lnF(1e6, 2, 2), -math.Log(1e6 + 1)},
		{"f 1, 7, 7", lnF(1, 7, 7), -math.Ln2},
		{"t 1, 1", lnF(1, 1, 1), -math.Ln2}, // Cauchy
	} {
		if !within(c.got, c.want, 1e-9, 0) {
			t.Errorf("%s: %.12g, want %.12g", c.what, c.got, c.want)
		}
	}
	// Fisher's tea: 3 of 4 cups right, p = 34/70.
	tea := Corpus{Terms: []string{"milk"}, Classes: []string{"first", "last"}}
	for i := range 8 {
		d := Doc{Labels: []int{i / 4}, Counts: map[int]float64{}}
		if i < 3 || i == 4 {
			d.Counts[0] = 1
		}
		tea.Docs = append(tea.Docs, d)
	}
	if got := Tabulate(tea).Fisher(0, 0); !within(got, math.Log(34./70), 1e-14, 0) {
		t.Errorf("tea: %v", math.Exp(got))
	}
}

// The example of Benjamini & Hochberg (1995), section 3.1.
func TestPassing(t *testing.T) {
	var lnp []float64
	for _, p := range []float64{.4262, .0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344, .0459, .3240, .5719, .6528, .7590, 1} {
		lnp = append(lnp, math.Log(p))
	}
	for by, want := range map[string][]int{"fdr": {1, 2, 3, 4}, "fwe": {1, 2, 3}, "fpr": {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		var got []int
		for i, passes := range Passing(by, lnp, .05) {
			if passes {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", by, got, want)
		}
	}
}

func TestPerDocument(t *testing.T) {
	c := Corpus{Docs: []Doc{{Counts: map[int]float64{0: 1, 1: 1}}, {Counts: map[int]float64{2: 1}}, {}, {Counts: map[int]float64{1: 1, 3: 1}}}}
	for f, want := range map[int][]int{1: {1, 2, 3}, 2: {0, 1, 2, 3}, 0: nil} {
		if got := c.PerDocument([]int{3, 1, 2, 0}, f); !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", f, got, want)
		}
	}
}

func TestEnergyTerms(t *testing.T) {
	for share, want := range map[float64]int{.5: 1, .6: 2, .8: 2, .81: 3, 1: 4} {
		if got := EnergyTerms([]float64{1, 5, 1, 3}, share); got != want {
			t.Errorf("%v: %d, want %d", share, got, want)
		}
	}
}
