package learn_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/learn"
)

// weightings of the corpora on which cosines are compared.
var cosineWeights = []string{"tf", "ltc", "tfidf"}

func TestCentroidRandom(t *testing.T) {
	randomCorpora(t, 10, func(t *testing.T, name string, r *rand.Rand, c naive.Corpus) {
		tb := naive.Tabulate(c)
		rows, labels := rounded(tb.Weights(cosineWeights[r.IntN(3)])), labelsOf(c)
		model, err := learn.TrainCentroid(t.Context(), matrixOf(rows, labels, len(c.Classes)))
		testkit.Is(testkit.Stop(t), err, nil, name)
		want := naive.Rocchio(rows, labels, len(c.Classes))
		for _, row := range queries(r, rows) {
			got, evidence := scoresOf(model, row)
			scores := want(row)
			compare(t, name, got, scores, 1)
			testkit.Equal(testkit.Stop(t), evidence, slices.Max(scores) > 0, name, "evidence", scores)
		}
	})
}

func TestKNNRandom(t *testing.T) {
	randomCorpora(t, 25, func(t *testing.T, name string, r *rand.Rand, c naive.Corpus) {
		tb := naive.Tabulate(c)
		rows, labels := rounded(tb.Weights(cosineWeights[r.IntN(3)])), labelsOf(c)
		compareKNN(t, name, r, rows, labels, len(c.Classes))
	})
}

// TestKNNSigned has values of both signs, of all sizes, and rows that are equal.
func TestKNNSigned(t *testing.T) {
	for seed := range uint64(shortened(150)) {
		r := rand.New(rand.NewPCG(seed, 7))
		n, v := 1+r.IntN(300), 1+r.IntN(40)
		var rows [][]float64
		var labels [][]int
		for d := range n {
			row := make([]float64, v)
			for i := range row {
				if r.IntN(3) > 0 {
					row[i] = r.NormFloat64() * math.Pow(10, float64(r.IntN(1+int(seed)%60)-int(seed)%30))
				}
			}
			if d > 0 && r.IntN(4) == 0 {
				row = rows[r.IntN(d)]
			}
			rows, labels = append(rows, row), append(labels, []int{r.IntN(3)})
		}
		compareKNN(t, fmt.Sprintf("seed %d", seed), r, rounded(rows), labels, 3)
	}
}

func compareKNN(t *testing.T, name string, r *rand.Rand, rows [][]float64, labels [][]int, classes int) {
	t.Helper()
	k := []int{0, 1, 3, len(rows), 5 * len(rows)}[r.IntN(5)]
	model, err := learn.TrainKNN(t.Context(), matrixOf(rows, labels, classes), k)
	testkit.Is(testkit.Stop(t), err, nil, name)
	if k == 0 {
		k = 10
	}
	testkit.Equal(testkit.Stop(t), model.K(), min(k, len(rows)), name, "k")
	s := model.NewSearch()
	want := naive.KNN(rows, labels, classes, k)
	for _, row := range queries(r, rows) {
		compareNeighbours(t, name, s, rows, row, k)
		got, evidence := scoresOf(model, row)
		scores := want(row)
		if tied(rows, row, k) {
			continue // rounding decides who votes
		}
		compare(t, name, got, scores, 10*float64(len(rows)))
		if some := slices.Max(scores) > 1e-13; evidence != some && slices.Max(got) > 1e-13 {
			t.Fatalf("%s: evidence %v of %v", name, evidence, scores)
		}
	}
}

// tied says whether rows that are not equal are about as near as the k-th, so that
// rounding decides which of them are neighbours.
func tied(rows [][]float64, row []float64, k int) bool {
	nearest, cosines := naive.Nearest(rows, row, len(rows))
	if len(nearest) <= k {
		return false
	}
	for i, d := range nearest {
		if math.Abs(cosines[i]-cosines[k-1]) < 1e-11 && !slices.Equal(rows[d], rows[nearest[k-1]]) {
			return true
		}
	}
	return false
}

// compareNeighbours demands the right neighbours, but for an order of cosines that
// rounding may have made.
func compareNeighbours(t *testing.T, name string, s *learn.Search, rows [][]float64, row []float64, k int) {
	t.Helper()
	index, value := sparse(row)
	got := s.Neighbours(index, value)
	want, cosines := naive.Nearest(rows, row, k)
	for len(cosines) > 0 && cosines[len(cosines)-1] <= 0 {
		want, cosines = want[:len(want)-1], cosines[:len(cosines)-1]
	}
	const eps = 1e-11
	for len(cosines) > len(got) && cosines[len(cosines)-1] < 1e-14 {
		cosines = cosines[:len(cosines)-1] // a sum that cancels
	}
	if len(got) < len(cosines) || len(got) > min(k, len(rows)) {
		t.Fatalf("%s: %d neighbours, want %d", name, len(got), len(want))
	}
	for i, n := range got {
		if i < len(cosines) && math.Abs(n.Cosine-cosines[i]) > eps {
			t.Fatalf("%s: neighbour %d has the cosine %v, want %v", name, i, n.Cosine, cosines[i])
		}
		testkit.Close(testkit.Stop(t), n.Cosine, naive.Cosine(rows[n.Row], row), 0, eps, name, "row", n.Row,
			"has the cosine")
		if i > 0 && (got[i-1].Cosine < n.Cosine || got[i-1].Cosine == n.Cosine && got[i-1].Row >= n.Row) {
			t.Fatalf("%s: %v and %v are out of order", name, got[i-1], n)
		}
	}
	// A row that is left out is farther than the last, or as far with a larger number.
	if len(got) == min(k, len(rows)) && len(got) > 0 {
		leftOut(t, name, got, rows, row)
	}
}

