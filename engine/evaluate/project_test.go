package evaluate_test

import (
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/evaluate"
)

// The rule is right where Projection says so, and classifiers learn from its vectors.
func TestRunProjects(t *testing.T) {
	rounds, right := 0, 0
	g := evaluate.Grid{
		Methods:     []evaluate.Method{{Project: &engine.Projecting{Occurrences: true}}},
		K:           []int{3, 0},
		Classifiers: learners(t, "svm,nb"),
	}
	eachDivided(t, 6, func(t *testing.T, _ naive.Corpus, _ evaluate.Split, train, test *engine.Corpus) {
		for i, k := range g.K {
			p, err := train.Project(t.Context(), engine.Projecting{K: k, Occurrences: true})
			o, runErr := evaluate.Run(t.Context(), train, test, g, nil)
			if (err == nil) != (runErr == nil) {
				t.Fatalf("%v, a projection has %v", runErr, err)
			}
			if err != nil {
				return
			}
			rounds++
			if len(o.Points) != 6 || g.Points() != 6 {
				t.Fatalf("%d points of %d", len(o.Points), g.Points())
			}
			var score engine.RuleScore
			for v, err := range p.Corpus(t.Context(), test) {
				if err != nil {
					t.Fatal(err)
				}
				score.Add(v)
			}
			x := o.Points[3*i]
			if x.Classifier != "rule" || x.Features != len(p.Terms) || x.Result.Micro.TP != score.Right {
				t.Fatalf("%+v, want %d right by %d terms", x, score.Right, len(p.Terms))
			}
			right += score.Right
			if o.Points[3*i+1].Classifier != "svm" || o.Points[3*i+2].Classifier != "nb" {
				t.Fatalf("%+v", o.Points)
			}
		}
	})
	if rounds < shortened(40) || right == 0 {
		t.Errorf("%d projections, %d right predictions", rounds, right)
	}
}
