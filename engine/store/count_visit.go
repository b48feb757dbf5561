package store

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// A Row holds the counts of one term. It is valid until the visitor returns.
type Row struct {
	Term   int // number in the index
	DF, CF float64
	// Dense holds the number of documents of every class; it is nil if there are too
	// many classes.
	Dense []uint32
	// The cells are the classes in which the term occurs, ascending, with their numbers
	// of documents A, tokens S, sums of squares Q and sums of weights W. Docs is A as
	// integers. S, Q and CF are set if tokens were asked for, W if a weighting was.
	Class   []uint32
	Docs    []uint32
	A, S, Q []float64
	W       []float64

	// Centred reports whether LowCF, LowS and M2 are there, what [table.Centred] holds:
	// where tokens were asked for and sums of squares may be inexact. Fraction reports
	// whether a value of this term or of one before, of the same visitor, is no whole number.
	Centred, Fraction bool
	LowCF             float64
	LowS, M2          []float64
	// LowQ is in their place of counts: what Q lacks, see [table.Cells.LowQ]; else nil.
	LowQ []float64
}

// A Tile holds the number of documents of every class for several consecutive terms. It
// is valid until the visitor returns.
type Tile struct {
	First  int // number of the first term
	DF     []float64
	Counts []uint32 // term First+i has Counts[i*Stride+c] documents of class c
	Stride int
}

// A Visitor receives terms in the order of the index. It is called by one
// goroutine at a time.
type Visitor interface {
	// Few receives consecutive terms with df documents each. It is called only if the
	// classes of the documents and their counts are all that was asked for. The
	// documents of term first+i have the classes classes[i*df:(i+1)*df], ascending;
	// len(Index.Classes) stands for unlabelled. tf holds their frequencies in the same
	// way; it is nil unless tokens were asked for.
	Few(first, df int, classes []uint32, tf []uint8)
	// Row receives one term with its cells.
	Row(r *Row)
}

// A TileVisitor also receives bare counts, if nothing else was asked for and there are
// not too many classes.
type TileVisitor interface {
	Visitor
	Tile(t *Tile)
}

// VisitOptions are the options of [Index.Visit]: what the visitor needs.
type VisitOptions struct {
	Cells  bool // pass rows, not tiles
	Tokens bool // S, Q and CF; implies Cells
	// Weighting is the weighting of W; "" means none. A weighting implies Cells.
	Weighting table.Weighting
	// Few is the document frequency up to which terms may be passed to [Visitor.Few].
	Few     int
	Threads int
}

// Visit counts every term in every class, in parallel over ranges of terms, and passes
// each row to the visitor of its worker while the row is in the cache. It stores no
// more than a tile of terms per worker, so that scores need no table of terms by
// classes.
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

// chunkCost is the work of one chunk in postings: enough to hide the cost of starting
// it, little enough for an even distribution and a prompt cancellation.
const chunkCost = 1 << 16

// termCost is the cost of a term besides its postings, in postings.
const termCost = 64

// chunks returns the terms in ranges of about equal cost. Ranges begin at multiples of
// chunkAlign terms, so that no two workers write to the same cache line of a column of
// results.
func (x *Index) chunks() []pool.Range {
	return pool.Split(x.Terms.Len(), chunkCost, chunkAlign, func(t int) int64 { return int64(x.df[t]) + termCost })
}

const chunkAlign = 16

// counting is what the workers of one visit share.
type counting struct {
	opt     VisitOptions
	keep    []bool   // documents to count; nil means all
	weigher *weigher // nil means no weights
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
