package table

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/pool"
)

// This file puts terms into order: by their bytes, and as an index has them, by document frequency.

// NewTermKey returns an item that compares terms by their first eight bytes as one integer, and by
// their text only if those are equal.
func NewTermKey(term string, id uint32) Item {
	var p uint64
	for i := range min(8, len(term)) {
		p |= uint64(term[i]) << (56 - 8*i)
	}
	return Item{Key: p, ID: id}
}

type termer interface{ Term(id int) string }

// sortIDs sorts numbers of terms by the bytes of these, on several goroutines.
func sortIDs(ctx context.Context, threads int, ids []uint32, terms termer) error {
	keys := make([]Item, len(ids))
	err := pool.Ranges(ctx, threads, len(ids), func(from, to int) {
		for i := from; i < to; i++ {
			keys[i] = NewTermKey(terms.Term(int(ids[i])), ids[i])
		}
	})
	if err == nil {
		err = SortOn(ctx, threads, keys, func(alike []Item) {
			slices.SortFunc(alike, func(i, j Item) int { return strings.Compare(terms.Term(int(i.ID)), terms.Term(int(j.ID))) })
		})
	}
	if err != nil {
		return err
	}
	for at, k := range keys {
		ids[at] = k.ID
	}
	return nil
}

// PlacesByDF returns the places in the order of an index of terms whose document frequencies are
// given in the order of their bytes.
func PlacesByDF(df []uint32) []uint32 {
	places, most := make([]uint32, len(df)), uint32(0)
	for _, n := range df {
		most = max(most, n)
	}
	if int64(most) > 4*int64(len(df))+1<<16 { // a counter for each would take more than the terms
		order := make([]uint32, len(df))
		for i := range order {
			order[i] = uint32(i)
		}
		slices.SortStableFunc(order, func(i, j uint32) int { return cmp.Compare(df[j], df[i]) })
		for t, i := range order {
			places[i] = uint32(t)
		}
		return places
	}
	next := make([]uint32, int(most)+1) // by df: how many terms have it, then the place of the next
	for _, n := range df {
		next[n]++
	}
	before := uint32(0)
	for n := range slices.Backward(next) {
		before, next[n] = before+next[n], before
	}
	for i, n := range df {
		places[i] = next[n]
		next[n]++
	}
	return places
}

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
	return order, AppendedBy(len(order), sorted, func(dst []byte, id int) []byte { return d.appendTerm(dst, int(order[id])) }), nil
}
