package engine

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/spelling"
	"github.com/termsift/termsift/engine/store"
)

// Statistics are the counts of every term in every class where it occurs. They
// are immutable and safe for concurrent use, and they add up: see
// [Statistics.Add] and [Statistics.Sub].
type Statistics struct {
	s       *store.Statistics
	margins *score.Margins
}

func newStatistics(s *store.Statistics) *Statistics {
	return &Statistics{s, score.NewMargins(s.Documents, s.Tokens, s.ClassDocs, s.ClassTokens)}
}

// Add gives the statistics of both sets of documents, which must not overlap:
// the same numbers as one pass over them all. Sums of weights are dropped.
// Statistics of a pruned index do not add up: store.ErrPruned.
func (s *Statistics) Add(o *Statistics) (*Statistics, error) {
	sum, err := store.Add(s.s, o.s)
	if err != nil {
		return nil, err
	}
	return newStatistics(sum), nil
}

// Sub gives the statistics of the documents of s that are not in o, a part of
// s: a training set without a fold.
func (s *Statistics) Sub(o *Statistics) (*Statistics, error) {
	rest, err := store.Sub(s.s, o.s)
	if err != nil {
		return nil, err
	}
	return newStatistics(rest), nil
}

// Documents is the number of documents, unlabelled ones included.
func (s *Statistics) Documents() int { return int(s.s.Documents) }

// Classes lists the labels in the order of their bytes. The slice must not be
// modified.
func (s *Statistics) Classes() []string { return s.s.Classes }

// Terms is the number of terms.
func (s *Statistics) Terms() int { return s.s.Terms.Len() }

// row gives a term to the evaluator.
func (s *Statistics) row(t int, w []float64) (r score.Row) {
	s.fill(&r, t, w)
	return r
}

// fill is row into a given one, which loops over terms reuse.
func (s *Statistics) fill(r *score.Row, t int, w []float64) {
	from, to := s.s.CellStart[t], s.s.CellStart[t+1]
	r.DF, r.CF, r.Class = s.s.DF[t], s.s.CF[t], s.s.CellClass[from:to]
	r.A, r.S, r.Q = s.s.A[from:to], s.s.S[from:to], s.s.Q[from:to]
	if w != nil {
		r.W = w[from:to]
	}
}

// weights gives the column of sums that a weighting asks for.
func (s *Statistics) weights(p plan) ([]float64, error) {
	switch {
	case p.info.Name != "ocfs" || p.weight == store.TF:
		return s.s.S, nil
	case p.weight == store.Binary:
		return s.s.A, nil
	case p.weight == s.s.Weighting:
		return s.s.W, nil
	}
	return nil, usage("the statistics were counted without the sums of weighting %s; ask for it in StatisticsOptions", p.weight)
}

// rankCost is the work of a chunk of terms in cells.
const rankCost = 1 << 14

// Rank scores every term with one value. A combination of "class" is a usage
// error here; see [Statistics.RankClass].
func (s *Statistics) Rank(ctx context.Context, o Scoring) (*Ranking, error) {
	p, err := o.plan()
	if err != nil {
		return nil, err
	}
	if p.combine == score.ByClass {
		return nil, usage("a ranking needs one value for a term; the combination %q gives one for each class", p.combine)
	}
	r, err := s.rank(ctx, p, o.Threads, func(panel *score.Panel, row *score.Row) float64 {
		var value [1]float64
		panel.Row(row, value[:])
		return value[0]
	})
	if err != nil {
		return nil, err
	}
	r.Combine = p.label
	return s.withPValues(ctx, r, p, o.Threads)
}

// withPValues has a ranking tell p-values, if they were asked for.
func (s *Statistics) withPValues(ctx context.Context, r *Ranking, p plan, threads int) (*Ranking, error) {
	return r.withPValues(p, func() ([]largestClass, error) { return s.largestClasses(ctx, p, threads) })
}

// RankClass scores every term by its value for one class, terms that do not
// occur there included.
func (s *Statistics) RankClass(ctx context.Context, class string, o Scoring) (*Ranking, error) {
	o.Combine = score.ByClass
	p, err := o.plan()
	if err != nil {
		return nil, err
	}
	c, ok := slices.BinarySearch(s.s.Classes, class)
	if !ok {
		return nil, unknown("class", class, s.s.Classes)
	}
	r, err := s.rank(ctx, p, o.Threads, func(panel *score.Panel, row *score.Row) float64 {
		return panel.Class(row, c, cellOf(row, c))
	})
	if err != nil {
		return nil, err
	}
	r.Combine, r.Class, r.class = score.ByClass, class, c
	r.inClass = func(t int) int { return s.documentsOf(t, c) }
	return s.withPValues(ctx, r, p, o.Threads)
}

