package bench

import (
	"runtime"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/selection"
)

// r90 is the training part of Reuters R90 over 2,000 terms by chi, in ltc weights.
func r90(b *testing.B) *learn.Matrix {
	b.Helper()
	paths := []string{testkit.Corpus(b, "reuters21578.tar.gz")}
	o := reader.Options{Labels: "topics", Labelled: true, ReutersSplit: "modapte"}
	var err error
	if o.Classes, err = reader.CommonClasses(b.Context(), paths, o); err != nil {
		b.Fatal(err)
	}
	o.Split = "train"
	source, err := reader.Read(b.Context(), paths, o)
	if err != nil {
		b.Fatal(err)
	}
	c, err := corpus.Build(b.Context(), source.Documents(), corpus.Options{Analysis: analysis.Options{Tokens: "letters", Stop: "glasgow", Stem: "porter"}})
	if err != nil {
		b.Fatal(err)
	}
	s, err := selection.Select(b.Context(), c, selection.Options{Keep: selection.Best(2000)})
	if err != nil {
		b.Fatal(err)
	}
	return rowsOf(b, s, "ltc", c)
}

// BenchmarkThresholds chooses the thresholds of all classes.
func BenchmarkThresholds(b *testing.B) {
	if len(asked("R90")) == 0 {
		b.Skip("R90 is not asked for")
	}
	m := r90(b)
	for _, kind := range []string{"knn", "centroid"} {
		l := learn.Learner{Kind: kind}
		b.Run("impl=engine/kind="+kind+"/what=train/set=R90", func(b *testing.B) {
			loop(b, func() {
				testkit.Must(l.Train(b.Context(), m, learn.TrainOptions{Sets: true, Threads: runtime.GOMAXPROCS(0)}))
			})
			per(b, "row", float64(m.Rows()))
		})
	}
}
