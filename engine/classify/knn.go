package classify

import (
	"cmp"
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

// neighbours scores a class by the sum of the cosines of those of the k nearest training
// rows that have it (Yang's weighted voting). Cosines are sums in float64, in an order
// that the two rows alone fix. Of equal ones that of the smaller row number is nearer,
// and a row whose cosine is not above 0 is no neighbour. Unlabelled rows are neighbours
// without a vote. There is no evidence where no neighbour has a class.
type neighbours struct {
	header
	k      int
	m      *Matrix
	length []float64 // of the rows
	level  []uint8   // of the columns, see inverted
	parts  []inverted
}

// defaultK is the number of neighbours that the literature on text uses most.
const defaultK = 10

// trainKNN keeps the matrix and inverts it.
func trainKNN(ctx context.Context, m *Matrix, o KNNOptions) (*neighbours, error) {
	if err := cmp.Or(o.check(), m.checkTraining()); err != nil {
		return nil, err
	}
	x := &neighbours{header: headerOf(kindKNN, m, false), k: min(cmp.Or(o.K, defaultK), m.Rows()), m: m}
	return x, x.invert(ctx, o.Threads)
}

// invert makes the lengths, levels and inverted indexes that a search needs.
func (x *neighbours) invert(ctx context.Context, threads int) error {
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

// NewScorer makes a scorer, which needs four bytes for each column and 256 KiB. Columns that
// the model does not know are part of the row's length.
func (x *neighbours) NewScorer() Scorer { return &knnScorer{x, x.newSearch()} }

type knnScorer struct {
	x      *neighbours
	search *search
}

func (s *knnScorer) Score(index []uint32, value []float32, scores []float64) (evidence bool) {
	clear(scores)
	for _, n := range s.search.neighbours(index, value) {
		for _, c := range s.x.m.Labels(n.Row) {
			scores[c] += n.Cosine
			evidence = true
		}
	}
	return evidence
}

// code codes the number of neighbours, the number of rows of each column, and the training
// rows: the numbers of columns and labels of each, the columns, the values and the labels.
// What was read is inverted again, which takes less time than reading an inverted index.
func (x *neighbours) code(c *coder) {
	if c.reads {
		x.m = newMatrix(x.columns, x.classes)
	}
	m := x.m
	var df, sizes, labels, bits []uint32
	if !c.reads {
		df = m.frequencies()
		for i := range m.Rows() {
			sizes = append(sizes, uint32(m.Start[i+1]-m.Start[i]))
			labels = append(labels, uint32(m.LabelStart[i+1]-m.LabelStart[i]))
		}
		for _, v := range m.Value {
			bits = append(bits, math.Float32bits(v))
		}
	}
	c.count(&x.k)
	c.uint32s(&df) // the number of columns must not be a mere claim: memory depends on it
	for _, list := range []*[]uint32{&sizes, &labels, &m.Index, &bits, &m.LabelOf} {
		c.uint32s(list)
	}
	if !c.hasRead() {
		return
	}
	if len(df) != m.Columns {
		c.fail("%d columns of %d", len(df), m.Columns)
		return
	}
	m.Value = make([]float32, len(bits))
	for i, b := range bits {
		m.Value[i] = math.Float32frombits(b)
	}
	m.Start, m.LabelStart = startsAndEnd(sizes), startsAndEnd(labels)
	switch err := m.checkTraining(); {
	case err != nil:
		c.fail("%v", err)
	case !slices.Equal(df, m.frequencies()):
		c.fail("the rows of the columns are not those of the rows")
	case x.k < 1 || x.k > m.Rows():
		c.fail("%d neighbours of %d rows", x.k, m.Rows())
	default:
		if err := x.invert(context.Background(), 0); err != nil {
			c.fail("%v", err)
		}
	}
}

// startsAndEnd returns the places of consecutive pieces with these sizes, and their end.
func startsAndEnd(sizes []uint32) []int {
	start := make([]int, len(sizes)+1)
	for i, n := range sizes {
		start[i+1] = start[i] + int(n)
	}
	return start
}
