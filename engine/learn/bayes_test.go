package learn_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/usage"
)

// matrixOf makes rows of weights by document and term.
func matrixOf(rows [][]float64, labels [][]int, classes int) *learn.Matrix {
	m := &learn.Matrix{Start: []int{0}, LabelStart: []int{0}}
	if len(rows) > 0 {
		m.Columns = len(rows[0])
	}
	for c := range classes {
		m.Classes = append(m.Classes, fmt.Sprintf("c%06d", c))
	}
	for d, row := range rows {
		index, value := sparse(row)
		m.Index, m.Value = append(m.Index, index...), append(m.Value, value...)
		set := slices.Compact(slices.Sorted(slices.Values(labels[d])))
		for _, l := range set {
			m.LabelOf = append(m.LabelOf, uint32(l))
		}
		m.Start, m.LabelStart = append(m.Start, len(m.Index)), append(m.LabelStart, len(m.LabelOf))
	}
	return m
}

func sparse(row []float64) (index []uint32, value []float32) {
	for t, v := range row {
		if v != 0 {
			index, value = append(index, uint32(t)), append(value, float32(v))
		}
	}
	return index, value
}

// rounded is what single precision holds of rows.
func rounded(rows [][]float64) [][]float64 {
	for _, row := range rows {
		for t, v := range row {
			row[t] = float64(float32(v))
		}
	}
	return rows
}

// labelsOf are the labels of a corpus; some classes may have lost their documents.
func labelsOf(c naive.Corpus) (labels [][]int) {
	for _, d := range c.Docs {
		labels = append(labels, d.Labels)
	}
	return labels
}

// randomCorpora calls f for corpora of every shape with labelled documents. In every
// third one class loses its documents' labels.
func randomCorpora(t *testing.T, each int, f func(t *testing.T, name string, r *rand.Rand, c naive.Corpus)) {
	t.Helper()
	for s, shape := range naive.Shapes {
		for seed := range shortened(each) {
			r := rand.New(rand.NewPCG(uint64(s), uint64(seed)))
			c := naive.RandomCorpus(r, shape)
			if seed%3 == 2 {
				gone := r.IntN(len(c.Classes))
				for d := range c.Docs {
					c.Docs[d].Labels = slices.DeleteFunc(c.Docs[d].Labels, func(l int) bool { return l == gone })
				}
			}
			if !slices.ContainsFunc(c.Docs, func(d naive.Doc) bool { return len(d.Labels) > 0 }) {
				continue
			}
			f(t, fmt.Sprintf("%s, seed %d", shape.Name, seed), r, c)
		}
	}
}

// shortened is a quarter of the rounds where tests are to be short.
func shortened(rounds int) int {
	if testing.Short() {
		return (rounds + 3) / 4
	}
	return rounds
}

// queries are the training rows and some others, one of them empty.
func queries(r *rand.Rand, rows [][]float64) [][]float64 {
	out := slices.Clone(rows[:min(len(rows), 20)])
	out = append(out, make([]float64, len(rows[0])))
	for range 5 {
		row := make([]float64, len(rows[0]))
		for t := range row {
			if r.IntN(3) == 0 {
				row[t] = float64(r.IntN(5))
			}
		}
		out = append(out, row)
	}
	return out
}

func scoresOf(m learn.Model, row []float64) (scores []float64, evidence bool) {
	scores = make([]float64, len(m.Classes()))
	index, value := sparse(row)
	for c := range scores {
		scores[c] = math.NaN() // a scorer must set all
	}
	return scores, learn.Score(m, index, value, scores)
}

// compare demands scores within 1e-12 of their size, or of what they are differences
// of.
func compare(t *testing.T, name string, got, want []float64, size float64) {
	t.Helper()
	for c := range want {
		near := math.Abs(got[c]-want[c]) <= 1e-12*max(math.Abs(want[c]), size)
		if got[c] != want[c] && !near {
			t.Fatalf("%s: class %d has %v, want %v", name, c, got[c], want[c])
		}
	}
}

