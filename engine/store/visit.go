package store

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
)

// A Row is one term with its counts. It is valid until the visitor returns.
type Row struct {
	Term   int // number in the index
	DF, CF float64
	// Dense holds the documents of every class, where the classes are few enough;
	// nil otherwise.
	Dense []uint32
	// The cells: the classes where the term occurs, ascending, with documents A,
	// tokens S, sums of squares Q and sums of weights W. Docs is A in integers.
	// S, Q and CF are there if tokens were asked for, W with a weighting.
	Class   []uint32
	Docs    []uint32
	A, S, Q []float64
	W       []float64
}

// A Visitor receives terms in the order of the index. It is called by one
// goroutine at a time.
type Visitor interface {
	// Singles receives consecutive terms of one document each: term first+i
	// occurs in a document of classes[i] only, len(Index.Classes) where that is
	// unlabelled, tf[i] times. tf is nil unless tokens were asked for.
	Singles(first int, classes []uint32, tf []uint8)
	// Row receives one term.
	Row(r *Row)
}

// VisitOptions say what the rows must hold.
type VisitOptions struct {
	Cells  bool // the cells; always there if Dense is not
	Tokens bool // S, Q and CF; implies Cells
	// Weighting asks for W, which implies Cells; "" for none.
	Weighting Weighting
	Threads   int
}

// Visit counts every term in every class, in parallel over ranges of terms, and
// hands each row to the visitor of its worker while it is in the cache. No more
// than a row is ever stored: this is how scores are made without a table of
// terms times classes.
func (x *Index) Visit(ctx context.Context, opt VisitOptions, visitor func(worker int) Visitor) error {
	c := &counting{opt: opt, n: float64(x.Documents())}
	if opt.Weighting != "" {
		df := make([]float64, len(x.df))
		for t, n := range x.df {
			df[t] = float64(n)
		}
		var err error
		if c.weigher, err = x.newWeigher(ctx, opt.Weighting, nil, c.n, df); err != nil {
			return err
		}
	}
	return x.visit(ctx, c, x.view().chunks, func(worker, _ int) Visitor { return visitor(worker) })
}

// chunkCost is the work of one chunk in postings: long enough to hide the cost
// of starting it, short enough for an even share and a prompt cancellation.
const chunkCost = 1 << 16

// termCost is what a term costs beside its postings, in postings.
const termCost = 64

// chunks cuts the terms into ranges of about equal cost, the dense ones first.
// They begin at multiples of 16 terms, so that no two workers write to one cache
// line of a column of results.
func (x *Index) chunks() []pool.Range {
	return pool.Split(x.Terms.Len(), chunkCost, chunkAlign, func(t int) int64 { return int64(x.df[t]) + termCost })
}

const chunkAlign = 16

// counting is what the workers of one visit share.
type counting struct {
	opt     VisitOptions
	keep    []bool   // documents to count; nil = all
	weigher *weigher // nil = no weights
	n       float64  // documents counted, for idf
}

func (x *Index) visit(ctx context.Context, c *counting, chunks []pool.Range, visitor func(worker, chunk int) Visitor) error {
	counters := make([]*rowCounter, pool.Threads(c.opt.Threads))
	return pool.Run(ctx, c.opt.Threads, len(chunks), func(worker, chunk int) error {
		if counters[worker] == nil {
			counters[worker] = newRowCounter(x, c)
		}
		counters[worker].terms(chunks[chunk], visitor(worker, chunk))
		return nil
	})
}
