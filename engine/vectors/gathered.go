package vectors

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
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
	if err := t.checkAnalysis(c); err != nil {
		return nil, err
	}
	rows, err := t.gatherElements(ctx, c, threads)
	if err != nil {
		return nil, err
	}
	return &Vectors{transformer: t, corpus: c, elements: rows}, nil
}

// checkAnalysis returns an error for a corpus that was analysed in another way than the
// selection's.
func (t *Transformer) checkAnalysis(c *corpus.Corpus) error {
	if table.SameAnalysis(c.Provenance().Analysis, t.selection.Provenance.Analysis) == nil {
		return nil
	}
	return fmt.Errorf("%w: the corpus was analysed with %+v, the selection with %+v",
		usage.ErrContradiction, c.Provenance().Analysis, t.selection.Provenance.Analysis)
}

// Rows yields what [Transformer.Corpus] yields for a selection of the first k terms, of all
// terms if k is 0.
func (v *Vectors) Rows(ctx context.Context, k int, weight table.Weighting) iter.Seq2[Row, error] {
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
	docs, err := newInputDocuments(v.corpus)
	if err != nil {
		yield(Row{}, err)
		return
	}
	m := rowMaker{transformer: t, documents: docs, elements: v.elements, features: k}
	for i := range docs.order {
		if i%1024 == 0 && ctx.Err() != nil {
			yield(Row{}, usage.Cause(ctx))
			return
		}
		if err := m.make(i); err != nil {
			yield(Row{}, err)
			return
		}
		if !yield(m.row, nil) {
			return
		}
	}
}

// inputDocuments are the documents of a corpus in the order in which they were read.
type inputDocuments struct {
	corpus *corpus.Corpus
	order  []uint32 // their numbers
	ids    []string // by number
}

func newInputDocuments(c *corpus.Corpus) (*inputDocuments, error) {
	order, err := c.InputOrder()
	if err != nil {
		return nil, err
	}
	ids, err := c.DocumentIDs()
	return &inputDocuments{c, order, ids}, err
}

// A rowMaker makes the rows of documents on one goroutine.
type rowMaker struct {
	transformer *Transformer
	documents   *inputDocuments
	elements    elementReader
	features    uint32 // elements of others are left out
	row         Row

	scratch []element
	labels  []string
}

// make sets row to that of the document at a place of the order.
func (m *rowMaker) make(place int) error {
	c, doc := m.documents.corpus, m.documents.order[place]
	m.labels = m.labels[:0]
	for _, l := range c.Labels(int(doc)) {
		m.labels = append(m.labels, c.Classes()[l])
	}
	m.transformer.setLabels(&m.row, m.labels)
	_, err := m.weigh(place)
	return err
}

// weigh sets row to that of the document at a place of the order, but for its labels.
func (m *rowMaker) weigh(place int) (*Row, error) {
	doc, r := m.documents.order[place], &m.row
	r.ID = m.documents.ids[doc]
	m.scratch = m.elements.appendDocument(m.scratch[:0], doc)
	elements := m.scratch
	if n := len(elements); n > 0 && elements[n-1].index >= m.features {
		n, _ = slices.BinarySearchFunc(elements, m.features, func(e element, k uint32) int { return int(e.index) - int(k) })
		elements = elements[:n]
	}
	m.transformer.setWeights(r, elements)
	return r, m.transformer.checkRow(r, document.Position{})
}
