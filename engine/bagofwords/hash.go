package bagofwords

import (
	"context"
	"math"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// HashOptions say how terms are hashed to columns.
type HashOptions struct {
	// Analysis says how texts become terms.
	Analysis analysis.Options
	// Features is the number of columns, from 1 to 2^31-1.
	Features int
	// AlternateSign subtracts the terms of one half of the hashes instead of adding them.
	AlternateSign bool
	// Binary makes each element 1, whatever its terms add up to.
	Binary bool
	// Threads bounds the workers, 0 = GOMAXPROCS.
	Threads int
}

// Hash counts texts by the hashes of their terms. The columns of a row ascend. An element whose terms add up
// to 0 is an element.
func Hash(ctx context.Context, texts Texts, o HashOptions) (*Rows, error) {
	a, err := newAnalyzer(o.Analysis)
	if err != nil {
		return nil, err
	}
	if o.Features < 1 || o.Features > math.MaxInt32 {
		return nil, usage.Errorf("the number of features is %d: it must be in [1, 2^31)", o.Features)
	}
	ranges, err := split(texts, pool.Threads(o.Threads))
	if err != nil {
		return nil, err
	}
	rows := make([]*rowBlocks, len(ranges))
	err = pool.Run(ctx, o.Threads, len(ranges), func(_, i int) (err error) {
		rows[i], err = o.hash(ctx, a, texts, ranges[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	return rowsOf(rows), nil
}

// rowsOf returns rows whose numbers are columns.
func rowsOf(parts []*rowBlocks) *Rows {
	r := &Rows{parts: parts}
	for _, p := range parts {
		r.stored += p.stored()
	}
	return r
}

// A feature is the column of a term, and what an occurrence of the term adds to it.
type feature struct {
	column uint32
	sign   int32
}

// featureOf hashes a term.
func (o *HashOptions) featureOf(term []byte) feature {
	h := int32(analysis.Hash(term))
	f := feature{sign: 1}
	if o.AlternateSign && h < 0 {
		f.sign = -1
	}
	f.column = uint32(h)
	if h < 0 {
		f.column = -uint32(h)
	}
	f.column %= uint32(o.Features)
	return f
}

// hash counts a range of texts. Where the terms would take much memory, it begins with none again.
func (o *HashOptions) hash(ctx context.Context, a *analysis.Analyzer, texts Texts, r pool.Range) (*rowBlocks, error) {
	p := newPart(a.NewCounter())
	p.most = p.counter.Bytes() + mostGrowth
	var features []feature // of the terms of the counter
	err := p.each(ctx, a, texts, r, func() {
		for id := len(features); id < p.counter.Len(); id++ {
			features = append(features, o.featureOf(p.counter.Term(uint32(id))))
		}
		for i, e := range p.row {
			f := features[e.Term]
			p.row[i] = analysis.TermCount{Term: f.column, Count: uint32(f.sign * int32(e.Count))}
		}
		p.sorter.sort(p.row)
		p.rows.add(sumEqual(p.row, o.Binary))
		if p.counter.Bytes() > p.most {
			p.counter, features = a.NewCounter(), features[:0]
		}
	})
	return p.rows, err
}

// sumEqual adds up the elements of one column. It changes the row.
func sumEqual(row []analysis.TermCount, binary bool) []analysis.TermCount {
	sums := row[:0]
	for _, e := range row {
		if n := len(sums); n > 0 && sums[n-1].Term == e.Term {
			sums[n-1].Count += e.Count
		} else {
			sums = append(sums, e)
		}
	}
	if binary {
		for i := range sums {
			sums[i].Count = 1
		}
	}
	return sums
}
