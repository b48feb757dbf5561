// Package ordinal compares terms with a number of each document where cells do not tell enough: by
// the share of the term in the document, and by the ranks of its values.
//
// It takes a corpus, reads the posting lists of its terms, and gives the sums that package score makes
// coefficients of. Begin reading at [New].
package ordinal

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Options say what of a term is compared.
type Options struct {
	Share  bool // tf/L of documents of L tokens, in place of tf; a document without tokens has 0
	Ranked bool // the mid-ranks of values and numbers, in place of these
}

// Documents are those of a corpus. They may be read by several goroutines.
type Documents struct {
	options Options
	index   *postings.Index
	margins *score.Margins
	numbers []float64                // by class, as [score.Margins.Along] has them
	lengths *postings.DocumentTokens // nil without shares
}

// New returns the documents of a corpus, whose classes must be numbers, one for each document, with the margins
// of its statistics.
func New(ctx context.Context, c *corpus.Corpus, m *score.Margins, o Options) (*Documents, error) {
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	if m.Scale() == nil || x.Multi {
		return nil, usage.Errorf("ordinal: the classes are no numbers, one for each document")
	}
	d := &Documents{options: o, index: x, margins: m, numbers: m.Along(o.Ranked)}
	if o.Share {
		if d.lengths, err = x.DocumentTokens(ctx); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Reader returns a function that correlates a term, by its number, with the numbers. It belongs to one
// goroutine.
func (d *Documents) Reader() func(term int) (score.Correlation, error) {
	t := &term{Documents: d}
	return func(number int) (c score.Correlation, err error) {
		err = d.index.Guard(func() error {
			if err := d.index.Read(number, &t.list); err != nil {
				return err
			}
			c = d.margins.Correlate(t.sums(), d.options.Ranked)
			return nil
		})
		return c, err
	}
}

// A term is one with the documents that have it.
type term struct {
	*Documents
	list    postings.List
	classes []uint32
	values  []value
}

// A value is that of a document, with its number.
type value struct {
	x float64
	y float64
}

// sums returns the sums of the term at hand.
func (t *term) sums() score.Sums {
	n := len(t.list.Docs)
	t.classes = slices.Grow(t.classes[:0], n)[:n]
	t.index.FirstClasses(t.classes, t.list.Docs)
	if t.options.Ranked {
		return t.sumsOfRanks()
	}
	var s score.Sums
	for i, tf := range t.list.TF {
		x := table.Pair{High: tf}
		if t.lengths != nil {
			x = x.Over(table.Pair{High: t.lengths.Of[t.list.Docs[i]]})
		}
		s.X, s.Squares, s.Along = s.X.Plus(x), s.Squares.Plus(x.By(x)), s.Along.Plus(x.Times(t.numbers[t.classes[i]]))
	}
	return s
}

// sumsOfRanks returns those of ranks: twice the mid-rank of a value, less what the documents without the term
// have. Different shares are different numbers, and equal ones are equal, for lengths below 2^26.
func (t *term) sumsOfRanks() score.Sums {
	t.values = t.values[:0]
	for i, x := range t.list.TF {
		if t.lengths != nil {
			x /= t.lengths.Of[t.list.Docs[i]]
		}
		t.values = append(t.values, value{x, t.numbers[t.classes[i]]})
	}
	slices.SortFunc(t.values, func(a, b value) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	s := score.Sums{Whole: true}
	without := t.margins.N - float64(len(t.values))
	before := without
	for rest := t.values; len(rest) > 0; {
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
