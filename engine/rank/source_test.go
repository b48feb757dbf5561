package rank_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// sourceOf returns what the class values of a measure are, as a source gives them.
func sourceOf(t *testing.T, c rank.Counted, by rank.Options) func(*table.Table, int) ([]float64, []int, error) {
	values, signs := map[string][]float64{}, map[string][]int{}
	by.Positive = false
	for e := range testkit.All(rank.Cells(t.Context(), c, by)) {
		values[e.Term], signs[e.Term] = append(values[e.Term], e.Value), append(signs[e.Term], e.Sign)
	}
	return func(s *table.Table, term int) ([]float64, []int, error) {
		name := s.Names.Term(term)
		return values[name], signs[name], nil
	}
}

// sameEntry reports whether entries are equal, of values to the last digits.
func sameEntry(a, b rank.Entry) bool {
	near := testkit.Near(a.Value, b.Value, 1e-13, 1e-300) || math.IsNaN(a.Value) && math.IsNaN(b.Value)
	near = near && testkit.Near(a.Log10P, b.Log10P, 1e-13, 1e-300)
	a.Value, a.Log10P = b.Value, b.Log10P
	if math.IsNaN(a.Value) {
		a.Value, b.Value = 0, 0
	}
	return near && a == b
}

// A measure with a source that gives the values of logoddsz ranks, selects classes and tells signs and
// p-values as that does, in every way to ask for them.
func TestSourcesGiveWhatCellsGive(t *testing.T) {
	for name, c := range enginetest.ShapedCorpora(t) {
		s := enginetest.StatisticsOf(t, c, "")
		if s.Cells.Terms()*len(s.Classes()) > 30_000 || s.Cells.Terms() == 0 {
			continue
		}
		for _, threads := range []int{1, 3} {
			for what, o := range map[string]rank.Options{
				"max": {}, "positive": {Positive: true}, "p": {PValues: true}, "avg": {Combine: rank.Avg},
				"sum": {Combine: rank.Sum}, "mean": {Combine: rank.Mean},
			} {
				o.Measure, o.Threads = rank.LogOddsZ, threads
				compareWithSource(t, fmt.Sprint(name, ", ", what, ", threads ", threads), c, s, o)
			}
		}
	}
}

// compareWithSource compares a measure with a source that gives the same values.
func compareWithSource(t *testing.T, name string, c rank.Counted, s *table.Table, o rank.Options) {
	t.Helper()
	from := sourceOf(t, c, o)
	cells := testkit.Must(o.Resolve())
	compareRankings(t, name, testkit.Must(rank.ByPlans(t.Context(), c, cells))[0],
		testkit.Must(rank.ByPlans(t.Context(), c, cells.Sourced(true, nil, from)))[0])
	if o.Combine != "" {
		return
	}
	o.Combine = rank.ByClass
	byClass := testkit.Must(o.Resolve())
	sourced := byClass.Sourced(true, nil, from)
	for _, class := range s.Classes() {
		compareRankings(t, name+" "+class, testkit.Must(byClass.Class(t.Context(), c, class)), testkit.Must(sourced.Class(t.Context(), c, class)))
	}
	var want []rank.Entry
	for e := range testkit.All(byClass.Cells(t.Context(), c)) {
		want = append(want, e)
	}
	for e, err := range sourced.Cells(t.Context(), c) {
		if err != nil || len(want) == 0 || !sameEntry(e, want[0]) {
			t.Fatalf("%s: cell %+v, want the first of %+v: %v", name, e, want[:min(1, len(want))], err)
		}
		want = want[1:]
	}
	if len(want) > 0 {
		t.Errorf("%s: %d cells are missing", name, len(want))
	}
}

// compareRankings compares the values and entries of two rankings.
func compareRankings(t *testing.T, name string, want, got *rank.Ranking) {
	t.Helper()
	if got.Undefined() != want.Undefined() || got.Test != want.Test || got.Combine != want.Combine || got.Class != want.Class {
		t.Errorf("%s: %d undefined, test %q, %s of %q; want %d, %q, %s of %q", name, got.Undefined(), got.Test, got.Combine, got.Class,
			want.Undefined(), want.Test, want.Combine, want.Class)
	}
	entry, wanted := got.Entries(), want.Entries()
	for term := range want.Len() {
		if e, w := entry(term), wanted(term); !sameEntry(e, w) {
			t.Fatalf("%s: entry %+v, want %+v", name, e, w)
		}
	}
}

