package store

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

// check verifies what every use of the index relies on. The checksums of these sections
// are right, but the file may have been made to mislead. Lists and columns are verified
// later (ready.go).
func (x *indexFile) check() error {
	steps := []func() error{
		x.checkLabels,
		x.checkPlaces,
		x.checkColumn,
		x.checkLayout,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (x *indexFile) checkInput() error {
	seen := make([]bool, len(x.Input))
	for d, place := range x.Input {
		if int(place) >= len(seen) || seen[place] {
			return files.Broken("input-places", 4*d, files.ErrFormat, "place %d is out of range or taken", place)
		}
		seen[place] = true
	}
	return nil
}

func (x *indexFile) checkLabels() error {
	n := len(x.Input)
	if len(x.LabelStart) != n+1 || x.LabelStart[0] != 0 || int(x.LabelStart[n]) != len(x.LabelOf) {
		return files.Broken("label-starts", 0, files.ErrFormat, "%d starts for %d documents", len(x.LabelStart), n)
	}
	last := uint32(0) // first class of the previous document
	for d, from := range x.LabelStart[:n] {
		to := x.LabelStart[d+1]
		if from > to || int(to) > len(x.LabelOf) {
			return files.Broken("label-starts", 4*d, files.ErrFormat, "starts do not ascend")
		}
		own, first := x.LabelOf[from:to], uint32(len(x.Classes))
		if len(own) > 0 {
			first = own[0]
		}
		if first < last {
			return files.Broken("labels", 4*int(from), files.ErrFormat, "the documents are not in the order of their classes")
		}
		last = first
		if len(own) > 0 && int(own[len(own)-1]) >= len(x.Classes) {
			return files.Broken("labels", 4*int(to)-4, files.ErrFormat, "class %d of %d", own[len(own)-1], len(x.Classes))
		}
		if len(own) < 2 {
			continue
		}
		x.Multi = true
		if !ascendingBelow(own, len(x.Classes)) {
			return files.Broken("labels", 4*int(from), files.ErrFormat, "the classes of document %d are out of order", d)
		}
	}
	return nil
}

// CheckNames implements [postings.File]: it verifies that each term has a name of its own, and that terms of equal
// frequency are in the order of their bytes. Equal names may stand anywhere, so that it sorts them all: opening a file
// leaves it to what takes longer.
func (x *indexFile) CheckNames() error {
	sorted := x.Terms.Sorted()
	for i := 1; i < len(sorted); i++ {
		if name := x.Terms.Term(int(sorted[i])); name == x.Terms.Term(int(sorted[i-1])) {
			return twice(name)
		}
	}
	for t := 1; t < len(x.DocFreq); t++ {
		if x.DocFreq[t] == x.DocFreq[t-1] && x.Terms.Term(t) < x.Terms.Term(t-1) {
			return files.Broken("term-text", int(x.Terms.Offsets()[t]), files.ErrFormat, "the term %q is not in the order of its bytes", usage.Cut(x.Terms.Term(t)))
		}
	}
	return nil
}

// twice returns the error for an index that has a term twice.
func twice(name string) error {
	return files.Broken("term-text", 0, files.ErrFormat, "the term %q stands there twice", usage.Cut(name))
}

// checkPlaces verifies where the lists are, not their contents.
func (x *indexFile) checkPlaces() error {
	if len(x.DenseAt) == 0 || len(x.DenseAt) > len(x.DocFreq)+1 || x.DenseAt[0] != 0 || x.DenseAt[len(x.DenseAt)-1] != uint64(len(x.Dense)) {
		return files.Broken("dense-offsets", 0, files.ErrFormat, "%d offsets", len(x.DenseAt))
	}
	for t := range x.FirstShort() {
		if x.DenseAt[t] > x.DenseAt[t+1] {
			return files.Broken("dense-offsets", 8*t, files.ErrFormat, "offsets do not ascend")
		}
	}
	x.placePacked()
	if size, want := len(x.body.content(flatSection)), x.packedAt[len(x.packedAt)-1]; uint64(size) != want {
		return files.Broken("flat", 0, files.ErrFormat, "%d bytes, not %d", size, want)
	}
	words := ((len(x.DocFreq)+groupTerms-1)/groupTerms + 63) / 64
	x.progress = &progress{lists: make([]atomic.Uint64, words), values: make([]atomic.Uint64, words)}
	return nil
}

// checkColumn verifies the lengths of the value column and the places of the escaped
// counts.
func (x *indexFile) checkColumn() error {
	n, c := x.NumPostings(), &x.Values
	if x.Real() || len(c.Double) > 0 {
		if len(c.Single) != n || len(c.Counts) != 0 || len(c.Double) != 0 && len(c.Double) != n {
			return files.Broken("values", 0, files.ErrFormat, "%d values for %d postings", len(c.Single), n)
		}
		return nil
	}
	if len(c.Counts) != n || len(c.EscapeAt) != len(c.Escaped) {
		return files.Broken("counts", 0, files.ErrFormat, "%d counts for %d postings", len(c.Counts), n)
	}
	for i, at := range c.EscapeAt {
		if at >= uint64(n) || i > 0 && at <= c.EscapeAt[i-1] || c.Escaped[i] < postings.Escape {
			return files.Broken("escape-places", 8*i, files.ErrFormat, "posting %d with a count of %d", at, c.Escaped[i])
		}
	}
	return nil
}

// checkReals verifies the real values of the postings [from, to).
func (x *indexFile) checkReals(from, to int) error {
	if err := x.body.verify(valueSection, 4*from, 4*to); err != nil {
		return err
	}
	double := x.Values.Double != nil
	for i, v := range x.Values.Single[from:to] {
		if !(v > 0 || v == 0 && double) || math.IsInf(float64(v), 0) {
			return files.Broken("values", 4*(from+i), files.ErrFormat, "value %v", v)
		}
	}
	if !double {
		return nil
	}
	if err := x.body.verify(exactSection, 8*from, 8*to); err != nil {
		return err
	}
	for i, v := range x.Values.Double[from:to] {
		if !(v > 0) || float32(v) != x.Values.Single[from+i] {
			return files.Broken("exact-values", 8*(from+i), files.ErrFormat, "value %v, which does not round to %v", v, x.Values.Single[from+i])
		}
	}
	return nil
}

// checkCounts verifies that no count is 0 and that every byte of 255 has an escaped
// count.
func checkCounts(c *postings.Column, from, to int) error {
	next, _ := slices.BinarySearch(c.EscapeAt, uint64(from))
	for i, v := range c.Counts[from:to] {
		if v == 0 {
			return files.Broken("counts", from+i, files.ErrFormat, "a count of 0")
		}
		if v == postings.Escape {
			if next == len(c.EscapeAt) || c.EscapeAt[next] != uint64(from+i) {
				return files.Broken("counts", from+i, files.ErrFormat, "a long count without an escape")
			}
			next++
		}
	}
	if next < len(c.EscapeAt) && c.EscapeAt[next] < uint64(to) {
		return files.Broken("escape-places", 8*next, files.ErrFormat, "posting %d has no long count", c.EscapeAt[next])
	}
	return nil
}
