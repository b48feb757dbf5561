package learn

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

func TestParseLearners(t *testing.T) {
	got := testkit.Must(ParseLearners("svm:loss=l1,c=0.5,positive=2,eps=1e-4,bias=0,sweeps=7,weight=tf,knn:k=3, centroid,centroid:thresholds=best,folds=4,nb:alpha=2,bernoulli,svm"))
	want := []Learner{
		{
			Name: "svm:loss=l1,c=0.5,positive=2,eps=1e-4,bias=0,sweeps=7,weight=tf", Kind: "svm", Weight: "tf",
			SVM: SVMOptions{Loss: "l1", C: .5, Positive: 2, Eps: 1e-4, MaxSweeps: 7},
		},
		{Name: "knn:k=3", Kind: "knn", Neighbours: 3},
		{Name: "centroid", Kind: "centroid"},
		{Name: "centroid:thresholds=best,folds=4", Kind: "centroid", Thresholds: bestClass, Folds: 4},
		{Name: "nb:alpha=2", Kind: "nb", Alpha: 2},
		{Name: "bernoulli", Kind: "bernoulli"},
		{Name: "svm", Kind: "svm"},
	}
	testkit.Same(t, got, want)
	testkit.Equal(t, got[0].WeightOr("ltc")+got[1].WeightOr("ltc")+got[4].WeightOr("ltc"), "tfltctf", "weightings")
}

func TestParseLearnersRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                    `unknown classifier ""`,
		"svn":                 "did you mean svm?",
		"svm,":                `unknown classifier ""`,
		"c=1":                 `unknown classifier "c=1"`,
		"svm:c=0":             `c must be a number above 0, not "0"`,
		"svm:c=-1":            `c must be a number above 0, not "-1"`,
		"svm:c=inf":           "above 0",
		"svm:c=NaN":           "above 0",
		"svm:c":               `not ""`,
		"svm:loss=hinge":      `unknown loss "hinge"`,
		"svm:sweeps=0":        "whole number above 0",
		"svm:k=3":             `unknown option "k"`,
		"knn:k=0":             "whole number above 0",
		"knn:k=1.5":           "whole number above 0",
		"centroid:c=1":        `unknown option "c". Known: thresholds folds weight`,
		"centroid:folds=0":    "whole number above 0",
		"knn:folds=1":         "folds must be 2 or more, not 1",
		"knn:thresholds=scot": "did you mean scut?",
		"svm:folds=5":         `unknown option "folds"`,
		"nb:thresholds=best":  `unknown option "thresholds"`,
		"nb:alpha=0":          "above 0",
		"nb:weight=bm25":      `unknown weighting "bm25"`,
		"bernoulli:alpha=x":   "above 0",
	} {
		testkit.Refused(t, testkit.Err(ParseLearners(text)), usage.ErrUsage, want, text)
	}
	if _, err := (Learner{Kind: "rule"}).Train(t.Context(), sparseMatrix(4, 4, 2, 1), TrainOptions{}); !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "that of a projection") {
		t.Error(err)
	}
	if _, err := (Learner{Kind: "svm"}).Train(t.Context(), sparseMatrix(4, 4, 2, 1), TrainOptions{Scopes: []Scope{}, Clusters: &projection.Map{}}); !errors.Is(err, usage.ErrUsage) {
		t.Error(err)
	}
	testkit.Is(t, testkit.Err((Learner{}).Train(t.Context(), sparseMatrix(4, 4, 2, 1), TrainOptions{})), usage.ErrUsage)
}

// somePipelines go with a selection of two terms.
func somePipelines(t *testing.T) map[string]*Pipeline {
	t.Helper()
	s := &selection.Selection{
		Measure: "chi", Combine: "max", Documents: 3, Classes: []string{"a", "b"},
		Features: []selection.Feature{{Rank: 1, Term: "x\ty", Score: 2, DF: 2}, {Rank: 2, Term: "z", Score: 1, DF: 1}},
	}
	pipelines := map[string]*Pipeline{}
	for _, kind := range LearnerKinds() {
		for _, labels := range [][][]int{{{0}, {1}, {1}}, {{0}, {0, 1}, {1}}} {
			rows := func(yield func(vectors.Row, error) bool) {
				for i, l := range labels {
					if !yield(vectors.Row{Labels: l, Index: []uint32{1, 2}[:1+i%2], Value: []float32{float32(1 + i), 2}[:1+i%2]}, nil) {
						return
					}
				}
			}
			var o TrainOptions
			if kind == kindRule {
				o.Clusters = &projection.Map{Classes: 2, Class: []uint32{1, 0}, Factor: []float64{1, 2}}
			}
			p := testkit.Must(TrainPipeline(t.Context(), s, "tf", rows, Learner{Kind: kind}, o))
			testkit.Equal(t, p.Sets, len(labels[1]) == 2, kind, "sets")
			name := kind
			if p.Sets {
				name += ", sets"
			}
			pipelines[name] = p
		}
	}
	return pipelines
}

