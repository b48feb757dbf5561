package redundancy

import "math/bits"

// A block is several consecutive chosen terms that a candidate meets at once: for
// each pair its bits say which of them it has, so that the candidate's pairs are
// read once for all of them. The candidates of jmi meet nine in ten of the terms
// chosen: 1,000 terms of 20 Newsgroups take 1.3 s by blocks, 2.4 by single terms.
type block struct {
	terms []*set
	masks []uint32            // by pair
	sizes [][blockTerms]int32 // by class: pairs with the term
	apart [][blockTerms]int64 // by class: n ln n of both parts
}

// Of 16, 32 and 64 terms, 64 take a fifth longer: candidates that are behind by less
// than a block meet single terms.
const blockTerms = 32

// newBlock makes the block of chosen terms. It returns nil where its tables would take
// more than 128 bytes for a pair of the terms.
func newBlock(i *information, u *universe, terms []*set) *block {
	pairs, classes := 0, len(u.x.Classes)
	for _, s := range terms {
		pairs += s.size
	}
	if classes > tabledClasses || pairs < i.pairs/(chosenBits/blockTerms) {
		return nil
	}
	b := &block{
		terms: terms, masks: make([]uint32, i.pairs),
		sizes: make([][blockTerms]int32, classes), apart: make([][blockTerms]int64, classes),
	}
	for c := range b.apart {
		for j := range b.apart[c] { // as if every term were absent
			b.apart[c][j] = i.entropy[u.in(uint32(c))]
		}
	}
	for j, s := range terms {
		for _, id := range s.ids {
			b.masks[id] |= 1 << j
		}
		for _, c := range s.cells {
			b.sizes[c.class][j], b.apart[c.class][j] = int32(len(c.ids)), c.apart
		}
	}
	return b
}

// conditional gives I(f;C|s) for the terms s of the block, the bits of
// [information.conditional].
func (b *block) conditional(i *information, f *set) (values [blockTerms]int64) {
	h := i.entropy
	var common [blockTerms]int32
	for k := range f.cells {
		x := &f.cells[k]
		counts := b.count(x.ids)
		size := int32(len(x.ids))
		sizes, apart := &b.sizes[x.class], &b.apart[x.class]
		with, without := h[:size+1], h[:x.all-size+1]
		rest := h[x.all] - x.apart
		for j, n := range counts {
			only, none := sizes[j]-n, x.all-size-(sizes[j]-n)
			common[j] += n
			values[j] += with[n] + with[size-n] + h[only] + without[none] + rest - apart[j]
		}
	}
	for j, n := range common {
		s := b.terms[j]
		values[j] = i.rest(f, s, values[j], int(n))
	}
	return values
}

// count says how many of the pairs have each term of the block.
func (b *block) count(ids []uint32) (counts [blockTerms]int32) {
	for _, id := range ids {
		for mask := b.masks[id]; mask != 0; mask &= mask - 1 {
			counts[bits.TrailingZeros32(mask)%blockTerms]++
		}
	}
	return counts
}
