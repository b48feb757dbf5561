package learn

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
	"github.com/termsift/termsift/engine/projection"
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
				own := testkit.Must(l.Train(t.Context(), problem, TrainOptions{Sets: true}))
				scores := testkit.Must(Predict(t.Context(), own, problem, PredictOptions{Scores: true}))
				for i, at := 0, 0; i < len(taken); i++ {
					if taken[i] {
						want[s.Class][i], evidence[i] = scores.Scores[at], true
						at++
					}
				}
			}
			for i := range m.Rows() {
				testkit.Equal(testkit.Stop(t), p.Evidence[i], evidence[i], text, "seed", seed, "row", i, "evidence")
				var set []uint32
				for c := range want {
					testkit.Equal(testkit.Stop(t), p.Row(i)[c], want[c][i], text, "seed", seed, "row", i, "class", c)
					if want[c][i] > 0 {
						set = append(set, uint32(c))
						inside++
					} else {
						outside++
					}
				}
				testkit.EqualSlices(testkit.Stop(t), p.Sets[i], set, text, "seed", seed, "row", i)
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
		return testkit.Must(TrainScoped(t.Context(), m, scopes, threads, svm)).(*scoped)
	}
	want := train(1)
	for threads := 2; threads < 6; threads++ {
		testkit.Same(t, train(threads), want, threads, "threads: another model")
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
	testkit.Contains(t, said, "2 of 3 classes")
	testkit.Contains(t, said, "1 classes are not within eps 1e-12 after 1 sweeps (class001)")
	none, err := TrainScoped(t.Context(), m, []Scope{}, 0, svm)
	testkit.OK(err)
	testkit.Equal(testkit.Stop(t), none.Kind(), "scoped", none)
	p, err := Predict(t.Context(), none, m, PredictOptions{Sets: true})
	if err != nil || slices.Contains(p.Evidence, true) || slices.ContainsFunc(p.Sets, func(set []uint32) bool { return len(set) > 0 }) || int(p.Best[0]) != none.common().largest {
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
		testkit.Is(t, testkit.Err(TrainScoped(t.Context(), m, x.scopes, 0, x.train)), x.want, name)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, testkit.Err(TrainScoped(ctx, m, []Scope{{Columns: []uint32{0, 1, 2}}}, 0, svm)), context.Canceled)
	testkit.Is(t, testkit.Err((Learner{Kind: "svn"}).Train(t.Context(), m, TrainOptions{Scopes: []Scope{}})),
		usage.ErrUsage)
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
		testkit.Is(t, testkit.Err(ScopesOf(b, &bad)), usage.ErrContradiction, bad)
	}
}

// A model is refused that a hostile file nests deeper than any model is.
func TestNestedModels(t *testing.T) {
	inner := Model(train(t, sparseMatrix(20, 1, 1, 1), SVMOptions{}))
	for depth := range 6 {
		outer := &scoped{header: header{kindScoped, []string{"a"}, 1, 0, false}, scopes: []Scope{{Columns: []uint32{0}}}, models: []Model{inner}}
		outer.router = newRouter(outer.scopes, 1)
		_, err := Load(strings.NewReader(string(saved(t, outer))))
		testkit.Equal(t, depth >= mostNested, errors.Is(err, ErrNoModel), depth+1, "deep", err)
		inner = outer
	}
}

// randomClusters gives every column of a matrix a class and a factor.
func randomClusters(r *rand.Rand, m *Matrix) *projection.Map {
	c := &projection.Map{Classes: len(m.Classes), Largest: r.IntN(len(m.Classes)), Unit: r.IntN(2) == 0, Base: float64(10 * r.IntN(2))}
	c.Weight = []string{projection.ClusterLog, projection.ClusterTFIDF}[r.IntN(2)]
	for range m.Columns {
		c.Class, c.Factor = append(c.Class, uint32(r.IntN(len(m.Classes)))), append(c.Factor, float64(r.IntN(4)))
	}
	return c
}

