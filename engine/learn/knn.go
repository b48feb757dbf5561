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

// most is the largest length of the part of a unit query that a search leaves out at first.
const most = 0.1

// margin is more than the rounding of a cosine can be.
const margin = 1e-9

// A search finds neighbours with scratch of its own: it belongs to one goroutine.
//
// It adds up the products of the rarer columns only. The others, which make most of the work, can
// change a cosine by no more than the length of what the unit query has in them. So a row whose sum
// is farther below the k-th best cosine is no neighbour; the cosines of the few others are computed
// from their rows. Where that leaves too many rows, all columns are added.
type search struct {
	x       *neighbours
	query   []float32 // by column
	length  float64   // of the query
	columns []uint32  // of the query, frequent ones first
	sums    []float64 // by row, of products of the unit query and the row
	found   rank.Best[neighbour]
}

// neighbours gives the k nearest rows, the nearest first; fewer where fewer have a
// cosine above 0. The slice is reused by the next call.
func (s *search) neighbours(index []uint32, value []float32) []neighbour {
	s.columns = s.columns[:0]
	if s.length = length(value); s.length == 0 || math.IsInf(s.length, 0) || math.IsNaN(s.length) {
		return nil
	}
	for i, column := range index {
		s.columns, s.query[column] = append(s.columns, column), value[i]
	}
	slices.SortFunc(s.columns, func(a, b uint32) int { return len(s.x.of(b)) - len(s.x.of(a)) })
	left := s.add(most)
	if least := s.best(); least <= left && left > 0 {
		s.add(0)
		s.others(s.best())
	} else {
		s.others(least - left)
	}
	for _, column := range s.columns {
		s.query[column] = 0
	}
	return s.found.Sorted()
}

// of returns the rows of a column.
func (x *neighbours) of(column uint32) []posting { return x.list[x.start[column]:x.start[column+1]] }

// add sums up the products of the query's columns, but for the most frequent ones, as long as the length of
// the unit query in them is at most most. It returns this length.
func (s *search) add(most float64) (left float64) {
	clear(s.sums)
	square, scale := 0.0, 1/s.length
	for _, column := range s.columns {
		v := float64(float64(s.query[column]) * scale)
		if with := square + float64(v*v); with <= most*most {
			square = with
			continue
		}
		most = 0
		for _, p := range s.x.of(column) {
			s.sums[p.row] += float64(v * float64(p.value))
		}
	}
	return math.Sqrt(square)
}

// best finds the k rows with the largest sums, and returns the cosine that a better row must reach: 0 where
// fewer than k have one above 0.
func (s *search) best() (least float64) {
	best := rank.Best[neighbour]{Most: s.x.k, Order: nearer}
	for row, sum := range s.sums {
		if length := s.x.length[row]; sum > float64(least*length) {
			best.Offer(neighbour{row, sum / length})
			least = best.Worst().Cosine
		}
	}
	s.found = rank.Best[neighbour]{Most: s.x.k, Order: nearer}
	for _, n := range best.Sorted() {
		s.offer(n.Row)
	}
	if found := s.found.Sorted(); len(found) == s.x.k {
		return found[s.x.k-1].Cosine
	}
	return 0
}

// others looks at the rows that are not among the best and whose sums reach a cosine.
func (s *search) others(cosine float64) {
	for row, sum := range s.sums {
		if sum != 0 && sum >= float64((cosine-margin)*s.x.length[row]) {
			s.offer(row)
		}
	}
}

// offer offers a row to those found, and forgets its sum.
func (s *search) offer(row int) {
	s.sums[row] = 0
	if n := (neighbour{row, s.cosine(row)}); n.Cosine > 0 {
		s.found.Offer(n)
	}
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
