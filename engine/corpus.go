package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

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

// Open reads an index file. Every checksum is verified; a broken file gives a
// [store.FileError] that wraps store.ErrFormat, ErrVersion, ErrChecksum or
// ErrTruncated.
func Open(path string) (*Corpus, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Decode is [Open] for the bytes of a file, which must not change afterwards.
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

// WriteTo writes the index file of the corpus; the same corpus gives the same
// bytes.
func (c *Corpus) WriteTo(w io.Writer) (int64, error) { return c.index.WriteTo(w) }

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
}

// Info counts the corpus once.
func (c *Corpus) Info() Info {
	x := c.index
	info := Info{
		Documents: x.Documents(), Labelled: x.Labelled(), EmptyDocuments: x.EmptyDocuments(),
		Terms: x.Terms.Len(), Classes: len(x.Classes), Postings: int64(x.NumPostings()), Bytes: x.Bytes(),
		ClassSizes: map[string]int{}, Pruned: x.Pruned, Real: x.Real(), Provenance: c.provenance,
	}
	s, err := x.Count(context.Background(), store.CountOptions{})
	if err != nil {
		return info // only a cancelled context makes it fail
	}
	info.Tokens, info.Cells = int64(s.Tokens), int64(len(s.CellClass))
	for i, name := range s.Classes {
		info.ClassSizes[name] = int(s.ClassDocs[i])
	}
	return info
}

// Classes lists the labels in the order of their bytes. The slice must not be
// modified.
func (c *Corpus) Classes() []string { return c.index.Classes }

// Provenance says how the corpus was made.
func (c *Corpus) Provenance() Provenance { return c.provenance }

// Documents is the number of documents. They are numbered by their first label,
// in the order of the classes, then in input order; unlabelled ones last.
func (c *Corpus) Documents() int { return c.index.Documents() }

// DocumentID is the name of a document in [0, Documents()).
func (c *Corpus) DocumentID(doc int) string { return c.index.DocumentID(doc) }

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
func (c *Corpus) Postings(term int) *roaring.Bitmap { return c.index.Bitmap(term) }

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
func (c *Corpus) InputOrder() []uint32 { return c.index.InputOrder() }