type bayesCase struct {
	name  string
	train func(ctx context.Context, m *learn.Matrix, alpha float64, rest bool) (*learn.NaiveBayes, error)
	rest  bool
	naive func(tb *naive.Tables, alpha float64) naive.Classifier
}

var bayesCases = []bayesCase{
	{"multinomial", learn.TrainMultinomial, false, (*naive.Tables).Multinomial},
	{"bernoulli", learn.TrainBernoulli, false, (*naive.Tables).Bernoulli},
	{"multinomial-rest", learn.TrainMultinomial, true, (*naive.Tables).MultinomialRest},
	{"bernoulli-rest", learn.TrainBernoulli, true, (*naive.Tables).BernoulliRest},
}

func TestNaiveBayesRandom(t *testing.T) {
	randomCorpora(t, 12, func(t *testing.T, name string, r *rand.Rand, c naive.Corpus) {
		tb := naive.Tabulate(c)
		m := matrixOf(tb.Rows(), labelsOf(c), len(c.Classes))
		alpha := []float64{1, .01, 2.5}[r.IntN(3)]
		for _, k := range bayesCases {
			model, err := k.train(t.Context(), m, alpha, k.rest)
			testkit.Is(testkit.Stop(t), err, nil, name)
			want := k.naive(tb, alpha)
			for _, row := range queries(r, tb.Rows()) {
				if len(c.Classes) > 300 && r.IntN(5) > 0 {
					continue // the reference is slow
				}
				got, evidence := scoresOf(model, row)
				size := 10.
				for _, x := range row {
					size += 20 * x
				}
				compare(t, name+", "+k.name, got, want(row), size)
				testkit.Equal(testkit.Stop(t), evidence, (slices.Max(row) > 0) || model.Kind() == "bernoulli", name,
					k.name, "evidence", row)
				assigned(t, model, got, evidence, k.rest)
			}
		}
	})
}

// assigned checks the rule for several classes.
func assigned(t *testing.T, model *learn.NaiveBayes, scores []float64, evidence, rest bool) {
	t.Helper()
	var want []uint32
	for c, s := range scores {
		if rest && s > 0 || !rest && evidence && slices.Index(scores, slices.Max(scores)) == c {
			want = append(want, uint32(c))
		}
	}
	testkit.EqualSlices(testkit.Stop(t), model.Assign(nil, scores, evidence), want, "assigned")
}

func TestNaiveBayesGolden(t *testing.T) {
	f, c := golden(t)
	tb := naive.Tabulate(c)
	m := matrixOf(tb.Rows(), labelsOf(c), len(c.Classes))
	multinomial := testkit.Must(learn.TrainMultinomial(t.Context(), m, 1, false))
	bernoulli := testkit.Must(learn.TrainBernoulli(t.Context(), m, 1, false))
	for i, x := range f.Classifiers.Bayes {
		got, _ := scoresOf(multinomial, x.Counts)
		compare(t, "multinomial", got, inOrder(x.Multinomial, c.Classes), 0)
		got, _ = scoresOf(bernoulli, x.Counts)
		compare(t, "bernoulli", got, inOrder(x.Bernoulli, c.Classes), 0)
		if i == 0 && c.Classes[learn.Largest(multinomial)] != "a" {
			t.Errorf("the largest class is %d", learn.Largest(multinomial))
		}
	}
}

// goldenFile has the classifiers of the golden file.
type goldenFile struct {
	Terms       []string
	Categories  []string
	Counts      [][]float64
	Single      struct{ Labels [][]string } `json:"single_label"`
	Classifiers struct {
		Bayes []struct {
			Counts      []float64
			Multinomial map[string]float64 `json:"multinomial_log_joint"`
			Bernoulli   map[string]float64 `json:"bernoulli_log_joint"`
		} `json:"naive_bayes_laplace1"`
		KNN []struct {
			LTC        []float64          `json:"ltc_unit"`
			Neighbours []int              `json:"neighbours_k3"`
			KNN        map[string]float64 `json:"knn_scores"`
			Centroid   map[string]float64 `json:"centroid_cosines"`
		} `json:"knn_centroid_ltc"`
	} `json:"classifiers_single"`
}

