// Package corpus holds a counted, labelled collection of documents. It builds, opens,
// saves, merges and counts such collections, cuts them into parts and compares two of
// them.
//
// It takes documents or files, and returns a [Corpus] and its [table.Table]. Begin reading
// at [Build] and [Corpus.Statistics]. The columns and lists below it are those of package
// postings, which [Corpus.Index] returns; package ingest turns documents into an index. The
// package does not score terms.
package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A Corpus is a counted, labelled collection of documents. It is immutable and safe for
// concurrent use.
//
// Documents are numbered from 0, class by class (see [Corpus.Documents]). Terms are
// numbered from 0 by descending document frequency, those of equal frequency by their
// bytes.
type Corpus struct {
	numbered   *postings.Numbered
	provenance table.Provenance
	opened     bool // from a file that somebody has written

	counting        sync.Mutex
	plain, weighted *table.Table // of all documents; nil until first needed
}

// New returns the corpus of an index, which it takes ownership of.
func New(index *postings.Index) (*Corpus, error) {
	if index == nil {
		return nil, usage.Errorf("a nil index was given")
	}
	return newCorpus(postings.Whole(index))
}

// newCorpus is New for an index whose lists may be made later.
func newCorpus(n *postings.Numbered) (*Corpus, error) {
	c := &Corpus{numbered: n}
	if err := json.Unmarshal(c.head().Meta, &c.provenance); errors.Is(err, usage.ErrData) {
		return nil, err
	} else if err != nil {
		return nil, &files.FileError{Section: "meta", Err: files.ErrFormat, Detail: err.Error()}
	}
	return c, nil
}

// head returns the index for names, numbers and labels.
func (c *Corpus) head() *postings.Index { return c.numbered.Head() }

// OpenOptions say how to open an index file: mapped (the zero value) or read, and verified
// as it is used or at once.
type OpenOptions = store.OpenOptions

