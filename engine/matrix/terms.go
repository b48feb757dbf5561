package matrix

import (
	"cmp"
	"slices"
)

// inOrder returns the columns that have a document in the order of statistics: by
// descending document frequency, then by the bytes of their names.
func (o *Options) inOrder(df []uint32, column func(at uint32) uint32) []uint32 {
	order := make([]uint32, 0, len(df))
	for at, n := range df {
		if n > 0 {
			order = append(order, uint32(at))
		}
	}
	slices.SortFunc(order, func(i, j uint32) int {
		if df[i] != df[j] {
			return cmp.Compare(df[j], df[i])
		}
		return cmp.Compare(o.name(column(i)), o.name(column(j)))
	})
	return order
}