func golden(t *testing.T) (f goldenFile, c naive.Corpus) {
	t.Helper()
	testkit.ReadJSON(filepath.Join("..", "..", "testdata", "golden_small.json"), &f)
	testkit.Equal(testkit.Stop(t), len(f.Classifiers.Bayes), 4)
	testkit.Equal(testkit.Stop(t), len(f.Classifiers.KNN), 4)
	c = naive.Corpus{Terms: f.Terms, Classes: f.Categories}
	for d, row := range f.Counts {
		doc := naive.Doc{Counts: map[int]float64{}}
		for t, tf := range row {
			doc.Counts[t] = tf
		}
		for _, l := range f.Single.Labels[d] {
			doc.Labels = append(doc.Labels, slices.Index(c.Classes, l))
		}
		c.Docs = append(c.Docs, doc)
	}
	return f, c
}

func inOrder(values map[string]float64, classes []string) (out []float64) {
	for _, c := range classes {
		out = append(out, values[c])
	}
	return out
}

func TestNaiveBayesRefuses(t *testing.T) {
	row := [][]float64{{1, 2}, {0, 3}}
	good := matrixOf(row, [][]int{{0}, {1}}, 2)
	negative := matrixOf([][]float64{{1, -2}, {0, 3}}, [][]int{{0}, {1}}, 2)
	infinite := matrixOf([][]float64{{1, 2}, {0, math.Inf(1)}}, [][]int{{0}, {1}}, 2)
	undefined := matrixOf([][]float64{{1, math.NaN()}, {0, 3}}, [][]int{{0}, {1}}, 2)
	short := *good
	short.LabelStart = short.LabelStart[:1]
	wide := *good
	wide.Columns = 1
	class := *good
	class.Classes = class.Classes[:1]
	backwards := *good
	backwards.Start = []int{0, 3, 2}
	for _, x := range []struct {
		name string
		m    *learn.Matrix
		want error
	}{
		{"negative", negative, learn.ErrBadRows},
		{"infinite", infinite, learn.ErrBadRows},
		{"undefined", undefined, learn.ErrBadRows},
		{"no labels", matrixOf(row, [][]int{nil, nil}, 2), ingest.ErrNoLabels},
		{"no rows", matrixOf(nil, nil, 2), ingest.ErrEmpty},
		{"nil", nil, learn.ErrBadRows},
		{"zero value", &learn.Matrix{}, learn.ErrBadRows},
		{"labels missing", &short, learn.ErrBadRows},
		{"a column too many", &wide, learn.ErrBadRows},
		{"a class too many", &class, learn.ErrBadRows},
		{"starts descend", &backwards, learn.ErrBadRows},
	} {
		for _, k := range bayesCases {
			if _, err := k.train(t.Context(), x.m, 1, k.rest); !errors.Is(err, x.want) {
				t.Errorf("%s, %s: %v, want %v", k.name, x.name, err, x.want)
			}
		}
		if x.name == "negative" {
			continue
		}
		testkit.Is(t, testkit.Err(learn.TrainCentroid(t.Context(), x.m)), x.want, "centroid", x.name)
		testkit.Is(t, testkit.Err(learn.TrainKNN(t.Context(), x.m, 0)), x.want, "knn", x.name)
	}
	for _, l := range []learn.Learner{
		{Kind: "knn", Neighbours: -1},
		{Kind: "nb", Alpha: -1},
		{Kind: "nb", Alpha: math.NaN()},
		{Kind: "bernoulli", Alpha: math.Inf(1)},
		{Kind: "centroid", Folds: 1},
	} {
		testkit.Is(t, testkit.Err(l.Train(t.Context(), good, learn.TrainOptions{})), usage.ErrUsage, l)
	}
}
