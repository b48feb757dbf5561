package papers

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/engine/classify"
)

// lowRank makes rows of known singular values along known axes: the columns in blocks
// of which each row has one, at a length of the block's own.
func lowRank(rows, blocks, width int) *classify.Matrix {
	m := &classify.Matrix{Columns: blocks * width, Start: []int{0}}
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
	axes, err := principalAxes(t.Context(), lowRank(240, blocks, width), dimensions)
	if err != nil {
		t.Fatal(err)
	}
	for j := range dimensions {
		for i := range blocks * width {
			want := 0.0
			if i/width == j {
				want = 1 / math.Sqrt(width)
			}
			if got := math.Abs(axes.row(i)[j]); math.Abs(got-want) > 1e-9 {
				t.Errorf("axis %d, column %d: %v, want %v", j, i, got, want)
			}
		}
	}
}

// A symmetric matrix times its eigenvector is the eigenvector times its eigenvalue.
func TestEigen(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for n := 1; n < 12; n++ {
		a := newDense(n, n)
		for i := range n {
			for j := range i + 1 {
				a.row(i)[j] = random.NormFloat64()
				a.row(j)[i] = a.row(i)[j]
			}
		}
		diagonal := &dense{n, append([]float64(nil), a.data...)}
		order, vectors := eigen(diagonal)
		before := math.Inf(1)
		for _, v := range order {
			value := diagonal.row(v)[v]
			if value > before {
				t.Errorf("n %d: %v behind %v", n, value, before)
			}
			before = value
			for i := range n {
				got := 0.0
				for k := range n {
					got += a.row(i)[k] * vectors.row(k)[v]
				}
				if want := value * vectors.row(i)[v]; math.Abs(got-want) > 1e-10 {
					t.Errorf("n %d, row %d: %v, want %v", n, i, got, want)
				}
			}
		}
	}
}
