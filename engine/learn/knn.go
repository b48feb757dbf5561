package learn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
)

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
	start  []int     // columns+1: the first posting of each column
	list   []posting
}

// A posting is a training row that has a column, and its value.
type posting struct {
	row   uint32
	value float32
}

// defaultK is the number of neighbours that the literature on text uses most.
const defaultK = 10

// trainKNN keeps the matrix and inverts it; 0 neighbours are 10, and more than there are rows are all.
func trainKNN(ctx context.Context, m *Matrix, k int) (*neighbours, error) {
	if err := m.checkTraining(anyValue); err != nil {
		return nil, err
	}
	x := &neighbours{header: headerOf(kindKNN, m, false), k: min(cmp.Or(k, defaultK), m.Rows()), m: m}
	return x, x.invert(ctx)
}

// invert makes the lengths of the rows and the rows of each column.
func (x *neighbours) invert(ctx context.Context) error {
	m := x.m
	x.length = make([]float64, m.Rows())
	x.start = make([]int, m.Columns+1)
	for column, n := range m.frequencies() {
		x.start[column+1] = x.start[column] + int(n)
	}
	x.list = make([]posting, len(m.Index))
	next := slices.Clone(x.start)
	for row := range x.length {
		if row%4096 == 0 && ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		index, value := m.Row(row)
		x.length[row] = length(value)
		for i, column := range index {
			x.list[next[column]] = posting{uint32(row), value[i]}
			next[column]++
		}
	}
	return nil
}

// newScorer makes a scorer, which needs four bytes for each column and eight for each row.
func (x *neighbours) newScorer() scorer {
	search := &search{x: x, query: make([]float32, x.m.Columns), sums: make([]float64, x.m.Rows())}
	return func(index []uint32, value []float32, scores []float64) (evidence bool) {
		clear(scores)
		for _, n := range search.neighbours(index, value) {
			for _, c := range x.m.Labels(n.Row) {
				scores[c] += n.Cosine
				evidence = true
			}
		}
		return evidence
	}
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
	switch err := m.checkTraining(anyValue); {
	case err != nil:
		c.fail("%v", err)
	case !slices.Equal(df, m.frequencies()):
		c.fail("the rows of the columns are not those of the rows")
	case x.k < 1 || x.k > m.Rows():
		c.fail("%d neighbours of %d rows", x.k, m.Rows())
	default:
		if err := x.invert(context.Background()); err != nil {
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

// margin is more than the rounding of a cosine can be.
const margin = 1e-9

// A search finds neighbours with scratch of its own: it belongs to one goroutine. It adds up the products of all rows
// by the columns of the query, and computes the cosines of the few rows that may be among the nearest from the rows, so
// that they do not hang on the order of sums.
type search struct {
	x      *neighbours
	query  []float32 // by column
	length float64   // of the query
	sums   []float64 // by row, of products of the unit query and the row
}

// neighbours gives the k nearest rows, the nearest first; fewer where fewer have a cosine above 0.
func (s *search) neighbours(index []uint32, value []float32) []neighbour {
	if s.length = length(value); s.length == 0 || infinite(s.length) {
		return nil
	}
	x, scale := s.x, 1/s.length
	clear(s.sums)
	for i, column := range index {
		s.query[column] = value[i]
		v := float64(float64(value[i]) * scale)
		for _, p := range x.list[x.start[column]:x.start[column+1]] {
			s.sums[p.row] += float64(v * float64(p.value))
		}
	}
	best, found, least := rank.Best[neighbour]{Most: x.k, Order: nearer}, rank.Best[neighbour]{Most: x.k, Order: nearer}, 0.0
	for row, sum := range s.sums {
		if length := x.length[row]; sum > float64(least*length) {
			best.Offer(neighbour{row, sum / length})
			least = best.Worst().Cosine
		}
	}
	for row, sum := range s.sums {
		if sum == 0 || sum < float64((least-margin)*x.length[row]) {
			continue
		}
		if n := (neighbour{row, s.cosine(row)}); n.Cosine > 0 {
			found.Offer(n)
		}
	}
	for _, column := range index {
		s.query[column] = 0
	}
	return found.Sorted()
}

// cosine returns the cosine of the query and a row. It adds in float64, where products of
// float32 are exact, to four partial sums: with one, each addition waits for the one before.
func (s *search) cosine(row int) float64 {
	index, value := s.x.m.Row(row)
	query, value := s.query, value[:len(index)]
	var a, b, c, d float64
	for len(index) >= 4 && len(value) >= 4 {
		a += float64(float64(query[index[0]]) * float64(value[0]))
		b += float64(float64(query[index[1]]) * float64(value[1]))
		c += float64(float64(query[index[2]]) * float64(value[2]))
		d += float64(float64(query[index[3]]) * float64(value[3]))
		index, value = index[4:], value[4:]
	}
	for i, column := range index {
		a += float64(float64(query[column]) * float64(value[i]))
	}
	sum := (a + b) + (c + d)
	if sum == 0 {
		return 0
	}
	return sum / float64(s.length*s.x.length[row])
}

// A neighbour is a training row with its cosine to a row.
type neighbour struct {
	Row    int
	Cosine float64
}

// nearer compares neighbours for sorting the nearest first, by cosine, then by row.
func nearer(a, b neighbour) int {
	return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.Row, b.Row))
}
