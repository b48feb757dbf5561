package vectors

import (
	"math/bits"
	"slices"
	"sort"
)

// A featureOrder puts the elements of one document after another in the order of their features. It marks
// each feature in a set, and goes through the set: sorting took 20 ns an element of 20 Newsgroups,
// of which a document has 71, a seventh of the time of transforming its text.
type featureOrder struct {
	places []uint32 // by feature, if it is in the set: the place of its element
	set    []uint64 // a bit a feature
	filled []uint64 // a bit a word of set: whether it is not 0
	// Elements whose feature the document has already. There are none in a text, and errors
	// of others tell of them.
	repeated []element
}

// newFeatureOrder returns an order of so many features.
func newFeatureOrder(features int) *featureOrder {
	words := (features + 63) / 64
	return &featureOrder{places: make([]uint32, features), set: make([]uint64, words), filled: make([]uint64, (words+63)/64)}
}

// appendOrdered appends the elements of a document in order, those of one feature in the order in which they are given.
func (o *featureOrder) appendOrdered(dst, elements []element) []element {
	dst, first := slices.Grow(dst, len(elements)), len(dst)
	o.repeated = o.repeated[:0]
	for place, e := range elements {
		word, bit := &o.set[e.index/64], uint64(1)<<(e.index%64)
		if *word&bit != 0 {
			o.repeated = append(o.repeated, e)
			continue
		}
		*word |= bit
		o.places[e.index] = uint32(place)
		o.filled[e.index/(64*64)] |= 1 << (e.index / 64 % 64)
	}
	for i, words := range o.filled {
		for ; words != 0; words &= words - 1 {
			at := i*64 + bits.TrailingZeros64(words)
			for set := o.set[at]; set != 0; set &= set - 1 {
				dst = append(dst, elements[o.places[at*64+bits.TrailingZeros64(set)]])
			}
			o.set[at] = 0
		}
		o.filled[i] = 0
	}
	if len(o.repeated) > 0 {
		dst = append(dst, o.repeated...)
		own := dst[first:]
		sort.SliceStable(own, func(i, j int) bool { return own[i].index < own[j].index }) // rare: smaller code than SortStableFunc
	}
	return dst
}
