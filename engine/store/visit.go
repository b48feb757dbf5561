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

// A Tile is the documents of every class of several consecutive terms. It is
// valid until the visitor returns.
type Tile struct {
	First  int // number of the first term
	DF     []float64
	Counts []uint32 // term First+i has Counts[i*Stride+c] documents of class c
	Stride int
}

// A Visitor receives terms in the order of the index. It is called by one
// goroutine at a time.
type Visitor interface {
	// Few receives consecutive terms of df documents each, where no more was asked
	// for than their classes and counts tell. The documents of term first+i are of
	// classes[i*df:(i+1)*df], ascending; len(Index.Classes) stands for unlabelled.
	// tf holds their frequencies likewise, and is nil unless tokens were asked for.
	Few(first, df int, classes []uint32, tf []uint8)
	// Row receives one term with its cells.
	Row(r *Row)
}

// A TileVisitor takes bare counts too. It gets them where nothing else was asked
// for and the classes are few enough.
type TileVisitor interface {
	Visitor
	Tile(t *Tile)
}

// VisitOptions say what the visitor must be told.
type VisitOptions struct {
	Cells  bool // terms come by rows, not by tiles
	Tokens bool // S, Q and CF; implies Cells
	// Weighting asks for W, which implies Cells; "" for none.
	Weighting Weighting
	// Few is the document frequency up to which terms may come by their classes.
	Few     int
	Threads int
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
	values := c.opt.Tokens || c.opt.Weighting != ""
	return x.Run(ctx, c.opt.Threads, len(chunks), func(worker, chunk int) error {
		if err := x.ready(chunks[chunk], values); err != nil {
			return err
		}
		if counters[worker] == nil {
			counters[worker] = newRowCounter(x, c)
		}
		counters[worker].terms(chunks[chunk], visitor(worker, chunk))
		return nil
	})
}
