package bench

import (
	"reflect"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
)

// BenchmarkEvaluate measures ten k on 20 Newsgroups by a classifier that learns fast:
// in one run, and in a run for each k, which must give the same results.
func BenchmarkEvaluate(b *testing.B) {
	train, test := newsgroups(b), newsgroupsOf(b, "test")
	g := learn.Grid{
		Methods:     []selection.Method{methods.Measure{Options: rank.Options{Measure: rank.IG}}},
		K:           []int{500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 100_000, 0},
		Classifiers: []learn.Learner{{Kind: "nb"}},
		Threads:     1,
	}
	run := func(k ...int) (points []learn.Point) {
		own := g
		own.K = k
		o := testkit.Must(learn.Run(b.Context(), train, test, own, nil))
		for _, p := range o.Points {
			p.Times = learn.Times{}
			points = append(points, p)
		}
		return points
	}
	apart := func() (points []learn.Point) {
		for _, k := range g.K {
			points = append(points, run(k)...)
		}
		return points
	}
	if !reflect.DeepEqual(run(g.K...), apart()) {
		b.Fatal("one run has other results than a run for each k")
	}
	b.Run("impl=engine/set=20ng", func(b *testing.B) {
		for b.Loop() {
			run(g.K...)
		}
	})
	b.Run("impl=apart/set=20ng", func(b *testing.B) {
		for b.Loop() {
			apart()
		}
	})
}
