package matrix

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// documentPlans returns the measures that count documents, with the largest class values and
// with those of their own and all other combinations.
func documentPlans() (plans []rank.Plan, choices []score.Choice) {
	for _, m := range rank.KnownMeasures() {
		for _, combine := range []rank.Combination{"", rank.Max, rank.Avg, rank.Sum, rank.Mean} {
			p := testkit.Must(rank.Options{Measure: rank.Measure(m.Name), Combine: combine}.Resolve())
			if score.NewPanel([]score.Choice{p.Choice()}, score.NewMargins(1, 0, []float64{1}, []float64{0})).NeedsTokens() {
				continue
			}
			plans, choices = append(plans, p), append(choices, p.Choice())
		}
	}
	return plans, choices
}

// deviationPlans are those of documentPlans that are the largest deviation: planes are enough for
// them.
func deviationPlans() (plans []rank.Plan, choices []score.Choice) {
	all, allChoices := documentPlans()
	for i, p := range all {
		largest := p.Combination() == "" || p.Combination() == rank.Max
		if largest && slices.Contains([]string{"chi", "ngl", "gss", "acc2"}, string(p.Measure())) {
			plans, choices = append(plans, p), append(choices, allChoices[i])
		}
	}
	return plans, choices
}

// request returns a request for a matrix, with values that nothing computes.
func request(choices []score.Choice, terms, threads int) *Request {
	r := &Request{Choices: choices, Threads: threads, DF: make([]float64, terms)}
	for range choices {
		r.Values = append(r.Values, make([]float64, terms))
	}
	for i := range r.DF {
		r.DF[i] = -7
		for _, values := range r.Values {
			values[i] = -7
		}
	}
	return r
}

// Values have the bits of those of statistics, in all types, in any order of elements, by
// any number of threads, whatever the memory was used for before.
func TestSameBitsOfScores(t *testing.T) {
	plans, choices := documentPlans()
	if len(plans) < 40 {
		t.Fatalf("there are %d measures and combinations", len(plans))
	}
	largest, largestChoices := deviationPlans()
	if len(largest) < 4 {
		t.Fatalf("there are %d largest deviations", len(largest))
	}
	done := map[string]bool{}
	for name, shape := range shapes {
		for _, r := range testkit.Cases(t, 2) {
			s := shape.sample(r)
			s.elements = slices.DeleteFunc(s.elements, func(e element) bool { return e.value == 0 }) // which are left to statistics
			for types, m := range everyType(s, false, r) {
				values, err := m.count(t, labelsOf(s), Options{})
				testkit.Is(testkit.Stop(t), err, nil, name, types)
				got := request(choices, s.terms, 1+r.IntN(3))
				ok, err := m.score(t, labelsOf(s), got)
				testkit.Is(testkit.Stop(t), err, nil, name, types)
				if !ok {
					continue
				}
				done[name] = true
				want := testkit.Must(rank.ByPlans(t.Context(), values, plans...))
				sameValues(t, name+", "+types, got, plans, want, Columns(values))
				got = request(largestChoices, s.terms, 1+r.IntN(3))
				if ok, err := m.score(t, labelsOf(s), got); !ok || err != nil {
					t.Fatalf("%s, %s: the largest deviations: %t, %v", name, types, ok, err)
				}
				want = testkit.Must(rank.ByPlans(t.Context(), values, largest...))
				sameValues(t, name+", "+types, got, largest, want, Columns(values))
			}
		}
	}
	for name := range shapes {
		// The others have one class, far more columns than elements, or values above a million. One
		// document may have several labels.
		scored := !slices.Contains([]string{"one class", "terms that nobody has", "squares beyond 2^53", "several labels, large"}, name)
		if done[name] != scored && name != "one document" {
			t.Errorf("%s: scored %t, want %t", name, done[name], scored)
		}
	}
}

