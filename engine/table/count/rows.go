package count

import (
	"context"
	"errors"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// ErrInexact says that sums of squares may be 2^53 or more, which [Rows.Count] does not add.
var ErrInexact = errors.New("count: sums of squares may be inexact")

// Rows are documents with whole counts of their terms.
type Rows struct {
	Documents
	Terms    int   // a number above those of all terms
	Elements int64 // pairs of a document and a term
	// Size returns the number of elements of a document.
	Size func(doc uint32) int64
	// Reader returns a reader for one goroutine.
	Reader func() Reader
	// Kept has the terms that are counted, by their numbers; nil for all.
	Kept []bool
	// Order returns the terms that have a document, by the numbers of documents of all, in the
	// order that they have in the table.
	Order func(df []uint32) ([]uint32, error)
}

// A Reader reads documents for one goroutine.
type Reader interface {
	// Add adds a document to a counter and returns how many elements it has.
	Add(c *Counter, doc uint32) (elements int, err error)
	// Terms returns the terms of a document that was added. The slice is valid until the next call.
	Terms(doc uint32) []uint32
	// Prefetch has the first elements of a document on their way while another one is counted: those
	// of a class lie here and there in memory.
	Prefetch(doc uint32)
}

// Count counts the documents into cells, which have the margins of documents; those of tokens are
// set. The error is [ErrInexact], or that of a reader, of Order or of ctx.
func (r *Rows) Count(ctx context.Context, threads int, out *table.Cells) error {
	order, ends := r.ByClass(nil)
	groups := Groups(order, ends, max(len(order), 1), threads, r.Elements, func(i int) int64 { return r.Size(order[i]) })
	lists, counters, readers := make([]list, len(groups)), make([]*Counter, pool.Threads(threads)), make([]Reader, pool.Threads(threads))
	err := pool.Run(ctx, threads, len(groups), func(worker, i int) (err error) {
		if counters[worker] == nil {
			counters[worker], readers[worker] = newCounter(r.Terms), r.Reader()
		}
		lists[i], err = counters[worker].group(groups[i].Docs, readers[worker])
		return err
	})
	if err != nil {
		return err
	}
	if !exact(counters, r.Elements) {
		return ErrInexact
	}
	if lists, err = join(ctx, threads, groups, lists, r.Classes+1); err != nil {
		return err
	}
	if r.Kept != nil {
		for i := range lists {
			lists[i].keep(r.Kept)
		}
	}
	a, err := assemble(ctx, threads, lists, r.Terms, r.Several, out)
	if err != nil {
		return err
	}
	terms, err := r.Order(a.df())
	if err != nil {
		return err
	}
	return a.finish(ctx, threads, terms)
}

// group counts documents of a class.
func (c *Counter) group(docs []uint32, r Reader) (list, error) {
	elements := 0
	for i, d := range docs {
		if i+1 < len(docs) {
			r.Prefetch(docs[i+1])
		}
		n, err := r.Add(c, d)
		if err != nil {
			return list{}, err
		}
		elements += n
	}
	return c.end(elements, func() {
		for _, d := range docs {
			c.meet(r.Terms(d))
		}
	}), nil
}
