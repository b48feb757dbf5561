package learn_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// buildOf counts some documents of a naive corpus.
func buildOf(t *testing.T, c naive.Corpus, docs []int) (*corpus.Corpus, error) {
	return corpus.Build(t.Context(), func(yield func(document.Document, error) bool) {
		for _, d := range docs {
			doc := document.Document{ID: fmt.Sprint(d), Features: []document.Feature{}}
			for _, l := range c.Docs[d].Labels {
				doc.Labels = append(doc.Labels, c.Classes[l])
			}
			for term, name := range c.Terms {
				if tf := c.Docs[d].Counts[term]; tf > 0 {
					doc.Features = append(doc.Features, document.Feature{Term: name, Value: tf})
				}
			}
			if !yield(doc, nil) {
				return
			}
		}
	}, corpus.Options{})
}

// eachDivided calls f for random corpora that were divided into two parts.
func eachDivided(t *testing.T, seeds int, f func(t *testing.T, c naive.Corpus, split learn.Split, train, test *corpus.Corpus)) {
	t.Helper()
	for s, shape := range naive.Shapes {
		if shape.Classes[1] > 100 {
			continue
		}
		for seed := range shortened(seeds) {
			r := rand.New(rand.NewPCG(uint64(s), uint64(seed)))
			c := naive.RandomCorpus(r, shape)
			var split learn.Split
			for d := range c.Docs {
				if r.IntN(3) == 0 {
					split.Test = append(split.Test, d)
				} else {
					split.Train = append(split.Train, d)
				}
			}
			train, err := buildOf(t, c, split.Train)
			if err != nil {
				continue // nothing to learn from
			}
			test, err := buildOf(t, c, split.Test)
			if err != nil {
				continue
			}
			f(t, c, split, train, test)
			testkit.Equal(testkit.Stop(t), t.Failed(), false, shape.Name, "seed", seed)
		}
	}
}

func learners(list string) []learn.Learner { return testkit.Must(learn.ParseLearners(list)) }

// Every point has the bits of a selection, rows, a training and a prediction of its own,
// and the counts of the reference.
func TestRunIsWhatItsStepsAre(t *testing.T) {
	compared, sets := 0, 0
	g := learn.Grid{
		Methods: []selection.Method{
			methods.Measure{},
			methods.Measure{Options: rank.Options{Measure: rank.TTest, Combine: rank.Avg}},
			methods.Redundancy{Criterion: methods.JMI},
			firstTerms{},
		},
		K:           []int{1, 3, 7, 1000, 0},
		Classifiers: learners("svm,svm:loss=l1,weight=tfidf-unit,knn:k=3,centroid:weight=binary,nb,bernoulli"),
	}
	eachDivided(t, 3, func(t *testing.T, _ naive.Corpus, _ learn.Split, train, test *corpus.Corpus) {
		o := testkit.Must(learn.Run(t.Context(), train, test, g, nil))
		testkit.Equal(testkit.Stop(t), len(o.Points), g.Points(), "points of")
		if o.Sets {
			sets++
		}
		at := 0
		for _, m := range g.Methods {
			for _, k := range g.K {
				for _, l := range g.Classifiers {
					compared++
					sameAsOne(t, o.Points[at], train, test, m, k, l, o.Sets)
					at++
				}
			}
		}
	})
	if compared < shortened(1000) || sets == 0 {
		t.Errorf("only %d points were compared, %d runs had several labels", compared, sets)
	}
}

// firstTerms is a method of the caller's: the first terms by their bytes.
type firstTerms struct{}

func (firstTerms) Name() string    { return "first" }
func (firstTerms) Validate() error { return nil }

func (firstTerms) Select(_ context.Context, c *corpus.Corpus, k int) (*selection.Selection, error) {
	s := &selection.Selection{Documents: c.Documents(), Classes: c.Classes(), Provenance: c.Provenance()}
	for t := range min(cmp.Or(k, c.Terms()), c.Terms()) {
		s.Features = append(s.Features, selection.Feature{Rank: t + 1, Term: c.Term(t), DF: c.DF(t)})
	}
	return s, nil
}

