package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
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
	codes     codes // see classCodes
}

// Memory has the columns of an index. They must not be modified.
type Memory struct {
	Classes []string
	Terms   *table.Dictionary
	// Meta is the caller's own description, stored verbatim in the file.
	Meta json.RawMessage
	// Pruned reports whether terms were left out because of their document frequency.
	Pruned bool

	ids        *table.Dictionary // document names, by document number; nil until they are first read from a file
	input      []uint32          // document number -> place in the input
	labelStart []uint32          // documents+1
	labels     []uint32          // class numbers, ascending within a document
	multi      bool              // some document has several labels

	df      []uint32
	start   []uint64 // terms+1: first posting of each term in the columns
	dense   []byte   // Roaring portable bitmaps of the terms [0, numDense)
	denseAt []uint64 // numDense+1 offsets into dense
	flat    []uint32 // ascending document numbers of the other terms, in memory
	tf      Column
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
// index closes the memory that holds them, if it is not nil.
func New(c Memory, file File, mapping *files.Mapping) *Index {
	return &Index{Memory: c, file: file, mapping: mapping}
}

// File returns the file that the index came from, or nil if it was built.
func (x *Index) File() File { return x.file }

// ready makes the lists of terms ready and, if values is set, their values.
func (x *Index) ready(terms pool.Range, values bool) error {
	if x.file == nil {
		return x.absent
	}
	return x.file.Ready(terms, values)
}

// readyDocuments makes the names and input places of the documents ready.
func (x *Index) readyDocuments() error {
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

// longList returns the document frequency from which a posting list is kept as a
// Roaring bitmap. Below it, the headers (16 bytes per container, and the time to walk
// them) cost more than the containers save against 4 bytes per posting.
func longList(documents int) uint32 {
	if documents > 1<<16 {
		return 512
	}
	return 64
}

// Documents returns the number of documents, unlabelled ones included.
func (x *Index) Documents() int { return len(x.input) }

// Labelled returns the number of documents with at least one label.
func (x *Index) Labelled() int {
	if !x.multi {
		return len(x.labels)
	}
	n := 0
	for d := range x.input {
		if x.labelStart[d] < x.labelStart[d+1] {
			n++
		}
	}
	return n
}

// DocumentIDs returns the names of the documents, by their numbers.
func (x *Index) DocumentIDs() (ids *table.Dictionary, err error) {
	err = x.Guard(func() error {
		if err := x.readyDocuments(); err != nil {
			return err
		}
		ids = x.ids
		return nil
	})
	return ids, err
}

// Labels returns the classes of a document, ascending. The slice must not be modified.
func (x *Index) Labels(doc int) []uint32 {
	return x.labels[x.labelStart[doc]:x.labelStart[doc+1]]
}

// InputOrder returns the document numbers in the order in which the documents were
// read.
func (x *Index) InputOrder() ([]uint32, error) {
	order := make([]uint32, len(x.input))
	err := x.Guard(func() error {
		if err := x.readyDocuments(); err != nil {
			return err
		}
		for doc, place := range x.input {
			order[place] = uint32(doc)
		}
		return nil
	})
	return order, err
}

// DF returns the number of documents with the term.
func (x *Index) DF(term int) int { return int(x.df[term]) }

// NumPostings returns the number of (document, term) pairs.
func (x *Index) NumPostings() int { return int(x.start[len(x.start)-1]) }

// Real reports whether the values of the column are real numbers, not counts.
func (x *Index) Real() bool { return x.tf.real() }

// EmptyDocuments returns the number of documents without a term. Terms come by falling
// document frequency, so that it rarely has to read more than the first few.
func (x *Index) EmptyDocuments(ctx context.Context) (int, error) {
	seen := make([]bool, x.Documents())
	empty := len(seen)
	var p Postings
	err := x.Each(ctx, x.Terms.Len(), func(t int) error {
		if empty == 0 {
			return errAllSeen
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
		return nil
	})
	if errors.Is(err, errAllSeen) {
		err = nil
	}
	return empty, err
}

// errAllSeen ends a walk over the terms when every document has been met.
var errAllSeen = errors.New("all documents have been seen")

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
	n := len(x.dense) + 8*len(x.denseAt) + 4*len(x.flat) + 4*len(x.df) + 8*len(x.start) + x.tf.bytes()
	n += len(x.Terms.Text()) + 4*len(x.Terms.Offsets()) + x.idBytes()
	n += 4 * (len(x.input) + len(x.labelStart) + len(x.labels))
	return int64(n)
}

// idBytes returns the memory, in bytes, that the names of the documents take once they
// were read.
func (x *Index) idBytes() int {
	offsets := 4 * (len(x.input) + 1)
	if x.file != nil {
		return x.file.NameBytes() + offsets
	}
	return len(x.ids.Text()) + offsets
}

// FirstShort returns the first term whose list is no bitmap; those of all later terms are none.
func (x *Index) FirstShort() int { return len(x.denseAt) - 1 }

// documents returns the documents of a term, ascending. The term must be ready. A short
// list is part of the store; a long one is decoded into buf.
func (x *Index) documents(term int, buf []uint32) []uint32 {
	if term >= x.FirstShort() {
		return x.ShortList(term)
	}
	v, err := bitmap.Parse(x.BitmapBytes(term))
	if err != nil {
		panic(err) // Build wrote it, or decode has parsed it
	}
	return v.AppendTo(buf[:0])
}

// ShortList returns the documents of a term from [Index.FirstShort] on, which must be ready.
func (x *Index) ShortList(term int) []uint32 {
	base := x.start[x.FirstShort()]
	return x.flat[x.start[term]-base : x.start[term+1]-base]
}

// BitmapBytes returns the serialised bitmap of a long list.
func (x *Index) BitmapBytes(term int) []byte {
	return x.dense[x.denseAt[term]:x.denseAt[term+1]]
}

// FirstCount returns the count of a term in its first document.
func (x *Index) FirstCount(t int) uint32 {
	at := x.start[t]
	if v := x.tf.counts[at]; v != escape {
		return uint32(v)
	}
	i, _ := slices.BinarySearch(x.tf.escapeAt, at)
	return x.tf.escaped[i]
}

// Bitmap returns the documents of a term as a bitmap that the caller owns. Each
// document is in it once, however many labels it has.
func (x *Index) Bitmap(term int) (b *roaring.Bitmap, err error) {
	err = x.Guard(func() error {
		if err := x.ready(pool.Range{From: term, To: term + 1}, false); err != nil {
			return err
		}
		b = bitmap.FromIDs(x.documents(term, nil))
		return nil
	})
	return b, err
}

// Postings is the decoded list of a term: document numbers, ascending, and the
// frequency in each. The next Read reuses its buffers.
type Postings struct {
	Docs []uint32
	TF   []float64

	buffer []uint32
}

// Read decodes the list of a term into p. If the index may come from a file that is
// mapped, Read is to be called, and p to be read, by a function that [Index.Each]
// calls.
func (x *Index) Read(term int, p *Postings) error {
	if err := x.ready(pool.Range{From: term, To: term + 1}, true); err != nil {
		return err
	}
	x.read(term, p)
	return nil
}

// ReadDocs is [Index.Read] without the frequencies.
func (x *Index) ReadDocs(term int, p *Postings) error {
	if err := x.ready(pool.Range{From: term, To: term + 1}, false); err != nil {
		return err
	}
	x.Decode(term, p)
	return nil
}

// read is [Index.Read] for a term that is ready.
func (x *Index) read(term int, p *Postings) {
	x.Decode(term, p)
	p.TF = x.tf.read(x.start[term], x.start[term+1], p.TF)
}

// Decode is [Index.ReadDocs] for a term that is ready.
func (x *Index) Decode(term int, p *Postings) {
	p.Docs = x.documents(term, p.buffer)
	if term < x.FirstShort() {
		p.buffer = p.Docs
	}
}

// A Column holds one value per posting: counts as bytes, with 255 for those in the
// escape list; or real numbers as float32, and as float64 too if float32 cannot hold
// them exactly.
type Column struct {
	counts   []uint8
	escapeAt []uint64 // postings, ascending
	escaped  []uint32
	single   []float32
	double   []float64
}

const escape = 255

func (c *Column) real() bool { return c.single != nil }

func (c *Column) bytes() int {
	return len(c.counts) + 12*len(c.escaped) + 4*len(c.single) + 8*len(c.double)
}

// read returns the values of the postings [from, to) as float64, in buf if it is large
// enough.
func (c *Column) read(from, to uint64, buf []float64) []float64 {
	n := int(to - from)
	values := slices.Grow(buf[:0], n)[:n]
	switch {
	case c.double != nil:
		copy(values, c.double[from:to])
	case c.single != nil:
		for i, v := range c.single[from:to] {
			values[i] = float64(v)
		}
	default:
		for i, v := range c.counts[from:to] {
			values[i] = float64(v)
		}
		for i := c.escapesFrom(from); i < len(c.escapeAt) && c.escapeAt[i] < to; i++ {
			values[c.escapeAt[i]-from] = float64(c.escaped[i])
		}
	}
	return values
}

// eachEscape calls f for the counts of 255 or more of the postings [from, to), with
// their places relative to from.
func (c *Column) eachEscape(from, to uint64, f func(i int, count uint32)) {
	if len(c.escapeAt) == 0 {
		return
	}
	for i := c.escapesFrom(from); i < len(c.escapeAt) && c.escapeAt[i] < to; i++ {
		f(int(c.escapeAt[i]-from), c.escaped[i])
	}
}

// escapesFrom returns the index of the first escaped count at posting from or later.
func (c *Column) escapesFrom(from uint64) int {
	i, _ := slices.BinarySearch(c.escapeAt, from)
	return i
}
