package vectors

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A Matrix is the rows of documents in memory, with their names and labels, to be written in
// formats that begin with the number of elements or hold one array after the other: see
// [Matrix.WriteNPZ] and [Matrix.WriteMatrixMarket]. An element takes eight bytes. It is
// safe for concurrent use.
type Matrix struct {
	selection *selection.Selection
	idf       []float64 // by feature
	ids       textList
	start     []int64 // of each row in index and value, and the end of the last
	index     []uint32
	value     []float32
	// The labels of row i are label[labelStart[i]:labelStart[i+1]], ascending.
	labelStart []int64
	label      []int32
	several    bool     // a document has more than one label
	target     textList // the number of each row, "" for none; of a selection with a target
}

// Collect reads the rows of a selection into memory.
func Collect(s *selection.Selection, rows iter.Seq2[Row, error]) (*Matrix, error) {
	if s == nil || rows == nil {
		return nil, usage.Errorf("a nil selection or nil rows were given")
	}
	_, idf, err := s.FactorsFor(table.TFIDF)
	if err != nil {
		return nil, err
	}
	m := &Matrix{selection: s, idf: idf, start: []int64{0}, labelStart: []int64{0}}
	for row, err := range rows {
		if err == nil {
			err = checkPlaces(s, row)
		}
		if err != nil {
			return nil, err
		}
		m.add(row)
	}
	return m, nil
}

// add appends a row.
func (m *Matrix) add(r Row) {
	m.ids.add(r.ID)
	m.index, m.value = append(m.index, r.Index...), append(m.value, r.Value...)
	m.start = append(m.start, int64(len(m.index)))
	for _, l := range r.Labels {
		m.label = append(m.label, int32(l))
	}
	m.labelStart = append(m.labelStart, int64(len(m.label)))
	m.several = m.several || len(r.Labels) > 1
	if m.hasTarget() {
		m.target.add(r.Target)
	}
}

// Documents returns the number of rows.
func (m *Matrix) Documents() int { return m.ids.len() }

// labels returns the labels of a row.
func (m *Matrix) labels(row int) []int32 { return m.label[m.labelStart[row]:m.labelStart[row+1]] }

// hasTarget reports whether the rows have numbers in place of labels.
func (m *Matrix) hasTarget() bool { return m.selection.Provenance.Target != "" }

// number returns the number of a row, NaN for none.
func (m *Matrix) number(row int) float64 {
	number, err := strconv.ParseFloat(string(m.target.at(row)), 64)
	if err != nil {
		return math.NaN()
	}
	return number
}

// A textList is a list of texts in one piece of memory.
type textList struct {
	bytes []byte
	ends  []int
}

func (l *textList) add(text string) {
	l.bytes = append(l.bytes, text...)
	l.ends = append(l.ends, len(l.bytes))
}

func (l *textList) len() int { return len(l.ends) }

func (l *textList) at(i int) []byte {
	from := 0
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.bytes[from:l.ends[i]]
}

// listOf returns the list of n texts.
func listOf(n int, text func(i int) string) *textList {
	l := &textList{}
	for i := range n {
		l.add(text(i))
	}
	return l
}

// A CSR is the rows of documents as one matrix: those of document i are
// Index[Start[i]:Start[i+1]], places of features from 0, ascending, and as many values.
type CSR struct {
	Start []int64
	Index []int32
	Value []float32
}

// CSR returns the rows that [Transformer.Corpus] yields, made on several threads; 0 means
// GOMAXPROCS.
func (t *Transformer) CSR(ctx context.Context, c *corpus.Corpus, threads int) (*CSR, error) {
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	m := &CSR{Start: make([]int64, c.Documents()+1)}
	chunks := (c.Documents() + documentsAtOnce - 1) / documentsAtOnce
	index, value := make([][]int32, chunks), make([][]float32, chunks)
	err := t.eachChunk(ctx, c, threads, func(chunk int, of *rowMaker, places pool.Range) error {
		for place := places.From; place < places.To; place++ {
			row, err := of.weigh(place)
			if err != nil {
				return err
			}
			m.Start[place+1] = int64(len(row.Index))
			for _, rank := range row.Index {
				index[chunk] = append(index[chunk], int32(rank)-1)
			}
			value[chunk] = append(value[chunk], row.Value...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range c.Documents() {
		m.Start[i+1] += m.Start[i]
	}
	m.Index, m.Value = slices.Concat(index...), slices.Concat(value...)
	return m, nil
}

// Vectors are the documents of a corpus over the terms of a selection, read once from the
// posting lists to give rows for any number of terms and any weighting. It is the best way
// to compare selections of the first k terms for several k. It takes eight bytes for each
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
	return t.gather(ctx, c)
}

// gather is Gather for the selection of t.
func (t *Transformer) gather(ctx context.Context, c *corpus.Corpus) (*Vectors, error) {
	v := &Vectors{transformer: t, corpus: c}
	return v, t.eachElements(ctx, c, func(reader func() elementReader) (err error) {
		v.elements, err = gatheredElements(ctx, reader(), c.Documents())
		return err
	})
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

// documentsAtOnce is the number of documents whose rows a goroutine makes at a time.
const documentsAtOnce = 1 << 8

// eachChunk calls f on several threads, for all chunks of the documents of c: with what makes their rows, and their
// places in the order in which they were read.
func (t *Transformer) eachChunk(
	ctx context.Context, c *corpus.Corpus, threads int, f func(chunk int, m *rowMaker, places pool.Range) error,
) error {
	return t.eachElements(ctx, c, func(reader func() elementReader) error {
		docs, err := newInputDocuments(c)
		if err != nil {
			return err
		}
		n := len(docs.order)
		makers := make([]*rowMaker, pool.Threads(threads))
		err = pool.Run(ctx, threads, (n+documentsAtOnce-1)/documentsAtOnce, func(worker, chunk int) error {
			if makers[worker] == nil {
				features := uint32(len(t.selection.Features))
				makers[worker] = &rowMaker{transformer: t.fork(), documents: docs, elements: reader(), features: features}
			}
			from := chunk * documentsAtOnce
			return f(chunk, makers[worker], pool.Range{From: from, To: min(from+documentsAtOnce, n)})
		})
		for _, m := range makers {
			if m != nil {
				t.addUnseen(m.transformer)
			}
		}
		return err
	})
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
