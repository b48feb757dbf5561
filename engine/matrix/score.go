package matrix

import (
	"context"
	"slices"
	"sync"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
)

// This file scores the terms of a matrix by measures that need nothing but numbers of
// documents. These are counted by documents.go, and their cells are made for one range of
// columns after the other by range.go: no statistics of the whole matrix are kept.

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
// [Matrix.Statistics] knows what to do, or what is wrong. An error is that of ctx.
func (m *Matrix[I, V]) Score(ctx context.Context, y *Labels, r *Request) (ok bool, err error) {
	if m.checkShape(y, &Options{Classes: r.Classes}) != nil || m.ByColumn || m.Terms/narrowFrom > len(m.Index)+len(m.Start) {
		return false, nil
	}
	err = pool.Stage(ctx, "score", func(ctx context.Context) error {
		docs, err := y.documents(m.Documents, r.Classes)
		if err != nil || len(docs.classes) < 2 {
			return nil
		}
		s := &scoring[I, V]{task: task[I, V]{Matrix: m, docs: docs, options: &Options{Threads: r.Threads}}, request: r}
		ok, err = s.run(ctx)
		return err
	})
	return ok && err == nil, err
}

// A scoring is one call of [Matrix.Score].
type scoring[I Index, V Value] struct {
	task[I, V]
	request *Request
	margins *score.Margins
	size    int            // of a range of columns
	lists   []documentList // by class, then by the first document
	workers []*scoreWorker
}

// A scoreWorker has the memory of one worker. All of it but the panel serves further calls.
type scoreWorker struct {
	documentCounter
	rangeCells
	panel *score.Panel
}

// spareWorkers keeps what workers have allocated, until the collector has run twice: the
// memory of a call for 20 Newsgroups is 4 MB, and to touch fresh one takes a fifth of it.
var spareWorkers = sync.Pool{New: func() any { return new(scoreWorker) }}

// run scores the terms.
func (s *scoring[I, V]) run(ctx context.Context) (ok bool, err error) {
	s.margins, s.size = s.marginsOfDocuments(), s.rangeSize()
	threads := pool.Threads(s.options.Threads)
	s.workers = make([]*scoreWorker, threads)
	for i := range s.workers {
		w := spareWorkers.Get().(*scoreWorker)
		w.begin(s.Terms, s.size)
		w.panel = score.NewPanel(s.request.Choices, s.margins)
		s.workers[i] = w
	}
	if s.workers[0].panel.NeedsTokens() {
		return false, nil
	}
	for _, w := range s.workers {
		w.scoreSingles(w.panel, len(s.request.Choices), len(s.docs.classes))
	}
	if ok, err = s.countDocuments(ctx); !ok {
		return false, err // the workers' counts are not 0
	}
	if err = s.scoreRanges(ctx); err != nil {
		return false, err
	}
	for _, w := range s.workers {
		w.panel, w.singles = nil, nil
		spareWorkers.Put(w)
	}
	return true, nil
}

// marginsOfDocuments returns margins without occurrences.
func (s *scoring[I, V]) marginsOfDocuments() *score.Margins {
	sizes := make([]float64, len(s.docs.classes))
	for _, class := range s.docs.of {
		sizes[class]++
	}
	return score.NewMargins(float64(s.Documents), 0, sizes, make([]float64, len(sizes)))
}

// rangeSize returns the number of columns of a range: the more the fewer elements a class
// has, so that it has some in a range.
func (s *scoring[I, V]) rangeSize() int {
	n := s.elements() / int64(32*(len(s.docs.classes)+1))
	ranges := max(1, min((s.Terms+scoredColumns-1)/scoredColumns, int(n)))
	return (s.Terms + ranges - 1) / ranges
}

// countDocuments counts the documents of each class. It returns false if some line is not
// one that it counts.
func (s *scoring[I, V]) countDocuments(ctx context.Context) (ok bool, err error) {
	groups := s.groups()
	s.lists = make([]documentList, len(groups))
	failed := make([]bool, len(s.workers))
	err = pool.Run(ctx, s.options.Threads, len(groups), func(worker, i int) error {
		if failed[worker] {
			return nil
		}
		list, ok := s.countList(&s.workers[worker].documentCounter, groups[i].docs)
		list.class = groups[i].class
		s.lists[i], failed[worker] = list, !ok
		return nil
	})
	if err != nil || slices.Contains(failed, true) {
		return false, err
	}
	return true, nil
}
