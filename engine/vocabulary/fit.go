// Package vocabulary numbers the terms of texts: [Join] makes one dictionary of those of several workers.
//
// By the rules of scikit-learn's CountVectorizer and HashingVectorizer, to the order of the elements, it turns texts
// into matrices of documents and terms. [Fit] counts texts and numbers their terms in the order of their first
// occurrence. A [Vocabulary] has the terms with the columns that they have in the matrix, in the order of their names
// by bytes, and [Vocabulary.Transform] counts further texts over them. [Hash] needs no vocabulary. Begin reading at
// Join for dictionaries, and at Fit for matrices; part.go counts, and rows.go has the matrix.
//
// Results do not depend on the number of threads.
package vocabulary

import (
	"context"
	"math"
	"sync"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// Options say which terms become columns.
type Options struct {
	// Analysis says how texts become terms.
	Analysis analysis.Options
	// MinDF and MaxDF bound the number of documents of a term; a MaxDF of 0 bounds nothing.
	MinDF, MaxDF int
	// MaxFeatures is how many terms are kept at most, those with the most occurrences, of equal ones the first
	// by name; 0 keeps all.
	MaxFeatures int
	// Binary has each term count once in a document.
	Binary bool
	// Threads bounds the workers, 0 = GOMAXPROCS.
	Threads int
}

// Fit counts texts, which must not change meanwhile, and makes a vocabulary of their terms. The elements of a row stand
// in the order of the numbers of their terms.
func Fit(ctx context.Context, texts [][]byte, o Options) (*Vocabulary, *Rows, error) {
	a, err := newAnalyzer(o.Analysis)
	if err != nil {
		return nil, nil, err
	}
	if o.MaxFeatures < 0 {
		return nil, nil, usage.Errorf("the largest number of features is %d: it must be 0 for all, or more", o.MaxFeatures)
	}
	parts, err := inParts(ctx, o.Threads, texts, func(r pool.Range) (*part, error) {
		p := newPart(a.NewCounter())
		return p, p.fit(ctx, a, texts, r, o.Binary)
	})
	if err != nil {
		return nil, nil, err
	}
	return fitted(ctx, a, parts, o)
}

// fitted makes the vocabulary and the rows of counted parts.
func fitted(ctx context.Context, a *analysis.Analyzer, parts []*part, o Options) (*Vocabulary, *Rows, error) {
	counters := make([]*analysis.Counter, len(parts))
	for i, p := range parts {
		counters[i] = p.counter
	}
	terms, numbers, err := Join(ctx, o.Threads, counters)
	if err != nil {
		return nil, nil, err
	}
	v := &Vocabulary{analyzer: a, binary: o.Binary, terms: terms, uses: make([]use, terms.Len()), first: counters[0]}
	rows := make([]*rowBlocks, len(parts))
	err = pool.Run(ctx, o.Threads, len(parts), func(_, i int) error {
		parts[i].renumber(numbers[i])
		rows[i] = parts[i].rows
		return nil
	})
	if err == nil {
		err = terms.Spell(ctx, o.Threads)
	}
	if err == nil {
		v.sorted, err = terms.SortedOf(ctx, o.Threads, func(uint32) bool { return true })
	}
	if err != nil {
		return nil, nil, err
	}
	for i, p := range parts {
		for id, u := range p.uses {
			if numbers[i] != nil {
				id = int(numbers[i][id])
			}
			v.uses[id].add(u)
		}
	}
	v.keep(v.within(o))
	v.base = sync.OnceValue(v.newCounter)
	return v, v.fittedRows(rows), nil
}

// newAnalyzer checks the options of an analysis, whose terms must have names.
func newAnalyzer(o analysis.Options) (*analysis.Analyzer, error) {
	if o.HashBits != 0 {
		return nil, usage.Errorf("columns of hashes have no names for a vocabulary: leave HashBits out, and call Hash for columns")
	}
	return analysis.New(o)
}

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
func Hash(ctx context.Context, texts [][]byte, o HashOptions) (*Rows, error) {
	a, err := newAnalyzer(o.Analysis)
	if err != nil {
		return nil, err
	}
	if o.Features < 1 || o.Features > math.MaxInt32 {
		return nil, usage.Errorf("the number of features is %d: it must be in [1, 2^31)", o.Features)
	}
	return rowsOf(inParts(ctx, o.Threads, texts, func(r pool.Range) (*rowBlocks, error) { return o.hash(ctx, a, texts, r) }))
}

// rowsOf returns rows whose numbers are columns, unless there was an error.
func rowsOf(parts []*rowBlocks, err error) (*Rows, error) {
	if err != nil {
		return nil, err
	}
	r := &Rows{parts: parts}
	for _, p := range parts {
		for _, block := range p.blocks {
			r.stored += int64(len(block))
		}
	}
	return r, nil
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
func (o *HashOptions) hash(ctx context.Context, a *analysis.Analyzer, texts [][]byte, r pool.Range) (*rowBlocks, error) {
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
