package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/atomicfile"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/store"
)

// A Corpus is a counted, labelled collection of documents. It is immutable and
// safe for concurrent use.
//
// Documents have numbers from 0, class by class (see [Corpus.Documents]);
// terms have numbers by document frequency, descending, then by their bytes.
type Corpus struct {
	index      *store.Index
	provenance Provenance

	lock                          sync.Mutex
	documentMargins, tokenMargins *score.Margins // nil until needed
}

func newCorpus(index *store.Index) (*Corpus, error) {
	c := &Corpus{index: index}
	if err := json.Unmarshal(index.Meta, &c.provenance); err != nil {
		return nil, &store.FileError{Section: "meta", Err: store.ErrFormat, Detail: err.Error()}
	}
	return c, nil
}

// OpenOptions say how to open an index file: mapped, which is the zero value, or
// read; verified as it is used, or at once.
type OpenOptions = store.OpenOptions

// Open opens an index file, in milliseconds however large it is: posting lists and
// columns are read when they are first needed. What is broken in a file gives a
// [store.FileError] that wraps store.ErrFormat, ErrVersion, ErrChecksum or
// ErrTruncated, here or from the call that first needs it; never a wrong number.
//
// The file may be replaced by renaming another over it while it is open. Changed in
// place, or cut, it gives ErrTruncated. [Corpus.Close] gives it back.
func Open(path string, o OpenOptions) (*Corpus, error) {
	index, err := store.Open(path, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c, err := newCorpus(index)
	if err != nil {
		_ = index.Close() // the other error says more
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Close gives back the file of a corpus that was opened; it must not be used
// afterwards, nor its posting lists. One that was built needs no Close.
func (c *Corpus) Close() error { return c.index.Close() }

// Verify looks at every byte of the file that the corpus was opened from.
func (c *Corpus) Verify() error { return c.index.Verify() }

// Decode is [Open] for the bytes of a file, which must not change afterwards. They
// are verified at once.
func Decode(data []byte) (*Corpus, error) {
	index, err := store.Decode(data)
	if err != nil {
		return nil, err
	}
	return newCorpus(index)
}

// IsIndex says whether a file that begins with these bytes claims to be an
// index.
func IsIndex(prefix []byte) bool { return store.IsIndex(prefix) }

// Save writes the index file of the corpus. The path has the old file or the new one
// whatever happens, and who has the old one open keeps it.
func (c *Corpus) Save(ctx context.Context, path string) error {
	return atomicfile.Write(ctx, atomicfile.OS{}, path, func(w io.Writer) error {
		_, err := c.WriteTo(w)
		return err
	})
}

// WriteTo writes the index file of the corpus; the same corpus gives the same
// bytes.
func (c *Corpus) WriteTo(w io.Writer) (int64, error) { return c.index.WriteTo(w) }

// WriteOptions say what a file holds beside what a corpus needs.
type WriteOptions struct {
	// Forward keeps the forward view, which [Corpus.Forward] and Best Terms need.
	Forward bool
	// Cells keeps the counts of the whole corpus, see [Corpus.Statistics].
	Cells bool
	// Weights keeps the column of a weighting, see [Corpus.Weights]; "" keeps none.
	Weights string
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Write writes the index file of the corpus with what the options ask for, and
// nothing else: results are the same, some of them come sooner. [Corpus.WriteTo] keeps
// what the file of an opened corpus holds.
func (c *Corpus) Write(ctx context.Context, w io.Writer, o WriteOptions) (int64, error) {
	opt, err := o.parse()
	if err != nil {
		return 0, err
	}
	return c.index.Write(ctx, w, opt)
}

// Stored says what the file that the corpus came from holds beside what it needs.
func (c *Corpus) Stored() WriteOptions {
	o := c.index.Stored()
	return WriteOptions{Forward: o.Forward, Cells: o.Cells, Weights: string(o.Weights)}
}

func (o *WriteOptions) parse() (opt store.WriteOptions, err error) {
	opt = store.WriteOptions{Forward: o.Forward, Cells: o.Cells, Threads: o.Threads}
	if o.Weights != "" {
		opt.Weights, err = parseWeighting(o.Weights)
	}
	return opt, err
}

// SectionSize is the bytes that a section takes in an index file.
type SectionSize = store.SectionSize

// Info describes a corpus in numbers.
type Info struct {
	Documents      int // unlabelled ones included
	Labelled       int
	EmptyDocuments int // without a term; they count in Documents
	Terms          int
	Classes        int
	Postings       int64 // (document, term) pairs
	Tokens         int64 // occurrences of all terms
	Cells          int64 // (term, class) pairs with a document
	Bytes          int64 // memory of the columns
	ClassSizes     map[string]int
	Pruned         bool // terms were left out by document frequency
	Real           bool // the values are real numbers, not counts
	Provenance     Provenance
	Sections       []SectionSize // of the file; nil of a corpus that was built
}

// Info counts the corpus once.
func (c *Corpus) Info(ctx context.Context) (Info, error) {
	x := c.index
	info := Info{
		Documents: x.Documents(), Labelled: x.Labelled(),
		Terms: x.Terms.Len(), Classes: len(x.Classes), Postings: int64(x.NumPostings()), Bytes: x.Bytes(),
		ClassSizes: map[string]int{}, Pruned: x.Pruned, Real: x.Real(), Provenance: c.provenance, Sections: x.Sections(),
	}
	var err error
	if info.EmptyDocuments, err = x.EmptyDocuments(ctx); err != nil {
		return info, err
	}
	s, err := x.Count(ctx, store.CountOptions{})
	if err != nil {
		return info, err
	}
	info.Tokens, info.Cells = int64(s.Tokens), int64(len(s.CellClass))
	for i, name := range s.Classes {
		info.ClassSizes[name] = int(s.ClassDocs[i])
	}
	return info, nil
}

// Classes lists the labels in the order of their bytes. The slice must not be
// modified.
func (c *Corpus) Classes() []string { return c.index.Classes }

// Provenance says how the corpus was made.
func (c *Corpus) Provenance() Provenance { return c.provenance }

// Pruned says that terms were left out by document frequency.
func (c *Corpus) Pruned() bool { return c.index.Pruned }

// Documents is the number of documents. They are numbered by their first label,
// in the order of the classes, then in input order; unlabelled ones last.
func (c *Corpus) Documents() int { return c.index.Documents() }

// DocumentIDs lists the names of the documents, by their numbers.
func (c *Corpus) DocumentIDs() ([]string, error) {
	ids, err := c.index.DocumentIDs()
	if err != nil {
		return nil, err
	}
	names := make([]string, ids.Len())
	for doc := range names {
		names[doc] = ids.Term(doc)
	}
	return names, nil
}

// documentList is what goes from document to document in the order of the input.
type documentList struct {
	order []uint32
	ids   *store.Dictionary
}

func (c *Corpus) documents() (d documentList, err error) {
	if d.order, err = c.index.InputOrder(); err != nil {
		return d, err
	}
	d.ids, err = c.index.DocumentIDs()
	return d, err
}

// Labels gives the classes of a document as places in [Corpus.Classes],
// ascending. The slice must not be modified.
func (c *Corpus) Labels(doc int) []uint32 { return c.index.Labels(doc) }

// Terms is the number of terms.
func (c *Corpus) Terms() int { return c.index.Terms.Len() }

// Term gives the bytes of a term in [0, Terms()).
func (c *Corpus) Term(term int) string { return c.index.Terms.Term(term) }

// Lookup finds the number of a term.
func (c *Corpus) Lookup(term string) (int, bool) { return c.index.Terms.Lookup(term) }

// DF is the number of documents with a term.
func (c *Corpus) DF(term int) int { return c.index.DF(term) }

// Postings gives the documents of a term, each once, as a bitmap that the
// caller owns; its cardinality is the term's df.
func (c *Corpus) Postings(term int) (*roaring.Bitmap, error) { return c.index.Bitmap(term) }

// Weights are the weights of all postings as a float32 column: see
// [Corpus.Weights].
type Weights = store.Weights

// Weights computes the column of a weighting (tf, tfidf, tfidf-unit, ltc or
// binary; "" is tf) over all terms: Weights.Of(term) has one value for each
// document of [Corpus.Postings], in ascending order. It costs 4 bytes a posting.
func (c *Corpus) Weights(ctx context.Context, weight string) (*Weights, error) {
	w, err := parseWeighting(weight)
	if err != nil {
		return nil, err
	}
	return c.index.Weights(ctx, w)
}

// StatisticsOptions say what to count. The zero value counts all documents.
type StatisticsOptions struct {
	// Weight asks for the sums of a weighting, which ocfs needs: tf, tfidf,
	// tfidf-unit, ltc or binary. tf and binary need not be asked for.
	Weight string
	// Within restricts the count to a set of documents: a fold, a date range.
	Within *roaring.Bitmap
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Statistics counts every term in every class.
func (c *Corpus) Statistics(ctx context.Context, opt StatisticsOptions) (*Statistics, error) {
	w, err := parseWeighting(opt.Weight)
	if err != nil {
		return nil, err
	}
	count := store.CountOptions{Within: opt.Within, Threads: opt.Threads}
	if w != store.TF && w != store.Binary {
		count.Weighting = w
	}
	var s *store.Statistics
	err = pool.Stage(ctx, "count", func(ctx context.Context) (err error) {
		s, err = c.index.Count(ctx, count)
		return err
	})
	if err != nil {
		return nil, err
	}
	return newStatistics(s), nil
}

func parseWeighting(name string) (store.Weighting, error) {
	w, err := store.ParseWeighting(name)
	if err != nil {
		var known []string
		for _, k := range store.Weightings() {
			known = append(known, string(k))
		}
		return "", unknown("weighting", name, known)
	}
	return w, nil
}

// InputOrder lists the numbers of the documents in the order in which they were read.
// The slice must not be modified.
func (c *Corpus) InputOrder() ([]uint32, error) { return c.index.InputOrder() }
