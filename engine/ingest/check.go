package ingest

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// This file checks documents before they are counted. What an index file cannot hold, or
// a reader of one would refuse, is refused here and nowhere else.

var (
	// ErrBadDocument is wrapped by the errors of documents that an index cannot hold.
	ErrBadDocument = usage.NewError(usage.ErrData, "a document that cannot be indexed")
	// ErrOverflow is wrapped by the errors of corpora whose values add up to more than
	// can be told exactly: see [MaxTokens].
	ErrOverflow = usage.NewError(usage.ErrData, "the values of the documents add up to too much")
)

const (
	// MaxValue bounds the value of a term in a document, and the sum of all real values:
	// they must be less.
	MaxValue = 1 << 63
	// MaxName is the greatest length of a term, a label and a document name, in bytes.
	MaxName = 16 << 20
	// MaxTokens is the greatest sum of the counts of all documents. Up to 2^53, measures
	// of tokens are computed from exact numbers. Real values, which are rounded in any
	// case, are bounded by MaxValue only.
	MaxTokens = 1 << 53
)

// A DocumentError says which document is refused, and why. Err is [ErrBadDocument] or
// [ErrOverflow].
type DocumentError struct {
	Source  document.Position // the zero value where it is not known
	ID      string
	Problem string
	Err     error
}

// Error returns the place of the document, its name and the problem.
func (e *DocumentError) Error() string {
	var b strings.Builder
	if e.Source != (document.Position{}) {
		fmt.Fprintf(&b, "%v: ", e.Source)
	}
	fmt.Fprintf(&b, "document %q: %s", usage.Cut(e.ID), e.Problem)
	return b.String()
}

// Unwrap returns the kind of the error.
func (e *DocumentError) Unwrap() error { return e.Err }

// NewDocumentError returns a [DocumentError] of kind [ErrBadDocument] with the problem as
// by fmt.Sprintf.
func NewDocumentError(d *document.Document, format string, args ...any) error {
	return &DocumentError{Source: d.Source, ID: d.ID, Problem: fmt.Sprintf(format, args...), Err: ErrBadDocument}
}

// checkDocument returns a [DocumentError] for a document that an index cannot hold. It
// puts the numbers of the terms of features into featureTerms, and changes nothing else
// that is counted.
//
// Document names and terms are bytes and kept as they are; labels are text and must be
// UTF-8.
func (w *worker) checkDocument(d *document.Document) error {
	if len(d.ID) > MaxName {
		return NewDocumentError(d, "its name has %d bytes; the longest that is kept has %d", len(d.ID), MaxName)
	}
	for _, label := range d.Labels {
		if _, known := w.classes[label]; known {
			continue
		}
		if len(label) > MaxName {
			return NewDocumentError(d, "the label %q has %d bytes; the longest that is kept has %d", usage.Cut(label), len(label), MaxName)
		}
		if !utf8.ValidString(label) {
			return NewDocumentError(d, "the label %q is not UTF-8; labels are text: decode it first, as with strings.ToValidUTF8", usage.Cut(label))
		}
	}
	if w.textsOnly && d.Features != nil {
		return ErrorOfCounted(d)
	}
	w.featureDoc++
	w.featureTerms = w.featureTerms[:0]
	for i := range d.Features {
		if err := w.checkFeature(d, &d.Features[i]); err != nil {
			return err
		}
	}
	return nil
}

// ErrorOfCounted returns the error for a document that comes counted where texts are hashed.
func ErrorOfCounted(d *document.Document) error {
	return NewDocumentError(d, "it comes counted, and hash bits make columns of texts: give the text, or leave the hash bits out")
}

// checkFeature checks a feature of d and appends the number of its term to featureTerms.
func (w *worker) checkFeature(d *document.Document, f *document.Feature) error {
	switch {
	case !(f.Value > 0) || math.IsInf(f.Value, 0):
		return NewDocumentError(d, "the value of term %q is %v; it must be positive and finite", usage.Cut(f.Term), f.Value)
	case f.Value >= MaxValue:
		return NewDocumentError(d, "the value of term %q is %v; values must be below 2^63: scale them down", usage.Cut(f.Term), f.Value)
	case len(f.Term) > MaxName:
		return NewDocumentError(d, "the term %q has %d bytes; the longest that is kept has %d", usage.Cut(f.Term), len(f.Term), MaxName)
	}
	term := w.counter.Add(f.Term)
	for int(term) >= len(w.lastFeatureDoc) {
		w.lastFeatureDoc = append(w.lastFeatureDoc, 0)
	}
	if w.lastFeatureDoc[term] == w.featureDoc {
		return NewDocumentError(d, "the term %q stands there twice; add its values up", usage.Cut(f.Term))
	}
	w.lastFeatureDoc[term] = w.featureDoc
	w.featureTerms = append(w.featureTerms, term)
	return nil
}

// A TokenTotal is the sum of the values of documents.
type TokenTotal struct {
	Sum  float64
	Real bool // some value is no whole number
}

// Join adds the total of other documents.
func (t *TokenTotal) Join(o TokenTotal) {
	t.Sum += o.Sum
	t.Real = t.Real || o.Real
}

// TooLarge reports whether the sum exceeds MaxTokens or, of real values, reaches MaxValue.
func (t *TokenTotal) TooLarge() bool { return t.Sum > MaxTokens && !t.Real || t.Sum >= MaxValue }

// overflowError returns the error of a total that became too large with the named document.
func (t *TokenTotal) overflowError(id string) error {
	return &DocumentError{ID: id, Err: ErrOverflow, Problem: fmt.Sprintf(
		"up to here the values of all documents add up to %.6g; counts may add up to 2^53, real values to 2^63: scale the values down", t.Sum)}
}

// addBatches adds the documents of batches. It returns an error that names the document
// where the total becomes too large.
func (t *TokenTotal) addBatches(batches []*countedBatch) error {
	for _, p := range batches {
		sum := *t
		if sum.Join(p.tokens); sum.TooLarge() {
			return t.findOverflow(p, sum.Real)
		}
		*t = sum
	}
	return nil
}

// findOverflow adds one document of a batch after another until the total is too large,
// and returns the error for it. isReal tells whether there is a real value up to the end
// of the batch.
func (t *TokenTotal) findOverflow(p *countedBatch, isReal bool) error {
	t.Real = isReal
	doc := 0
	for i := range p.columns {
		c := &p.columns[i]
		for d := range len(c.DocStart) - 1 {
			for at := c.DocStart[d]; at < c.DocStart[d+1]; at++ {
				if c.Values != nil {
					t.Sum += c.Values[at]
				} else {
					t.Sum += float64(c.Counts[at])
				}
			}
			if t.TooLarge() {
				return t.overflowError(p.ids[doc])
			}
			doc++
		}
	}
	return t.overflowError(p.ids[doc-1]) // only the batch's own sum, rounded in another order, was too large
}
