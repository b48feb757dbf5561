package table

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Any number of workers sorts alike, terms that differ everywhere or in the last bytes of their prefixes, or behind
// them.
func TestSortIDs(t *testing.T) {
	for _, before := range []string{"", "a", "abcdef", "abcdefghij"} {
		var names nameList
		r := rand.New(rand.NewPCG(5, 6))
		for range 20_000 {
			names = append(names, before+strconv.FormatUint(r.Uint64()>>r.IntN(64), 36))
		}
		for _, threads := range []int{1, 2, 7} {
			ids := make([]uint32, len(names))
			for i := range ids {
				ids[i] = uint32(i)
			}
			testkit.OK(SortIDs(t.Context(), threads, ids, names))
			if !slices.IsSortedFunc(ids, func(i, j uint32) int { return strings.Compare(names[i], names[j]) }) {
				t.Errorf("%d workers: names that begin with %q are not in order", threads, before)
			}
		}
	}
}
