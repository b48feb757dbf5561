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

// centroid scores a class by the cosine of the row and the mean of the class's
// training rows, each scaled to unit length (Han and Karypis 2000); a row with
// several labels counts in each. A class without training rows has the score -Inf,
// one whose rows are all 0 has 0. There is no evidence where every cosine is 0.
type centroid struct {
	header
	empty []uint32 // classes without training rows
	cells cells    // the centroids, scaled to unit length
}

// trainCentroid learns from rows of any weighting.
func trainCentroid(ctx context.Context, m *Matrix, threads int) (*centroid, error) {
	if err := m.checkTraining(); err != nil {
		return nil, err
	}
	x := &centroid{header: headerOf(kindCentroid, m, false)}
	for c, n := range m.sizes() {
		if n == 0 {
			x.empty = append(x.empty, uint32(c))
		}
	}
	err := x.cells.learn(ctx, m, threads, summing{
		add: func(sums []float64, touched []uint32, row int) []uint32 {
			index, value := m.Row(row)
			return addValues(sums, touched, index, value, inverse(length(value)))
		},
		finish: func(_ int, _ []uint32, sums []float64) { toUnit(sums) },
	})
	return x, err
}

// NewScorer makes a scorer. It leaves out columns that the model does not know, but
// they are part of the row's length.
func (x *centroid) NewScorer() Scorer { return centroidScorer{x} }

type centroidScorer struct{ x *centroid }

func (s centroidScorer) Score(index []uint32, value []float32, scores []float64) (evidence bool) {
	x := s.x
	clear(scores)
	scale := inverse(length(value))
	for i, column := range index {
		if int(column) >= x.columns {
			continue
		}
		v := float64(float64(value[i]) * scale)
		x.cells.add(scores, column, v)
	}
	for _, v := range scores {
		evidence = evidence || v != 0
	}
	for _, c := range x.empty {
		scores[c] = math.Inf(-1)
	}
	return evidence
}

// code codes the classes without training rows and the centroids.
func (x *centroid) code(c *coder) {
	c.uint32s(&x.empty)
	if c.reads && len(x.empty) == 0 {
		x.empty = nil
	}
	if !ascend(x.empty, len(x.classes)) {
		c.fail("classes without rows that are not in order")
	}
	x.cells.code(c, &x.header)
}

// length returns the Euclidean length of a row.
func length(value []float32) float64 {
	sum := 0.0
	for _, v := range value {
		sum += float64(float64(v) * float64(v))
	}
	return math.Sqrt(sum)
}

// inverse returns 1/x, and 0 for 0.
func inverse(x float64) float64 {
	if x == 0 {
		return 0
	}
	return 1 / x
}

func toUnit(values []float64) {
	sum := 0.0
	for _, v := range values {
		sum += float64(v * v)
	}
	scale := inverse(math.Sqrt(sum))
	for i := range values {
		values[i] *= scale
	}
}

// dot is the sum of the products, in two chains by the parity of the place: one
// alone waits for its own additions.
func dot(w []float64, index []uint32, value []float32) float64 {
	var even, odd float64
	value = value[:len(index)]
	i := 0
	for ; i+1 < len(index); i += 2 {
		even += float64(w[index[i]] * float64(value[i]))
		odd += float64(w[index[i+1]] * float64(value[i+1]))
	}
	if i < len(index) {
		even += float64(w[index[i]] * float64(value[i]))
	}
	return even + odd
}

// add adds step times the row to w.
func add(w []float64, index []uint32, value []float32, step float64) {
	value = value[:len(index)]
	for i, column := range index {
		w[column] += float64(step * float64(value[i]))
	}
}

// halfSquare is w·w/2.
func halfSquare(w []float64) float64 {
	sum := 0.0
	for _, x := range w {
		sum += float64(x * x)
	}
	return sum / 2
}

// squares gives x·x + B² of every row.
func squares(m *Matrix, bias float64) []float64 {
	squares := make([]float64, m.Rows())
	for i := range squares {
		squares[i] = float64(bias * bias)
		_, value := m.Row(i)
		for _, v := range value {
			squares[i] += float64(float64(v) * float64(v))
		}
	}
	return squares
}