// sameAsOne makes a point again, from the documents on.
func sameAsOne(t *testing.T, p learn.Point, train, test *corpus.Corpus, m selection.Method, k int, l learn.Learner, sets bool) {
	t.Helper()
	want := min(cmp.Or(k, train.Terms()), train.Terms())
	var s *selection.Selection
	var err error
	switch m := m.(type) {
	case methods.Redundancy:
		s, err = m.Select(t.Context(), train, want)
	case methods.Measure:
		s, err = selection.Select(t.Context(), train, selection.Options{By: m.Options, Keep: selection.Best(want)})
	default:
		s, err = m.Select(t.Context(), train, want)
	}
	testkit.OK(err)
	rows := func(c *corpus.Corpus) *learn.Matrix {
		transformer := testkit.Must(vectors.New(s, table.Weighting(l.WeightOr("ltc"))))
		return testkit.Must(learn.Collect(transformer.Corpus(t.Context(), c), want, s.Classes))
	}
	model := testkit.Must(l.Train(t.Context(), rows(train), learn.TrainOptions{Sets: sets}))
	said := testkit.Must(learn.Predict(t.Context(), model, rows(test), learn.PredictOptions{Sets: true}))
	var gold, predicted [][]int
	n := len(train.Classes())
	for row, doc := range orderOf(test) {
		var right, own []int
		for _, label := range test.Labels(int(doc)) {
			c, ok := slices.BinarySearch(train.Classes(), test.Classes()[label])
			if !ok {
				c = n // no class of the training
			}
			right = append(right, c)
		}
		if len(right) == 0 && !sets {
			continue
		}
		if sets {
			for _, c := range said.Sets[row] {
				own = append(own, int(c))
			}
		} else {
			own = []int{int(said.Best[row])}
		}
		gold, predicted = append(gold, right), append(predicted, own)
	}
	agrees(t, p.Result, naive.Evaluate(gold, predicted, n+1), n)
}

// agrees compares a result with the reference, whose last class is not in the training.
func agrees(t *testing.T, r *learn.Result, e naive.Evaluation, classes int) {
	t.Helper()
	testkit.Equal(testkit.Stop(t), len(r.Classes), classes, "classes of")
	mean, tp, all := 0.0, 0.0, e.FN[classes]
	for c, x := range r.Classes {
		if float64(x.TP) != e.TP[c] || float64(x.FP) != e.FP[c] || float64(x.FN) != e.FN[c] {
			t.Fatalf("class %d: %+v, want %v %v %v", c, x, e.TP[c], e.FP[c], e.FN[c])
		}
		mean += e.F1[c] / float64(classes)
		tp += 2 * e.TP[c]
		all += 2*e.TP[c] + e.FP[c] + e.FN[c]
	}
	micro := 0.0
	if all > 0 {
		micro = tp / all
	}
	testkit.Close(testkit.Stop(t), r.MacroF1, mean, 0, 1e-14, "macro", "and micro", r.Micro.F1(), "and", micro)
	testkit.Close(testkit.Stop(t), r.Micro.F1(), micro, 0, 1e-14, "macro", r.MacroF1, "and micro", "want", mean, "and")
}

// Folds measure what runs on corpora of their documents measure, whatever the threads.
func TestRunSplits(t *testing.T) {
	g := learn.Grid{K: []int{3, 0}, Classifiers: learners("svm,knn:k=3,nb"), Threads: 1, Confusion: true}
	rounds := 0
	for s, shape := range naive.Shapes {
		if shape.Docs[0] < 4 || shape.Classes[1] > 100 {
			continue
		}
		c := naive.RandomCorpus(rand.New(rand.NewPCG(uint64(s), 5)), shape)
		all := make([]int, len(c.Docs))
		for d := range all {
			all[d] = d
		}
		corpus := testkit.Must(buildOf(t, c, all))
		splits := testkit.Must(learn.Folds(corpus.Documents(), 3, learn.Dividing{Seed: 1, Strata: learn.Strata(corpus)}))
		series, err := learn.RunSplits(t.Context(), corpus, splits, g, nil)
		if errors.Is(err, ingest.ErrNoLabels) || errors.Is(err, ingest.ErrEmpty) {
			continue // a part without labels or terms
		}
		testkit.Is(testkit.Stop(t), err, nil, shape.Name)
		rounds++
		again := g
		again.Threads = 3
		other := testkit.Must(learn.RunSplits(t.Context(), corpus, splits, again, nil))
		for i, a := range series.Points {
			b := other.Points[i]
			b.Times = a.Times
			testkit.Same(testkit.Stop(t), a, b, shape.Name, "with three threads", "with one")
			mean, tp, documents := 0.0, 0, 0
			for f, o := range series.Runs {
				r := o.Points[i].Result
				mean += r.Micro.F1() / 3
				tp += r.Micro.TP
				documents += r.Documents
				train, test := inputPlaces(t, corpus, splits[f].Train), inputPlaces(t, corpus, splits[f].Test)
				foldIsRun(t, c, train, test, g, i, r, o)
			}
			if math.Abs(mean-a.Micro.Mean) > 1e-14 || a.Result.Micro.TP != tp || a.Result.Documents != documents || a.Runs != 3 {
				t.Fatalf("%s: %+v, want a mean of %v, %d right ones", shape.Name, a, mean, tp)
			}
		}
	}
	if rounds < 7 {
		t.Errorf("only %d corpora had folds", rounds)
	}
}