// The scores of the rule are the sums by definition, the class predicted that of the
// largest, and a model is asked about these sums as they are in float32.
func TestProjected(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		m := sparseMatrix(30, 20, 1+r.IntN(5), seed)
		for i := range m.Value {
			m.Value[i] = float32(1 + r.IntN(300))
		}
		c := randomClusters(r, m)
		rule := testkit.Must(Learner{Kind: "rule"}.Train(t.Context(), m, TrainOptions{Clusters: c}))
		p := testkit.Must(Predict(t.Context(), rule, m, PredictOptions{Scores: true, Sets: true}))
		vectors := &Matrix{Columns: len(m.Classes), Classes: m.Classes, Start: []int{0}, LabelStart: m.LabelStart, LabelOf: m.LabelOf}
		for i := range m.Rows() {
			want := naiveVector(m, i, c)
			for class, w := range want {
				testkit.Close(testkit.Stop(t), p.Row(i)[class], w, 0, 1e-11*w, "seed", seed, "row", i, "class", class)
				if v := float32(p.Row(i)[class]); v != 0 {
					vectors.Index, vectors.Value = append(vectors.Index, uint32(class)), append(vectors.Value, v)
				}
			}
			vectors.Start = append(vectors.Start, len(vectors.Index))
			largest := slices.Max(want)
			switch best := int(p.Best[i]); {
			case p.Evidence[i] != (largest > 0):
				t.Fatalf("seed %d, row %d: evidence %v", seed, i, p.Evidence[i])
			case largest == 0 && (best != c.Largest || len(p.Sets[i]) > 0), largest > 0 && want[best] < largest*(1-1e-11), largest > 0 && !slices.Equal(p.Sets[i], []uint32{uint32(best)}):
				t.Fatalf("seed %d, row %d: class %d of %v, set %v", seed, i, best, want, p.Sets[i])
			}
		}
		sameOnVectors(t, m, vectors, c)
	}
}

// naiveVector is the vector of a row by its definition.
func naiveVector(m *Matrix, i int, c *projection.Map) []float64 {
	vector := make([]float64, len(m.Classes))
	index, value := m.Row(i)
	for j, column := range index {
		w := float64(value[j])
		if c.Weight == projection.ClusterLog {
			if w = math.Log(w + 1); c.Base > 0 {
				w /= math.Log(c.Base)
			}
		}
		vector[c.Class[column]] += w * c.Factor[column]
	}
	length := 0.
	for _, w := range vector {
		length += w * w
	}
	for class := range vector {
		if c.Unit && length > 0 {
			vector[class] /= math.Sqrt(length)
		}
	}
	return vector
}

// sameOnVectors compares a learner behind the map with the same on the vectors. The rule's
// scores may have moved a tie by a last bit, so rows with one are no matter.
func sameOnVectors(t *testing.T, m, vectors *Matrix, c *projection.Map) {
	t.Helper()
	l := Learner{Kind: "svm"}
	behind := testkit.Must(l.Train(t.Context(), m, TrainOptions{Clusters: c}))
	testkit.Equal(t, behind.Kind(), "projected svm")
	testkit.Equal(t, behind.Columns(), m.Columns)
	own := testkit.Must(l.Train(t.Context(), vectors, TrainOptions{}))
	got := testkit.Must(Predict(t.Context(), behind, m, PredictOptions{Scores: true}))
	want := testkit.Must(Predict(t.Context(), own, vectors, PredictOptions{Scores: true}))
	for i, score := range got.Scores {
		if math.Abs(score-want.Scores[i]) > 1e-5*(1+math.Abs(score)) && !math.IsInf(score, -1) {
			t.Fatalf("score %d: %v, on vectors %v", i, score, want.Scores[i])
		}
	}
}

func TestProjectedRefuses(t *testing.T) {
	m := sparseMatrix(20, 3, 2, 1)
	fine := func() *projection.Map {
		return &projection.Map{Classes: 2, Class: []uint32{0, 1, 1}, Factor: []float64{1, 2, 0}}
	}
	for name, spoil := range map[string]func(c *projection.Map){
		"weight":  func(c *projection.Map) { c.Weight = "idf" },
		"base":    func(c *projection.Map) { c.Base = 1 },
		"largest": func(c *projection.Map) { c.Largest = 2 },
		"class":   func(c *projection.Map) { c.Class[1] = 2 },
		"factor":  func(c *projection.Map) { c.Factor[1] = math.Inf(1) },
		"less":    func(c *projection.Map) { c.Factor[1] = -1 },
		"none":    func(c *projection.Map) { c.Factor[1] = math.NaN() },
		"lengths": func(c *projection.Map) { c.Class = c.Class[:2] },
		"columns": func(c *projection.Map) { c.Class, c.Factor = c.Class[:2], c.Factor[:2] },
		"classes": func(c *projection.Map) { c.Classes = 3 },
	} {
		c := fine()
		spoil(c)
		testkit.Is(t, testkit.Err(TrainProjected(t.Context(), m, c, nil)), ErrBadRows, name)
	}
	broken := errors.New("no")
	if _, err := TrainProjected(t.Context(), m, fine(), func(context.Context, *Matrix) (Model, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	p, err := TrainProjected(t.Context(), m, fine(), func(ctx context.Context, m *Matrix) (Model, error) {
		return model(TrainSVM(ctx, m, SVMOptions{MaxSweeps: 1, Eps: 1e-15, C: 1e6}))
	})
	if err != nil || !strings.Contains(strings.Join(p.Warnings(), "\n"), "2 classes are not within eps 1e-15 after 1 sweeps (class000, class001)") {
		t.Error(p.Warnings(), err)
	}
}