// cellOf finds the cell of class c in a row; -1 where the term is absent.
func cellOf(r *score.Row, c int) int {
	i, found := slices.BinarySearch(r.Class, uint32(c))
	if !found {
		return -1
	}
	return i
}

func (s *Statistics) rank(ctx context.Context, p plan, threads int, value func(*score.Panel, *score.Row) float64) (*Ranking, error) {
	weights, err := s.weights(p)
	if err != nil {
		return nil, err
	}
	r := &Ranking{Measure: p.info.Name, of: s.universe(), values: make([]float64, s.Terms()), class: -1}
	err = s.each(ctx, []score.Choice{p.choice()}, weights, threads, func(panel *score.Panel, row *score.Row, t int) {
		r.values[t] = value(panel, row)
	})
	if err != nil {
		return nil, err
	}
	r.warn(p)
	return r, nil
}

// each calls f for every term, on several threads.
func (s *Statistics) each(ctx context.Context, choices []score.Choice, weights []float64, threads int, f func(*score.Panel, *score.Row, int)) error {
	chunks := pool.Split(s.Terms(), rankCost, 16, func(t int) int64 { return int64(s.s.CellStart[t+1]-s.s.CellStart[t]) + 8 })
	panels := make([]*score.Panel, pool.Threads(threads))
	rows := make([]score.Row, len(panels))
	return pool.Stage(ctx, "score", func(ctx context.Context) error {
		return pool.Run(ctx, threads, len(chunks), func(worker, chunk int) error {
			if panels[worker] == nil {
				panels[worker] = score.NewPanel(choices, s.margins)
			}
			for t := chunks[chunk].From; t < chunks[chunk].To; t++ {
				s.fill(&rows[worker], t, weights)
				f(panels[worker], &rows[worker], t)
			}
			return nil
		})
	})
}

// Cells yields every (term, class) pair with its value, absent pairs included:
// terms by their bytes, classes by theirs. It never holds them all.
func (s *Statistics) Cells(ctx context.Context, o Scoring) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		o.Combine = score.ByClass
		p, err := o.plan()
		if err != nil {
			yield(Entry{}, err)
			return
		}
		panel := score.NewPanel([]score.Choice{p.choice()}, s.margins)
		values, all := make([]float64, len(s.s.Classes)), s.universe()
		test, err := p.test(&all)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		var row score.Row
		for i, t := range s.s.Terms.Sorted() {
			if i%256 == 0 && ctx.Err() != nil {
				yield(Entry{}, context.Cause(ctx))
				return
			}
			s.fill(&row, int(t), nil)
			panel.ByClass(values, &row)
			for c, v := range values {
				e := all.classEntry(int(t), c, s.documentsOf(int(t), c), v)
				if test != nil {
					e.Log10P = log10(test.lnP(v, e.table()))
				}
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

func (s *Statistics) universe() universe {
	return universe{
		terms: s.s.Terms, df: func(t int) int { return int(s.s.DF[t]) },
		documents: s.s.Documents, classes: s.s.Classes, classDocs: s.s.ClassDocs,
		labelled: s.s.Labelled == s.s.Documents,
	}
}

// documentsOf is the number of documents of class c with term t.
func (s *Statistics) documentsOf(t, c int) int {
	row := s.row(t, nil)
	if i := cellOf(&row, c); i >= 0 {
		return int(row.A[i])
	}
	return 0
}

// Lookup finds a term; the error names similar ones.
func (s *Statistics) Lookup(term string) (int, error) {
	t, ok := s.s.Terms.Lookup(term)
	if ok {
		return t, nil
	}
	all := func(yield func(string) bool) {
		for i := range s.Terms() {
			if !yield(s.s.Terms.Term(i)) {
				return
			}
		}
	}
	return 0, &UnknownError{
		Kind: "term", Name: term, Near: spelling.Nearest(term, all),
		Remedy: fmt.Sprintf("the corpus has %d terms, in lower case", s.Terms()),
	}
}
