package classify

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/projection"
)

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
				if got := p.Row(i)[class]; math.Abs(got-w) > 1e-11*w {
					t.Fatalf("seed %d, row %d, class %d: %v, want %v", seed, i, class, got, w)
				}
				if v := float32(p.Row(i)[class]); v != 0 {
					vectors.Index, vectors.Value = append(vectors.Index, uint32(class)), append(vectors.Value, v)
				}
			}
			vectors.Start = append(vectors.Start, len(vectors.Index))
			largest := slices.Max(want)
			switch best := int(p.Best[i]); {
			case p.Evidence[i] != (largest > 0):
				t.Fatalf("seed %d, row %d: evidence %v", seed, i, p.Evidence[i])
			case largest == 0 && (best != c.Largest || len(p.Set(i)) > 0), largest > 0 && want[best] < largest*(1-1e-11), largest > 0 && !slices.Equal(p.Set(i), []uint32{uint32(best)}):
				t.Fatalf("seed %d, row %d: class %d of %v, set %v", seed, i, best, want, p.Set(i))
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
	if behind.Kind() != "projected svm" || behind.Columns() != m.Columns {
		t.Error(behind.Kind(), behind.Columns())
	}
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
		if _, err := TrainProjected(t.Context(), m, c, nil); !errors.Is(err, ErrBadRows) {
			t.Errorf("%s: %v", name, err)
		}
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
