package classify

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// randomScopes gives most classes some columns; some of these are needed, all rows are
// taken, or no row can be.
func randomScopes(r *rand.Rand, columns, classes int) []Scope {
	scopes := []Scope{}
	for _, c := range r.Perm(classes) {
		s := Scope{Class: uint32(c)}
		for column := range columns {
			if r.IntN(3) == 0 {
				s.Columns = append(s.Columns, uint32(column))
			}
		}
		if len(s.Columns) == 0 || r.IntN(8) == 0 {
			continue
		}
		if r.IntN(4) > 0 {
			s.Needs = []uint32{}
			for _, column := range s.Columns {
				if r.IntN(6) == 0 {
					s.Needs = append(s.Needs, column)
				}
			}
		}
		scopes = append(scopes, s)
	}
	return scopes
}

// someLabels gives rows none, one or several classes.
func someLabels(r *rand.Rand, m *Matrix) *Matrix {
	m.LabelStart, m.LabelOf = []int{0}, nil
	for range m.Rows() {
		for c := range m.Classes {
			if r.IntN(len(m.Classes)) == 0 {
				m.LabelOf = append(m.LabelOf, uint32(c))
			}
		}
		m.LabelStart = append(m.LabelStart, len(m.LabelOf))
	}
	return m
}

// problemOf makes the rows of a scope from their definition, and says which they are.
func problemOf(m *Matrix, s Scope) (problem *Matrix, taken []bool) {
	problem = &Matrix{Columns: len(s.Columns), Classes: []string{m.Classes[s.Class]}, Start: []int{0}, LabelStart: []int{0}}
	taken = make([]bool, m.Rows())
	for i := range m.Rows() {
		index, value := m.Row(i)
		taken[i] = s.Needs == nil || slices.ContainsFunc(index, func(c uint32) bool { return slices.Contains(s.Needs, c) })
		if !taken[i] {
			continue
		}
		for j, column := range s.Columns {
			if at := slices.Index(index, column); at >= 0 {
				problem.Index, problem.Value = append(problem.Index, uint32(j)), append(problem.Value, value[at])
			}
		}
		if slices.Contains(m.Labels(i), s.Class) {
			problem.LabelOf = append(problem.LabelOf, 0)
		}
		problem.Start, problem.LabelStart = append(problem.Start, len(problem.Index)), append(problem.LabelStart, len(problem.LabelOf))
	}
	return problem, taken
}

// Every score is that of a model of the scope's rows alone, and -Inf outside.
func TestScopedIsOneModelForEachScope(t *testing.T) {
	inside, outside := 0, 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := someLabels(r, sparseMatrix(30+r.IntN(50), 20+r.IntN(60), 1+r.IntN(6), seed))
		scopes := randomScopes(r, m.Columns, len(m.Classes))
		for _, text := range []string{"svm:bias=1", "nb", "bernoulli"} {
			l := testkit.Must(ParseLearner(text))
			model := testkit.Must(l.Train(t.Context(), m, TrainOptions{Sets: true, Scopes: scopes, Threads: 1 + r.IntN(3)}))
			p := testkit.Must(Predict(t.Context(), model, m, PredictOptions{Scores: true, Sets: true}))
			l.Bayes.OneVsRest = true
			evidence := make([]bool, m.Rows())
			want := make([][]float64, len(m.Classes))
			for c := range want {
				want[c] = slices.Repeat([]float64{math.Inf(-1)}, m.Rows())
			}
			for _, s := range scopes {
				problem, taken := problemOf(m, s)
				if len(problem.LabelOf) == 0 {
					continue
				}
				own := testkit.Must(l.Train(t.Context(), problem, TrainOptions{}))
				scores := testkit.Must(Predict(t.Context(), own, problem, PredictOptions{Scores: true}))
				for i, at := 0, 0; i < len(taken); i++ {
					if taken[i] {
						want[s.Class][i], evidence[i] = scores.Scores[at], true
						at++
					}
				}
			}
			for i := range m.Rows() {
				if p.Evidence[i] != evidence[i] {
					t.Fatalf("%s, seed %d, row %d: evidence %v", text, seed, i, p.Evidence[i])
				}
				var set []uint32
				for c := range want {
					if got := p.Row(i)[c]; got != want[c][i] {
						t.Fatalf("%s, seed %d, row %d, class %d: %v, want %v", text, seed, i, c, got, want[c][i])
					}
					if want[c][i] > 0 {
						set = append(set, uint32(c))
						inside++
					} else {
						outside++
					}
				}
				if !slices.Equal(p.Set(i), set) {
					t.Fatalf("%s, seed %d, row %d: %v, want %v", text, seed, i, p.Set(i), set)
				}
			}
		}
	}
	if inside < 1000 || outside < 1000 {
		t.Errorf("%d decisions for a class, %d against", inside, outside)
	}
}

func svm(ctx context.Context, m *Matrix) (Model, error) {
	return model(trainSVM(ctx, m, SVMOptions{Threads: 1}))
}

func TestScopedSameOnAnyThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	m := someLabels(r, sparseMatrix(300, 100, 12, 7))
	scopes := randomScopes(r, m.Columns, len(m.Classes))
	train := func(threads int) *scoped {
		return testkit.Must(trainScoped(t.Context(), m, scopes, threads, svm))
	}
	want := train(1)
	for threads := 2; threads < 6; threads++ {
		if got := train(threads); !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads: another model", threads)
		}
	}
	if want.Kind() != "scoped svm" || len(want.scopes) == 0 || want.models[0].Kind() != "svm" {
		t.Error(want.Kind())
	}
}

