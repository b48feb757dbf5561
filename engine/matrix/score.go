package matrix

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/termsift/termsift/engine/cells/gather"
	"github.com/termsift/termsift/engine/matrix/ranges"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
)

// This file scores the terms of a matrix by measures that need nothing but numbers of
// documents. These are counted class by class, and package ranges makes their cells for one
// range of columns after the other: no statistics of the whole matrix are kept.

// A Request asks for values.
type Request = ranges.Request

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
	if err := r.Check(t.terms); err != nil {
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

// A scoring is one call of [Matrix.Score].
type scoring struct {
	*task
	request *Request
	margins *score.Margins
	present bool // all elements are, see allPresent
	size    int  // of a range of columns
	room    *grouping
	groups  []gather.Group
	lists   []ranges.List  // by class, then by the first document
	planes  *ranges.Planes // in place of lists, or nil
	workers []*scoreWorker
}

// A scoreWorker has the memory of one worker, which serves further calls.
type scoreWorker struct {
	ranges.Counter
	ranges.Scorer
	ranges.PlaneScorer
	panel   *score.Panel
	repeats ranges.Repeats
}

// spareWorkers keeps what workers have allocated until the collector has run twice: several
// megabytes for 20 Newsgroups, of which Statistics allocates 13 anew in each call.
var spareWorkers = sync.Pool{New: func() any { return new(scoreWorker) }}

// spareGroupings keeps the memory of groupings as spareWorkers that of workers: 6 MB for 300,000
// documents, with which the collector ran, and took the workers away, after ten calls.
var spareGroupings = sync.Pool{New: func() any { return new(grouping) }}

// run scores the terms.
func (s *scoring) run(ctx context.Context) (ok bool, err error) {
	g := spareGroupings.Get().(*grouping)
	defer spareGroupings.Put(g)
	s.margins, s.size, s.room = s.marginsOfDocuments(), s.rangeSize(), g
	s.groups = s.task.groups(g, ranges.MostDocuments)
	panels := make([]*score.Panel, pool.Threads(s.options.Threads))
	for i := range panels {
		if panels[i] = score.NewPanel(s.request.Choices, s.margins); panels[i].NeedsTokens() {
			return false, nil
		}
	}
	if s.present, err = s.allPresent(ctx); err != nil {
		return false, err
	}
	if panels[0].TakesPlanes() {
		s.planes = ranges.NewPlanes(s.terms, len(s.docs.Classes), s.parts(), s.docs.Several, s.stored())
	}
	for _, p := range panels {
		s.workers = append(s.workers, s.worker(p))
	}
	if ok, err = s.countDocuments(ctx); !ok {
		return false, err // the workers' counts are not 0
	}
	if err = s.scoreRanges(ctx); err != nil {
		return false, err
	}
	for _, w := range s.workers {
		w.End()
		w.panel = nil
		spareWorkers.Put(w)
	}
	if s.planes != nil {
		s.planes.End()
	}
	return true, nil
}

// parts returns the groups as parts of planes.
func (s *scoring) parts() (parts []ranges.Part) {
	for i := range s.groups {
		parts = append(parts, ranges.Part{Class: s.groups[i].Class, Documents: len(s.groups[i].Docs)})
	}
	return parts
}

// worker returns a worker with a panel.
func (s *scoring) worker(p *score.Panel) *scoreWorker {
	w := spareWorkers.Get().(*scoreWorker)
	w.Counter.Begin(s.terms, s.size)
	w.panel = p
	if s.planes == nil {
		w.Scorer.Begin(p, len(s.request.Choices), len(s.docs.Classes), s.docs.Several)
	}
	return w
}

// marginsOfDocuments returns margins without occurrences.
func (s *scoring) marginsOfDocuments() *score.Margins {
	sizes := s.docs.Sizes()
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
	s.lists = make([]ranges.List, len(s.groups))
	failed := make([]bool, len(s.workers))
	err = pool.Run(ctx, s.options.Threads, len(s.groups), func(worker, i int) error {
		if failed[worker] {
			return nil
		}
		failed[worker] = !s.countGroup(s.workers[worker], i)
		return nil
	})
	return err == nil && !slices.Contains(failed, true), err
}

// countGroup counts the documents of a group into a list or a plane. It returns false if an element
// is not one of a matrix, or its value above ranges.MostWeight; the worker is of no use then.
func (s *scoring) countGroup(w *scoreWorker, i int) (ok bool) {
	g := s.room.of(&s.groups[i])
	n, ok := s.addDocuments(w, g)
	switch {
	case !ok:
		return false
	case s.planes != nil:
		s.planes.Take(&w.Counter, i, g.Class)
	case n >= len(w.Number)/gather.FewElements:
		s.lists[i] = w.Take(g.Class)
	default:
		s.lists[i] = w.TakeFew(g.Class, func(take func(at uint32)) {
			for _, d := range g.Docs {
				s.takeFew(take, int(d))
			}
		})
	}
	return true
}

// prefetchedDocuments is the number of elements of a document that are asked for while those of the
// ones before are counted, which takes less time than the CPU needs to foresee them: 36 million
// elements of 300,000 documents took 5 % longer with 64.
const prefetchedDocuments = 256

// documentsAhead is how far ahead of the document that is counted one is asked for: so little is done with
// a document that memory answers after several of them.
const documentsAhead = 4

// checkedValues is the number of values that one goroutine checks at a time: 256 KB of the widest.
const checkedValues = 1 << 15

// allPresent reports whether no element has the value 0 or one above ranges.MostWeight, so that
// documents can be counted without a look at their values. These are read from the first to the
// last, as memory is read fastest, and not in the order of classes: 36 million elements on one thread took
// 0.73 of the time that they took when each document's values were checked before it was counted.
func (s *scoring) allPresent(ctx context.Context) (bool, error) {
	if !s.valued {
		return true, nil
	}
	from, _ := s.bounds(0)
	to := from + int(s.stored())
	var others atomic.Bool
	err := pool.Run(ctx, s.options.Threads, (to-from+checkedValues-1)/checkedValues, func(_, i int) error {
		first := from + i*checkedValues
		if others.Load() {
			return nil
		}
		if _, all := s.weights(span{first, min(first+checkedValues, to)}); !all {
			others.Store(true)
		}
		return nil
	})
	return !others.Load(), err
}

// addDocuments adds the documents of a group to the numbers of a worker. It returns how many
// elements they have.
func (s *scoring) addDocuments(w *scoreWorker, g group) (elements int, ok bool) {
	for i, d := range g.Docs {
		if ahead := i + documentsAhead; ahead < len(g.Docs) {
			s.prefetchLine(g.spans[ahead], prefetchedDocuments, !s.present)
		}
		line := g.spans[i]
		elements += line.to - line.from
		ok, distinct := s.addLine(w, line)
		if !ok || !distinct && s.repeated(&w.repeats, int(d), s.terms) {
			return 0, false
		}
	}
	return elements, true
}

// addLine adds a document.
func (s *scoring) addLine(w *scoreWorker, line span) (ok, distinct bool) {
	if !s.present {
		if ok, all := s.weights(line); !ok {
			return false, false
		} else if !all {
			return s.addPresent(w.Number, line)
		}
	}
	return s.addDocument(&w.Counter, line), true
}

// scoreRanges scores all columns.
func (s *scoring) scoreRanges(ctx context.Context) error {
	return pool.Run(ctx, s.options.Threads, (s.terms+s.size-1)/s.size, func(worker, i int) error {
		w, from, to := s.workers[worker], i*s.size, min((i+1)*s.size, s.terms)
		if s.planes != nil {
			w.PlaneScorer.Score(s.planes, w.panel, s.request, from, to)
			return nil
		}
		w.Scorer.Score(s.lists, i, to-from)
		for j, values := range s.request.Values {
			w.Values(values[from:to], j)
		}
		if s.request.DF != nil {
			w.DF(s.request.DF[from:to])
		}
		return nil
	})
}
