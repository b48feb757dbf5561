package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func labels(marks []tick) string {
	var s []string
	for _, m := range marks {
		if m.Label != "" {
			s = append(s, m.Label)
		}
	}
	return strings.Join(s, " ")
}

func TestValueAxis(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{.472, .853, "0.4 0.5 0.6 0.7 0.8 0.9"},
		{.81, .86, "0.81 0.82 0.83 0.84 0.85 0.86"},
		{.5, .5, "0.490 0.495 0.500 0.505 0.510"},
		{0, 0, "0.000 0.002 0.004 0.006 0.008 0.010"},
		{1, 1, "0.990 0.992 0.994 0.996 0.998 1.000"},
	} {
		if got := labels(newValueAxis(c.lo, c.hi, 10, 100).ticks()); got != c.want {
			t.Errorf("from %v to %v: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

func TestCountAxis(t *testing.T) {
	for _, c := range []struct {
		ks   []int
		want string
	}{
		{[]int{10, 100, 1000, 10000}, "10 100 1,000 10,000"},
		{[]int{10, 100}, "10 100"},
		{[]int{100}, "100"},
		{[]int{37}, "37"},
		{[]int{30, 45}, "30 45"},
		{[]int{1, math.MaxInt32}, "1 2,147,483,647"},
		{[]int{7, 3000}, "7 3,000"},
	} {
		if got := labels(newCountAxis(c.ks, 40, 300).ticks()); got != c.want {
			t.Errorf("%v: %s, want %s", c.ks, got, c.want)
		}
	}
}

// Over random axes all places are within the plot and no labels touch.
func TestAxesAreReadable(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 2000 {
		lo := rng.Float64()
		hi := lo + (1-lo)*rng.Float64()
		y := newValueAxis(lo, hi, 16, 236)
		for _, v := range []float64{lo, hi} {
			if at := y.at(v); at < 16-1e-9 || at > 236+1e-9 {
				t.Fatalf("%v of [%v, %v] at %v", v, lo, hi, at)
			}
		}
		if n := len(y.ticks()); n < 3 || n > 7 {
			t.Fatalf("%d marks from %v to %v", n, lo, hi)
		}
		var ks []int
		for range 1 + rng.IntN(10) {
			ks = append(ks, 1+int(math.Exp(rng.Float64()*20)))
		}
		slices.Sort(ks)
		ks = slices.Compact(ks)
		x := newCountAxis(ks, 52, 300)
		last, labelled := math.Inf(-1), 0
		for _, m := range x.ticks() {
			at := float64(m.At)
			if !(at >= 51.9 && at <= 300.1) {
				t.Fatalf("%v: a mark at %v", ks, at)
			}
			if m.Label == "" {
				continue
			}
			labelled++
			if at-textWidth(m.Label)/2 < last {
				t.Fatalf("%v: %s touches the label before", ks, m.Label)
			}
			last = at + textWidth(m.Label)/2
		}
		if labelled == 0 {
			t.Fatalf("%v: no label", ks)
		}
	}
}

func TestApart(t *testing.T) {
	for _, c := range []struct{ places, want []float64 }{
		{nil, nil},
		{[]float64{50}, []float64{50}},
		{[]float64{50, 50}, []float64{45, 55}},
		{[]float64{20, 50, 52, 90}, []float64{20, 46, 56, 90}},
		{[]float64{0, 0, 0}, []float64{10, 20, 30}},
		{[]float64{100, 100}, []float64{90, 100}},
		{[]float64{48, 50, 62}, []float64{43.333, 53.333, 63.333}},
	} {
		got := spreadOut(c.places, 10, 10, 100)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < .001 }) {
			t.Errorf("%v: %v, want %v", c.places, got, c.want)
		}
	}
	rng := rand.New(rand.NewPCG(3, 2))
	for range 1000 {
		places := make([]float64, 1+rng.IntN(10))
		for i := range places {
			places[i] = 10 + 90*rng.Float64()
		}
		slices.Sort(places)
		got := spreadOut(places, 9, 10, 100)
		for i, p := range got {
			if p < 10-1e-9 || p > 100+1e-9 || i > 0 && p < got[i-1]+9-1e-9 {
				t.Fatalf("%v: %v", places, got)
			}
		}
	}
}
