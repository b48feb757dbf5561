package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/engine/learn"
)

// lowRank makes rows of known singular values along known axes: the columns in blocks
// of which each row has one, at a length of the block's own.
func lowRank(rows, blocks, width int) *learn.Matrix {
	m := &learn.Matrix{Columns: blocks * width, Start: []int{0}}
	for i := range rows {
		b := i % blocks
		for j := range width {
			m.Index, m.Value = append(m.Index, uint32(b*width+j)), append(m.Value, float32(blocks-b))
		}
		m.Start = append(m.Start, len(m.Index))
	}
	return m
}

// The axes of rows in blocks are the blocks, those of the longest rows first.
func TestPrincipalAxes(t *testing.T) {
	const blocks, width, dimensions = 12, 5, 4
	axes := principalAxes(t.Context(), lowRank(240, blocks, width), dimensions)
	for j := range dimensions {
		for i := range blocks * width {
			want := 0.0
			if i/width == j {
				want = 1 / math.Sqrt(width)
			}
			if got := math.Abs(axes.At(i, j)); math.Abs(got-want) > 1e-9 {
				t.Errorf("axis %d, column %d: %v, want %v", j, i, got, want)
			}
		}
	}
}

// The rows' transpose times the rows times an axis is the axis times its length's
// square; axes are of unit length and at right angles, those of the longest rows first.
func TestPrincipalAxesOfAll(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for columns := 1; columns < 12; columns++ {
		m := &learn.Matrix{Columns: columns, Start: []int{0}}
		for range 40 {
			for c := range columns {
				if random.IntN(3) == 0 {
					m.Index, m.Value = append(m.Index, uint32(c)), append(m.Value, float32(random.NormFloat64()))
				}
			}
			m.Start = append(m.Start, len(m.Index))
		}
		axes := principalAxes(t.Context(), m, columns)
		before := math.Inf(1)
		for j := range columns {
			turned, square := make([]float64, columns), 0.0
			for i := range m.Rows() {
				index, value := m.Row(i)
				along := 0.0
				for k, c := range index {
					along += float64(value[k]) * axes.At(int(c), j)
				}
				for k, c := range index {
					turned[c] += float64(value[k]) * along
				}
				square += along * along
			}
			if square > before {
				t.Errorf("%d columns, axis %d: %v behind %v", columns, j, square, before)
			}
			before = square
			for c, got := range turned {
				if want := square * axes.At(c, j); math.Abs(got-want) > 1e-10*square {
					t.Errorf("%d columns, axis %d, column %d: %v, want %v", columns, j, c, got, want)
				}
			}
			for other := range j + 1 {
				product, want := 0.0, 0.0
				for c := range columns {
					product += axes.At(c, j) * axes.At(c, other)
				}
				if other == j {
					want = 1
				}
				if math.Abs(product-want) > 1e-12 {
					t.Errorf("%d columns, axes %d and %d: %v, want %v", columns, j, other, product, want)
				}
			}
		}
	}
}

// Rows have no more axes than they have directions.
func TestPrincipalAxesOfFew(t *testing.T) {
	axes := principalAxes(t.Context(), lowRank(30, 2, 6), 5)
	if rows, columns := axes.Dims(); rows != 12 || columns != 2 {
		t.Errorf("%d x %d", rows, columns)
	}
}
