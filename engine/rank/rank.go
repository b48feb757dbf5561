// Package rank scores terms by measures and ranks them.
//
// It takes statistics, those of a corpus or of a file, and [Options]. It returns a
// [Ranking], with the best terms, the class with the largest value of each, p-values if
// the measure has a known distribution, and warnings where these are unreliable. Begin
// reading at [Terms]. How much of a ranking is chance, [Permute] tells by permuted labels, and
// [MeasureStability] by samples of the documents.
//
// Values are computed from the counts of terms in classes, but for those of measures with a source of
// their own, which may read posting lists in another package. The formulas are those of package score.
package rank

import (
	"context"
	"iter"
	"sort"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Counted is a source of statistics to rank terms by: a Corpus, which counts them once and
// caches them, or Statistics themselves.
type Counted interface {
	Statistics(ctx context.Context, o corpus.CountOptions) (*table.Table, error)
}

// errNoStatistics is returned for a nil Counted.
var errNoStatistics = usage.Errorf("nil statistics were given")

// statistics returns the statistics of c, or an error if the plan cannot read them.
func (p Plan) statistics(ctx context.Context, c Counted) (*table.Table, error) {
	if c == nil {
		return nil, errNoStatistics
	}
	s, err := c.Statistics(ctx, corpus.CountOptions{Weight: p.Column(), Threads: p.threads})
	if err != nil {
		return nil, err
	}
	return s, p.checkTarget(s)
}

// Terms ranks all terms by one value each. The combination ByClass is a usage error here;
// see [Class].
func Terms(ctx context.Context, c Counted, o Options) (*Ranking, error) {
	rankings, err := Several(ctx, c, o)
	if err != nil {
		return nil, err
	}
	return rankings[0], nil
}

// Several ranks all terms by several measures, in one pass over the counts for each
// weighting that they read. The rankings are in the order of the options. The first
// options set the number of threads.
func Several(ctx context.Context, c Counted, options ...Options) ([]*Ranking, error) {
	plans := make([]Plan, len(options))
	for i, o := range options {
		var err error
		if plans[i], err = o.Resolve(); err != nil {
			return nil, err
		}
	}
	return ByPlans(ctx, c, plans...)
}

// ByPlans is like [Several] for options that are already resolved.
func ByPlans(ctx context.Context, c Counted, plans ...Plan) ([]*Ranking, error) {
	if c == nil {
		return nil, errNoStatistics
	}
	for _, p := range plans {
		if p.combine == ByClass {
			return nil, usage.Errorf("a ranking needs one value for a term; the combination %q gives one for each class", ByClass)
		}
	}
	passes := map[table.Weighting][]int{} // the plans that read cells with the sums of a weighting, see [Plan.Column]
	for i, p := range plans {
		if p.FromCells() {
			passes[p.Column()] = append(passes[p.Column()], i)
		}
	}
	rankings := make([]*Ranking, len(plans))
	for i, p := range plans {
		var err error
		switch p.threads = plans[0].threads; {
		case !p.FromCells():
			rankings[i], err = p.byLists(ctx, c)
		case rankings[i] == nil:
			err = rankPass(ctx, c, plans, passes[p.Column()], rankings)
		}
		if err != nil {
			return nil, err
		}
	}
	return rankings, nil
}

// rankPass computes the rankings of the plans with the indexes in pass, and stores them in
// rankings.
func rankPass(ctx context.Context, c Counted, plans []Plan, pass []int, rankings []*Ranking) error {
	first := plans[pass[0]]
	first.threads = plans[0].threads
	s, err := first.statistics(ctx, c)
	for _, i := range pass {
		if err == nil {
			err = plans[i].checkTarget(s)
		}
	}
	if err != nil {
		return err
	}
	choices, columns := make([]score.Choice, len(pass)), make([][]float64, len(pass))
	for j, i := range pass {
		choices[j], columns[j] = plans[i].Choice(), make([]float64, s.Cells.Terms())
	}
	err = eachTile(ctx, s, choices, plans[0].threads, func(w *tileScorer) {
		t := &w.tile
		setWeights(t, first.Column())
		for j, column := range columns {
			w.dst[j] = column[t.First : t.First+len(t.DF)]
		}
		w.panel.Tile(t, w.dst)
	})
	if err != nil {
		return err
	}
	for j, i := range pass {
		p := plans[i]
		p.threads = plans[0].threads
		p.leaveOut(columns[j])
		p.seeds(s).multiply(columns[j])
		r := &Ranking{Measure: Measure(p.info.Name), Combine: p.label, stats: s, plan: p, values: columns[j], class: -1}
		if rankings[i], err = r.finish(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Cells yields every pair of a term and a class with its value, including pairs that do
// not occur: terms in the order of their bytes, and for each term the classes in the order
// of theirs. It never holds all of them in memory. With Positive it leaves out pairs that have no value.
func Cells(ctx context.Context, c Counted, o Options) iter.Seq2[Entry, error] {
	o.Combine = ByClass
	p, err := o.Resolve()
	if err != nil {
		return func(yield func(Entry, error) bool) { yield(Entry{}, err) }
	}
	return p.Cells(ctx, c)
}

// Cells is like the function [Cells] for options that are already resolved, with the
// combination ByClass.
func (p Plan) Cells(ctx context.Context, c Counted) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		s, err := p.statistics(ctx, c)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		test, err := p.test(s)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		read := p.classReader(s)
		for i, t := range s.Names.Sorted() {
			if i%256 == 0 && ctx.Err() != nil {
				yield(Entry{}, usage.Cause(ctx))
				return
			}
			read.term(int(t))
			for class, v := range read.values {
				var e Entry
				e.setTerm(s, int(t), v)
				e.setClass(s, int(t), class, p.signed)
				if p.positive && e.Sign <= 0 {
					continue
				}
				if test != nil {
					e.Log10P = Log10(test.lnP(v, tableOf(s, int(t), class)))
				}
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// marginsKey is the key under which Margins caches its result.
type marginsKey struct{}

// Margins returns the totals of the statistics in the form that measures read, with the numbers of the
// classes if all their names are numbers. They are computed once.
func Margins(s *table.Table) *score.Margins {
	return s.Derive(marginsKey{}, func() any {
		return score.MarginsOf(&s.Cells.Margins).WithScale(score.NewScale(s.Classes()))
	}).(*score.Margins)
}

// rowsCost is the size of a chunk of terms that one call of a worker scores, in cells.
const rowsCost = 1 << 14

// eachTile calls f for tiles of all terms, on several threads.
func eachTile(ctx context.Context, s *table.Table, choices []score.Choice, threads int, f func(w *tileScorer)) error {
	margins, chunks := Margins(s), scoreChunks(s)
	workers := make([]tileScorer, pool.Threads(threads))
	return pool.Stage(ctx, "score", func(ctx context.Context) error {
		workers[0].begin(choices, margins)
		return pool.Run(ctx, threads, len(chunks), func(worker, chunk int) error {
			w := &workers[worker]
			w.begin(choices, margins)
			s.Cells.Tiles(&w.tile, chunks[chunk].From, chunks[chunk].To, w.panel.NeedsTokens(), func(*table.Tile) { f(w) })
			return nil
		})
	})
}

// A tileScorer is the memory of one worker.
type tileScorer struct {
	tile  table.Tile
	panel *score.Panel
	dst   [][]float64
	row   []float64 // the values of one term
}

// begin prepares the worker, if it is not prepared yet.
func (w *tileScorer) begin(choices []score.Choice, m *score.Margins) {
	if w.panel == nil {
		w.panel, w.dst = score.NewPanel(choices, m), make([][]float64, len(choices))
		w.tile.NoSquares = !w.panel.NeedsSquares()
	}
}

// setWeights sets the weights of a tile to those of a weighting whose sums are counts.
func setWeights(t *table.Tile, weight table.Weighting) {
	switch weight {
	case table.TF:
		t.W = t.S
	case table.Binary:
		t.W = t.A
	}
}

// chunksKey is the key under which scoreChunks caches its result.
type chunksKey struct{}

// termCost is the cost of a term beside its cells, in cells.
const termCost = 8

// scoreChunks returns the terms in chunks of about rowsCost, made once. A chunk begins at a
// multiple of 16 terms, so that no two workers write to the same cache line of a column. Its
// end is searched: looking at all terms takes as long as a tenth of chi-square.
func scoreChunks(s *table.Table) []pool.Range {
	return s.Derive(chunksKey{}, func() any {
		const align = 16
		var chunks []pool.Range
		start := s.Cells.Start
		for from, n := 0, s.Cells.Terms(); from < n; {
			blocks := sort.Search((n-from)/align, func(i int) bool {
				to := from + (i+1)*align
				return start[to]-start[from]+termCost*(to-from) >= rowsCost
			})
			to := min(n, from+(blocks+1)*align)
			chunks = append(chunks, pool.Range{From: from, To: to})
			from = to
		}
		return chunks
	}).([]pool.Range)
}