func TestPipelineFiles(t *testing.T) {
	for name, p := range somePipelines(t) {
		var b bytes.Buffer
		testkit.OK(p.Save(&b))
		file := b.Bytes()
		got, err := LoadPipeline(bytes.NewReader(file), "f")
		testkit.Is(testkit.Stop(t), err, nil, name)
		// Saved again: a model that was trained may keep its cells in another form.
		var again bytes.Buffer
		if err := got.Save(&again); err != nil || !bytes.Equal(again.Bytes(), file) {
			t.Errorf("%s: %+v, want %+v: %v", name, got, p, err)
		}
		if !reflect.DeepEqual(got.Selection, p.Selection) || got.Weight != p.Weight || got.Sets != p.Sets {
			t.Errorf("%s: %+v, want %+v", name, got, p)
		}
		testkit.Is(t, testkit.Err(LoadPipeline(bytes.NewReader(file[:len(file)-1]), "f")), files.ErrTruncated, name)
		testkit.Is(t, testkit.Err(LoadPipeline(bytes.NewReader(append(file[:len(file)-1], file[len(file)-1]^1)), "f")), files.ErrChecksum, name)
	}
}

// A selection and a model that do not go together are refused, sums and all.
func TestPipelineContradictsItself(t *testing.T) {
	p := *somePipelines(t)["nb"]
	for name, change := range map[string]func(s *selection.Selection){
		"classes":  func(s *selection.Selection) { s.Classes = []string{"a", "c"} },
		"features": func(s *selection.Selection) { s.Features = s.Features[:1] },
	} {
		s := *p.Selection
		change(&s)
		q := p
		q.Selection = &s
		var b bytes.Buffer
		testkit.OK(q.Save(&b))
		testkit.Is(t, testkit.Err(LoadPipeline(&b, "f")), ErrNoModel, name)
	}
	p.Weight = "bm25"
	var b bytes.Buffer
	testkit.OK(p.Save(&b))
	testkit.Is(t, testkit.Err(LoadPipeline(&b, "f")), ErrNoModel)
}

// Predictions come in the order of the rows and do not depend on the batches.
func TestPipelinePredictsInBatches(t *testing.T) {
	for name, p := range somePipelines(t) {
		rows := func(yield func(vectors.Row, error) bool) {
			for i := range 2*predictBatch + 100 {
				r := vectors.Row{ID: string(rune('a' + i%26)), Labels: []int{i % 2}, Unseen: make([]string, i%3), Index: []uint32{1, 2}, Value: []float32{float32(i % 7), 1}}
				if !yield(r, nil) {
					return
				}
			}
		}
		n := 0
		first := map[int]float64{}
		for x := range testkit.All(p.Predict(t.Context(), rows, 2)) {
			if x.ID != string(rune('a'+n%26)) || x.Labels[0] != n%2 || x.UnseenLabels != n%3 || x.Score != x.Scores[x.Class] {
				t.Fatalf("%s: document %d: %+v", name, n, x)
			}
			if n < 7 {
				first[n] = x.Score
			} else if x.Score != first[n%7] {
				t.Fatalf("%s: document %d has the score %v, the same one before %v", name, n, x.Score, first[n%7])
			}
			n++
		}
		testkit.Equal(t, n, 2*predictBatch+100, name)
		for range p.Predict(t.Context(), rows, 1) {
			break // an early end is no harm
		}
		broken := errors.New("disk")
		for _, err := range p.Predict(t.Context(), func(yield func(vectors.Row, error) bool) { yield(vectors.Row{}, broken) }, 1) {
			testkit.Is(t, err, broken, name)
		}
	}
}

