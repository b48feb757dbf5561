package classify

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A scripted model gives the scores of a row that its first value numbers.
type scripted struct {
	scores [][]float64
}

func (scripted) Kind() string             { return "scripted" }
func (scripted) Classes() []string        { return []string{"a", "b", "c"} }
func (scripted) Columns() int             { return 2 }
func (scripted) Largest() int             { return 0 }
func (scripted) Warnings() []string       { return nil }
func (s scripted) NewScorer() Scorer      { return s }
func (scripted) row(v []float32) int      { return int(v[0]) - 1 }
func (scripted) evidence(i []uint32) bool { return len(i) > 0 }

func (s scripted) Score(index []uint32, value []float32, scores []float64) bool {
	clear(scores)
	if !s.evidence(index) {
		return false
	}
	copy(scores, s.scores[s.row(value)])
	return true
}

// A withRule model has a class for rows without evidence and a rule of its own.
func (scripted) Assign(dst []uint32, scores []float64, evidence bool) []uint32 {
	alone := header{alone: true}
	return alone.Assign(dst, scores, evidence)
}

type withRule struct{ scripted }

func (withRule) Largest() int { return 2 }

func (withRule) Assign(dst []uint32, scores []float64, evidence bool) []uint32 {
	if evidence && scores[1] >= 1 {
		dst = append(dst, 1)
	}
	return append(dst, 2)
}

func TestPredict(t *testing.T) {
	inf := math.Inf(1)
	model := scripted{[][]float64{{1, 2, -1}, {3, 3, 3}, {-inf, -inf, -inf}, {-1, -2, 1e-300}, {0, 0, 0}}}
	m := &Matrix{Columns: 2, Start: []int{0}, LabelStart: make([]int, 7)}
	for i := range 5 {
		m.Index, m.Value, m.Start = append(m.Index, 1), append(m.Value, float32(i+1)), append(m.Start, i+1)
	}
	m.Start = append(m.Start, 5) // a row of zeros
	all := PredictOptions{Scores: true, Sets: true}
	p, err := Predict(t.Context(), model, m, all)
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint32{1, 0, 0, 2, 0, 0}; !slices.Equal(p.Best, want) {
		t.Errorf("best %v, want %v", p.Best, want)
	}
	if want := []bool{true, true, true, true, true, false}; !slices.Equal(p.Evidence, want) {
		t.Errorf("evidence %v, want %v", p.Evidence, want)
	}
	for i, want := range [][]uint32{{0, 1}, {0, 1, 2}, {}, {2}, {}, {}} {
		if !slices.Equal(p.Set(i), want) {
			t.Errorf("row %d: set %v, want %v", i, p.Set(i), want)
		}
		if i < 5 && !slices.Equal(p.Row(i), model.scores[i]) {
			t.Errorf("row %d: scores %v", i, p.Row(i))
		}
	}
	p = testkit.Must(Predict(t.Context(), withRule{model}, m, all))
	if p.Best[5] != 2 || p.Best[4] != 0 {
		t.Errorf("best %v: a row without evidence is given the largest class", p.Best)
	}
	if !slices.Equal(p.Set(0), []uint32{1, 2}) || !slices.Equal(p.Set(5), []uint32{2}) {
		t.Errorf("sets %v %v", p.Set(0), p.Set(5))
	}
	p, err = Predict(t.Context(), model, m, PredictOptions{})
	if err != nil || p.Scores != nil || p.SetOf != nil || p.SetStart != nil {
		t.Errorf("%+v, %v: only what was asked for", p, err)
	}
}

func TestPredictSameOnAnyThreads(t *testing.T) {
	m := sparseMatrix(1500, 300, 7, 11)
	l := train(t, m, SVMOptions{Bias: 1})
	o := PredictOptions{Scores: true, Sets: true, Threads: 1}
	want := testkit.Must(Predict(t.Context(), l, m, o))
	if len(want.SetOf) < 300 {
		t.Errorf("%d assignments of 1500 rows that were trained with", len(want.SetOf))
	}
	for _, threads := range []int{2, 7} {
		o.Threads = threads
		if got, err := Predict(t.Context(), l, m, o); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads: other predictions, %v", threads, err)
		}
	}
}

// The scores of an SVM are w·x + b.
func TestLinearScores(t *testing.T) {
	m := sparseMatrix(100, 60, 4, 12)
	l := train(t, m, SVMOptions{Bias: .5})
	p := testkit.Must(Predict(t.Context(), l, m, PredictOptions{Scores: true}))
	for c := range 4 {
		w := weightsOf(l, c)
		for i := range m.Rows() {
			want := l.Intercept(c)
			index, value := m.Row(i)
			for j, column := range index {
				want += w[column] * float64(value[j])
			}
			if !nearly(p.Row(i)[c], want, 1e-13) {
				t.Fatalf("row %d, class %d: %v, want %v", i, c, p.Row(i)[c], want)
			}
		}
	}
	// Nothing known in the row: no evidence, the largest class, the intercepts.
	scores := make([]float64, 4)
	for _, index := range [][]uint32{nil, {60, 4_000_000_000}} {
		if l.NewScorer().Score(index, make([]float32, len(index)), scores) || !slices.Equal(scores, l.intercept) {
			t.Errorf("columns %v: %v", index, scores)
		}
	}
	sizes := m.sizes()
	if sizes[l.Largest()] != slices.Max(sizes) {
		t.Errorf("%d is not the largest of %v", l.Largest(), sizes)
	}
}

func TestPredictRefusesOtherRows(t *testing.T) {
	m := sparseMatrix(30, 20, 3, 13)
	l := train(t, m, SVMOptions{})
	columns, classes, unlabelled := *m, *m, *m
	columns.Columns++
	classes.Classes = []string{"class000", "class001", "other"}
	unlabelled.Classes, unlabelled.LabelOf, unlabelled.LabelStart = nil, nil, make([]int, 31)
	for name, c := range map[string]struct {
		m  *Matrix
		ok bool
	}{"the same": {m, true}, "another selection": {&columns, false}, "other classes": {&classes, false}, "no classes": {&unlabelled, true}} {
		if _, err := Predict(t.Context(), l, c.m, PredictOptions{}); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
