package score

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// The whole numbers against logarithms of 200 bits, in small tables and beyond 2^20.
func TestFixedEntropy(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 17))
	for _, size := range []int{0, 1, 2, 3, 10, 1000, 1<<13 - 1, 1 << 13, 1 << 14, 1<<20 + 100_000} {
		table := NewFixedEntropy(size)
		if len(table.Of) != size+1 {
			t.Fatalf("%d elements up to %d", len(table.Of), size)
		}
		if last := table.Of[size]; last >= 1<<60 {
			t.Errorf("%d ln %d is %d", size, size, last)
		}
		counts := []int{size}
		for n := range 20 {
			counts = append(counts, min(n, size), max(size-n, 0), r.IntN(size+1), min(1<<14-10+n, size))
		}
		for _, n := range counts {
			want := bigEntropy(n)
			want.SetMantExp(want, table.Bits)
			off, _ := want.Sub(want, new(big.Float).SetInt64(table.Of[n])).Float64()
			if off > .51 || off < -.51 {
				t.Errorf("up to %d: %d ln %d is off by %v", size, n, n, off)
			}
		}
	}
}
