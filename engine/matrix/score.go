package matrix

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file scores the terms of a matrix by measures that need nothing but numbers of
// documents. These are counted class by class into planes, from which ranges of columns are scored: no
// statistics of the whole matrix are kept.

// A Request asks for the values of all terms by measures that count documents.
type Request struct {
	Choices []score.Choice
	Classes []string // names, as in Options: sums over classes are in their order
	// Values has a slice for each choice, and DF numbers of documents: an element for each
	// column. Both are set. DF may be nil. A term without a document has the value NaN.
	Values [][]float64
	DF     []float64
	// Threads bounds the goroutines; 0 means GOMAXPROCS. Values do not depend on it.
	Threads int
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

// Score sets the values of all terms of a matrix by rows, to the same bits as those of the
// statistics that [Matrix.Statistics] returns. It takes half the time of these and a
// ranking.
//
// It returns false for what it does not do, or cannot do because something is wrong, and
// leaves undefined values behind: measures that count occurrences, matrices by columns, with
// large values, zeros or far more columns than elements, less than two classes, and bad input. Then
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
		if t.docs, err = y.number(t.documents, r.Classes); err != nil || len(t.docs.Classes) < 2 {
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
	groups  []table.Group
	memory  *memory
	planes  *planes
	direct  bool // values are computed from planes, without cells
	workers []*scoreWorker
}

// A memory serves further calls, until the collector has run twice.
type memory struct {
	counts []uint16 // of planes
	order  []uint32 // the documents of all groups
	spans  []span   // of order: to look Start up for one after the other would wait for memory
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// A scoreWorker has the memory of one worker.
type scoreWorker struct {
	docCounter
	rangeScorer
	planeScorer
}

// run scores the terms.
func (s *scoring) run(ctx context.Context) (ok bool, err error) {
	sizes := s.docs.sizes()
	margins := score.NewMargins(float64(s.documents), 0, sizes, make([]float64, len(sizes))) // without occurrences
	for range pool.Threads(s.options.Threads) {
		s.workers = append(s.workers, &scoreWorker{rangeScorer: rangeScorer{panel: score.NewPanel(s.request.Choices, margins)}})
	}
	panel := s.workers[0].panel
	if panel.NeedsTokens() {
		return false, nil
	}
	m, docs := memories.Get().(*memory), s.docs.byClass()
	defer memories.Put(m)
	order, ends := docs.ByClass(m.order)
	s.memory, m.order, m.spans = m, order, s.appendSpans(m.spans[:0], order)
	s.groups = table.Groups(order, ends, mostDocumentsOfPlane, s.options.Threads, s.stored(), func(i int) int64 { return int64(m.spans[i].to - m.spans[i].from) })
	if s.planes = s.newPlanes(); s.planes == nil {
		return false, nil
	}
	if present, err := s.allPresent(ctx); !present || err != nil {
		return false, err
	}
	s.direct = panel.TakesPlanes() && !s.planes.wide
	if ok, err = s.countDocuments(ctx); !ok {
		return false, err
	}
	return true, s.scoreRanges(ctx)
}

// countDocuments counts the documents of each class. It returns false if some line is not
// one that it counts.
func (s *scoring) countDocuments(ctx context.Context) (ok bool, err error) {
	failed := make([]bool, len(s.workers))
	err = pool.Run(ctx, s.options.Threads, len(s.groups), func(worker, i int) error {
		if failed[worker] {
			return nil
		}
		w := s.workers[worker]
		if w.number == nil {
			w.number = make([]uint16, s.terms)
		}
		if failed[worker] = !s.addDocuments(w, &s.groups[i]); !failed[worker] {
			plane := s.planes.planeOf[i]
			copy(s.planes.plane(plane, 0, s.terms), w.number)
			clear(w.number)
			s.planes.taken[plane] = 1 + int(s.groups[i].Class)
		}
		return nil
	})
	return err == nil && !slices.Contains(failed, true), err
}

// prefetchedDocuments is the number of elements of a document that are asked for while those of the
// ones before are counted, which takes less time than the CPU needs to foresee them.
const prefetchedDocuments = 256

// documentsAhead is how far ahead of the document that is counted one is asked for: so little is done with
// a document that memory answers after several of them.
const documentsAhead = 4

// checkedValues is the number of values that one goroutine checks at a time: 256 KB of the widest.
const checkedValues = 1 << 15

// allPresent reports whether no element has the value 0 or one above mostWeight, so that
// documents can be counted without a look at their values. These are read from the first to the
// last, as memory is read fastest, and not in the order of classes.
func (s *scoring) allPresent(ctx context.Context) (bool, error) {
	if !s.valued {
		return true, nil
	}
	from, _ := s.bounds(0)
	to := from + int(s.stored())
	var others atomic.Bool
	err := pool.Run(ctx, s.options.Threads, (to-from+checkedValues-1)/checkedValues, func(_, i int) error {
		first := from + i*checkedValues
		if !others.Load() && !s.arePresent(first, min(first+checkedValues, to)) {
			others.Store(true)
		}
		return nil
	})
	return !others.Load(), err
}

// addDocuments adds the documents of a group to the numbers of a worker. It returns false if an element
// is not one of a matrix; the worker is of no use then.
func (s *scoring) addDocuments(w *scoreWorker, g *table.Group) bool {
	spans := s.memory.spans[g.From : g.From+len(g.Docs)]
	for i, line := range spans {
		if ahead := i + documentsAhead; ahead < len(spans) {
			next := spans[ahead]
			next.to = min(next.to, next.from+prefetchedDocuments)
			s.prefetch(next)
		}
		if !s.addDocument(&w.docCounter, line) {
			return false
		}
	}
	return true
}

// scoreRanges scores all columns.
func (s *scoring) scoreRanges(ctx context.Context) error {
	return pool.Run(ctx, s.options.Threads, (s.terms+rangeColumns-1)/rangeColumns, func(worker, i int) error {
		w, from, to := s.workers[worker], i*rangeColumns, min((i+1)*rangeColumns, s.terms)
		if s.direct {
			w.planeScorer.score(s.planes, w.panel, s.request, from, to)
		} else {
			w.scoreRange(s.planes, s.request, from, to)
		}
		return nil
	})
}