// Open opens an index file. It takes milliseconds whatever the size of the file: posting
// lists and columns are read when they are first needed. Damage in the file gives a
// [files.FileError] that wraps files.ErrFormat, ErrVersion, ErrChecksum or ErrTruncated,
// from Open or from the call that first needs the damaged part, and never a wrong number.
//
// While the file is open, another file may be renamed over it. If it is changed in place
// or truncated, calls fail with ErrTruncated. [Corpus.Close] releases the file.
func Open(path string, o OpenOptions) (*Corpus, error) {
	index, err := store.Open(path, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c, err := New(index)
	if err != nil {
		_ = index.Close() // the other error says more
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c.opened = true
	return c, nil
}

// Close releases the file of a corpus that was opened. Calls that are running and later
// ones fail with [ErrClosed] where they need posting lists or the names of documents; they
// never read released memory. Closing again does nothing. A corpus that was built needs no
// Close, which gives the memory of its documents back at once.
func (c *Corpus) Close() error { return c.numbered.Close() }

// Verify checks every byte of the file that the corpus was opened from.
func (c *Corpus) Verify() error { return c.head().Verify() }

// Decode is like [Open] for the bytes of a file, which must not change afterwards. It
// verifies them at once.
func Decode(data []byte) (*Corpus, error) {
	index, err := store.Decode(data)
	if err != nil {
		return nil, err
	}
	c, err := New(index)
	if err != nil {
		return nil, err
	}
	c.opened = true
	return c, nil
}

// IsIndex reports whether a file that begins with these bytes claims to be an index.
func IsIndex(prefix []byte) bool { return store.IsIndex(prefix) }

// Save writes the index file of the corpus to path. Whatever happens, path has either the
// old file or the new one; a process that has the old file open keeps it.
func (c *Corpus) Save(ctx context.Context, path string, o SaveOptions) error {
	return files.Write(ctx, files.OS{}, path, func(w io.Writer) error {
		_, err := c.Write(ctx, w, o)
		return err
	})
}

// WriteTo writes the index file of the corpus: with the cells if it was built, or if the file
// has them from which it was opened. The same corpus gives the same bytes.
func (c *Corpus) WriteTo(w io.Writer) (int64, error) {
	return c.Write(context.Background(), w, SaveOptions{NoCells: c.opened && !c.HasCells()})
}

// SaveOptions say what an index file holds. The zero value stores the cells.
type SaveOptions struct {
	// NoCells leaves out the cells, the counts of all terms in all classes that measures
	// read: [Corpus.Statistics] then counts them in the postings. They are left out, too,
	// where they are many and more than half of the postings.
	NoCells bool
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Write writes the index file of the corpus, with cells unless the options leave them out.
func (c *Corpus) Write(ctx context.Context, w io.Writer, o SaveOptions) (int64, error) {
	if w == nil {
		return 0, usage.Errorf("a nil writer was given")
	}
	opt := store.WriteOptions{Cells: !o.NoCells, Threads: o.Threads}
	c.counting.Lock()
	if c.plain != nil {
		opt.Counted = c.plain
	}
	c.counting.Unlock()
	return store.Write(ctx, w, c.numbered, opt)
}

// HasCells reports whether the file has the cells from which the corpus was opened.
func (c *Corpus) HasCells() bool { return store.HasCells(c.head()) }

// SectionSize is the number of bytes that a section takes in an index file.
type SectionSize = store.SectionSize

// Info describes a corpus in numbers.
type Info struct {
	Documents      int // unlabelled ones included
	Labelled       int
	EmptyDocuments int // without a term; Documents includes them
	Terms          int
	Classes        int
	Postings       int64 // (document, term) pairs
	Tokens         int64 // occurrences of all terms
	Cells          int64 // (term, class) pairs with a document
	CellsStored    bool  // the file that the corpus was opened from holds them
	Bytes          int64 // memory of the columns
	ClassSizes     map[string]int
	Target         *table.Target // of a corpus whose labels are numbers; nil else
	Pruned         bool          // terms were left out by document frequency
	Real           bool          // the values are real numbers, not counts
	Provenance     table.Provenance
	Sections       []SectionSize // of the file; nil if the corpus was built
}

// RequireClasses returns a [usage.ErrUsage] if the labels are the numbers of a target, and too many to
// stand for classes; what needs these.
func (c *Corpus) RequireClasses(what string) error {
	return c.provenance.RequireClasses(len(c.Classes()), what)
}

// Info describes the corpus in numbers. It counts the whole corpus, unless
// [Corpus.Statistics] has done so before. If the values add up to 2^63 or more, the error
// wraps [ingest.ErrOverflow].
func (c *Corpus) Info(ctx context.Context) (Info, error) {
	x, err := c.numbered.Index(ctx)
	if err != nil {
		return Info{}, err
	}
	info, err := Overview(ctx, c)
	info.Bytes = x.Bytes()
	return info, err
}

// Overview returns what [Corpus.Info] does but for Bytes, for which posting lists must be made.
func Overview(ctx context.Context, c *Corpus) (Info, error) {
	if c == nil {
		return Info{}, usage.Errorf("a nil corpus was given")
	}
	x := c.head()
	info := Info{
		Documents: x.Documents(), Labelled: x.Labelled(),
		Terms: x.Terms.Len(), Classes: len(c.Classes()), Postings: int64(x.NumPostings()),
		ClassSizes: map[string]int{}, Pruned: x.Pruned, Real: x.Real(), Provenance: c.provenance, Sections: store.Sections(x),
		CellsStored: store.HasCells(x),
	}
	empty, err := c.numbered.EmptyDocuments(ctx)
	if err != nil {
		return info, err
	}
	info.EmptyDocuments = empty
	s, err := c.Statistics(ctx, CountOptions{})
	if err != nil {
		return info, err
	}
	if s.Cells.Tokens >= 1<<63 {
		return info, fmt.Errorf("%w: the sum of all values is %.6g: build the index again from smaller values", ingest.ErrOverflow, s.Cells.Tokens)
	}
	info.Target = s.Target()
	info.Labelled, info.Tokens, info.Cells = int(s.Cells.Labelled), int64(s.Cells.Tokens), int64(s.Cells.Len())
	for i, name := range s.ClassNames {
		info.ClassSizes[name] = int(s.Cells.ClassDocs[i])
	}
	return info, nil
}

// Classes returns the labels in the order of their bytes. The slice must not be modified.
func (c *Corpus) Classes() []string {
	return c.head().Classes
}

// Labelled returns the number of documents of a corpus that have a label.
func Labelled(c *Corpus) int { return c.head().Labelled() }

// Index returns the posting lists and columns, for code that works on them directly. It makes
// the lists of a corpus that was built if this is the first that needs them; [Lists] is for code
// with a context.
func (c *Corpus) Index() *postings.Index {
	x, err := c.numbered.Index(context.Background())
	if err != nil {
		return c.head() // whose methods say that there are no lists
	}
	return x
}

// Lists returns what [Corpus.Index] returns, and stops when ctx is done.
func Lists(ctx context.Context, c *Corpus) (*postings.Index, error) {
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	return c.numbered.Index(ctx)
}

// Rows calls f with what was counted of a corpus, by document, and reports whether it did: a corpus
// that was built has rows as long as nothing has needed its posting lists. f must not need them.
func Rows(c *Corpus, f func(r *postings.Rows) error) (there bool, err error) {
	if c == nil || f == nil {
		return false, usage.Errorf("a nil corpus or function was given")
	}
	return c.numbered.Rows(f)
}

// Find calls found with the places of those of names, which must be in byte order, that a corpus has, and their
// numbers. It reports whether it did: not if that would sort all terms.
func Find(c *Corpus, names []string, found func(i, term int)) bool {
	return c.head().Terms.Find(names, found)
}

// Provenance returns the record of how the corpus was made.
func (c *Corpus) Provenance() table.Provenance { return c.provenance }

// Pruned reports whether terms were left out by document frequency.
func (c *Corpus) Pruned() bool { return c.head().Pruned }

// Documents returns the number of documents. They are numbered by their first label, in
// the order of the classes, then in input order; those without a label come last.
func (c *Corpus) Documents() int { return c.head().Documents() }

// DocumentIDs returns the names of the documents by document number.
func (c *Corpus) DocumentIDs() ([]string, error) {
	ids, err := c.head().DocumentIDs()
	if err != nil {
		return nil, err
	}
	names := make([]string, ids.Len())
	for doc := range names {
		names[doc] = ids.Term(doc)
	}
	return names, nil
}

// Labels returns the classes of a document as indexes into [Corpus.Classes], ascending.
// The slice must not be modified.
func (c *Corpus) Labels(doc int) []uint32 {
	return c.head().Labels(doc)
}

// Terms returns the number of terms.
func (c *Corpus) Terms() int { return c.head().Terms.Len() }

// Term returns the bytes of a term by its number, which is in [0, Terms()).
func (c *Corpus) Term(term int) string { return c.head().Terms.Term(term) }

// Lookup returns the number of a term and whether the corpus has it.
func (c *Corpus) Lookup(term string) (int, bool) { return c.head().Terms.Lookup(term) }

// DF returns the number of documents that have a term.
func (c *Corpus) DF(term int) int { return c.head().DF(term) }

// Postings returns the documents of a term as a bitmap that the caller owns. Its
// cardinality is the document frequency of the term.
func (c *Corpus) Postings(term int) (*roaring.Bitmap, error) { return c.Index().Bitmap(term) }

// InputOrder returns the numbers of the documents in the order in which they were read.
// The slice must not be modified.
func (c *Corpus) InputOrder() ([]uint32, error) { return c.head().InputOrder() }
