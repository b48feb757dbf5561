package classify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/pool"
)

// KNNOptions change the nearest neighbours. The zero value takes ten.
type KNNOptions struct {
	// K is the number of neighbours; 0 is 10. More than there are rows means all.
	K int
	// Threads is the number of workers; 0 is GOMAXPROCS.
	Threads int
}

// KNN scores a class by the sum of the cosines of those of the k nearest training
// rows that have it (Yang's weighted voting). A row is near by its cosine, in float64
// over ascending columns; of equal ones the smaller row number is nearer, and one whose
// cosine is not above 0 is no neighbour. Unlabelled rows are neighbours without a vote.
// There is no evidence where no neighbour has a class.
type KNN struct {
	k      int
	m      *Matrix
	length []float64 // of the rows
	index  *inverted
}

// defaultK is the k of the literature on text.
const defaultK = 10

// TrainKNN keeps the matrix and inverts it.
func TrainKNN(ctx context.Context, m *Matrix, o KNNOptions) (*KNN, error) {
	if o.K < 0 {
		return nil, fmt.Errorf("%w: the number of neighbours must be positive, not %d", engine.ErrUsage, o.K)
	}
	if o.K == 0 {
		o.K = defaultK
	}
	if err := m.checkLabelled(); err != nil {
		return nil, err
	}
	if err := m.badValue(false); err != nil {
		return nil, err
	}
	x := &KNN{k: min(o.K, m.Rows()), m: m, length: make([]float64, m.Rows())}
	for row := range x.length {
		_, value := m.Row(row)
		x.length[row] = length(value)
	}
	var err error
	x.index, err = invert(ctx, m, x.length, o.Threads)
	if err != nil {
		return nil, err
	}
	return x, nil
}

// Kind is "knn".
func (x *KNN) Kind() string { return "knn" }

// Classes are the names of the classes.
func (x *KNN) Classes() []string { return x.m.Classes }

// Columns is the number of columns that the model knows.
func (x *KNN) Columns() int { return x.m.Columns }

// K is the number of neighbours.
func (x *KNN) K() int { return x.k }

// NewScorer makes a scorer, which needs eight bytes for each column and four for each
// training row. It leaves out columns that the model does not know, but they are part
// of the row's length.
func (x *KNN) NewScorer() Scorer { return &knnScorer{x, x.NewSearch()} }

type knnScorer struct {
	x      *KNN
	search *Search
}

func (s *knnScorer) Score(index []uint32, value []float32, scores []float64) (evidence bool) {
	clear(scores)
	for _, n := range s.search.Neighbours(index, value) {
		for _, c := range s.x.m.Labels(n.Row) {
			scores[c] += n.Cosine
			evidence = true
		}
	}
	return evidence
}

// An inverted index has the rows of each column, in floats of single precision: it
// finds candidates, whose cosines are then computed from the rows themselves.
type inverted struct {
	start  []int // columns+1
	row    []uint32
	weight []float32 // the value over the length of the row

	// Columns are levelled by df: those of level l occur in no more than a bound of
	// rows that grows by a factor of sqrt(2) from one to the next. rest[l][row] is the
	// length of what the unit row has in columns above level l, for Cauchy and
	// Schwarz: 0 of the last.
	level []uint8 // of columns
	rest  [][]float32
	// plain says that no product of weights is negative or underflows, as far as the
	// training rows go.
	plain bool
}

const (
	levels      = 14
	leastPlain  = 1e-18
	levelFactor = math.Sqrt2
)

// invert makes the index.
func invert(ctx context.Context, m *Matrix, length []float64, threads int) (*inverted, error) {
	x := &inverted{start: make([]int, m.Columns+1), plain: true}
	postings := m.Start[m.Rows()] - m.Start[0]
	for _, column := range m.Index[m.Start[0]:m.Start[m.Rows()]] {
		x.start[column]++
	}
	x.level = levelled(x.start[:m.Columns], m.Rows())
	n := 0
	for column, df := range x.start {
		x.start[column] = n
		n += df
	}
	x.row, x.weight = make([]uint32, postings), make([]float32, postings)
	for row := range m.Rows() {
		if row%4096 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		x.add(m, row, inverse(length[row]))
	}
	copy(x.start[1:], x.start[:m.Columns])
	x.start[0] = 0
	return x, x.makeRests(ctx, m, length, threads)
}

func (x *inverted) add(m *Matrix, row int, scale float64) {
	index, value := m.Row(row)
	for i, column := range index {
		at := x.start[column]
		x.start[column] = at + 1
		w := float32(float64(value[i]) * scale)
		x.row[at], x.weight[at] = uint32(row), w
		x.plain = x.plain && w >= leastPlain
	}
}

// levelled gives the level of each column, from 0 to levels-1.
func levelled(df []int, rows int) []uint8 {
	bounds := make([]float64, levels-1)
	bound := float64(rows)
	for l := range bounds {
		bound /= levelFactor
		bounds[len(bounds)-1-l] = bound
	}
	level := make([]uint8, len(df))
	for column, n := range df {
		l, _ := slices.BinarySearch(bounds, float64(n))
		level[column] = uint8(l)
	}
	return level
}

// makeRests sets the lengths of what is above each level.
func (x *inverted) makeRests(ctx context.Context, m *Matrix, length []float64, threads int) error {
	x.rest = make([][]float32, levels)
	for l := range x.rest {
		x.rest[l] = make([]float32, m.Rows())
	}
	const chunk = 1024
	return pool.Run(ctx, threads, (m.Rows()+chunk-1)/chunk, func(_, n int) error {
		for row := n * chunk; row < min((n+1)*chunk, m.Rows()); row++ {
			var squares [levels]float64
			index, value := m.Row(row)
			for i, column := range index {
				v := float64(value[i])
				squares[x.level[column]] += float64(v * v)
			}
			scale, above := inverse(length[row]), 0.0
			for l := levels - 2; l >= 0; l-- {
				above += squares[l+1]
				x.rest[l][row] = roundUp(math.Sqrt(above) * scale)
			}
		}
		return nil
	})
}

// roundUp is a float32 that is larger by a few units in the last place.
func roundUp(v float64) float32 { return float32(v * (1 + 1e-6)) }