// What was not trained is told: here a class whose scope takes no row of it.
func TestScopedWarns(t *testing.T) {
	m := sparseMatrix(40, 20, 3, 1)
	all := []uint32{0, 1, 2, 3, 4, 5}
	s := testkit.Must(TrainScoped(t.Context(), m, []Scope{{Class: 1, Columns: all}, {Class: 0, Columns: all, Needs: []uint32{}}}, 0, func(ctx context.Context, m *Matrix) (Model, error) {
		return model(trainSVM(ctx, m, SVMOptions{MaxSweeps: 1, Eps: 1e-12, C: 100, Threads: 1}))
	}))
	said := strings.Join(s.Warnings(), "\n")
	if !strings.Contains(said, "2 of 3 classes") || !strings.Contains(said, "1 classes are not within eps 1e-12 after 1 sweeps (class001)") {
		t.Error(said)
	}
	none, err := TrainScoped(t.Context(), m, []Scope{}, 0, svm)
	if err != nil || none.Kind() != "scoped" {
		t.Fatal(none, err)
	}
	p, err := Predict(t.Context(), none, m, PredictOptions{Sets: true})
	if err != nil || slices.Contains(p.Evidence, true) || len(p.SetOf) > 0 || int(p.Best[0]) != none.Largest() {
		t.Error(p, err)
	}
}

func TestScopedRefuses(t *testing.T) {
	m := sparseMatrix(20, 10, 3, 1)
	broken := errors.New("no")
	for name, x := range map[string]struct {
		scopes []Scope
		train  func(context.Context, *Matrix) (Model, error)
		want   error
	}{
		"class":       {[]Scope{{Class: 3, Columns: []uint32{1}}}, nil, ErrBadRows},
		"twice":       {[]Scope{{Class: 1, Columns: []uint32{1}}, {Class: 1, Columns: []uint32{2}}}, nil, ErrBadRows},
		"column":      {[]Scope{{Columns: []uint32{10}}}, nil, ErrBadRows},
		"order":       {[]Scope{{Columns: []uint32{2, 1}}}, nil, ErrBadRows},
		"none":        {[]Scope{{}}, nil, ErrBadRows},
		"needs":       {[]Scope{{Columns: []uint32{1, 3}, Needs: []uint32{2}}}, nil, ErrBadRows},
		"the learner": {[]Scope{{Columns: []uint32{0, 1, 2}}}, func(context.Context, *Matrix) (Model, error) { return nil, broken }, broken},
	} {
		if _, err := TrainScoped(t.Context(), m, x.scopes, 0, x.train); !errors.Is(err, x.want) {
			t.Errorf("%s: %v, want %v", name, err, x.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := TrainScoped(ctx, m, []Scope{{Columns: []uint32{0, 1, 2}}}, 0, svm); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := (Learner{Kind: "svn"}).Train(t.Context(), m, TrainOptions{Scopes: []Scope{}}); !errors.Is(err, usage.ErrUsage) {
		t.Error(err)
	}
}

// A selection that is not that of the terms is refused.
func TestScopesOfRefuses(t *testing.T) {
	b := &bestterms.Choice{Classes: []bestterms.ClassTerms{{Class: "a", Positive: []bestterms.Term{{Term: "x"}}, Negative: []bestterms.Term{{Term: "y"}}}, {Class: "b"}}}
	s := &selection.Selection{Classes: []string{"a", "b"}, Features: []selection.Feature{{Term: "y"}, {Term: "x"}}}
	scopes, err := ScopesOf(b, s)
	if want := []Scope{{Class: 0, Columns: []uint32{0, 1}, Needs: []uint32{1}}}; err != nil || !reflect.DeepEqual(scopes, want) {
		t.Errorf("%+v %v", scopes, err)
	}
	for _, bad := range []selection.Selection{
		{Classes: []string{"a"}, Features: s.Features},
		{Classes: s.Classes, Features: s.Features[:1]},
		{Classes: s.Classes, Features: s.Features[1:]},
	} {
		if _, err := ScopesOf(b, &bad); !errors.Is(err, usage.ErrContradiction) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// A model that no file can hold within another is refused, and so is one that a hostile
// file nests deeper than any model is.
func TestNestedModels(t *testing.T) {
	m := sparseMatrix(20, 10, 1, 1)
	own := func(context.Context, *Matrix) (Model, error) { return scripted{}, nil }
	s := testkit.Must(TrainScoped(t.Context(), m, []Scope{{Columns: []uint32{0, 1}}}, 0, own))
	var file strings.Builder
	if err := Save(&file, s); err == nil || file.Len() > 0 || !strings.Contains(err.Error(), "cannot be saved") {
		t.Errorf("%d bytes, %v", file.Len(), err)
	}
	inner := Model(train(t, sparseMatrix(20, 1, 1, 1), SVMOptions{}))
	for depth := range 6 {
		outer := &scoped{header: header{kindScoped, []string{"a"}, 1, 0, false}, scopes: []Scope{{Columns: []uint32{0}}}, models: []Model{inner}}
		outer.router = newRouter(outer.scopes, 1)
		_, err := Load(strings.NewReader(string(saved(t, outer))))
		if deep := depth >= mostNested; deep != errors.Is(err, ErrNoModel) {
			t.Errorf("%d deep: %v", depth+1, err)
		}
		inner = outer
	}
}
