package store

import (
	"sync"
	"sync/atomic"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
)

// This file verifies posting lists and columns before they are first read, and unpacks
// short lists (packed.go). A file with right checksums may still be wrong:
// it may have been made to mislead, and must not make a reader go out of bounds. Terms
// are verified in groups, because one bit per term would cost more than most lists.

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
