package report_test

import (
	"bytes"
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/compare"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// This file makes a report of a real experiment on the texts of the command's demo.

func demoPart(t *testing.T, split string) *corpus.Corpus {
	t.Helper()
	s, err := reader.Read(t.Context(), []string{"../../cmd/termsift/demo/corpus.jsonl"}, reader.Options{Split: split})
	if err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Build(t.Context(), s.Documents(), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func rows(t *testing.T, s *selection.Selection, c *corpus.Corpus) *classify.Matrix {
	t.Helper()
	tr, err := vectors.New(s, "ltc")
	if err != nil {
		t.Fatal(err)
	}
	m, err := classify.Collect(tr.Corpus(t.Context(), c), len(s.Features), s.Classes)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// tried trains on a selection, and predicts the classes of the test documents.
func tried(t *testing.T, classifier string, training, test *classify.Matrix) (r *evaluate.Result, train, predict time.Duration) {
	t.Helper()
	start := time.Now()
	model, err := classify.Learner{Kind: classifier}.Train(t.Context(), training, classify.TrainOptions{})
	if err != nil {
		t.Fatal(err)
	}
	train, start = time.Since(start), time.Now()
	p, err := classify.Predict(t.Context(), model, test, classify.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	predict = time.Since(start)
	var right, said []int
	for i := range test.Rows() {
		right, said = append(right, int(test.Labels(i)[0])), append(said, int(p.Best[i]))
	}
	if r, err = evaluate.Single(training.Classes, right, said); err != nil {
		t.Fatal(err)
	}
	return r, train, predict
}

func TestReportOfAnExperiment(t *testing.T) {
	training, test := demoPart(t, "train"), demoPart(t, "test")
	methods := []string{"chi", "ig", "df", "mi"}
	r := &report.Report{Title: "The texts of the demo", Facts: []report.Fact{{Name: "Weights", Value: "ltc"}}}
	var rankings []*rank.Ranking
	for _, by := range methods {
		ranked, err := rank.Several(t.Context(), training, rank.Options{Measure: rank.Measure(by)})
		if err != nil {
			t.Fatal(err)
		}
		rankings = append(rankings, ranked...)
		for _, k := range []int{20, 60, 200, 600} {
			start := time.Now()
			s, err := selection.Select(t.Context(), training, selection.Options{By: rank.Options{Measure: rank.Measure(by)}, Keep: selection.Best(k)})
			if err != nil {
				t.Fatal(err)
			}
			selecting := time.Since(start)
			a, b := rows(t, s, training), rows(t, s, test)
			for _, classifier := range []string{"centroid", "svm"} {
				e, train, predict := tried(t, classifier, a, b)
				r.Points = append(r.Points, report.Point{
					Method: by, Classifier: classifier, K: k, MicroF1: e.Micro.F1(), MacroF1: e.MacroF1,
					Select: selecting, Train: train, Predict: predict,
				})
			}
		}
	}
	addTerms(t, r, training)
	addOverlaps(t, r, methods, rankings)
	var page bytes.Buffer
	if err := r.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"micro-F1 of svm by number of terms", "macro-F1 of centroid by number of terms", "<bdi>bishop</bdi>", "Keyness of chess"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is not in the report", want)
		}
	}
	best := slices.MaxFunc(r.Points, func(a, b report.Point) int { return cmp.Compare(a.MicroF1, b.MicroF1) })
	if best.MicroF1 < .6 {
		t.Errorf("the best micro-F1 is %.3f: the demo prints more", best.MicroF1)
	}
	if dir := os.Getenv("TERMSIFT_SCREENSHOTS"); dir != "" {
		if err := os.WriteFile(dir+"/demo.html", page.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func addTerms(t *testing.T, r *report.Report, c *corpus.Corpus) {
	t.Helper()
	for _, class := range c.Classes() {
		for _, by := range []string{"chi", "logoddsz"} {
			ranking, err := rank.Class(t.Context(), c, class, rank.Options{Measure: rank.Measure(by), Signed: by == "logoddsz"})
			if err != nil {
				t.Fatal(err)
			}
			list, bars := report.TermList{Class: class, Method: by}, report.Keyness{Class: class, Measure: by}
			for _, e := range ranking.Top(10) {
				list.Terms = append(list.Terms, report.Term{Term: e.Term, Score: e.Value, DF: e.DF, A: e.A, B: e.B})
				bars.Terms = append(bars.Terms, report.Bar{Term: e.Term, Value: e.Value})
			}
			r.TopTerms = append(r.TopTerms, list)
			if by == "logoddsz" {
				r.Keyness = append(r.Keyness, bars)
			}
		}
	}
}

func addOverlaps(t *testing.T, r *report.Report, methods []string, rankings []*rank.Ranking) {
	t.Helper()
	c, err := compare.Rankings(t.Context(), compare.Options{K: []int{20, 200}, OverlapsOnly: true}, rankings...)
	if err != nil {
		t.Fatal(err)
	}
	for at, k := range c.K {
		o := report.Overlap{K: k, Methods: methods}
		for i := range methods {
			row := make([]int, len(methods))
			for j := range methods {
				if i == j {
					row[j] = c.Size(k, i)
				} else {
					row[j] = c.Pair(i, j).At[at].Shared
				}
			}
			o.Shared = append(o.Shared, row)
		}
		r.Overlaps = append(r.Overlaps, o)
	}
}
