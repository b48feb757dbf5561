package table

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/pool"
)

// This file sorts terms by their bytes.

// A TermKey compares terms by their first eight bytes as one integer, and by their text
// only if those are equal.
type TermKey struct {
	Prefix uint64
	ID     uint32
}

func NewTermKey(term string, id uint32) TermKey {
	var p uint64
	for i := range min(8, len(term)) {
		p |= uint64(term[i]) << (56 - 8*i)
	}
	return TermKey{p, id}
}

type termer interface{ Term(id int) string }

func (k TermKey) compare(o TermKey, terms termer) int {
	switch {
	case k.Prefix < o.Prefix:
		return -1
	case k.Prefix > o.Prefix:
		return 1
	}
	return strings.Compare(terms.Term(int(k.ID)), terms.Term(int(o.ID)))
}

const (
	// manyKeys is the number of keys from which on the radix sort is used. 64 and 512
	// take the same time within 5 %.
	manyKeys = 256
	// digitBits is the number of bits that one pass of the radix sort takes. With 8 the
	// sort takes a quarter longer.
	digitBits   = 11
	digitValues = 1 << digitBits
	digits      = (64 + digitBits - 1) / digitBits
)

// sortTerms sorts by the prefixes, then by the texts where the prefixes are equal. spare is as long as keys.
func sortTerms(keys, spare []TermKey, terms termer) {
	if len(keys) < manyKeys {
		slices.SortFunc(keys, func(i, j TermKey) int { return i.compare(j, terms) })
		return
	}
	sortPrefixes(keys, spare)
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) && keys[to].Prefix == keys[from].Prefix {
			to++
		}
		if to > from+1 {
			slices.SortFunc(keys[from:to], func(i, j TermKey) int { return i.compare(j, terms) })
		}
		from = to
	}
}

// SortIDs sorts numbers of terms by the bytes of these. It splits the keys into groups in one pass, then sorts
// the groups on several goroutines.
func SortIDs(ctx context.Context, threads int, ids []uint32, terms termer) error {
	keys, spare := make([]TermKey, len(ids)), make([]TermKey, len(ids))
	err := pool.Ranges(ctx, threads, len(ids), func(from, to int) {
		for i := from; i < to; i++ {
			keys[i] = NewTermKey(terms.Term(int(ids[i])), ids[i])
		}
	})
	if err != nil {
		return err
	}
	var ends [256]int
	splitKeys(&ends, keys, spare)
	return pool.Run(ctx, threads, len(ends), func(_, i int) error {
		from, to := 0, ends[i]
		if i > 0 {
			from = ends[i-1]
		}
		sortTerms(keys[from:to], spare[from:to], terms)
		for at := from; at < to; at++ {
			ids[at] = keys[at].ID
		}
		return nil
	})
}

// SortKeys sorts by the prefixes alone. spare is as long as keys.
func SortKeys(keys, spare []TermKey) {
	if len(keys) < manyKeys {
		slices.SortFunc(keys, func(i, j TermKey) int { return cmp.Compare(i.Prefix, j.Prefix) })
		return
	}
	sortPrefixes(keys, spare)
}

// sortPrefixes is a radix sort that begins with the lowest digit and skips the digits
// that are equal in all keys.
func sortPrefixes(keys, spare []TermKey) {
	var places digitCounts
	places.count(keys)
	from, to := keys, spare
	for d := range places {
		next, shift := &places[d], d*digitBits&63
		if next[keys[0].Prefix>>shift%digitValues] == uint32(len(keys)) {
			continue
		}
		before := uint32(0)
		for i, n := range next {
			next[i], before = before, before+n
		}
		for _, k := range from {
			at := &next[k.Prefix>>shift%digitValues]
			to[*at] = k
			*at++
		}
		from, to = to, from
	}
	copy(keys, from)
}

// digitCounts counts the values of each digit.
type digitCounts [digits][digitValues]uint32

// count counts the digits of all passes in one pass over the keys. The passes are
// written out: with a loop over them the sort would take a quarter longer.
func (c *digitCounts) count(keys []TermKey) {
	for _, k := range keys {
		c[0][k.Prefix%digitValues]++
		c[1][k.Prefix>>digitBits%digitValues]++
		c[2][k.Prefix>>(2*digitBits)%digitValues]++
		c[3][k.Prefix>>(3*digitBits)%digitValues]++
		c[4][k.Prefix>>(4*digitBits)%digitValues]++
		c[5][k.Prefix>>(5*digitBits)]++
	}
}

// splitKeys sorts keys by eight bits of their prefixes, the highest eight from the
// first bit in which they differ. It sets the end of each of the 256 groups.
func splitKeys(ends *[256]int, keys, spare []TermKey) {
	shift := max(bits.Len64(differing(keys))-8, 0)
	for _, k := range keys {
		ends[k.Prefix>>shift&255]++
	}
	before := 0
	for group, n := range ends {
		ends[group], before = before, before+n
	}
	for _, k := range keys {
		end := &ends[k.Prefix>>shift&255]
		spare[*end] = k
		*end++
	}
	copy(keys, spare)
}

// differing returns the bits in which the prefixes differ.
func differing(keys []TermKey) uint64 {
	var bits uint64
	for _, k := range keys {
		bits |= k.Prefix ^ keys[0].Prefix
	}
	return bits
}

// SortByDF returns terms in the order of an index: by df, that of keys[i] is df[i], with a counting sort,
// then the terms of equal df by their bytes.
func SortByDF(keys []TermKey, df []uint32, terms termer) []TermKey {
	most := uint32(0)
	for _, n := range df {
		most = max(most, n)
	}
	next := make([]int, most+2) // next[most-df]: the place of the next term of this df
	for _, n := range df {
		next[most-n+1]++
	}
	for i := 1; i < len(next); i++ {
		next[i] += next[i-1]
	}
	sorted := make([]TermKey, len(keys))
	for i, k := range keys {
		at := &next[most-df[i]]
		sorted[*at] = k
		*at++
	}
	from := 0
	for _, to := range next[:most+1] {
		slices.SortFunc(sorted[from:to], func(i, j TermKey) int { return i.compare(j, terms) })
		from = to
	}
	return sorted
}
