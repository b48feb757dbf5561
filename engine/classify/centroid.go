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
func trainCentroid(ctx context.Context, m *Matrix) (*centroid, error) {
	if err := m.checkTraining(); err != nil {
		return nil, err
	}
	x := &centroid{header: headerOf(kindCentroid, m, false)}
	for c, n := range m.sizes() {
		if n == 0 {
			x.empty = append(x.empty, uint32(c))
		}
	}
	scale := func(row int) float64 {
		_, value := m.Row(row)
		return inverse(length(value))
	}
	return x, x.cells.learn(ctx, m, scale, func(_ int, c *classCells) {
		sum := 0.0
		for _, v := range c.values {
			sum += float64(v * v)
		}
		toUnit := inverse(math.Sqrt(sum))
		for i := range c.values {
			c.values[i] *= toUnit
		}
	})
}

func (x *centroid) newScorer() scorer { return x.score }

func (x *centroid) score(index []uint32, value []float32, scores []float64) (evidence bool) {
	clear(scores)
	scale := inverse(length(value))
	for i, column := range index {
		x.cells.add(scores, column, float64(float64(value[i])*scale))
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