// A measure with a single value for a term has entries without classes.
func TestSourceOfOneValue(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "b:two three", "b:three")
	p := testkit.Must(rank.Options{Measure: rank.IG}.Resolve()).Sourced(false, nil, func(s *table.Table, term int) ([]float64, []int, error) {
		return []float64{float64(len(s.Names.Term(term)))}, []int{1}, nil
	})
	if p.FromCells() {
		t.Error("the plan is one of cells")
	}
	r := testkit.Must(rank.ByPlans(t.Context(), c, testkit.Must(rank.Options{}.Resolve()), p))[1]
	for i, e := range r.Top(9) {
		if want := []string{"three", "two", "one"}[i]; e.Term != want || e.Value != float64(len(want)) || e.Class != "" || e.Sign != 0 {
			t.Errorf("entry %d is %+v", i, e)
		}
	}
	x, err := r.Explained(t.Context(), c, 0)
	if err != nil || x.ByClass != nil || x.Value != r.Values()[0] {
		t.Errorf("explained as %+v, %v", x, err)
	}
}

// The explanation of a term has the class values of a source, and the class with the largest.
func TestSourceIsExplained(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "b:two three", "b:three")
	o := rank.Options{Measure: rank.LogOddsZ}
	cells := testkit.Must(o.Resolve())
	plain := testkit.Must(rank.ByPlans(t.Context(), c, cells))[0]
	sourced := testkit.Must(rank.ByPlans(t.Context(), c, cells.Sourced(true, nil, sourceOf(t, c, o))))[0]
	for term := range plain.Len() {
		want, got := testkit.Must(plain.Explained(t.Context(), c, term)), testkit.Must(sourced.Explained(t.Context(), c, term))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("explained as %+v, want %+v", got, want)
		}
	}
}

// What a source lacks, and what it cannot read, is the error of every call.
func TestErrorsOfSources(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "b:two three", "b:three")
	lacks, broken := errors.New("it lacks strata"), errors.New("a broken list")
	for name, try := range map[string]struct{ open, read, want error }{
		"open": {lacks, nil, lacks}, "read": {nil, broken, broken},
	} {
		o := rank.Options{Measure: rank.Chi, Threads: 2}
		var mu sync.Mutex
		calls := 0
		from := func(s *table.Table, term int) ([]float64, []int, error) {
			mu.Lock()
			defer mu.Unlock()
			calls++
			return []float64{1, 2}, []int{1, 1}, try.read
		}
		p := testkit.Must(o.Resolve()).Sourced(true, try.open, from)
		if _, err := rank.ByPlans(t.Context(), c, p); !errors.Is(err, try.want) {
			t.Errorf("%s: a ranking gives %v", name, err)
		}
		o.Combine = rank.ByClass
		p = testkit.Must(o.Resolve()).Sourced(true, try.open, from)
		if _, err := p.Class(t.Context(), c, "a"); !errors.Is(err, try.want) {
			t.Errorf("%s: a class gives %v", name, err)
		}
		s := enginetest.StatisticsOf(t, c, "")
		if err := p.EachByClass(t.Context(), s, []int{1}, func(int, []float64) {}); !errors.Is(err, try.want) {
			t.Errorf("%s: each class gives %v", name, err)
		}
		for _, err := range p.Cells(t.Context(), c) {
			if !errors.Is(err, try.want) {
				t.Errorf("%s: cells give %v", name, err)
			}
		}
		if try.open != nil && calls > 0 {
			t.Errorf("%s: it reads %d terms", name, calls)
		}
	}
}

// Values that are none rank last, and a warning counts them.
func TestSourceWithoutValues(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "b:two three", "b:three")
	nan := math.NaN()
	p := testkit.Must(rank.Options{Measure: rank.Chi}.Resolve()).Sourced(true, nil, func(s *table.Table, term int) ([]float64, []int, error) {
		switch s.Names.Term(term) {
		case "one":
			return []float64{nan, nan}, []int{0, 0}, nil
		case "two":
			return []float64{nan, -1}, []int{0, -1}, nil
		}
		return []float64{3, nan}, []int{1, 0}, nil
	})
	r := testkit.Must(rank.ByPlans(t.Context(), c, p))[0]
	got := ""
	for _, e := range r.Top(9) {
		got += fmt.Sprint(e.Term, e.Class, e.Value, e.Sign, " ")
	}
	if got != "threea3 1 twob-1 -1 oneNaN 0 " {
		t.Errorf("ranked %q", got)
	}
	if r.Undefined() != 1 || len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], "1 terms have an undefined value") {
		t.Errorf("%d undefined, %q", r.Undefined(), r.Warnings)
	}
	x, err := r.Explained(t.Context(), c, 2)
	if err != nil || x.Best != 0 {
		t.Errorf("explained as %+v, %v", x, err)
	}
}

// A cancelled context ends a pass.
func TestCancelledSource(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := enginetest.Build(t, "a:one two", "b:two three")
	p := testkit.Must(rank.Options{}.Resolve()).Sourced(true, nil, func(*table.Table, int) ([]float64, []int, error) {
		return []float64{1, 2}, []int{1, 1}, nil
	})
	if _, err := rank.ByPlans(ctx, c, p); !errors.Is(err, context.Canceled) {
		t.Errorf("it gives %v", err)
	}
}
