package postings

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// This file puts terms into the order of an index: by descending df, then by bytes.

// numberTerms numbers the terms, whose frequencies df are given in byte order, and
// fills x.df. Since the terms come in byte order, a stable sort by df gives the order
// of an index. places maps each number to its index in df, sorted each index in df to its
// number.
func (x *Index) numberTerms(ctx context.Context, df []uint32) (places, sorted []uint32, err error) {
	next := table.FirstPlaces(df)
	places, sorted, x.DocFreq = make([]uint32, len(df)), make([]uint32, len(df)), make([]uint32, len(df))
	err = pool.Ranges(ctx, 1, len(df), func(from, to int) {
		for i, n := range df[from:to] {
			rank := next[n]
			next[n]++
			places[rank], x.DocFreq[rank], sorted[from+i] = uint32(from+i), n, rank
		}
	})
	return places, sorted, err
}

// nameTerms sets the dictionary of the numbered terms. It also sets their byte order,
// sorted, so that [table.Dictionary.Sorted] need not sort again.
func (x *Index) nameTerms(ctx context.Context, threads int, sorted []uint32, name func(term int) string) (err error) {
	x.Terms, err = table.MakeDictionary(ctx, threads, len(x.DocFreq), sorted, name)
	return err
}

// setStarts computes where each list begins in the columns from the frequencies.
func (x *Memory) setStarts() {
	x.Start = make([]uint64, len(x.DocFreq)+1)
	for t, n := range x.DocFreq {
		x.Start[t+1] = x.Start[t] + uint64(n)
	}
}
