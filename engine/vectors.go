package engine

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"
)

// Vectors are the documents of a corpus over the terms of a selection, gathered once
// from its lists to be cut and weighed again and again: the best way to many
// selections of one order, such as the first k terms for several k. It takes four
// bytes for each pair of a document and a selected term, sixteen where the values are
// real, and belongs to one goroutine.
type Vectors struct {
	t     *Transformer
	c     *Corpus
	rows  *gathered
	count []element
}

// Vectors gathers a counted corpus. One that was analysed in another way than the
// selection's is refused with [ErrContradiction].
func (s *Selection) Vectors(ctx context.Context, c *Corpus) (*Vectors, error) {
	t, err := NewTransformer(s, "")
	if err != nil {
		return nil, err
	}
	return t.vectors(ctx, c)
}

func (t *Transformer) vectors(ctx context.Context, c *Corpus) (*Vectors, error) {
	if !reflect.DeepEqual(c.provenance.Analysis, t.s.Provenance.Analysis) {
		return nil, fmt.Errorf("%w: the corpus was analysed with %+v, the selection with %+v",
			ErrContradiction, c.provenance.Analysis, t.s.Provenance.Analysis)
	}
	rows, err := t.gather(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Vectors{t: t, c: c, rows: rows}, nil
}

// Rows gives what [Transformer.Corpus] does for a selection of the first k terms; all
// of them if k is 0.
func (v *Vectors) Rows(ctx context.Context, k int, weight string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		w, idf, err := v.t.s.factorsFor(weight)
		if err == nil && k < 0 {
			err = usage("the number of terms must not be negative: %d", k)
		}
		if err != nil {
			yield(Row{}, err)
			return
		}
		t := *v.t
		t.weight, t.idf = w, idf
		if k == 0 {
			k = len(t.s.Features)
		}
		v.each(ctx, &t, uint32(min(k, len(t.s.Features))), yield)
	}
}

// each yields the documents in the order in which they were read, of each the elements
// below k.
func (v *Vectors) each(ctx context.Context, t *Transformer, k uint32, yield func(Row, error) bool) {
	var r Row
	names := make([]string, 0, 8)
	for i, doc := range v.c.index.InputOrder() {
		if i%1024 == 0 && ctx.Err() != nil {
			yield(Row{}, context.Cause(ctx))
			return
		}
		names = names[:0]
		for _, l := range v.c.index.Labels(int(doc)) {
			names = append(names, v.c.index.Classes[l])
		}
		r.ID = v.c.DocumentID(int(doc))
		t.label(&r, names)
		elements := v.rows.appendTo(v.count[:0], doc)
		v.count = elements
		if n := len(elements); n > 0 && elements[n-1].index >= k {
			n, _ = slices.BinarySearchFunc(elements, k, func(e element, k uint32) int { return int(e.index) - int(k) })
			elements = elements[:n]
		}
		t.fill(&r, elements)
		if !yield(r, nil) {
			return
		}
	}
}
