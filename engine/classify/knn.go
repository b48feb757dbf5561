package classify

import (
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// KNNOptions change the nearest neighbours. The zero value takes ten.
type KNNOptions struct {
	// K is the number of neighbours; 0 is 10. More than there are rows means all.
	K int
	// Threads is the number of workers; 0 is GOMAXPROCS.
	Threads int
}

// KNN scores a class by the sum of the cosines of those of the k nearest training
// rows that have it (Yang's weighted voting). Cosines are sums in float64, in an order
// that the two rows alone fix. Of equal ones that of the smaller row number is nearer,
// and a row whose cosine is not above 0 is no neighbour. Unlabelled rows are neighbours
// without a vote. There is no evidence where no neighbour has a class.
type KNN struct {
	trained
	k      int
	m      *Matrix
	length []float64 // of the rows
	level  []uint8   // of the columns, see inverted
	parts  []inverted
}

// defaultK is the number of neighbours that the literature on text uses most.
const defaultK = 10

// TrainKNN keeps the matrix and inverts it.
func TrainKNN(ctx context.Context, m *Matrix, o KNNOptions) (*KNN, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.K == 0 {
		o.K = defaultK
	}
	if err := m.checkTraining(); err != nil {
		return nil, err
	}
	x := &KNN{trained: newTrained(kindKNN, m, m.sizes()), k: min(o.K, m.Rows()), m: m}
	if err := x.invert(ctx, o.Threads); err != nil {
		return nil, err
	}
	return x, nil
}

// invert makes the lengths, levels and inverted indexes that a search needs.
func (x *KNN) invert(ctx context.Context, threads int) error {
	m := x.m
	x.length = make([]float64, m.Rows())
	for row := range x.length {
		_, value := m.Row(row)
		x.length[row] = length(value)
	}
	x.level = m.levels()
	x.parts = make([]inverted, (m.Rows()+partRows-1)/partRows)
	return pool.Run(ctx, threads, len(x.parts), func(_, part int) error {
		return x.parts[part].fill(ctx, x, part*partRows)
	})
}

func (o KNNOptions) check() error {
	if o.K < 0 {
		return usage.Errorf("the number of neighbours must be positive, not %d", o.K)
	}
	return nil
}

// K is the number of neighbours.
func (x *KNN) K() int { return x.k }

// NewScorer makes a scorer, which needs four bytes for each column and 256 KiB. It
// leaves out columns that the model does not know, but they are part of the row's
// length.
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

// encode writes the number of neighbours, the number of rows of each column, and the
// training rows: the numbers of columns and labels of each, the columns, the values and the
// labels.
func (x *KNN) encode(e *encoder) {
	m := x.m
	e.count(x.k)
	e.uint32s(m.frequencies())
	sizes, labels := make([]uint32, m.Rows()), make([]uint32, m.Rows())
	for i := range sizes {
		sizes[i] = uint32(m.Start[i+1] - m.Start[i])
		labels[i] = uint32(m.LabelStart[i+1] - m.LabelStart[i])
	}
	e.uint32s(sizes)
	e.uint32s(labels)
	e.uint32s(m.Index)
	bits := make([]uint32, len(m.Value))
	for i, v := range m.Value {
		bits[i] = math.Float32bits(v)
	}
	e.uint32s(bits)
	e.uint32s(m.LabelOf)
}

// decode inverts the rows again, which takes less time than reading an inverted index.
func (x *KNN) decode(d *decoder) {
	m := &Matrix{Columns: x.columns, Classes: x.classes}
	x.k, x.m = d.count(), m
	df := d.uint32s() // the number of columns must not be a mere claim: memory depends on it
	sizes, labels := d.uint32s(), d.uint32s()
	m.Index = d.uint32s()
	bits := d.uint32s()
	m.LabelOf = d.uint32s()
	if d.err != nil || len(df) != m.Columns {
		d.fail("%d columns of %d", len(df), m.Columns)
		return
	}
	m.Value = make([]float32, len(bits))
	for i, b := range bits {
		m.Value[i] = math.Float32frombits(b)
	}
	m.Start, m.LabelStart = added(sizes), added(labels)
	if err := m.checkTraining(); err != nil {
		d.fail("%v", err)
		return
	}
	if !slices.Equal(df, m.frequencies()) {
		d.fail("the rows of the columns are not those of the rows")
		return
	}
	if x.k < 1 || x.k > m.Rows() {
		d.fail("%d neighbours of %d rows", x.k, m.Rows())
		return
	}
	if err := x.invert(context.Background(), 0); err != nil {
		d.fail("%v", err)
	}
}
