package bench

import (
	"context"
	"math"
	"runtime"
	"testing"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/selection"
)

// r90 is the training part of Reuters R90 over 2,000 terms by chi, in ltc weights.
func r90(b *testing.B) *classify.Matrix {
	b.Helper()
	paths := []string{lab.Corpus(b, "reuters21578.tar.gz")}
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

// BenchmarkThresholds chooses the thresholds of all classes; the reference tries every
// one for two classes, on scores that are there.
func BenchmarkThresholds(b *testing.B) {
	if len(asked("R90")) == 0 {
		b.Skip("R90 is not asked for")
	}
	m := r90(b)
	for _, kind := range []string{"knn", "centroid"} {
		l := classify.Learner{Kind: kind}
		var model classify.Model
		b.Run("impl=engine/kind="+kind+"/what=train/set=R90", func(b *testing.B) {
			loop(b, func() {
				var err error
				o := classify.TrainOptions{Sets: true, Threads: runtime.GOMAXPROCS(0)}
				if model, err = l.Train(b.Context(), m, o); err != nil {
					b.Fatal(err)
				}
			})
			per(b, "row", float64(m.Rows()))
		})
		b.Run("impl=naive/kind="+kind+"/what=choose/set=R90", func(b *testing.B) {
			scores, labels := heldOut(b, l, m)
			var want []float64
			loop(b, func() { want = naive.SCut(scores, labels, 2) })
			per(b, "row", float64(m.Rows()))
			x, ok := model.(interface{ Threshold(class int) float64 })
			if !ok {
				return // the engine was not asked for
			}
			for c, t := range want {
				if math.Abs(x.Threshold(c)-t) > 1e-12 {
					b.Fatalf("class %d: the engine has the threshold %v, the reference %v", c, x.Threshold(c), t)
				}
			}
		})
	}
}

// heldOut gives what models of the other folds say of every row, and its labels.
func heldOut(b *testing.B, l classify.Learner, m *classify.Matrix) (scores [][]float64, labels [][]int) {
	b.Helper()
	strata := make([]int, m.Rows())
	for row := range strata {
		labels = append(labels, nil)
		for _, c := range m.Labels(row) {
			labels[row] = append(labels[row], int(c))
		}
		if strata[row] = -1; len(labels[row]) > 0 {
			strata[row] = labels[row][0]
		}
	}
	splits, err := evaluate.Folds(m.Rows(), 5, evaluate.Dividing{Strata: strata})
	if err != nil {
		b.Fatal(err)
	}
	scores = make([][]float64, m.Rows())
	for _, split := range splits {
		model, err := l.Train(context.Background(), some(m, split.Train), classify.TrainOptions{})
		if err != nil {
			b.Fatal(err)
		}
		s := model.NewScorer()
		for _, row := range split.Test {
			index, value := m.Row(row)
			if v := make([]float64, len(m.Classes)); s.Score(index, value, v) {
				scores[row] = v
			}
		}
	}
	return scores, labels
}

// some gives a matrix of some rows.
func some(m *classify.Matrix, rows []int) *classify.Matrix {
	part := &classify.Matrix{Columns: m.Columns, Classes: m.Classes, Start: []int{0}, LabelStart: []int{0}}
	for _, row := range rows {
		index, value := m.Row(row)
		part.Index, part.Value = append(part.Index, index...), append(part.Value, value...)
		part.LabelOf = append(part.LabelOf, m.Labels(row)...)
		part.Start, part.LabelStart = append(part.Start, len(part.Index)), append(part.LabelStart, len(part.LabelOf))
	}
	return part
}