func leftOut(t *testing.T, name string, got []learn.Neighbour, rows [][]float64, row []float64) {
	t.Helper()
	last, in := got[len(got)-1], map[int]bool{}
	for _, n := range got {
		in[n.Row] = true
	}
	for d := range last.Row {
		if !in[d] && slices.Equal(rows[d], rows[last.Row]) {
			t.Fatalf("%s: row %d is a neighbour, not the equal row %d before it", name, last.Row, d)
		}
	}
}

func TestCosineGolden(t *testing.T) {
	f, c := golden(t)
	tb := naive.Tabulate(c)
	m := matrixOf(tb.Weights("ltc"), labelsOf(c), len(c.Classes))
	knn := testkit.Must(learn.TrainKNN(t.Context(), m, 3))
	centroid := testkit.Must(learn.TrainCentroid(t.Context(), m))
	near := func(what string, got []float64, want map[string]float64) {
		for i, w := range inOrder(want, c.Classes) {
			if math.Abs(got[i]-w) > 3e-7 { // the rows are in single precision
				t.Errorf("%s: %v, want %v", what, got, want)
			}
		}
	}
	for _, x := range f.Classifiers.KNN {
		index, value := sparse(x.LTC)
		for i, n := range knn.NewSearch().Neighbours(index, value) {
			testkit.Equal(t, n.Row, x.Neighbours[i], "neighbour", i)
		}
		got, _ := scoresOf(knn, x.LTC)
		near("knn", got, x.KNN)
		got, _ = scoresOf(centroid, x.LTC)
		near("centroid", got, x.Centroid)
	}
}

// training has a trainer of every kind of model.
func training(ctx context.Context, m *learn.Matrix) map[string]func() (learn.Model, error) {
	out := map[string]func() (learn.Model, error){
		"centroid": func() (learn.Model, error) {
			return learn.TrainCentroid(ctx, m)
		},
		"knn": func() (learn.Model, error) {
			return learn.TrainKNN(ctx, m, 0)
		},
	}
	for _, k := range bayesCases {
		out[k.name] = func() (learn.Model, error) {
			return k.train(ctx, m, 1, k.rest)
		}
	}
	return out
}

// large is a random matrix with several labels a row.
func large(rows int) (*learn.Matrix, [][]float64) {
	r := rand.New(rand.NewPCG(11, 12))
	c := naive.RandomCorpus(r, naive.Shape{
		Docs: [2]int{rows, rows}, Terms: [2]int{60, 60}, Classes: [2]int{40, 40}, Skew: true, Multi: .05, Unlabelled: .1,
	})
	weights := naive.Tabulate(c).Weights("ltc")
	return matrixOf(weights, labelsOf(c), len(c.Classes)), weights
}

func TestLearningStops(t *testing.T) {
	m, _ := large(100)
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	cancel(stop)
	for name, train := range training(ctx, m) {
		if _, err := train(); !errors.Is(err, stop) && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestManyClasses would need 80 GB for a table of columns and classes.
func TestManyClasses(t *testing.T) {
	const classes, columns = 100_000, 100_000
	m := &learn.Matrix{Columns: columns, Start: []int{0}, LabelStart: []int{0}}
	for c := range classes {
		m.Classes = append(m.Classes, fmt.Sprintf("%06d", c))
		m.Index = append(m.Index, uint32(c/2), uint32(50_000+c/2))
		m.Value = append(m.Value, 2, 1)
		m.LabelOf = append(m.LabelOf, uint32(c))
		m.Start, m.LabelStart = append(m.Start, len(m.Index)), append(m.LabelStart, c+1)
	}
	for name, train := range training(t.Context(), m) {
		model := testkit.Must(train())
		index, value := m.Row(70_001)
		scores := make([]float64, classes)
		testkit.Equal(t, learn.Score(model, index, value, scores), true, name, "no evidence")
		testkit.Equal(t, slices.Index(scores, slices.Max(scores)), 70_000, name, "class")
	}
}

// TestKNNTiny has cosines that single precision cannot hold.
func TestKNNTiny(t *testing.T) {
	rows := rounded([][]float64{{1, 0, 0}, {0, 0, 1}, {1e30, 0, 1e-38}})
	model := testkit.Must(learn.TrainKNN(t.Context(), matrixOf(rows, [][]int{{0}, {0}, {1}}, 2), 0))
	plain := testkit.Must(learn.TrainKNN(t.Context(), matrixOf(rows[:2], [][]int{{0}, {1}}, 2), 0))
	for _, x := range []struct {
		model *learn.KNN
		row   []float64
		want  []int
	}{
		{model, []float64{0, 1, 1}, []int{1, 2}},
		{model, []float64{0, 0, 1}, []int{1, 2}},
		{plain, []float64{1e-38, 1e10, 0}, []int{0}},
		{plain, []float64{1e-38, 0, 1e10}, []int{1, 0}},
		{plain, []float64{0, 1, 0}, nil},
	} {
		index, value := sparse(x.row)
		var got []int
		for _, n := range x.model.NewSearch().Neighbours(index, value) {
			got = append(got, n.Row)
		}
		testkit.EqualSlices(t, got, x.want, "neighbours of", x.row)
	}
}
