package vectors

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// Vectors are the documents of a corpus over the terms of a selection, read once from the
// posting lists to give rows for any number of terms and any weighting. It is the best way
// to compare selections of the first k terms for several k. It takes four bytes for each
// pair of a document and a selected term, sixteen if the values are real, and serves one
// goroutine.
type Vectors struct {
	transformer *Transformer
	corpus      *corpus.Corpus
	elements    *documentElements
	scratch     []element
}

// Gather reads the posting lists of the selected terms. It returns a
// [usage.ErrContradiction] for a corpus that was analysed in another way than the
// selection's.
func Gather(ctx context.Context, s *selection.Selection, c *corpus.Corpus) (*Vectors, error) {
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	t, err := New(s, "")
	if err != nil {
		return nil, err
	}
	return t.newVectors(ctx, c, 1)
}

// newVectors is Gather for the selection of t, on several threads.
func (t *Transformer) newVectors(ctx context.Context, c *corpus.Corpus, threads int) (*Vectors, error) {
	if ingest.SameAnalysis(c.Provenance().Analysis, t.selection.Provenance.Analysis) != nil {
		return nil, fmt.Errorf("%w: the corpus was analysed with %+v, the selection with %+v",
			usage.ErrContradiction, c.Provenance().Analysis, t.selection.Provenance.Analysis)
	}
	rows, err := t.gatherElements(ctx, c, threads)
	if err != nil {
		return nil, err
	}
	return &Vectors{transformer: t, corpus: c, elements: rows}, nil
}

// Rows yields what [Transformer.Corpus] yields for a selection of the first k terms, of all
// terms if k is 0.
func (v *Vectors) Rows(ctx context.Context, k int, weight Weighting) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		w, idf, err := v.transformer.selection.FactorsFor(weight)
		if err == nil && k < 0 {
			err = usage.Errorf("the number of terms must not be negative: %d", k)
		}
		if err != nil {
			yield(Row{}, err)
			return
		}
		t := *v.transformer
		t.weight, t.idf = w, idf
		if k == 0 {
			k = len(t.selection.Features)
		}
		v.yieldRows(ctx, &t, uint32(min(k, len(t.selection.Features))), yield)
	}
}

// yieldRows yields the documents in the order in which they were read, weighted by t, with
// their elements of index below k.
func (v *Vectors) yieldRows(ctx context.Context, t *Transformer, k uint32, yield func(Row, error) bool) {
	order, ids, err := v.inputDocuments()
	if err != nil {
		yield(Row{}, err)
		return
	}
	var r Row
	names := make([]string, 0, 8)
	for i, doc := range order {
		if i%1024 == 0 && ctx.Err() != nil {
			yield(Row{}, usage.Cause(ctx))
			return
		}
		names = names[:0]
		for _, l := range v.corpus.Labels(int(doc)) {
			names = append(names, v.corpus.Classes()[l])
		}
		r.ID = ids[doc]
		t.setLabels(&r, names)
		elements := v.elements.appendDocument(v.scratch[:0], doc)
		v.scratch = elements
		if n := len(elements); n > 0 && elements[n-1].index >= k {
			n, _ = slices.BinarySearchFunc(elements, k, func(e element, k uint32) int { return int(e.index) - int(k) })
			elements = elements[:n]
		}
		t.setWeights(&r, elements)
		if err := t.checkRow(&r, document.Position{}); err != nil {
			yield(Row{}, err)
			return
		}
		if !yield(r, nil) {
			return
		}
	}
}

// inputDocuments returns the numbers of the documents in the order in which they were
// read, and the names by number.
func (v *Vectors) inputDocuments() (order []uint32, ids []string, err error) {
	if order, err = v.corpus.InputOrder(); err != nil {
		return nil, nil, err
	}
	ids, err = v.corpus.DocumentIDs()
	return order, ids, err
}
