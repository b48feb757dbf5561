package bitmap

import (
	"math/rand/v2"
	"testing"
)

// Counts in every range of small sets, and in random ones of larger, against the ids
// themselves.
func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 19))
	for _, size := range []int{0, 1, 63, 64, 65, 200, 5000} {
		for range 5 {
			in := [2]map[uint32]bool{{}, {}}
			var sets [2]Bits
			var ids [2][]uint32
			for i := range sets {
				for id := range uint32(size) {
					if r.IntN(3) == 0 {
						ids[i] = append(ids[i], id)
						in[i][id] = true
					}
				}
				sets[i] = NewBits(ids[i], size)
			}
			common := make([]int, size+1) // below each bound
			for id := range size {
				common[id+1] = common[id]
				if in[0][uint32(id)] && in[1][uint32(id)] {
					common[id+1]++
				}
			}
			if got := sets[0].CountOf(ids[1]); got != common[size] {
				t.Errorf("size %d: %d in common, want %d", size, got, common[size])
			}
			step := 1 + size/100
			for from := 0; from <= size; from += step {
				for to := from; to <= size; to += step {
					if got := sets[0].CountAnd(sets[1], uint32(from), uint32(to)); got != common[to]-common[from] {
						t.Fatalf("size %d: %d in [%d, %d), want %d", size, got, from, to, common[to]-common[from])
					}
				}
			}
		}
	}
}
