// Package postings holds a counted corpus in columns: documents numbered so that those of
// a class are neighbours, terms ordered by document frequency, posting lists, and a
// column of term frequencies. It computes the [table.Table] of every term in every
// class, which are all that a measure depends on.
//
// Import package engine instead, unless you work on the lists themselves.
package postings

import (
	"context"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// An Index is a corpus in columns. It is immutable and safe for concurrent use.
//
// Documents are numbered by their first class (labels in byte order), then in input
// order; unlabelled documents come last. Terms are numbered by descending document
// frequency, then by their bytes.
type Index struct {
	Memory

	absent   error          // why there are no lists; nil if there are
	file     File           // that it came from; nil for one that was built
	mapping  *files.Mapping // that holds the columns; nil if they are on the heap
	lifetime lifetime

	codesOnce sync.Once
	codes     Codes // see classCodes
}

// A File is the file of an index. It verifies and unpacks parts of the columns before they are first
// read. Its methods are called while the index is in use.
type File interface {
	// Ready makes the lists of terms ready, and their values if values is set.
	Ready(terms pool.Range, values bool) error
	// ReadyDocuments makes the names and input places of the documents ready.
	ReadyDocuments() error
	// CheckNames verifies that no term is there twice.
	CheckNames() error
	// Verify verifies every byte.
	Verify() error
	// Table returns the table of all documents; nil if the file has no cells that give it.
	Table(ctx context.Context) (*table.Table, error)
	// NameBytes returns the length of the names of the documents.
	NameBytes() int
}

// New returns an index of columns, which come from a file or, if file is nil, were built. Closing the
// index closes the mapping that holds them, if it is not nil.
func New(c Memory, file File, mapping *files.Mapping) *Index {
	return &Index{Memory: c, file: file, mapping: mapping}
}

// File returns the file that the index came from, or nil if it was built.
func (x *Index) File() File { return x.file }

// Ready makes the lists of terms ready and, if values is set, their values.
func (x *Index) Ready(terms pool.Range, values bool) error {
	if x.file == nil {
		return x.absent
	}
	return x.file.Ready(terms, values)
}

// ReadyDocuments makes the names and input places of the documents ready.
func (x *Index) ReadyDocuments() error {
	if x.file == nil {
		return nil
	}
	return x.file.ReadyDocuments()
}

// Verify verifies every byte of the file that the index came from. It does nothing for
// an index that was built.
func (x *Index) Verify() error {
	return x.Guard(func() error {
		if x.file == nil {
			return nil
		}
		return x.file.Verify()
	})
}

// DocumentIDs returns the names of the documents, by their numbers.
func (x *Index) DocumentIDs() (ids *table.Dictionary, err error) {
	err = x.Guard(func() error {
		if err := x.ReadyDocuments(); err != nil {
			return err
		}
		ids = x.IDs
		return nil
	})
	return ids, err
}

// InputOrder returns the document numbers in the order in which the documents were
// read.
func (x *Index) InputOrder() ([]uint32, error) {
	order := make([]uint32, len(x.Input))
	err := x.Guard(func() error {
		if err := x.ReadyDocuments(); err != nil {
			return err
		}
		for doc, place := range x.Input {
			order[place] = uint32(doc)
		}
		return nil
	})
	return order, err
}

// EmptyDocuments returns the number of documents without a term. Terms come by falling
// document frequency, so that it rarely has to read more than the first few.
func (x *Index) EmptyDocuments(ctx context.Context) (int, error) {
	seen := make([]bool, x.Documents())
	empty := len(seen)
	var p List
	err := x.Guard(func() error {
		for t := 0; t < x.Terms.Len() && empty > 0; t++ {
			if t%256 == 0 && ctx.Err() != nil {
				return usage.Cause(ctx)
			}
			if err := x.ReadDocs(t, &p); err != nil {
				return err
			}
			for _, d := range p.Docs {
				if !seen[d] {
					seen[d] = true
					empty--
				}
			}
		}
		return nil
	})
	return empty, err
}

// Each calls f for every number in [0, n) and checks the context from time to time. f
// may read the lists of the index.
func (x *Index) Each(ctx context.Context, n int, f func(i int) error) error {
	return x.Guard(func() error {
		for i := range n {
			if i%256 == 0 && ctx.Err() != nil {
				return usage.Cause(ctx)
			}
			if err := f(i); err != nil {
				return err
			}
		}
		return nil
	})
}

// Bytes returns the memory that the columns take, in bytes.
func (x *Index) Bytes() int64 {
	n := len(x.Dense) + 8*len(x.DenseAt) + 4*len(x.Flat) + 4*len(x.DocFreq) + 8*len(x.Start)
	v := &x.Values
	n += len(v.Counts) + 12*len(v.Escaped) + 4*len(v.Single) + 8*len(v.Double)
	n += len(x.Terms.Text()) + 4*len(x.Terms.Offsets())
	n += 4 * (len(x.Input) + len(x.LabelStart) + len(x.LabelOf))
	n += 4 * (len(x.Input) + 1) // with the names of the documents, which a file makes when they are first read:
	if x.file != nil {
		n += x.file.NameBytes()
	} else {
		n += len(x.IDs.Text())
	}
	return int64(n)
}

// Bitmap returns the documents of a term as a bitmap that the caller owns. Each
// document is in it once, however many labels it has.
func (x *Index) Bitmap(term int) (b *roaring.Bitmap, err error) {
	err = x.Guard(func() error {
		if err := x.Ready(pool.Range{From: term, To: term + 1}, false); err != nil {
			return err
		}
		b = bitmap.FromIDs(x.documents(term, nil))
		return nil
	})
	return b, err
}

// Postings is the decoded list of a term: document numbers, ascending, and the
// frequency in each. The next Read reuses its buffers.
type List struct {
	Docs []uint32
	TF   []float64

	buffer []uint32
}

// Read decodes the list of a term into p. If the index may come from a file that is
// mapped, Read is to be called, and p to be read, by a function that [Index.Each]
// calls.
func (x *Index) Read(term int, p *List) error {
	if err := x.Ready(pool.Range{From: term, To: term + 1}, true); err != nil {
		return err
	}
	x.Decode(term, p)
	p.TF = x.Values.Read(x.Start[term], x.Start[term+1], p.TF)
	return nil
}

// ReadDocs is [Index.Read] without the frequencies.
func (x *Index) ReadDocs(term int, p *List) error {
	if err := x.Ready(pool.Range{From: term, To: term + 1}, false); err != nil {
		return err
	}
	x.Decode(term, p)
	return nil
}

// Decode is [Index.ReadDocs] for a term that is ready.
func (x *Index) Decode(term int, p *List) {
	p.Docs = x.documents(term, p.buffer)
	if term < x.FirstShort() {
		p.buffer = p.Docs
	}
}
