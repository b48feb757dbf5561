package vectors

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

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
	v, err := t.newVectors(ctx, c, threads)
	if err != nil {
		return nil, err
	}
	docs, err := newInputDocuments(c)
	if err != nil {
		return nil, err
	}
	n := len(docs.order)
	m := v.roomFor(docs.order)
	kept := make([]int, n)
	makers := slices.Repeat([]rowMaker{{transformer: t, documents: docs, elements: v.elements, features: uint32(len(t.selection.Features))}}, pool.Threads(threads))
	err = pool.Run(ctx, threads, (n+documentsAtOnce-1)/documentsAtOnce, func(worker, chunk int) error {
		for i := chunk * documentsAtOnce; i < min((chunk+1)*documentsAtOnce, n); i++ {
			row, err := makers[worker].weigh(i)
			if err != nil {
				return err
			}
			kept[i] = copy(m.Value[m.Start[i]:], row.Value)
			for j, rank := range row.Index {
				m.Index[m.Start[i]+int64(j)] = int32(rank) - 1
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.closeGaps(kept)
	return m, nil
}

// documentsAtOnce is the number of documents whose rows a goroutine makes at a time.
const documentsAtOnce = 1 << 8

// roomFor returns a matrix with room for all elements of documents, in this order.
func (v *Vectors) roomFor(order []uint32) *CSR {
	start := make([]int64, len(order)+1)
	for i, doc := range order {
		start[i+1] = start[i] + int64(v.elements.start[doc+1]-v.elements.start[doc])
	}
	n := start[len(order)]
	return &CSR{Start: start, Index: make([]int32, n), Value: make([]float32, n)}
}

// closeGaps moves the rows together, of which kept has the lengths: elements of weight 0 are
// left out.
func (m *CSR) closeGaps(kept []int) {
	at := int64(0)
	for i, n := range kept {
		from := m.Start[i]
		m.Start[i] = at
		if from != at {
			copy(m.Index[at:], m.Index[from:from+int64(n)])
			copy(m.Value[at:], m.Value[from:from+int64(n)])
		}
		at += int64(n)
	}
	m.Start[len(kept)] = at
	m.Index, m.Value = slices.Clip(m.Index[:at]), slices.Clip(m.Value[:at])
}
