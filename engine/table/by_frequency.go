package table

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
)

// ByFrequency puts terms of the dictionary into the order of an index: by document frequency, descending, then by
// bytes. df returns the frequency of a term, and 0 for one that is left out; it is called on several goroutines. order
// has the numbers of the terms in d, and terms makes their names from those of d when they are needed.
func (d *Dictionary) ByFrequency(ctx context.Context, threads int, df func(id uint32) uint32) (order []uint32, terms *Dictionary, err error) {
	kept, err := d.SortedOf(ctx, threads, func(id uint32) bool { return df(id) > 0 })
	if err != nil {
		return nil, nil, err
	}
	frequencies := make([]uint32, len(kept))
	err = pool.Ranges(ctx, threads, len(kept), func(from, to int) {
		for i, id := range kept[from:to] {
			frequencies[from+i] = df(id)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	sorted := PlacesByDF(frequencies)
	order = make([]uint32, len(kept))
	for i, place := range sorted {
		order[place] = kept[i]
	}
	return order, AppendedBy(len(order), sorted, func(dst []byte, id int) []byte { return d.AppendTerm(dst, int(order[id])) }), nil
}
