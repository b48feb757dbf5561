package matrix

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// Sums and shares are those of plain loops, by any number of threads.
func TestShares(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := &Matrix[int32, int64]{Documents: 400, Terms: 50, Start: []int32{0}}
	for document := range m.Documents {
		for range r.IntN(40) * (document % 7) {
			m.Index = append(m.Index, int32(r.IntN(m.Terms)))
			m.Values = append(m.Values, int64(r.IntN(5)))
		}
		m.Start = append(m.Start, int32(len(m.Index)))
	}
	ones := &Matrix[int32, int64]{Documents: m.Documents, Terms: m.Terms, Start: m.Start, Index: m.Index}
	weights := make([]float64, m.Terms)
	for i := range weights {
		weights[i] = r.NormFloat64()
	}
	for _, x := range []*Matrix[int32, int64]{m, ones} {
		value := func(i int) float64 {
			if x.Values == nil {
				return 1
			}
			return float64(x.Values[i])
		}
		sums, want := make([]float64, m.Terms), make([]float64, m.Terms)
		sums[3] = 7 // what is there does not count
		for i, at := range x.Index {
			want[at] += value(i)
		}
		if err := x.Sums(context.Background(), sums); err != nil || !slices.Equal(sums, want) {
			t.Fatalf("%v, %v, want %v", sums, err, want)
		}
		for _, root := range []bool{false, true} {
			for _, threads := range []int{1, 3} {
				got := make([]float64, len(x.Index))
				testkit.OK(x.Shares(context.Background(), threads, weights, root, got))
				for line := range x.Documents {
					sum := 0.0
					for i := x.Start[line]; i < x.Start[line+1]; i++ {
						sum += value(int(i))
					}
					for i := x.Start[line]; i < x.Start[line+1]; i++ {
						share := value(int(i)) / max(sum, 1)
						if root {
							share = math.Sqrt(share)
						}
						if want := share * weights[x.Index[i]]; math.Abs(got[i]-want) > 1e-15*math.Abs(want)*4 {
							t.Fatalf("root %v, threads %d: element %d is %v, want %v", root, threads, i, got[i], want)
						}
					}
				}
			}
		}
	}
}

// What is no count is refused by its place, and a call that is wrong by its lengths.
func TestSharesRefuse(t *testing.T) {
	of := func(index int32, value float64) *Matrix[int32, float64] {
		return &Matrix[int32, float64]{Documents: 2, Terms: 3, Start: []int32{0, 1, 2}, Index: []int32{0, index}, Values: []float64{1, value}}
	}
	columns, falling := of(1, 1), of(1, 1)
	columns.ByColumn, falling.Start = true, []int32{0, 2, 1}
	for _, c := range []struct {
		text    string
		m       *Matrix[int32, float64]
		columns int
		kind    error
	}{
		{"element 1, document 1 and term 3", of(3, 1), 3, usage.ErrData},
		{"element 1, document 1 and term -1", of(-1, 1), 3, usage.ErrData},
		{"the value -1", of(1, -1), 3, usage.ErrData},
		{"the value NaN", of(1, math.NaN()), 3, usage.ErrData},
		{"the value +Inf", of(1, math.Inf(1)), 3, usage.ErrData},
		{"Start[2] is 1, below 2", falling, 3, usage.ErrData},
		{"it is by columns", columns, 3, usage.ErrUsage},
		{"2 values for 3 terms", of(1, 1), 2, usage.ErrUsage},
		{"a nil matrix", nil, 3, usage.ErrUsage},
	} {
		sums := make([]float64, c.columns)
		for i, err := range []error{c.m.Sums(context.Background(), sums), c.m.Shares(context.Background(), 2, sums, false, make([]float64, 2))} {
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%d: %v, want %q", i, err, c.text)
			}
		}
	}
	if err := of(1, 1).Shares(context.Background(), 1, make([]float64, 3), false, make([]float64, 1)); !errors.Is(err, usage.ErrUsage) {
		t.Errorf("room for one value: %v", err)
	}
	whole := &Matrix[int64, int64]{Documents: 1, Terms: 2, Start: []int64{0, 2}, Index: []int64{0, 1}, Values: []int64{3 << 60, 1 << 60}}
	shares := make([]float64, 2)
	if err := whole.Shares(context.Background(), 1, []float64{1, 2}, false, shares); err != nil || shares[0] != 0.75 || shares[1] != 0.5 {
		t.Errorf("values near 2^63: %v, %v", shares, err)
	}
	whole.Values[1] = -1
	for _, err := range []error{whole.Sums(context.Background(), shares), whole.Shares(context.Background(), 1, shares, false, shares)} {
		if !errors.Is(err, usage.ErrData) || !strings.Contains(err.Error(), "document 0 and term 1: bad data: the value -1") {
			t.Errorf("a whole number below 0: %v", err)
		}
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if err := of(1, 1).Sums(ended, make([]float64, 3)); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