// A scripted model gives the scores of a row that its first value numbers.
type scripted struct {
	header
	scores [][]float64
}

func (s *scripted) Kind() string { return "scripted" }
func (s *scripted) code(*coder)  {}

func (s *scripted) newScorer() scorer {
	return func(index []uint32, value []float32, scores []float64) bool {
		clear(scores)
		if len(index) == 0 {
			return false
		}
		copy(scores, s.scores[int(value[0])-1])
		return true
	}
}

// A withRule model has a rule of its own.
type withRule struct{ *scripted }

func (withRule) assign(dst []uint32, scores []float64, evidence bool) []uint32 {
	if evidence && scores[1] >= 1 {
		dst = append(dst, 1)
	}
	return append(dst, 2)
}

func TestPredict(t *testing.T) {
	inf := math.Inf(1)
	model := &scripted{header{"", []string{"a", "b", "c"}, 2, 0, true}, [][]float64{{1, 2, -1}, {3, 3, 3}, {-inf, -inf, -inf}, {-1, -2, 1e-300}, {0, 0, 0}}}
	m := &Matrix{Columns: 2, Start: []int{0}, LabelStart: make([]int, 7)}
	for i := range 5 {
		m.Index, m.Value, m.Start = append(m.Index, 1), append(m.Value, float32(i+1)), append(m.Start, i+1)
	}
	m.Start = append(m.Start, 5) // a row of zeros
	all := PredictOptions{Scores: true, Sets: true}
	p, err := Predict(t.Context(), model, m, all)
	testkit.OK(err)
	testkit.EqualSlices(t, p.Best, []uint32{1, 0, 0, 2, 0, 0}, "best")
	testkit.EqualSlices(t, p.Evidence, []bool{true, true, true, true, true, false}, "evidence")
	for i, want := range [][]uint32{{0, 1}, {0, 1, 2}, {}, {2}, {}, {}} {
		testkit.EqualSlices(t, p.Sets[i], want, "row", i, "set")
		if i < 5 && !slices.Equal(p.Row(i), model.scores[i]) {
			t.Errorf("row %d: scores %v", i, p.Row(i))
		}
	}
	model.largest = 2
	p = testkit.Must(Predict(t.Context(), withRule{model}, m, all))
	testkit.Equal(t, p.Best[5], 2, "best", p.Best, "a row without evidence is given the largest class")
	testkit.Equal(t, p.Best[4], 0, "best", p.Best, "a row without evidence is given the largest class")
	testkit.EqualSlices(t, p.Sets[0], []uint32{1, 2}, "sets", p.Sets[5])
	testkit.EqualSlices(t, p.Sets[5], []uint32{2}, "sets", p.Sets[0])
	p, err = Predict(t.Context(), model, m, PredictOptions{})
	if err != nil || p.Scores != nil || p.Sets != nil {
		t.Errorf("%+v, %v: only what was asked for", p, err)
	}
}

func TestPredictSameOnAnyThreads(t *testing.T) {
	m := sparseMatrix(1500, 300, 7, 11)
	l := train(t, m, SVMOptions{Bias: 1})
	o := PredictOptions{Scores: true, Sets: true, Threads: 1}
	want := testkit.Must(Predict(t.Context(), l, m, o))
	if n := len(slices.Concat(want.Sets...)); n < 300 {
		t.Errorf("%d assignments of 1500 rows that were trained with", n)
	}
	for _, threads := range []int{2, 7} {
		o.Threads = threads
		testkit.Same(t, testkit.Must(Predict(t.Context(), l, m, o)), want, threads, "threads: other predictions")
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
			testkit.Equal(testkit.Stop(t), nearly(p.Row(i)[c], want, 1e-13), true, "row", i, "class", c, p.Row(i)[c],
				"want", want)
		}
	}
	// Nothing in the row: no evidence, the largest class, the intercepts.
	scores := make([]float64, 4)
	testkit.Equal(t, l.score(nil, nil, scores), false, "evidence")
	testkit.EqualSlices(t, scores, l.intercept, "scores")
	sizes := m.sizes()
	testkit.Equal(t, sizes[l.largest], slices.Max(sizes), l.largest, "is not the largest of", sizes)
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
