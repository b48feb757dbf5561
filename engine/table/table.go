// Package table has the counts of terms in classes: all that a measure reads. A [Table] has the
// names of terms and classes, [Cells] by columns, their [Margins], and a [Provenance] says how the
// documents were read. Tables add, subtract, and drop rare terms. Begin reading at [Table], then
// [Cells] and [Tile]. The package knows no documents, and computes no measure.
package table

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// A Table has the counts of every term in every class where it occurs, the names of terms and
// classes, and the record of where they come from: all that a measure reads. It is immutable and
// safe for concurrent use.
//
// Its file is a fraction of the size of an index, so machines that do not need postings exchange
// tables. Those of disjoint parts add up to that of all documents, to the last bit as long as values
// are counts that add up to no more than 2^53; those of other values, within the bound that [Form] states.
type Table struct {
	Cells      Cells
	ClassNames []string    // by bytes
	Names      *Dictionary // by document frequency, descending, then bytes
	Weighting  Weighting   // of W
	// Pruned reports whether terms were left out by document frequency.
	Pruned bool
	// Missing is the largest number of documents of a term that are not counted, since the
	// shards left out their rare terms: see [Table.WithoutRare]. A term that occurs in more
	// documents is there, and its df, and with it the counts of its cells, are too low by no
	// more. The margins count all documents and tokens.
	Missing uint32

	provenance Provenance // its field Documents is set

	deriving sync.Mutex
	derived  map[any]any
}

// Documents returns the number of documents, including those without a label.
func (t *Table) Documents() int { return int(t.Cells.Documents) }

// Terms returns the number of terms.
func (t *Table) Terms() int { return t.Cells.Terms() }

// Classes returns the labels in the order of their bytes. The slice must not be modified.
func (t *Table) Classes() []string { return t.ClassNames }

// Real reports whether there are values that are no counts.
func (t *Table) Real() bool { return t.Cells.Form == RealValues }

// Provenance returns the record of how the documents were read and analysed.
func (t *Table) Provenance() Provenance {
	p := t.provenance
	p.Documents = 0
	return p
}

// Record returns the provenance as that of one of several tables, with the number of its documents.
func (t *Table) Record() Provenance { return t.provenance }

// SetProvenance sets the record of a table that nobody else has yet.
func (t *Table) SetProvenance(p Provenance) {
	p.Documents = t.Documents()
	t.provenance = p
}

// CountOptions say what to count. The zero value counts all documents.
type CountOptions struct {
	// Weight also counts the sums of a weighting, which ocfs needs: tf, tfidf, tfidf-unit,
	// ltc or binary. Those of tf and binary are always there.
	Weight Weighting
	// Within restricts the count to a set of documents, such as a fold or a date range.
	Within *roaring.Bitmap
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Statistics returns t, so that functions that take the table of a corpus also take a table. It
// returns an error if o asks for the sums of a weighting that were not counted, or for a subset of
// the documents, which a table does not know.
func (t *Table) Statistics(_ context.Context, o CountOptions) (*Table, error) {
	w, err := ParseWeighting(o.Weight)
	switch {
	case t == nil:
		return nil, usage.Errorf("nil statistics were given")
	case err != nil:
		return nil, err
	case o.Within != nil:
		return nil, usage.Errorf("statistics do not know documents: count the corpus within them")
	case w != TF && w != Binary && w != t.Weighting:
		return nil, usage.Errorf("the statistics have no sums of weighting %s, whose idf depends on the number of all documents: count them in a corpus, or take the index", w)
	}
	return t, nil
}

// Derive returns the value that f computes from the table, such as the logarithms of the margins.
// It calls f once for each key and caches the value.
func (t *Table) Derive(key any, f func() any) any {
	t.deriving.Lock()
	defer t.deriving.Unlock()
	v, ok := t.derived[key]
	if !ok {
		v = f()
		if t.derived == nil {
			t.derived = map[any]any{}
		}
		t.derived[key] = v
	}
	return v
}

// Lookup returns the number of a term, of which a person may have typed another form: Running for
// the term run of a corpus with stems. If there is no such term, the error is a
// [usage.UnknownError] that names similar ones.
func (t *Table) Lookup(term string) (int, error) {
	names := t.Names
	if spelled := Spelled(t.provenance.Analysis, []string{term}, names.Has); len(spelled) == 1 {
		if found, ok := names.Lookup(spelled[0]); ok {
			return found, nil
		}
	}
	all := func(yield func(string) bool) {
		for i := range names.Len() {
			if !yield(names.Term(i)) {
				return
			}
		}
	}
	return 0, &usage.UnknownError{Kind: "term", Name: term, Near: usage.Nearest(term, all), Remedy: t.whyUnknown(term)}
}

// Check returns an error for cells that no corpus with these margins has.
func (t *Table) Check() error {
	bounds, err := NewBounds(&t.Cells.Margins, t.Cells.Form)
	if err != nil {
		return err
	}
	if names := t.Names.Len(); names != t.Cells.Terms() {
		return fmt.Errorf("%d names of %d terms", names, t.Cells.Terms())
	}
	if term, err := bounds.CheckTerms(&t.Cells, 0, t.Cells.Terms(), true); err != nil {
		return fmt.Errorf("term %q: %w", usage.Cut(t.Names.Term(term)), err)
	}
	return nil
}

// Version is the version of the library and of what it writes.
const Version = "0.2.0"

// A Weighting is a function from term frequencies to the elements of a vector.
type Weighting string

// The weightings. N and df are those of the index.
const (
	TF        Weighting = "tf"         // tf
	Binary    Weighting = "binary"     // 1
	TFIDF     Weighting = "tfidf"      // tf·ln(N/df)
	TFIDFUnit Weighting = "tfidf-unit" // tf·ln(N/df), documents scaled to length 1
	LTC       Weighting = "ltc"        // (1+ln tf)·ln(N/df), documents scaled to length 1
)

// Share is tf/L, the share of a term in the L tokens of a document. It is what some measures compare, and
// none of the [Weightings] of rows.
const Share Weighting = "share"

// Weightings returns the known weightings.
func Weightings() []Weighting { return []Weighting{TF, TFIDF, TFIDFUnit, LTC, Binary} }

// Unit reports whether documents are scaled to Euclidean length 1.
func (w Weighting) Unit() bool { return w == TFIDFUnit || w == LTC }

// UsesIDF reports whether the weight depends on the document frequency.
func (w Weighting) UsesIDF() bool { return w == TFIDF || w == TFIDFUnit || w == LTC }

// Raw returns the weight before any scaling of the document.
func (w Weighting) Raw(tf, idf float64) float64 {
	switch w {
	case Binary:
		return 1
	case TFIDF, TFIDFUnit:
		return tf * idf
	case LTC:
		return (1 + kernels.Log(tf)) * idf
	default:
		return tf
	}
}

// IDF returns ln(N/df).
func IDF(n, df float64) float64 { return kernels.Log(n / df) }

// ParseWeighting returns the weighting with the given name; "" means tf. It returns a
// [usage.UnknownError] for an unknown name.
func ParseWeighting(name Weighting) (Weighting, error) {
	if name == "" {
		return TF, nil
	}
	if slices.Contains(Weightings(), name) {
		return name, nil
	}
	var known []string
	for _, k := range Weightings() {
		known = append(known, string(k))
	}
	return "", usage.Unknown("weighting", string(name), known)
}
