package classify

import (
	"context"
	"math"
)

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
