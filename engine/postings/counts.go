package postings

import (
	"slices"

	"github.com/termsift/termsift/engine/pool"
)

// AppendCounts appends the frequencies of a term to dst, in the order of its documents.
// It takes half the memory of [Index.Read], without conversion to float64. The index
// must have counts, not real values (see [Index.Real]), and the call is subject to the
// same rule as [Index.Read].
func (x *Index) AppendCounts(dst []uint32, term int) ([]uint32, error) {
	if err := x.Ready(pool.Range{From: term, To: term + 1}, true); err != nil {
		return dst, err
	}
	from, to := x.Start[term], x.Start[term+1]
	before, n := len(dst), int(to-from)
	dst = slices.Grow(dst, n)[:before+n]
	counts := dst[before:]
	for i, v := range x.Values.Counts[from:to] {
		counts[i] = uint32(v)
	}
	i, _ := slices.BinarySearch(x.Values.EscapeAt, from)
	for ; i < len(x.Values.EscapeAt) && x.Values.EscapeAt[i] < to; i++ {
		counts[x.Values.EscapeAt[i]-from] = x.Values.Escaped[i]
	}
	return dst, nil
}
