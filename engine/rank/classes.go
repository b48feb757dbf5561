package rank

import (
	"context"
	"iter"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Class ranks all terms by their value for one class, including terms that do not occur in
// it. For an unknown class the error is a [usage.UnknownError].
func Class(ctx context.Context, c Counted, class string, o Options) (*Ranking, error) {
	o.Combine = ByClass
	p, err := o.Resolve()
	if err != nil {
		return nil, err
	}
	return p.Class(ctx, c, class)
}

// Class is like the function [Class] for options that are already resolved, with the
// combination ByClass.
func (p Plan) Class(ctx context.Context, c Counted, class string) (*Ranking, error) {
	s, err := p.statistics(ctx, c)
	if err != nil {
		return nil, err
	}
	k, ok := slices.BinarySearch(s.Classes(), class)
	if !ok {
		return nil, usage.Unknown("class", class, s.Classes())
	}
	rankings, err := p.Classes(ctx, s, k)
	if err != nil {
		return nil, err
	}
	return rankings[0], nil
}

// Classes ranks all terms for each of several classes, by their numbers, as [Plan.Class] does for
// one: in one pass over the counts.
func (p Plan) Classes(ctx context.Context, s *table.Table, classes ...int) ([]*Ranking, error) {
	rankings := make([]*Ranking, len(classes))
	for i, k := range classes {
		rankings[i] = &Ranking{
			Measure: Measure(p.info.Name), Combine: ByClass, Class: s.Classes()[k], stats: s, plan: p, values: make([]float64, s.Cells.Terms()), class: k,
		}
	}
	err := p.EachByClass(ctx, s, classes, func(t int, values []float64) {
		for i, v := range values {
			rankings[i].values[t] = v
		}
	})
	if err != nil {
		return nil, err
	}
	for _, r := range rankings {
		if _, err := r.finish(ctx); err != nil {
			return nil, err
		}
	}
	return rankings, nil
}

// EachByClass calls f for every term, on several threads, with its values for the given
// classes. The options must have the combination ByClass. f must not keep values, which belong to
// the thread. A value that there is none of under Positive is NaN.
func (p Plan) EachByClass(ctx context.Context, s *table.Table, classes []int, f func(t int, values []float64)) error {
	if err := p.checkTarget(s); err != nil {
		return err
	}
	seeds := p.seeds(s)
	return eachTile(ctx, s, []score.Choice{p.Choice()}, p.threads, func(w *tileScorer) {
		n := len(w.tile.DF)
		values := slices.Grow(w.row[:0], len(classes)*(n+1))[:len(classes)*(n+1)]
		w.row = values
		row, columns := values[:len(classes)], values[len(classes):]
		for i, k := range classes {
			w.panel.OfClass(&w.tile, k, columns[i*n:][:n])
		}
		for t := range n {
			for i := range classes {
				row[i] = columns[i*n+t]
			}
			p.leaveOut(row)
			seeds.ofTerm(w.tile.First+t, row)
			f(w.tile.First+t, row)
		}
	})
}

// A ClassTop has the best terms of a class.
type ClassTop struct {
	Class    string
	Test     string // how p-values were computed; "" if none were asked for
	Warnings []string
	Entries  []Entry // best first
}

// TopOfClasses yields the k best terms of each class in turn, as [Plan.Class] has them at the top. The plan
// must have the combination ByClass. By measures that are above 0 only for classes with the term, such as
// ctfidf, it takes one pass over the cells.
func (p Plan) TopOfClasses(ctx context.Context, s *table.Table, k int) iter.Seq2[ClassTop, error] {
	return func(yield func(ClassTop, error) bool) {
		if len(s.Classes()) == 0 {
			yield(ClassTop{}, p.checkTarget(s))
			return
		}
		found, err := p.topOfCells(ctx, s, k)
		if err != nil {
			yield(ClassTop{}, err)
			return
		}
		told := func(class int) bool { return found != nil && len(found[class]) == k }
		for from := 0; from < len(s.Classes()); {
			if told(from) {
				if !yield(ClassTop{Class: s.Classes()[from], Warnings: p.Warnings(s), Entries: p.entriesOf(s, from, found[from])}, nil) {
					return
				}
				from++
				continue
			}
			var some []int
			for ; from < len(s.Classes()) && !told(from) && (len(some)+1)*s.Terms() <= max(s.Terms(), mostAtOnce); from++ {
				some = append(some, from)
			}
			rankings, err := p.Classes(ctx, s, some...)
			if err != nil {
				yield(ClassTop{}, err)
				return
			}
			for _, r := range rankings {
				doubts, err := r.Reliability(ctx, k)
				top := ClassTop{Class: r.Class, Test: r.Test, Warnings: append(r.Warnings, doubts...), Entries: r.Top(k)}
				if !yield(top, err) || err != nil {
					return
				}
			}
		}
	}
}

// mostAtOnce is the number of values of terms for classes that are held at once.
const mostAtOnce = 1 << 23

// mostOfCells bounds what topOfCells keeps, in terms times classes, for each worker.
const mostOfCells = 1 << 20

// topOfCells returns the terms of each class that have the k best values above 0, best first: fewer
// where there are fewer. It returns nil where cells do not tell the best, or terms have p-values.
func (p Plan) topOfCells(ctx context.Context, s *table.Table, k int) ([][]Candidate, error) {
	classes, margins := len(s.Classes()), Margins(s)
	if p.own || p.tested != nil || p.positive || k < 1 || k > mostOfCells/max(1, classes) || !score.NewPanel(p.byClass(), margins).Sparse() {
		return nil, nil
	}
	workers, chunks, seeds := make([]*classTops, pool.Threads(p.threads)), scoreChunks(s), p.seeds(s)
	err := pool.Stage(ctx, "score", func(ctx context.Context) error {
		return pool.Run(ctx, p.threads, len(chunks), func(worker, chunk int) error {
			if workers[worker] == nil {
				workers[worker] = newClassTops(p, margins, seeds, classes, k)
			}
			w := workers[worker]
			s.Cells.Tiles(&w.tile, chunks[chunk].From, chunks[chunk].To, w.panel.NeedsTokens(), w.take)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	tops := make([][]Candidate, classes)
	for class := range tops {
		all := Best[Candidate]{Most: k, Order: Order}
		for _, w := range workers {
			if w == nil {
				continue
			}
			for _, c := range w.best[class].Sorted() {
				all.Offer(c)
			}
		}
		tops[class] = all.Sorted()
	}
	return tops, nil
}

// classTops are the best terms of each class that a worker has met.
type classTops struct {
	panel  *score.Panel
	seeds  *seedTerms
	tile   table.Tile
	values []float64         // of the cells of a tile
	best   []Best[Candidate] // by class
}

func newClassTops(p Plan, m *score.Margins, seeds *seedTerms, classes, k int) *classTops {
	w := &classTops{panel: score.NewPanel(p.byClass(), m), seeds: seeds, best: make([]Best[Candidate], classes)}
	w.tile.NoSquares = !w.panel.NeedsSquares()
	for class := range w.best {
		w.best[class] = Best[Candidate]{Most: k, Order: Order}
	}
	return w
}

// take looks at the terms of a tile.
func (w *classTops) take(t *table.Tile) {
	w.values = slices.Grow(w.values[:0], len(t.Class))[:len(t.Class)]
	w.panel.Cells(t, w.values)
	for i := range t.DF {
		from, to := t.Range(i)
		w.seeds.ofTerm(t.First+i, w.values[from:to])
		for j, v := range w.values[from:to] {
			if v > 0 {
				w.best[t.Class[from+j]].Offer(NewCandidate(t.First+i, v))
			}
		}
	}
}

// entriesOf returns the entries of the best terms of a class.
func (p Plan) entriesOf(s *table.Table, class int, best []Candidate) []Entry {
	entries := make([]Entry, len(best))
	for i, c := range best {
		e, t := &entries[i], int(c.ID)
		e.setTerm(s, t, valueOf(c.Key))
		e.setClass(s, t, class, p.signed)
		e.Rank = i + 1
	}
	return entries
}

// A classReader gives the values that one term after the other has for the classes. It serves one goroutine.
type classReader struct {
	plan   Plan
	stats  *table.Table
	tile   table.Tile // of the term
	values []float64  // of the term, by class; NaN where there is none
	panel  *score.Panel
	seeds  *seedTerms // nil without seed words
}

// classReader returns a reader of the terms of s.
func (p Plan) classReader(s *table.Table) *classReader {
	return &classReader{plan: p, stats: s, values: make([]float64, len(s.Classes())), panel: score.NewPanel(p.byClass(), Margins(s)), seeds: p.seeds(s)}
}

// term reads a term by its number.
func (r *classReader) term(t int) {
	r.stats.Cells.Read(&r.tile, t, t+1, true)
	r.panel.ByClass(r.values, &r.tile)
	r.plan.leaveOut(r.values)
	r.seeds.ofTerm(t, r.values)
}
