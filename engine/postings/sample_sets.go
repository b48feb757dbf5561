package postings

import (
	"math"
	"slices"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/kernels"
)

// This file counts the documents of frequent terms in the classes of a relabelled sample: the
// documents of a term are one set, those of each class another, and counts are numbers of bits that
// two sets share. That costs a term the same however many documents it has.

const (
	// sharedWords is the number of words that are compared in the time of one increment: 20 sets
	// of 177 words take 245 ns, an increment .55.
	sharedWords = 8
	// mostSetBytes bounds the sets of the classes to a part of the second-level cache.
	mostSetBytes = 1 << 18
)

// sharedFrom returns the document frequency from which terms are counted by sets in a relabelled
// sample, which is beyond that of any term if there are to be no sets.
func (x *Index) sharedFrom() uint32 {
	words, classes := setWords(x.Documents()), len(x.Classes)
	if x.Multi || !kernels.HasSharedBits() || classes > math.MaxUint8 || 8*words*classes > mostSetBytes {
		return math.MaxUint32
	}
	return uint32(words * classes / sharedWords)
}

// hasShared reports whether any term is counted by sets in a relabelled sample.
func (x *Index) hasShared() bool { return x.FirstShort() > 0 && x.DocFreq[0] >= x.sharedFrom() }

// SampleBytes returns the most memory that a relabelled sample and its order take.
func (x *Index) SampleBytes() int {
	n := 4 * x.Documents()
	if x.hasShared() {
		n += 8 * setWords(x.Documents()) * (len(x.Classes) + 1)
	}
	return n
}

// setWords returns the number of words of a set of documents.
func setWords(docs int) int { return (docs + 63) / 64 }

// setsOf returns the documents of each class as sets that follow each other.
func setsOf(codes []uint8, classes int) []uint64 {
	words := setWords(len(codes))
	sets := make([]uint64, (classes+1)*words) // the last for unlabelled documents
	for d, c := range codes {
		sets[int(c)*words+d/64] |= 1 << (d % 64)
	}
	return sets[:classes*words]
}

// loadSets makes sets of the documents of the terms of the range that have enough. They come first.
func (c *ListCounter) loadSets() {
	x, least := c.x, c.x.sharedFrom()
	n, words := 0, setWords(x.Documents())
	for t := c.terms.From; t < min(c.terms.To, x.FirstShort()) && x.DocFreq[t] >= least; t++ {
		n++
	}
	c.sets = slices.Grow(c.sets[:0], n*words)[:n*words]
	clear(c.sets)
	for i := range n {
		bitmap.Bits(c.sets[i*words:][:words]).Add(c.docs(c.terms.From + i))
	}
	c.hasSets = true
}

// countShared sets counts to those of a term in each class, and reports whether it has a set.
func (c *ListCounter) countShared(s *Sample, counts []uint32, t int) bool {
	if s.sets == nil {
		return false
	}
	if !c.hasSets {
		c.loadSets()
	}
	words := setWords(c.x.Documents())
	from := (t - c.terms.From) * words
	if from >= len(c.sets) {
		return false
	}
	kernels.SharedBits(counts, s.sets, c.sets[from:from+words])
	return true
}
