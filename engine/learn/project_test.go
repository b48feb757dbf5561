package learn_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// A model of a projection predicts what the projection does, and a classifier behind it
// what a run on cluster vectors does.
func TestProjectedModels(t *testing.T) {
	rounds := 0
	eachDivided(t, 6, func(t *testing.T, _ naive.Corpus, _ learn.Split, train, test *corpus.Corpus) {
		p, err := projection.Project(t.Context(), train, projection.Options{Occurrences: true, Unit: rounds%2 == 0})
		if errors.Is(err, selection.ErrNothingSelected) {
			return
		}
		testkit.OK(err)
		rounds++
		rows := func(c *corpus.Corpus) *learn.Matrix {
			transformer := testkit.Must(vectors.New(p.Selection, "tf"))
			return testkit.Must(learn.Collect(transformer.Corpus(t.Context(), c), len(p.Terms), p.Classes))
		}
		model := testkit.Must(learners("rule")[0].Train(t.Context(), rows(train), learn.TrainOptions{Clusters: p.Map}))
		said := testkit.Must(learn.Predict(t.Context(), model, rows(test), learn.PredictOptions{}))
		i, score := 0, projection.RuleScore{}
		for v := range testkit.All(p.Corpus(t.Context(), test)) {
			if v.Predicted != int(said.Best[i]) || v.Guessed == said.Evidence[i] {
				t.Fatalf("document %s: class %d, of the model %d", v.ID, v.Predicted, said.Best[i])
			}
			score.Add(v)
			i++
		}
		o := testkit.Must(learn.Run(t.Context(), train, test, learn.Grid{
			Methods: []selection.Method{methods.Projection{Options: projection.Options{Occurrences: true, Unit: (rounds-1)%2 == 0}}}, Classifiers: learners("svm"),
		}, nil))
		if x := o.Points[0]; x.Classifier != "rule" || x.Features != len(p.Terms) || x.Result.Micro.TP != score.Right {
			t.Fatalf("%+v, want %d right by %d terms", x, score.Right, len(p.Terms))
		}
		if o.Sets {
			return // assigned, not predicted
		}
		model = testkit.Must(learners("svm")[0].Train(t.Context(), rows(train), learn.TrainOptions{Clusters: p.Map}))
		said = testkit.Must(learn.Predict(t.Context(), model, rows(test), learn.PredictOptions{}))
		right := 0
		for i, doc := range orderOf(test) {
			for _, l := range test.Labels(int(doc)) {
				if class, ok := slices.BinarySearch(p.Classes, test.Classes()[l]); ok && class == int(said.Best[i]) {
					right++
				}
			}
		}
		testkit.Equal(testkit.Stop(t), o.Points[1].Result.Micro.TP, right, "right by the run")
	})
	if rounds < shortened(40) {
		t.Errorf("%d projections", rounds)
	}
}
