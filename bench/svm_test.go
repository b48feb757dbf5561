package bench

import (
	"fmt"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// rowsOver makes the rows of a set over all its terms, ltc.
func rowsOver(b *testing.B, s *set) *learn.Matrix {
	selection := testkit.Must(selection.Select(b.Context(), s.corpus, selection.Options{By: rank.Options{Measure: "df"}, Keep: selection.Best(s.corpus.Terms())}))
	transformer := testkit.Must(vectors.New(selection, "ltc"))
	return testkit.Must(learn.Collect(transformer.Corpus(b.Context(), s.corpus), len(selection.Features), selection.Classes))
}

// BenchmarkSVM trains all classes of a set.
func BenchmarkSVM(b *testing.B) {
	forSets(b, "20ng", func(b *testing.B, s *set) {
		rows := sync.OnceValue(func() *learn.Matrix { return rowsOver(b, s) })
		for _, loss := range []string{learn.L2Loss, learn.L1Loss} {
			for _, bias := range []float64{0, 1} {
				for _, threads := range threadCounts() {
					b.Run(fmt.Sprintf("impl=engine/loss=%s/bias=%v/set=%s/threads=%d", loss, bias, s.name, threads), func(b *testing.B) {
						trainSVM(b, rows(), learn.SVMOptions{Loss: loss, Bias: bias}, threads)
					})
				}
			}
		}
	})
}

// trainSVM measures the training.
func trainSVM(b *testing.B, m *learn.Matrix, o learn.SVMOptions, threads int) {
	b.Helper()
	loop(b, func() {
		model := testkit.Must(learn.Learner{Kind: "svm", SVM: o}.Train(b.Context(), m, learn.TrainOptions{Threads: threads}))
		testkit.Equal(b, len(model.Warnings()), 0, model.Warnings())
	})
	per(b, "element", float64(len(m.Index)))
}

// BenchmarkPredict asks an SVM about the rows that it was trained with.
func BenchmarkPredict(b *testing.B) {
	forSets(b, "20ng,S", func(b *testing.B, s *set) {
		model := sync.OnceValues(func() (*learn.Matrix, learn.Model) {
			m := rowsOver(b, s)
			l := testkit.Must(learn.Learner{Kind: "svm"}.Train(b.Context(), m, learn.TrainOptions{}))
			return m, l
		})
		for _, threads := range threadCounts() {
			b.Run(fmt.Sprintf("impl=engine/model=svm/set=%s/threads=%d", s.name, threads), func(b *testing.B) {
				m, l := model()
				var p *learn.Predictions
				loop(b, func() {
					var err error
					if p, err = learn.Predict(b.Context(), l, m, learn.PredictOptions{Threads: threads}); err != nil {
						b.Fatal(err)
					}
				})
				right := 0
				for i, class := range p.Best {
					if m.Labels(i)[0] == class {
						right++
					}
				}
				if 100*right < 95*len(p.Best) {
					b.Fatalf("%d of %d rows are right that were trained with", right, len(p.Best))
				}
				per(b, "element", float64(len(m.Index)))
			})
		}
	})
}
