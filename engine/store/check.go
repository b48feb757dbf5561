package store

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

// This file verifies an index: what every use relies on when its file is opened, posting lists and columns before they
// are first read, and with them it unpacks short lists (packed.go). A file with right checksums may still be wrong: it
// may have been made to mislead, and must not make a reader go out of bounds. Lists are verified by groups of terms,
// because one bit per term would cost more than most lists.

const groupTerms = 64

// An indexFile is the file of an index, and what has been verified of it.
type indexFile struct {
	*postings.Index // its columns
	body            *container
	hasCells        bool
	layout          layout   // of the cells
	packedAt        []uint64 // where the packed lists of each group of terms begin
	progress        *progress
}

// fileOf returns the file of an index, or nil if it was built.
func fileOf(x *postings.Index) *indexFile {
	f, _ := x.File().(*indexFile)
	return f
}

// A progress records what has been verified of an index that came from a file.
type progress struct {
	lists, values []atomic.Uint64 // one bit per group of terms
	checking      [64]sync.Mutex  // of groups
	lock          sync.Mutex      // of the documents' names and input places
}

// check verifies what every use of the index relies on. The checksums of these sections are right.
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

// Ready implements [postings.File]: it verifies the lists of terms and, if values is set, their values, unless
// that has been done.
func (x *indexFile) Ready(terms pool.Range, values bool) error {
	for g := terms.From / groupTerms; g*groupTerms < terms.To; g++ {
		if err := x.once(x.progress.lists, g, x.checkLists); err != nil {
			return err
		}
		if !values {
			continue
		}
		if err := x.once(x.progress.values, g, x.checkValues); err != nil {
			return err
		}
	}
	return nil
}

// once checks a group of terms, on one goroutine at a time, unless that has succeeded before.
func (x *indexFile) once(done []atomic.Uint64, g int, check func(terms pool.Range) error) error {
	word, lock, bit := &done[g/64], &x.progress.checking[g%64], uint64(1)<<(g%64)
	if word.Load()&bit != 0 {
		return nil
	}
	lock.Lock()
	defer lock.Unlock()
	if word.Load()&bit != 0 {
		return nil
	}
	if err := check(pool.Range{From: g * groupTerms, To: min((g+1)*groupTerms, x.Terms.Len())}); err != nil {
		return err
	}
	word.Or(bit)
	return nil
}

// checkLists verifies the posting lists of terms.
func (x *indexFile) checkLists(terms pool.Range) error {
	if dense := min(terms.To, x.FirstShort()); terms.From < dense {
		if err := x.body.verify(denseSection, int(x.DenseAt[terms.From]), int(x.DenseAt[dense])); err != nil {
			return err
		}
		for t := terms.From; t < dense; t++ {
			if err := x.checkBitmap(t); err != nil {
				return err
			}
		}
	}
	if terms.To <= x.FirstShort() {
		return nil
	}
	return x.unpackLists(terms)
}

func (x *indexFile) checkBitmap(t int) error {
	at := int(x.DenseAt[t])
	v, err := bitmap.Parse(x.BitmapBytes(t))
	if err != nil {
		return files.Broken("dense", at, files.ErrFormat, "term %d: %v", t, err)
	}
	if v.Cardinality() != int(x.DocFreq[t]) {
		return files.Broken("dense", at, files.ErrFormat, "term %d has %d documents, not %d", t, v.Cardinality(), x.DocFreq[t])
	}
	if err := v.Validate(uint64(x.Documents())); err != nil {
		return files.Broken("dense", at, files.ErrFormat, "term %d: %v", t, err)
	}
	return nil
}

func ascendingBelow(ids []uint32, n int) bool {
	for i, id := range ids {
		if int(id) >= n || i > 0 && id <= ids[i-1] {
			return false
		}
	}
	return true
}

// checkValues verifies the values of terms.
func (x *indexFile) checkValues(terms pool.Range) error {
	from, to := int(x.Start[terms.From]), int(x.Start[terms.To])
	if x.Real() {
		return x.checkReals(from, to)
	}
	if err := x.body.verify(countSection, from, to); err != nil {
		return err
	}
	return checkCounts(&x.Values, from, to)
}

// ReadyDocuments implements [postings.File]: it verifies the names and input places of the documents, unless
// that has been done.
func (x *indexFile) ReadyDocuments() error {
	x.progress.lock.Lock()
	defer x.progress.lock.Unlock()
	if x.IDs != nil {
		return nil
	}
	if err := x.body.verifyWhole(documentText, documentLengths, inputPlaces); err != nil {
		return err
	}
	ids, err := readDictionary(x.body, documentText, documentLengths, string(x.body.content(documentText)))
	if err != nil {
		return err
	}
	if ids.Len() != len(x.Input) {
		return files.Broken("document-lengths", 0, files.ErrFormat, "%d names for %d documents", ids.Len(), len(x.Input))
	}
	if err := x.checkInput(); err != nil {
		return err
	}
	x.IDs = ids
	return nil
}

// NameBytes implements [postings.File].
func (x *indexFile) NameBytes() int { return x.body.sections[documentText].length }

// Verify implements [postings.File].
func (x *indexFile) Verify() error {
	if err := x.ReadyDocuments(); err != nil {
		return err
	}
	if err := x.CheckNames(); err != nil {
		return err
	}
	for kind := range numSections {
		if err := x.body.verifyWhole(kind); err != nil {
			return err
		}
	}
	if err := x.Ready(pool.Range{To: x.Terms.Len()}, true); err != nil {
		return err
	}
	if !x.hasCells {
		return nil
	}
	return x.checkCells()
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
