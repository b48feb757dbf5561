package bench

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// A division is a training and a test set as rows over all terms of the training.
type division struct{ train, test *classify.Matrix }

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
	s, err := selection.Select(b.Context(), train, selection.Options{Keep: selection.Best(train.Terms())})
	if err != nil {
		b.Fatal(err)
	}
	d := division{rowsOf(b, s, weight, train), rowsOf(b, s, weight, newsgroupsOf(b, "test"))}
	divisions.Store(weight, d)
	return d
}

func rowsOf(b *testing.B, s *selection.Selection, weight string, c *corpus.Corpus) *classify.Matrix {
	b.Helper()
	t, err := vectors.New(s, table.Weighting(weight))
	if err != nil {
		b.Fatal(err)
	}
	m, err := classify.Collect(t.Corpus(b.Context(), c), len(s.Features), s.Classes)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// A learner makes a model, and what the reference knows of it: the scores of a row.
type learner struct {
	kind, weight string
	train        func(b *testing.B, m *classify.Matrix) (classify.Model, error)
	naive        func(m *classify.Matrix) func(index []uint32, value []float32) []float64
	rows         int // on which the reference is measured
}

// benchmarkLearner measures training, and the classes of all test rows.
func benchmarkLearner(b *testing.B, l learner) {
	if len(asked("20ng")) == 0 {
		b.Skip("20ng is not asked for")
	}
	d := divided(b, l.weight)
	learn := func() classify.Model {
		m, err := l.train(b, d.train)
		if err != nil {
			b.Fatal(err)
		}
		return m
	}
	b.Run("impl=engine/kind="+l.kind+"/what=train/weight="+l.weight+"/set=20ng", func(b *testing.B) {
		loop(b, func() { learn() })
		per(b, "posting", float64(len(d.train.Index)))
	})
	b.Run("impl=engine/kind="+l.kind+"/what=classify/weight="+l.weight+"/set=20ng", func(b *testing.B) {
		s := learn().NewScorer()
		scores := make([]float64, len(d.train.Classes))
		right := 0
		loop(b, func() {
			right = 0
			for i := range d.test.Rows() {
				index, value := d.test.Row(i)
				s.Score(index, value, scores)
				if uint32(highest(scores)) == d.test.Labels(i)[0] {
					right++
				}
			}
		})
		per(b, "row", float64(d.test.Rows()))
		b.ReportMetric(100*float64(right)/float64(d.test.Rows()), "%right")
	})
	if l.kind != "knn" { // for which the reference does nothing
		b.Run("impl=naive/kind="+l.kind+"/what=train/weight="+l.weight+"/set=20ng", func(b *testing.B) {
			loop(b, func() { l.naive(d.train) })
			per(b, "posting", float64(len(d.train.Index)))
		})
	}
	b.Run("impl=naive/kind="+l.kind+"/what=classify/weight="+l.weight+"/set=20ng", func(b *testing.B) {
		reference, s := l.naive(d.train), learn().NewScorer()
		loop(b, func() {
			for i := range l.rows {
				index, value := d.test.Row(i * (d.test.Rows() / l.rows))
				reference(index, value)
			}
		})
		per(b, "row", float64(l.rows))
		scores := make([]float64, len(d.train.Classes))
		for i := range l.rows {
			index, value := d.test.Row(i * (d.test.Rows() / l.rows))
			s.Score(index, value, scores)
			for c, want := range reference(index, value) {
				if math.Abs(scores[c]-want) > 1e-9*math.Max(1, math.Abs(want)) {
					b.Fatalf("row %d, class %d: the engine has %v, the reference %v", i, c, scores[c], want)
				}
			}
		}
	})
}

func highest(scores []float64) int {
	best := 0
	for c, s := range scores {
		if s > scores[best] {
			best = c
		}
	}
	return best
}

// BenchmarkNaiveBayes has counts of all terms.
func BenchmarkNaiveBayes(b *testing.B) {
	o := classify.TrainOptions{Threads: runtime.GOMAXPROCS(0)}
	benchmarkLearner(b, learner{"multinomial", "tf", func(b *testing.B, m *classify.Matrix) (classify.Model, error) {
		return classify.Learner{Kind: "nb"}.Train(b.Context(), m, o)
	}, plainMultinomial, 500})
	benchmarkLearner(b, learner{"bernoulli", "tf", func(b *testing.B, m *classify.Matrix) (classify.Model, error) {
		return classify.Learner{Kind: "bernoulli"}.Train(b.Context(), m, o)
	}, plainBernoulli, 20})
}

// BenchmarkCentroid has ltc weights of all terms.
func BenchmarkCentroid(b *testing.B) {
	benchmarkLearner(b, learner{"centroid", "ltc", func(b *testing.B, m *classify.Matrix) (classify.Model, error) {
		return classify.Learner{Kind: "centroid"}.Train(b.Context(), m, classify.TrainOptions{Threads: runtime.GOMAXPROCS(0)})
	}, plainCentroids, 500})
}

// BenchmarkKNN has ten neighbours, and all terms.
func BenchmarkKNN(b *testing.B) {
	for _, weight := range []string{"ltc", "tf"} {
		benchmarkLearner(b, learner{"knn", weight, func(b *testing.B, m *classify.Matrix) (classify.Model, error) {
			return classify.Learner{Kind: "knn"}.Train(b.Context(), m, classify.TrainOptions{Threads: runtime.GOMAXPROCS(0)})
		}, plainNeighbours, 50})
	}
}

// sumsOf adds up, by class and column, f of every element.
func sumsOf(m *classify.Matrix, f func(row, element int) float64) [][]float64 {
	_, sums := denseTable(len(m.Classes), m.Columns)
	for row := range m.Rows() {
		for i := m.Start[row]; i < m.Start[row+1]; i++ {
			for _, c := range m.Labels(row) {
				sums[c][m.Index[i]] += f(row, i)
			}
		}
	}
	return sums
}

func plainMultinomial(m *classify.Matrix) func([]uint32, []float32) []float64 {
	theta := sumsOf(m, func(_, i int) float64 { return float64(m.Value[i]) })
	sizes := sizesOf(m)
	for _, row := range theta {
		total := sum(row) + float64(m.Columns)
		for t, s := range row {
			row[t] = math.Log((s + 1) / total)
		}
	}
	return func(index []uint32, value []float32) []float64 {
		scores := make([]float64, len(theta))
		for c := range scores {
			scores[c] = math.Log(sizes[c] / float64(m.Rows()))
			for i, t := range index {
				scores[c] += float64(value[i]) * theta[c][t]
			}
		}
		return scores
	}
}

func plainBernoulli(m *classify.Matrix) func([]uint32, []float32) []float64 {
	theta := sumsOf(m, func(_, _ int) float64 { return 1 })
	sizes := sizesOf(m)
	return func(index []uint32, _ []float32) []float64 {
		scores := make([]float64, len(theta))
		for c, n := range sizes {
			scores[c] = math.Log(n / float64(m.Rows()))
			for t, a := range theta[c] {
				if _, there := slices.BinarySearch(index, uint32(t)); !there {
					a = n - a
				}
				scores[c] += math.Log((a + 1) / (n + 2))
			}
		}
		return scores
	}
}

func sizesOf(m *classify.Matrix) []float64 {
	sizes := make([]float64, len(m.Classes))
	for _, c := range m.LabelOf {
		sizes[c]++
	}
	return sizes
}

// lengthOf is that of a row.
func lengthOf(value []float32) float64 {
	squares := 0.
	for _, v := range value {
		squares += float64(v) * float64(v)
	}
	return math.Sqrt(squares)
}

func plainCentroids(m *classify.Matrix) func([]uint32, []float32) []float64 {
	lengths := make([]float64, m.Rows())
	for row := range lengths {
		_, value := m.Row(row)
		lengths[row] = lengthOf(value)
	}
	means := sumsOf(m, func(row, i int) float64 { return float64(m.Value[i]) / lengths[row] })
	for _, mean := range means {
		squares := 0.
		for _, v := range mean {
			squares += v * v
		}
		for t := range mean {
			mean[t] /= math.Sqrt(squares)
		}
	}
	return func(index []uint32, value []float32) []float64 {
		scores, length := make([]float64, len(means)), lengthOf(value)
		for c, mean := range means {
			for i, t := range index {
				scores[c] += float64(value[i]) * mean[t]
			}
			scores[c] /= length
		}
		return scores
	}
}

func plainNeighbours(m *classify.Matrix) func([]uint32, []float32) []float64 {
	return func(index []uint32, value []float32) []float64 {
		query, cosines := make([]float64, m.Columns), make([]float64, m.Rows())
		for i, t := range index {
			query[t] = float64(value[i])
		}
		order := make([]int, m.Rows())
		for row := range cosines {
			order[row] = row
			columns, values := m.Row(row)
			for i, t := range columns {
				cosines[row] += query[t] * float64(values[i])
			}
			if cosines[row] > 0 {
				cosines[row] /= lengthOf(values) * lengthOf(value)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int {
			if cosines[a] > cosines[b] {
				return -1
			} else if cosines[a] < cosines[b] {
				return 1
			}
			return 0
		})
		scores := make([]float64, len(m.Classes))
		for _, row := range order[:10] {
			for _, c := range m.Labels(row) {
				scores[c] += cosines[row]
			}
		}
		return scores
	}
}