// sameValues fails the test unless the values and df of all columns are those of rankings.
func sameValues(t *testing.T, what string, got *Request, plans []rank.Plan, want []*rank.Ranking, columns []uint32) {
	t.Helper()
	place := make([]int, len(got.DF)) // 1 + the term of each column
	for term, column := range columns {
		place[column] = 1 + term
	}
	for column, term := range place {
		df := 0.0
		if term > 0 {
			df = float64(want[0].Statistics().Cells.DF[term-1])
		}
		testkit.Equal(testkit.Stop(t), got.DF[column], df, what, "column", column, "has df")
		for j, p := range plans {
			v, expected := got.Values[j][column], math.NaN()
			if term > 0 {
				expected = want[j].Values()[term-1]
			}
			if math.Float64bits(v) != math.Float64bits(expected) && !(math.IsNaN(v) && math.IsNaN(expected)) {
				t.Fatalf("%s: %s %q of column %d is %v, want %v", what, p.Measure(), p.Combination(), column, v, expected)
			}
		}
	}
}

// Documents are counted right in classes of more than a list can have, and an element that
// stands twice in one of the last documents is found, by any number of threads.
func TestScoresOfManyDocuments(t *testing.T) {
	const documents, terms = 3*mostDocumentsOfPlane + 7, 5
	m := &Matrix[int32, uint8]{Documents: documents, Terms: terms, Start: []int32{0}}
	y := &Labels{Classes: 2}
	for d := range documents {
		for _, term := range []int{d % 3, 3 + d%2} { // in any order
			m.Index = append(m.Index, int32((term+d)%terms))
		}
		m.Start = append(m.Start, int32(len(m.Index)))
		y.Of = append(y.Of, int32(d/(2*mostDocumentsOfPlane+1)))
	}
	plans, choices := documentPlans()
	s := testkit.Must(m.Statistics(t.Context(), y, Options{}))
	want := testkit.Must(rank.ByPlans(t.Context(), s, plans...))
	for threads := range 3 {
		got := request(choices, terms, threads+1)
		if ok, err := m.Score(t.Context(), y, got); !ok || err != nil {
			t.Fatal(ok, err)
		}
		sameValues(t, "many documents", got, plans, want, Columns(s))
	}
	m.Index[len(m.Index)-1] = m.Index[len(m.Index)-2]
	if ok, err := m.Score(t.Context(), y, request(choices, terms, 1)); ok || err != nil {
		t.Errorf("an element twice: %t, %v", ok, err)
	}
}

// Values are checked in pieces: one that is 0, or no weight, is found in each of them.
func TestScoresOfValuesInPieces(t *testing.T) {
	const documents, terms, elements = checkedValues, 5, 3 * checkedValues
	m := &Matrix[int32, int64]{Documents: documents, Terms: terms, Start: []int32{0}}
	y := &Labels{Classes: 2}
	for d := range documents {
		for _, term := range []int{0, 1 + d%2, 3 + d%7%2} {
			m.Index, m.Values = append(m.Index, int32(term)), append(m.Values, int64(1+d%3))
		}
		m.Start = append(m.Start, int32(len(m.Index)))
		y.Of = append(y.Of, int32(d%3%2))
	}
	plans, choices := documentPlans()
	for _, at := range []int{0, checkedValues - 1, checkedValues, elements - 1} {
		before := m.Values[at]
		m.Values[at] = mostWeight
		s := testkit.Must(m.Statistics(t.Context(), y, Options{}))
		want := testkit.Must(rank.ByPlans(t.Context(), s, plans...))
		for threads := range 3 {
			got := request(choices, terms, threads+1)
			if ok, err := m.Score(t.Context(), y, got); !ok || err != nil {
				t.Fatalf("at %d: %t, %v", at, ok, err)
			}
			sameValues(t, "values in pieces", got, plans, want, Columns(s))
		}
		for _, v := range []int64{0, -1, mostWeight + 1} {
			m.Values[at] = v
			if ok, err := m.Score(t.Context(), y, request(choices, terms, 2)); ok || err != nil {
				t.Errorf("%d at %d: %t, %v", v, at, ok, err)
			}
		}
		m.Values[at] = before
	}
}

