package store

import (
	"context"
	"slices"
)

// This file puts terms into the order of the store: by df, descending, then by bytes.

// numberTerms numbers terms, whose frequencies are given in the order of their bytes,
// and fills the column of these. A stable sort by df makes the order of the store of
// that of the bytes. places has the given place of each number, sorted the number of
// each place.
func (x *Index) numberTerms(ctx context.Context, df []uint32) (places, sorted []uint32, err error) {
	next := firstPlaces(df)
	places, sorted, x.df = make([]uint32, len(df)), make([]uint32, len(df)), make([]uint32, len(df))
	err = forRanges(ctx, 1, len(df), func(from, to int) {
		for i, n := range df[from:to] {
			rank := next[n]
			next[n]++
			places[rank], x.df[rank], sorted[from+i] = uint32(from+i), n, rank
		}
	})
	return places, sorted, err
}

// nameTerms makes the dictionary of numbered terms. The order of the bytes comes with
// it, so that [Dictionary.Sorted] need not sort again.
func (x *Index) nameTerms(ctx context.Context, threads int, sorted []uint32, name func(term int) string) (err error) {
	if x.Terms, err = makeDictionary(ctx, threads, len(x.df), name); err != nil {
		return err
	}
	x.Terms.sortOnce.Do(func() { x.Terms.sorted = sorted })
	return nil
}

// firstPlaces gives by df the first place of the terms that have it, the
// largest df first.
func firstPlaces(df []uint32) []uint32 {
	most := uint32(0)
	for _, n := range df {
		most = max(most, n)
	}
	place := make([]uint32, int(most)+1)
	for _, n := range df {
		place[n]++
	}
	before := uint32(0)
	for n := range slices.Backward(place) {
		before, place[n] = before+place[n], before
	}
	return place
}

// setStarts derives the places of the lists in the columns from the frequencies.
func (x *Index) setStarts() {
	x.start = make([]uint64, len(x.df)+1)
	for t, n := range x.df {
		x.start[t+1] = x.start[t] + uint64(n)
	}
}
