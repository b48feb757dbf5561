package postings

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/table/count"
)

// This file counts the rows of all documents, without posting lists.

// count counts all documents. The error is [count.ErrInexact] if sums of squares may be: the lists
// tell what they lose.
func (r *Rows) count(ctx context.Context, threads int) (*table.Table, error) {
	x := r.b.x
	s := x.EmptyTable()
	rows := count.Rows{
		Documents: count.Documents{Classes: len(x.Classes), Of: x.LabelOf, Start: x.LabelStart, Several: x.Multi},
		Terms:     r.Width(), Elements: int64(r.b.postings),
		Size:   func(doc uint32) int64 { return int64(r.b.spans[x.Input[doc]].length) },
		Reader: func() count.Reader { return rowReader{r} },
		Order:  func([]uint32) ([]uint32, error) { return r.b.terms, nil },
	}
	if x.Pruned {
		rows.Kept = r.kept()
	}
	return s, rows.Count(ctx, threads, &s.Cells)
}

// A rowReader reads rows as [count.Rows] needs them.
type rowReader struct{ rows *Rows }

func (r rowReader) Add(c *count.Counter, doc uint32) (elements int, err error) {
	terms, counts := r.rows.Document(int(doc))
	c.Add(terms, counts)
	return len(terms), nil
}

func (r rowReader) Terms(doc uint32) []uint32 {
	terms, _ := r.rows.Document(int(doc))
	return terms
}

func (r rowReader) Prefetch(doc uint32) { r.rows.Prefetch(int(doc)) }

// kept returns, by their numbers in the rows, which terms are in the index.
func (r *Rows) kept() []bool {
	kept := make([]bool, r.Width())
	for _, t := range r.b.terms {
		kept[t] = true
	}
	return kept
}

// emptyDocuments returns the number of documents without a term.
func (r *Rows) emptyDocuments(ctx context.Context) (int, error) {
	kept := r.kept()
	var empty atomic.Int64
	err := r.b.inRanges(ctx, r.b.x.Documents(), func(from, to int) {
		n := 0
		for d := from; d < to; d++ {
			terms, _ := r.Document(d)
			if !slices.ContainsFunc(terms, func(t uint32) bool { return kept[t] }) {
				n++
			}
		}
		empty.Add(int64(n))
	})
	return int(empty.Load()), err
}