func orderOf(c *corpus.Corpus) []uint32 { return testkit.Must(c.InputOrder()) }

// inputPlaces are the places in the input of documents by number, ascending.
func inputPlaces(t *testing.T, c *corpus.Corpus, docs []int) (places []int) {
	t.Helper()
	for place, doc := range orderOf(c) {
		if slices.Contains(docs, int(doc)) {
			places = append(places, place)
		}
	}
	return places
}

// foldIsRun compares a point with that of corpora that were built anew; these lack the
// classes of the other part, and a label that the training lacks is not in a class.
func foldIsRun(t *testing.T, c naive.Corpus, train, test []int, g learn.Grid, i int, r *learn.Result, o *learn.Outcome) {
	t.Helper()
	a := testkit.Must(buildOf(t, c, train))
	b := testkit.Must(buildOf(t, c, test))
	single := true
	for d := range a.Documents() {
		single = single && len(a.Labels(d)) < 2
	}
	if single != !o.Sets {
		return // the whole has several labels, this part has not
	}
	want := testkit.Must(learn.Run(t.Context(), a, b, g, nil))
	if w := want.Points[i].Result; w.Micro.TP != r.Micro.TP || w.Micro.FP != r.Micro.FP || w.Exact != r.Exact || w.Documents != r.Documents {
		t.Fatalf("%+v, a run has %+v", r, w)
	}
}

func texts(t *testing.T, o corpus.Options, lines ...string) *corpus.Corpus {
	c := testkit.Must(corpus.Build(t.Context(), func(yield func(document.Document, error) bool) {
		for i, line := range lines {
			labels, text, _ := strings.Cut(line, ": ")
			doc := document.Document{ID: fmt.Sprint(i), Text: []byte(text)}
			if labels != "" {
				doc.Labels = strings.Split(labels, ",")
			}
			if !yield(doc, nil) {
				return
			}
		}
	}, o))
	return c
}

func TestRunWarns(t *testing.T) {
	train := []string{"a: apple bread", "a: apple cherry", "b: dates elder", "b: dates bread bread", ": elder"}
	for _, x := range []struct {
		name        string
		train, test []string
		grid        learn.Grid
		want        []string
		micro       float64 // of the first point
	}{
		{"all is well", train, []string{"a: apple", "b: dates"}, learn.Grid{}, nil, 1},
		{"unseen classes", train, []string{"a: apple", "z: dates", "y: elder"}, learn.Grid{}, []string{"2 classes of the test part are not in the training part (y, z): their 2 labels count as missed"}, 1. / 3},
		{"classes written otherwise", []string{"True: apple", "1: dates", "True: apple", "1: dates"}, []string{"True: apple", "true: dates", "1.0: dates"}, learn.Grid{}, []string{"2 classes of the test part are not in the training part (1.0, true): their 2 labels count as missed; \"1.0\" may be \"1\", written in another way"}, 1. / 3},
		{"no known term", train, []string{"a: xylophone", "b: yacht"}, learn.Grid{}, []string{"at 1 of 1 points no test document has a value"}, .5},
		{"no label", train, []string{"a: apple", ": dates"}, learn.Grid{}, []string{"1 test documents have no label and do not count"}, 1},
		{"several labels", train, []string{"a: apple", "a,b: dates"}, learn.Grid{}, []string{"1 test documents have several labels, the training documents one each"}, 4. / 5},
		{"k beyond the terms", train, []string{"a: apple", "b: dates"}, learn.Grid{K: []int{9, 6, 2}}, []string{"k = 6 9 is more than the 5 terms"}, 1},
		{"a term of all documents", []string{"a: apple", "b: apple"}, []string{"a: apple"}, learn.Grid{}, []string{"no training document has a value", "no test document has a value"}, 1},
		{"no convergence", train, []string{"a: apple", "b: dates"}, learn.Grid{Classifiers: []learn.Learner{{Kind: "svm", SVM: learn.SVMOptions{MaxSweeps: 1, Eps: 1e-9}}}}, []string{"2 classes did not come within eps"}, 1},
		{"one class", []string{"a: apple", "a: bread"}, []string{"a: apple"}, learn.Grid{}, []string{"there is one class only"}, 1},
	} {
		o, err := learn.Run(t.Context(), texts(t, corpus.Options{}, x.train...), texts(t, corpus.Options{}, x.test...), x.grid, nil)
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if len(o.Warnings) != len(x.want) {
			t.Errorf("%s: %q", x.name, o.Warnings)
			continue
		}
		for i, w := range x.want {
			testkit.Contains(t, o.Warnings[i], w, x.name)
		}
		testkit.Close(t, o.Points[0].Result.Micro.F1(), x.micro, 0, 1e-15, x.name, "micro-F1")
	}
}

