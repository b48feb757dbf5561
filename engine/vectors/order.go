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
	places []uint32 // by feature, if it is in the set: its number, such as the place of its element
	set    []uint64 // a bit a feature
	filled []uint64 // a bit a word of set: whether it is not 0
	marked []uint32 // scratch memory
	// Elements whose feature the document has already. There are none in a text, and errors
	// of others tell of them.
	repeated []element
}

// newFeatureOrder returns an order of so many features.
func newFeatureOrder(features int) *featureOrder {
	words := (features + 63) / 64
	return &featureOrder{places: make([]uint32, features), set: make([]uint64, words), filled: make([]uint64, (words+63)/64)}
}

// has reports whether a feature is in the set.
func (o *featureOrder) has(feature uint32) bool { return o.set[feature/64]>>(feature%64)&1 != 0 }

// mark puts a feature with a number into the set.
func (o *featureOrder) mark(feature, number uint32) {
	o.set[feature/64] |= 1 << (feature % 64)
	o.filled[feature/(64*64)] |= 1 << (feature / 64 % 64)
	o.places[feature] = number
}

// appendMarked appends the features of the set, ascending, and empties it. Their numbers stay in
// o.places.
func (o *featureOrder) appendMarked(dst []uint32) []uint32 {
	for i, words := range o.filled {
		for ; words != 0; words &= words - 1 {
			at := i*64 + bits.TrailingZeros64(words)
			for set := o.set[at]; set != 0; set &= set - 1 {
				dst = append(dst, uint32(at*64+bits.TrailingZeros64(set)))
			}
			o.set[at] = 0
		}
		o.filled[i] = 0
	}
	return dst
}

// appendOrdered appends the elements of a document in order, those of one feature in the order in which they are given.
func (o *featureOrder) appendOrdered(dst, elements []element) []element {
	dst, first := slices.Grow(dst, len(elements)), len(dst)
	o.repeated = o.repeated[:0]
	for place, e := range elements {
		if o.has(e.index) {
			o.repeated = append(o.repeated, e)
			continue
		}
		o.mark(e.index, uint32(place))
	}
	o.marked = o.appendMarked(o.marked[:0])
	for _, feature := range o.marked {
		dst = append(dst, elements[o.places[feature]])
	}
	if len(o.repeated) > 0 {
		dst = append(dst, o.repeated...)
		own := dst[first:]
		sort.SliceStable(own, func(i, j int) bool { return own[i].index < own[j].index }) // rare: smaller code than SortStableFunc
	}
	return dst
}
