package classify

import (
	"context"
	"math"
)

// CentroidOptions change the centroid classifier. The zero value is right.
type CentroidOptions struct {
	// Threads is the number of workers; 0 is GOMAXPROCS.
	Threads int
}

// Centroid scores a class by the cosine of the row and the mean of the class's
// training rows, each scaled to unit length (Han and Karypis 2000); a row with
// several labels counts in each. A class without training rows has the score -Inf,
// one whose rows are all 0 has 0. There is no evidence where every cosine is 0.
type Centroid struct {
	trained
	empty []uint32 // classes without training rows
	cells *cells   // the centroids, scaled to unit length
}

// TrainCentroid learns from rows of any weighting.
func TrainCentroid(ctx context.Context, m *Matrix, o CentroidOptions) (*Centroid, error) {
	if err := m.checkTraining(); err != nil {
		return nil, err
	}
	sizes := m.sizes()
	x := &Centroid{trained: newTrained(kindCentroid, m, sizes)}
	for c, n := range sizes {
		if n == 0 {
			x.empty = append(x.empty, uint32(c))
		}
	}
	var err error
	x.cells, err = newCells(ctx, m, o.Threads, summing{
		add: func(sums []float64, touched []uint32, row int) []uint32 {
			index, value := m.Row(row)
			return addValues(sums, touched, index, value, inverse(length(value)))
		},
		finish: func(_ int, _ []uint32, sums []float64) { toUnit(sums) },
	})
	if err != nil {
		return nil, err
	}
	return x, nil
}

// NewScorer makes a scorer. It leaves out columns that the model does not know, but
// they are part of the row's length.
func (x *Centroid) NewScorer() Scorer { return centroidScorer{x} }

type centroidScorer struct{ x *Centroid }

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

// encode writes the classes without training rows and the centroids.
func (x *Centroid) encode(e *encoder) {
	e.uint32s(x.empty)
	x.cells.encode(e)
}

func (x *Centroid) decode(d *decoder) {
	if x.empty = d.uint32s(); len(x.empty) == 0 {
		x.empty = nil
	}
	if !ascend(x.empty, len(x.classes)) {
		d.fail("classes without rows that are not in order")
	}
	x.cells = decodeCells(d, &x.header)
}
