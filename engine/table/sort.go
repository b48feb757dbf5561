package table

import (
	"cmp"
	"context"
	"math"
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

// A name has about seven bytes: a loop over them, and a call that
// copies them, take most of their time to find out how many they are.

// KeyBytes is the number of bytes of a name in its key.
const KeyBytes = 7

// KeyOf returns the key of a name of so many bytes, of which prefix has the first eight: seven of
// them, and the length, or 8 for all above seven. Names are in the order of their keys; two with
// the same key of at most seven bytes are the same.
func KeyOf(prefix uint64, length int) uint64 {
	return prefix&^0xff | uint64(min(length, KeyBytes+1))
}

// prefixAt returns the first eight bytes of the name text[from:from+n] as one number, with zeros
// behind its last.
func prefixAt(text string, from, n int) uint64 {
	if from+8 <= len(text) {
		b := text[from : from+8]
		p := uint64(b[7]) | uint64(b[6])<<8 | uint64(b[5])<<16 | uint64(b[4])<<24 |
			uint64(b[3])<<32 | uint64(b[2])<<40 | uint64(b[1])<<48 | uint64(b[0])<<56
		return p &^ (math.MaxUint64 >> (8 * n))
	}
	var p uint64
	for i := range min(n, 8) {
		p |= uint64(text[from+i]) << (56 - 8*i)
	}
	return p
}

// AppendShort is append(to, text[from:from+n]...). It copies 16 bytes where both have room for
// them, whatever n is.
func AppendShort[T string | []byte](to []byte, text T, from, n int) []byte {
	const chunk = 16
	end := len(to)
	if n > chunk || end+chunk > cap(to) || from+chunk > len(text) {
		return append(to, text[from:from+n]...)
	}
	copy(to[end:end+chunk], text[from:from+chunk])
	return to[:end+n]
}

// PlacesByDF returns the places in the order of an index of terms whose document frequencies are
// given in the order of their bytes.
func PlacesByDF(df []uint32) []uint32 {
	places := make([]uint32, len(df))
	if len(df) > 0 && int64(slices.Max(df)) > 4*int64(len(df))+1<<16 { // a counter for each would take more than the terms
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
	next := FirstPlaces(df)
	for i, n := range df {
		places[i] = next[n]
		next[n]++
	}
	return places
}

// FirstPlaces returns, indexed by df, the first place of the terms with that df. The
// largest df comes first.
func FirstPlaces(df []uint32) []uint32 {
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