// Slices of other lengths are usage errors; what only statistics can tell is none.
func TestBadRequests(t *testing.T) {
	_, choices := documentPlans()
	for name, spoil := range map[string]func(r *Request){
		"Values":    func(r *Request) { r.Values = r.Values[1:] },
		"Values[1]": func(r *Request) { r.Values[1] = nil },
		"DF":        func(r *Request) { r.DF = r.DF[:2] },
	} {
		m, y := valid(false)
		r := request(choices, 3, 1)
		spoil(r)
		if ok, err := m.Score(t.Context(), y, r); ok || !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "Request."+name+" ") {
			t.Errorf("%s: %t, %v", name, ok, err)
		}
	}
	for name, spoil := range map[string]func(m *Matrix[int64, float64], y *Labels){
		"a negative value":  func(m *Matrix[int64, float64], _ *Labels) { m.Values[4] = -1 },
		"NaN":               func(m *Matrix[int64, float64], _ *Labels) { m.Values[4] = math.NaN() },
		"out of range":      func(m *Matrix[int64, float64], _ *Labels) { m.Index[3] = 3 },
		"a negative index":  func(m *Matrix[int64, float64], _ *Labels) { m.Index[3] = -1 },
		"an element twice":  func(m *Matrix[int64, float64], _ *Labels) { m.Index[3] = 1 },
		"twice, once 0":     func(m *Matrix[int64, float64], _ *Labels) { m.Index[3], m.Values[3] = 1, 0 },
		"a falling Start":   func(m *Matrix[int64, float64], _ *Labels) { m.Start[2] = 1 },
		"a class too large": func(_ *Matrix[int64, float64], y *Labels) { y.Of[1] = 2 },
	} {
		m, y := valid(false)
		spoil(m, y)
		if ok, err := m.Score(t.Context(), y, request(choices, 3, 1)); ok || err != nil {
			t.Errorf("%s: %t, %v", name, ok, err)
		}
		m, y = valid(false) // nothing is left of what was counted
		r := request(choices, 3, 1)
		if ok, err := m.Score(t.Context(), y, r); !ok || err != nil || !slices.Equal(r.DF, []float64{2, 2, 2}) {
			t.Errorf("after %s: %t, %v, df %v", name, ok, err, r.DF)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, y := valid(false)
	if ok, err := m.Score(ctx, y, request(choices, 3, 1)); ok || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %t, %v", ok, err)
	}
}

// Values are computed from planes where kernels have a form for them and classes are not too large, also
// for a class in parts; cells make up for them elsewhere. A matrix of few elements is left to Statistics.
func TestPlanesAreUsed(t *testing.T) {
	_, all := documentPlans()
	_, largest := deviationPlans()
	r := rand.New(rand.NewPCG(33, 34))
	for name, c := range map[string]struct {
		choices   []score.Choice
		documents int // of ten elements each
		terms     int
		planes    bool
		direct    bool
	}{
		"the largest deviations": {largest, 500, 300, true, true},
		"all measures":           {all, 500, 300, true, false},
		"few elements":           {largest, 20, 3000, false, false},
		"many documents":         {largest, 2*mostDocumentsOfPlane + 9, 40, true, false},
	} {
		m := &Matrix[int64, float32]{Documents: c.documents, Terms: c.terms, Start: []int64{0}}
		y := &Labels{Classes: 2}
		for d := range c.documents {
			for i := range 10 {
				m.Index, m.Values = append(m.Index, int64((d*7+i*3)%c.terms)), append(m.Values, 1)
			}
			m.Start, y.Of = append(m.Start, int64(len(m.Index))), append(y.Of, int32(r.IntN(8)/7))
		}
		task := m.task()
		request := request(c.choices, c.terms, 2)
		testkit.OK(task.begin(y, &Options{Threads: 2}))
		task.docs = testkit.Must(y.number(c.documents, nil))
		s := &scoring{task: task, request: request}
		if ok, err := s.run(t.Context()); ok != c.planes || err != nil {
			t.Fatalf("%s: %t, %v", name, ok, err)
		}
		if s.direct != (c.direct && kernels.HasPlanes()) || len(s.groups) < 3 {
			t.Errorf("%s: direct %t, %d groups", name, s.direct, len(s.groups))
		}
	}
}
