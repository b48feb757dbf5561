package table

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Items are in order, those of one key as they were: few and many, of near keys and of any.
func TestSortItems(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 2, fewItems - 1, fewItems, 3000} {
		for _, keys := range []uint64{1, 7, 1 << 20, 1 << 63} {
			items, first := make([]Item, n), r.Uint64()
			for i := range items {
				items[i] = Item{first + r.Uint64N(keys), uint32(i), 7}
			}
			up, down := slices.Clone(items), slices.Clone(items)
			slices.SortStableFunc(up, func(a, b Item) int { return cmp.Compare(a.Key, b.Key) })
			slices.SortStableFunc(down, func(a, b Item) int { return cmp.Compare(b.Key, a.Key) })
			got := slices.Clone(items)
			sortItems(got, make([]Item, n+1), 0)
			testkit.Equal(t, slices.Equal(got, up), true, "ascending", n, keys)
			SortDescending(items, make([]Item, n))
			testkit.Equal(t, slices.Equal(items, down), true, "descending", n, keys)
		}
	}
}