// A class whose documents are all in the test part of a fold is never predicted there.
func TestFoldWithoutAClass(t *testing.T) {
	c := texts(t, corpus.Options{}, "a: apple bread", "a: apple cherry", "b: dates elder", "b: dates", "rare: cherry elder")
	for _, kind := range learn.LearnerKinds() {
		g := learn.Grid{Classifiers: []learn.Learner{{Kind: kind}}}
		if kind == "rule" {
			g = learn.Grid{Methods: []selection.Method{methods.Projection{Options: projection.Options{Occurrences: true}}}}
		}
		s, err := learn.RunSplits(t.Context(), c, []learn.Split{{Train: []int{0, 1, 2, 3}, Test: []int{4}}}, g, nil)
		testkit.Is(testkit.Stop(t), err, nil, kind)
		r := s.Points[0].Result
		if len(r.Classes) != 3 || r.Classes[2].TP+r.Classes[2].FP != 0 || r.Classes[2].FN != 1 {
			t.Errorf("%s: %+v", kind, r.Classes)
		}
		testkit.Equal(t, slices.ContainsFunc(s.Warnings, func(w string) bool {
			return strings.Contains(w, "1 classes have no training documents (rare): they are never predicted")
		}), true, kind, s.Warnings)
	}
}

func TestRunRefuses(t *testing.T) {
	train := texts(t, corpus.Options{}, "a: apple bread", "b: dates")
	letters := texts(t, corpus.Options{Analysis: analysis.Options{Tokens: "letters"}}, "a: apple", "b: dates")
	learner := func(kind string) []learn.Learner { return []learn.Learner{{Kind: kind}} }
	for _, x := range []struct {
		name string
		test *corpus.Corpus
		g    learn.Grid
		want error
	}{
		{"k below 0", train, learn.Grid{K: []int{-1}}, usage.ErrUsage},
		{"measure", train, learn.Grid{Methods: []selection.Method{methods.Measure{Options: rank.Options{Measure: "chy"}}}}, usage.ErrUsage},
		{"class values", train, learn.Grid{Methods: []selection.Method{methods.Measure{Options: rank.Options{Measure: "chi", Combine: "class"}}}}, usage.ErrUsage},
		{"criterion", train, learn.Grid{Methods: []selection.Method{methods.Redundancy{Criterion: "mrmx"}}}, usage.ErrUsage},
		{"no method", train, learn.Grid{Methods: []selection.Method{nil}}, usage.ErrUsage},
		{"weighting", train, learn.Grid{Weight: "bm25"}, usage.ErrUsage},
		{"classifier", train, learn.Grid{Classifiers: learner("tree")}, usage.ErrUsage},
		{"C", train, learn.Grid{Classifiers: []learn.Learner{{Kind: "svm", SVM: learn.SVMOptions{C: -1}}}}, usage.ErrUsage},
		{"neighbours", train, learn.Grid{Classifiers: []learn.Learner{{Kind: "knn", Neighbours: -1}}}, usage.ErrUsage},
		{"other analysis", letters, learn.Grid{}, usage.ErrContradiction},
	} {
		testkit.Is(t, testkit.Err(learn.Run(t.Context(), train, x.test, x.g, nil)), x.want, x.name)
	}
	testkit.Is(t, testkit.Err(learn.RunSplits(t.Context(), train, nil, learn.Grid{}, nil)), learn.ErrFolds,
		"no splits")
	if _, err := learn.RunSplits(t.Context(), train, []learn.Split{{Train: []int{0}, Test: []int{2}}}, learn.Grid{}, nil); !errors.Is(err, learn.ErrFolds) {
		t.Errorf("a document that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	g := learn.Grid{K: []int{1, 0}}
	_, err := learn.Run(ctx, train, train, g, func(p learn.Progress) {
		testkit.Equal(t, p.Points, 2, p)
		if p.Done == 1 {
			cancel()
		}
	})
	testkit.Is(t, err, context.Canceled, "cancelled")
}
