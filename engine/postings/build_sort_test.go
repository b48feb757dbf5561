package postings

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/table"
)

// Any number of workers sorts alike, keys that differ everywhere or in the last
// bytes of their prefixes, or behind them.
func TestByBytes(t *testing.T) {
	for _, before := range []string{"", "a", "abcdef", "abcdefghij"} {
		b := builder{}
		r := rand.New(rand.NewPCG(5, 6))
		terms := make([]uint32, 20_000)
		for i := range terms {
			b.src.Names = append(b.src.Names, before+strconv.FormatUint(r.Uint64()>>r.IntN(64), 36))
			terms[i] = uint32(i)
		}
		for _, b.threads = range []int{1, 2, 7} {
			keys, err := b.byBytes(t.Context(), terms)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSortedFunc(keys, func(i, j table.TermKey) int {
				return strings.Compare(b.Term(int(i.ID)), b.Term(int(j.ID)))
			}) {
				t.Errorf("%d workers: names that begin with %q are not in order", b.threads, before)
			}
		}
	}
}
