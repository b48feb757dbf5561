package matrix

import (
	"context"
	"slices"
	"sync"

	"github.com/termsift/termsift/engine/matrix/ranges"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/usage"
)

// This file scores the terms of a matrix by measures that need nothing but numbers of
// documents. These are counted class by class, and package ranges makes their cells for one
// range of columns after the other: no statistics of the whole matrix are kept.

// A Request asks for the values of all terms by measures that count documents.
type Request struct {
	Choices []score.Choice
	Classes []string // names, as in [Options]: sums over classes are in their order
	// Values has a slice for each choice, and DF numbers of documents: an element for each
	// column. Both are set. DF may be nil. A term without a document has the value NaN.
	Values [][]float64
	DF     []float64
	// Threads bounds the goroutines; 0 means GOMAXPROCS. Values do not depend on it.
	Threads int
}

// Score sets the values of all terms of a matrix by rows, to the same bits as those of the
// statistics that [Matrix.Statistics] returns. It takes half the time of these and a
// ranking.
//
// It returns false for what it does not do, or cannot do because something is wrong, and
// leaves undefined values behind: measures that count occurrences, matrices by columns, with
// large values or far more columns than elements, less than two classes, and bad input. Then
// [Matrix.Statistics] knows what to do, or what is wrong. An error is that of ctx, or a
// usage.ErrUsage if slices of the request have other lengths.
func (m *Matrix[I, V]) Score(ctx context.Context, y *Labels, r *Request) (ok bool, err error) {
	return m.task().score(ctx, y, r)
}

// score is [Matrix.Score].
func (t *task) score(ctx context.Context, y *Labels, r *Request) (ok bool, err error) {
	if t == nil || r == nil {
		return false, nil
	}
	if err := r.check(t.terms); err != nil {
		return false, err
	}
	err = t.begin(y, &Options{Classes: r.Classes, Threads: r.Threads})
	if err != nil || t.byColumn || t.isWide() {
		return false, nil
	}
	err = pool.Stage(ctx, "score", func(ctx context.Context) error {
		if t.docs, err = y.Number(t.documents, r.Classes); err != nil || len(t.docs.Classes) < 2 {
			return nil
		}
		ok, err = (&scoring{task: t, request: r}).run(ctx)
		return err
	})
	return ok && err == nil, err
}

// check checks the lengths of slices.
func (r *Request) check(columns int) error {
	if len(r.Values) != len(r.Choices) {
		return usage.Errorf("matrix: Request.Values has %d slices for %d choices", len(r.Values), len(r.Choices))
	}
	for j, values := range r.Values {
		if len(values) != columns {
			return usage.Errorf("matrix: Request.Values[%d] has %d elements for %d columns", j, len(values), columns)
		}
	}
	if r.DF != nil && len(r.DF) != columns {
		return usage.Errorf("matrix: Request.DF has %d elements for %d columns", len(r.DF), columns)
	}
	return nil
}

// A scoring is one call of [Matrix.Score].
type scoring struct {
	*task
	request *Request
	margins *score.Margins
	size    int           // of a range of columns
	lists   []ranges.List // by class, then by the first document
	workers []*scoreWorker
}

// A scoreWorker has the memory of one worker, which serves further calls.
type scoreWorker struct {
	ranges.Counter
	ranges.Scorer
	repeats  repeats
	disorder bool // a line was not in order: the next ones are counted with stamps
}

// spareWorkers keeps what workers have allocated until the collector has run twice: several
// megabytes for 20 Newsgroups, of which Statistics allocates 13 anew in each call.
var spareWorkers = sync.Pool{New: func() any { return new(scoreWorker) }}

