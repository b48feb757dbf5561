package store

import (
	"math/bits"
	"slices"
	"strings"
)

// This file puts terms in the order of their bytes.

// A termKey compares terms by their first eight bytes as one integer, and looks
// at the text only where those are equal.
type termKey struct {
	prefix uint64
	id     uint32
}

func newTermKey(term string, id uint32) termKey {
	var p uint64
	for i := range min(8, len(term)) {
		p |= uint64(term[i]) << (56 - 8*i)
	}
	return termKey{p, id}
}

type termer interface{ Term(id int) string }

func (k termKey) compare(o termKey, terms termer) int {
	switch {
	case k.prefix < o.prefix:
		return -1
	case k.prefix > o.prefix:
		return 1
	}
	return strings.Compare(terms.Term(int(k.id)), terms.Term(int(o.id)))
}

const (
	// Fewer keys than that are compared; 64 or 512 take as long within 5 %.
	manyKeys = 256
	// A pass of the radix sort takes that many bits; 8 make it a quarter slower.
	digitBits   = 11
	digitValues = 1 << digitBits
	digits      = (64 + digitBits - 1) / digitBits
)

// sortKeys sorts by the prefixes and then, where these are equal, by the texts: 20
// ns a key of the 130,107 words of 20 Newsgroups, of which a tenth have the prefix of
// another. Digits from the highest down took 67. spare is as long as keys.
func sortKeys(keys, spare []termKey, terms termer) {
	if len(keys) < manyKeys {
		slices.SortFunc(keys, func(i, j termKey) int { return i.compare(j, terms) })
		return
	}
	sortPrefixes(keys, spare)
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) && keys[to].prefix == keys[from].prefix {
			to++
		}
		if to > from+1 {
			slices.SortFunc(keys[from:to], func(i, j termKey) int { return i.compare(j, terms) })
		}
		from = to
	}
}

// sortPrefixes is a radix sort, lowest digit first, without the digits that are
// the same in all keys.
func sortPrefixes(keys, spare []termKey) {
	var places digitCounts
	places.count(keys)
	from, to := keys, spare
	for d := range places {
		next, shift := &places[d], d*digitBits&63
		if next[keys[0].prefix>>shift%digitValues] == uint32(len(keys)) {
			continue
		}
		before := uint32(0)
		for i, n := range next {
			next[i], before = before, before+n
		}
		for _, k := range from {
			at := &next[k.prefix>>shift%digitValues]
			to[*at] = k
			*at++
		}
		from, to = to, from
	}
	copy(keys, from)
}

// digitCounts counts the values of each digit.
type digitCounts [digits][digitValues]uint32

// count counts the digits of all passes in one, without a loop over them: the sort
// takes a fifth less time.
func (c *digitCounts) count(keys []termKey) {
	for _, k := range keys {
		c[0][k.prefix%digitValues]++
		c[1][k.prefix>>digitBits%digitValues]++
		c[2][k.prefix>>(2*digitBits)%digitValues]++
		c[3][k.prefix>>(3*digitBits)%digitValues]++
		c[4][k.prefix>>(4*digitBits)%digitValues]++
		c[5][k.prefix>>(5*digitBits)]++
	}
}

// splitKeys sorts keys by eight bits of their prefixes, the highest that are not
// the same in all of them. It sets the ends of the groups.
func splitKeys(ends *[256]int, keys, spare []termKey) {
	shift := max(bits.Len64(differing(keys))-8, 0)
	for _, k := range keys {
		ends[k.prefix>>shift&255]++
	}
	before := 0
	for group, n := range ends {
		ends[group], before = before, before+n
	}
	for _, k := range keys {
		end := &ends[k.prefix>>shift&255]
		spare[*end] = k
		*end++
	}
	copy(keys, spare)
}

// differing has the bits that are not the same in all prefixes.
func differing(keys []termKey) uint64 {
	var bits uint64
	for _, k := range keys {
		bits |= k.prefix ^ keys[0].prefix
	}
	return bits
}

// A termKeyDF is what statistics of some of the documents order terms by.
type termKeyDF struct {
	df uint32
	termKey
}

// sortByDF puts terms into store order: a counting sort by df, then the terms of
// each df by their bytes.
func sortByDF(keys []termKeyDF, terms termer) {
	most := uint32(0)
	for _, k := range keys {
		most = max(most, k.df)
	}
	next := make([]int, most+2) // next[most-df]: the place of the next term of this df
	for _, k := range keys {
		next[most-k.df+1]++
	}
	for i := 1; i < len(next); i++ {
		next[i] += next[i-1]
	}
	sorted := make([]termKeyDF, len(keys))
	for _, k := range keys {
		sorted[next[most-k.df]] = k
		next[most-k.df]++
	}
	copy(keys, sorted)
	for from := 0; from < len(keys); {
		to := next[most-keys[from].df]
		slices.SortFunc(keys[from:to], func(i, j termKeyDF) int { return i.compare(j.termKey, terms) })
		from = to
	}
}
