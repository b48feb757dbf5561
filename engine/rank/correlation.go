package rank

import (
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file compares terms with a number of each document where cells do not tell enough: by the share of the term in
// the document, and by the ranks of its values. It reads posting lists, and gives the sums that package score makes
// coefficients of.

// ofDocuments returns the measures of a target that need the documents: spearman of values, and pearson and spearman of
// shares.
func ofDocuments(o Options) (all []*source) {
	share := o.Weight == table.Share
	for _, m := range comparesValues {
		if o.Measure != m || o.Weight == table.Binary || !share && m != Spearman {
			continue
		}
		_, info, _ := standardMeasures().Lookup(string(m))
		info.UsesTokens = true
		all = append(all, &source{info: info, open: func(ctx context.Context, c Counted, s *table.Table) (sourced, error) {
			return correlated(ctx, c, s, o)
		}})
	}
	return all
}

// correlated returns the coefficients of the terms of s, the statistics of c, by the documents of c.
func correlated(ctx context.Context, c Counted, s *table.Table, o Options) (sourced, error) {
	if err := (Plan{info: MeasureInfo{Name: string(o.Measure), Target: true}}).checkTarget(s); err != nil {
		return nil, err
	}
	whole, ok := c.(*corpus.Corpus)
	if !ok {
		return nil, usage.Errorf("%s compares the values of every document, and statistics do not have them: count the documents themselves or give an index, or take --weight binary", o.Measure)
	}
	x, err := corpus.Lists(ctx, whole)
	if err != nil {
		return nil, err
	}
	m := Margins(s)
	d := &correlation{index: x, margins: m, ranked: o.Measure == Spearman, numbers: m.Along(o.Measure == Spearman)}
	if o.Weight == table.Share {
		if d.lengths, err = x.DocumentTokens(ctx); err != nil {
			return nil, err
		}
	}
	return func() termReader {
		mine := *d
		return func(values []sourcedValue, t int) error {
			return x.Guard(func() error {
				r, err := mine.of(t)
				if !o.Signed {
					r = math.Abs(r)
				}
				values[0] = sourcedValue{value: r}
				return err
			})
		}
	}, nil
}

// A correlation compares the values of terms with the numbers of documents. Each goroutine has its own.
type correlation struct {
	index   *postings.Index
	margins *score.Margins
	ranked  bool                     // mid-ranks of values and numbers, in place of these
	numbers []float64                // by class, as [score.Margins.Along] has them
	lengths *postings.DocumentTokens // what values are divided by; nil for tf. A document without tokens has 0

	list    postings.List
	classes []uint32
	values  []numberedValue
}

// A numberedValue is that of a document, with its number.
type numberedValue struct{ x, y float64 }

// of returns Pearson's coefficient of a term.
func (c *correlation) of(term int) (float64, error) {
	if err := c.index.Read(term, &c.list); err != nil {
		return 0, err
	}
	n := len(c.list.Docs)
	c.classes = slices.Grow(c.classes[:0], n)[:n]
	c.index.FirstClasses(c.classes, c.list.Docs)
	if c.ranked {
		return c.margins.Correlate(c.sumsOfRanks(), true), nil
	}
	var s score.Sums
	for i, tf := range c.list.TF {
		x := table.Pair{High: tf}
		if c.lengths != nil {
			x = x.Over(table.Pair{High: c.lengths.Of[c.list.Docs[i]]})
		}
		s.X, s.Squares, s.Along = s.X.Plus(x), s.Squares.Plus(x.By(x)), s.Along.Plus(x.Times(c.numbers[c.classes[i]]))
	}
	return c.margins.Correlate(s, false), nil
}

// sumsOfRanks returns those of ranks: twice the mid-rank of a value, less what the documents without the term
// have. Different shares are different numbers, and equal ones are equal, for lengths below 2^26.
func (c *correlation) sumsOfRanks() score.Sums {
	c.values = c.values[:0]
	for i, x := range c.list.TF {
		if c.lengths != nil {
			x /= c.lengths.Of[c.list.Docs[i]]
		}
		c.values = append(c.values, numberedValue{x, c.numbers[c.classes[i]]})
	}
	slices.SortFunc(c.values, func(a, b numberedValue) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	s := score.Sums{Whole: true}
	without := c.margins.N - float64(len(c.values))
	before := without
	for rest := c.values; len(rest) > 0; {
		docs, sum := 0, 0.0
		for docs < len(rest) && rest[docs].x == rest[0].x {
			sum += rest[docs].y
			docs++
		}
		n := float64(docs)
		rank := 2*before + n - without
		s.X = s.X.Plus(table.Product(n, rank))
		s.Squares = s.Squares.Plus(table.Product(rank, rank).Times(n))
		s.Along = s.Along.Plus(table.Product(sum, rank))
		rest, before = rest[docs:], before+n
	}
	return s
}