// run scores the terms.
func (s *scoring) run(ctx context.Context) (ok bool, err error) {
	s.margins, s.size = s.marginsOfDocuments(), s.rangeSize()
	threads := pool.Threads(s.options.Threads)
	s.workers = make([]*scoreWorker, threads)
	panels := make([]*score.Panel, threads)
	for i := range panels {
		if panels[i] = score.NewPanel(s.request.Choices, s.margins); panels[i].NeedsTokens() {
			return false, nil
		}
	}
	for i, p := range panels {
		w := spareWorkers.Get().(*scoreWorker)
		w.Counter.Begin(s.terms, s.size)
		w.disorder = false
		w.Scorer.Begin(p, len(s.request.Choices), len(s.docs.Classes), s.docs.Several)
		s.workers[i] = w
	}
	if ok, err = s.countDocuments(ctx); !ok {
		return false, err // the workers' counts are not 0
	}
	if err = s.scoreRanges(ctx); err != nil {
		return false, err
	}
	for _, w := range s.workers {
		w.End()
		spareWorkers.Put(w)
	}
	return true, nil
}

// marginsOfDocuments returns margins without occurrences.
func (s *scoring) marginsOfDocuments() *score.Margins {
	sizes := make([]float64, len(s.docs.Classes))
	for _, class := range s.docs.Of {
		sizes[class]++
	}
	return score.NewMargins(float64(s.documents), 0, sizes, make([]float64, len(sizes)))
}

// rangeSize returns the number of columns of a range: the more the fewer elements a class
// has, so that it has some in a range.
func (s *scoring) rangeSize() int {
	n := s.stored() / int64(32*(len(s.docs.Classes)+1))
	ranges := max(1, min((s.terms+ranges.Columns-1)/ranges.Columns, int(n)))
	return (s.terms + ranges - 1) / ranges
}

// countDocuments counts the documents of each class. It returns false if some line is not
// one that it counts.
func (s *scoring) countDocuments(ctx context.Context) (ok bool, err error) {
	groups := s.groups(ranges.MostDocuments)
	s.lists = make([]ranges.List, len(groups))
	failed := make([]bool, len(s.workers))
	err = pool.Run(ctx, s.options.Threads, len(groups), func(worker, i int) error {
		if failed[worker] {
			return nil
		}
		list, ok := s.countList(s.workers[worker], &groups[i])
		s.lists[i], failed[worker] = list, !ok
		return nil
	})
	if err != nil || slices.Contains(failed, true) {
		return false, err
	}
	return true, nil
}

// countList counts the documents of a group. It returns false if an element is not one of a
// matrix, or its value above ranges.MostWeight; the worker is of no use then.
func (s *scoring) countList(w *scoreWorker, g *group) (list ranges.List, ok bool) {
	n := 0
	for i, d := range g.docs {
		if i+2 < len(g.docs) { // so little is done with a line that one ahead is not soon enough
			s.prefetchLine(g.spans[i+2])
		}
		line := g.spans[i]
		n += line.to - line.from
		stamp := uint32(0)
		if w.disorder {
			stamp = uint32(i+1) << ranges.StampShift
		}
		ok, distinct := s.addDocument(w.Number, stamp, line)
		if !ok || !distinct && s.repeated(&w.repeats, int(d), s.terms) {
			return list, false
		}
		w.disorder = w.disorder || !distinct
	}
	if n >= len(w.Number)/fewElements {
		return w.Take(g.class), true
	}
	return w.TakeFew(g.class, func(take func(at uint32)) {
		for _, d := range g.docs {
			s.takeFew(take, int(d))
		}
	}), true
}

// scoreRanges scores all columns.
func (s *scoring) scoreRanges(ctx context.Context) error {
	return pool.Run(ctx, s.options.Threads, (s.terms+s.size-1)/s.size, func(worker, i int) error {
		w, from, to := &s.workers[worker].Scorer, i*s.size, min((i+1)*s.size, s.terms)
		w.Score(s.lists, i, to-from)
		for j, values := range s.request.Values {
			w.Values(values[from:to], j)
		}
		if s.request.DF != nil {
			w.DF(s.request.DF[from:to])
		}
		return nil
	})
}
