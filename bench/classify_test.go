package bench

import (
	"runtime"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// A division is a training and a test set as rows over all terms of the training.
type division struct{ train, test *learn.Matrix }

var divisions sync.Map

// divided gives the rows of 20 Newsgroups in a weighting, the first time on all
// processors.
func divided(b *testing.B, weight string) division {
	b.Helper()
	if d, ok := divisions.Load(weight); ok {
		return d.(division)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU()))
	train := newsgroups(b)
	s := testkit.Must(selection.Select(b.Context(), train, selection.Options{Keep: selection.Best(train.Terms())}))
	d := division{rowsOf(b, s, weight, train), rowsOf(b, s, weight, newsgroupsOf(b, "test"))}
	divisions.Store(weight, d)
	return d
}

func rowsOf(b *testing.B, s *selection.Selection, weight string, c *corpus.Corpus) *learn.Matrix {
	t := testkit.Must(vectors.New(s, table.Weighting(weight)))
	return testkit.Must(learn.Collect(t.Corpus(b.Context(), c), len(s.Features), s.Classes))
}

// benchmarkLearner measures training a kind of model, and the classes of all test rows.
func benchmarkLearner(b *testing.B, kind, name, weight string) {
	if len(asked("20ng")) == 0 {
		b.Skip("20ng is not asked for")
	}
	d := divided(b, weight)
	train := func() learn.Model {
		return testkit.Must(learn.Learner{Kind: kind}.Train(b.Context(), d.train, learn.TrainOptions{Threads: runtime.GOMAXPROCS(0)}))
	}
	b.Run("impl=engine/kind="+name+"/what=train/weight="+weight+"/set=20ng", func(b *testing.B) {
		loop(b, func() { train() })
		per(b, "posting", float64(len(d.train.Index)))
	})
	b.Run("impl=engine/kind="+name+"/what=classify/weight="+weight+"/set=20ng", func(b *testing.B) {
		model := train()
		right := 0
		loop(b, func() {
			right = 0
			said := testkit.Must(learn.Predict(b.Context(), model, d.test, learn.PredictOptions{Threads: 1}))
			for i, class := range said.Best {
				if class == d.test.Labels(i)[0] {
					right++
				}
			}
		})
		per(b, "row", float64(d.test.Rows()))
		b.ReportMetric(100*float64(right)/float64(d.test.Rows()), "%right")
	})
}

// BenchmarkNaiveBayes has counts of all terms.
func BenchmarkNaiveBayes(b *testing.B) {
	benchmarkLearner(b, "nb", "multinomial", "tf")
	benchmarkLearner(b, "bernoulli", "bernoulli", "tf")
}

// BenchmarkCentroid has ltc weights of all terms.
func BenchmarkCentroid(b *testing.B) { benchmarkLearner(b, "centroid", "centroid", "ltc") }

// BenchmarkKNN has ten neighbours, and all terms.
func BenchmarkKNN(b *testing.B) {
	for _, weight := range []string{"ltc", "tf"} {
		benchmarkLearner(b, "knn", "knn", weight)
	}
}
