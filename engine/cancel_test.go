package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/score"
)

var errStop = errors.New("enough")

// manyChunks is a corpus of so many terms that a pass has six chunks or more.
func manyChunks(t *testing.T) *engine.Corpus {
	t.Helper()
	r := rand.New(rand.NewPCG(51, 52))
	return corpusFrom(t, func(d int) document.Document {
		doc := document.Document{Labels: []string{"c" + strconv.Itoa(r.IntN(5)), "c" + strconv.Itoa(r.IntN(5))}}
		for term := d % 10; term < 6_000; term += 50 + r.IntN(100) {
			doc.Features = append(doc.Features, document.Feature{Term: "t" + strconv.Itoa(term), Value: 1 + float64(r.IntN(8))/4})
		}
		return doc
	}, 300)
}

// corpusFrom builds a corpus of n documents.
func corpusFrom(t *testing.T, make func(d int) document.Document, n int) *engine.Corpus {
	t.Helper()
	b, err := engine.NewBuilder(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for d := range n {
		doc := make(d)
		doc.ID = strconv.Itoa(d)
		if err := b.Add(doc); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// passes are all that looks at a whole corpus. Each says whether it gave a result.
func passes(c *engine.Corpus, s *engine.Statistics, threads int) map[string]func(context.Context) (bool, error) {
	some := roaring.New()
	some.AddRange(0, 100)
	o := engine.Scoring{By: "ttest", Threads: threads}
	out := map[string]func(context.Context) (bool, error){
		"rank of class": func(ctx context.Context) (bool, error) {
			r, err := c.RankClass(ctx, "c1", o)
			return r != nil, err
		},
		"counts within": func(ctx context.Context) (bool, error) {
			s, err := c.Statistics(ctx, engine.StatisticsOptions{Within: some, Weight: "ltc", Threads: threads})
			return s != nil, err
		},
		"rank of counts": func(ctx context.Context) (bool, error) {
			r, err := s.Rank(ctx, o)
			return r != nil, err
		},
		"rank of class of counts": func(ctx context.Context) (bool, error) {
			r, err := s.RankClass(ctx, "c1", o)
			return r != nil, err
		},
		"weights": func(ctx context.Context) (bool, error) {
			w, err := c.Weights(ctx, "ltc")
			return w != nil, err
		},
		"selection": func(ctx context.Context) (bool, error) {
			s, err := c.Select(ctx, engine.Selecting{K: 10, Scoring: o})
			return s != nil, err
		},
		"selection per class": func(ctx context.Context) (bool, error) {
			s, err := c.Select(ctx, engine.Selecting{K: 10, PerClass: true, Scoring: o})
			return s != nil, err
		},
	}
	for _, by := range []string{"chi", "ttest"} {
		o := engine.Scoring{By: by, Threads: threads}
		out["permutations by "+by] = func(ctx context.Context) (bool, error) {
			p, err := c.Permute(ctx, engine.Permuting{Scoring: o, B: 3})
			return p != nil, err
		}
		out["stability by "+by] = func(ctx context.Context) (bool, error) {
			s, err := c.Stability(ctx, engine.StabilityOptions{Scoring: o, K: 5, Samples: 3})
			return s != nil, err
		}
	}
	out["stability by weights"] = func(ctx context.Context) (bool, error) {
		s, err := c.Stability(ctx, engine.StabilityOptions{Scoring: engine.Scoring{By: "ocfs", Weight: "ltc", Threads: threads}, K: 5, Folds: 2})
		return s != nil, err
	}
	for name, o := range map[string]engine.Selecting{
		"selection by exact tests": {FPR: .9, Scoring: engine.Scoring{Exact: true, Threads: threads}},
		"selection per document":   {PerDocument: 1, Scoring: o},
		"selection by energy":      {Energy: .5, Scoring: o},
	} {
		out[name] = func(ctx context.Context) (bool, error) {
			s, err := c.Select(ctx, o)
			return s != nil, err
		}
	}
	var rankings []*engine.Ranking
	for _, by := range []string{"chi", "df", "ttest"} {
		if r, err := s.Rank(context.Background(), engine.Scoring{By: by}); err == nil {
			rankings = append(rankings, r)
		}
	}
	out["comparison"] = func(ctx context.Context) (bool, error) {
		c, err := engine.Compare(ctx, engine.Comparing{Threads: threads}, rankings...)
		return c != nil, err
	}
	for _, many := range [][]engine.Scoring{{{By: "chi"}}, {{By: "ttest"}, {By: "chi", Combine: "avg"}}, {{By: "ocfs", Weight: "ltc"}, {By: "ig"}}} {
		many[0].Threads = threads
		out[fmt.Sprintf("rank by %s and %d more", many[0].By, len(many)-1)] = func(ctx context.Context) (bool, error) {
			r, err := c.Rank(ctx, many...)
			return r != nil, err
		}
	}
	return out
}

// What is cancelled before it begins gives the cause, and nothing else.
func TestCancelledBefore(t *testing.T) {
	c := manyChunks(t)
	s := statisticsOf(t, c, "")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	goroutines := runtime.NumGoroutine()
	for _, threads := range []int{1, 3} {
		for name, pass := range passes(c, s, threads) {
			begin := time.Now()
			some, err := pass(ctx)
			if !errors.Is(err, errStop) || some {
				t.Errorf("%s, %d threads: a result: %v, error %v", name, threads, some, err)
			}
			if took := time.Since(begin); took > time.Second {
				t.Errorf("%s, %d threads: it took %v to stop", name, threads, took)
			}
		}
	}
	noneLeft(t, goroutines)
}

// A countdown is a context that ends when it is asked for the last time that it allows.
type countdown struct {
	context.Context
	left int
	end  func()
}

func newCountdown(t *testing.T, n int) *countdown {
	t.Helper()
	ctx, end := context.WithCancelCause(t.Context())
	t.Cleanup(func() { end(nil) })
	return &countdown{ctx, n, func() { end(errStop) }}
}

// Err implements [context.Context].
func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		c.end()
	}
	return c.Context.Err()
}

// Wherever a pass is cancelled, it gives the cause and nothing else, and what a
// corpus keeps for the next one is whole.
func TestCancelledAtEveryCheck(t *testing.T) {
	c := manyChunks(t)
	s := statisticsOf(t, c, "")
	for name, pass := range passes(c, s, 1) {
		checks := 0
		for {
			some, err := pass(newCountdown(t, checks))
			if err == nil {
				break
			}
			if !errors.Is(err, errStop) || some {
				t.Fatalf("%s, stopped at check %d: a result: %v, error %v", name, checks, some, err)
			}
			checks++
		}
		if checks < 4 {
			t.Errorf("%s: looked only %d times whether it was cancelled", name, checks)
		}
	}
	for _, o := range []engine.Scoring{{By: "chi"}, {By: "ttest"}, {By: "ocfs", Weight: "ltc"}} {
		got, err := c.Rank(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := manyChunks(t).Rank(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		sameRanking(t, o.By+" after cancellations", got[0], want[0])
	}
}

// A stopper is a measure that stops the work at one of its values.
type stopper struct {
	calls   atomic.Int64
	at      int64
	stop    func()
	stopped chan struct{} // closed then; the others wait for it
}

// Name implements [score.Measure].
func (s *stopper) Name() string { return "stopper" }

// Class implements [score.Measure].
func (s *stopper) Class(*score.Table) float64 {
	switch n := s.calls.Add(1); {
	case s.at < 0 || n < s.at:
	case n == s.at:
		s.stop()
		close(s.stopped)
	default:
		<-s.stopped
	}
	return 1
}

// Workers that are cancelled midway finish no more than the chunk at hand.
func TestCancelledMidway(t *testing.T) {
	c := manyChunks(t)
	goroutines := runtime.NumGoroutine()
	ranked := func(threads int, at int64) (calls int64, r []*engine.Ranking, err error) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		m := &stopper{at: at, stop: func() { cancel(errStop) }, stopped: make(chan struct{})}
		r, err = c.Rank(ctx, engine.Scoring{By: m.Name(), Combine: "sum", Own: []score.Measure{m}, Threads: threads})
		return m.calls.Load(), r, err
	}
	for _, threads := range []int{1, 2, 3} {
		all, _, err := ranked(threads, -1)
		if err != nil {
			t.Fatal(err)
		}
		some, r, err := ranked(threads, 100)
		if !errors.Is(err, errStop) || r != nil {
			t.Errorf("%d threads: %d rankings, error %v", threads, len(r), err)
		}
		if some < 100 || some > all*2/3 { // there are six chunks
			t.Errorf("%d threads: %d of %d calls in spite of the cancellation", threads, some, all)
		}
	}
	noneLeft(t, goroutines)
}

// Values yielded one by one stop too.
func TestCancelledCells(t *testing.T) {
	s := statisticsOf(t, manyChunks(t), "")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	n := 0
	var last error
	for _, err := range s.Cells(ctx, engine.Scoring{}) {
		if n++; n == 10 {
			cancel(errStop)
		}
		last = err
	}
	if !errors.Is(last, errStop) || n > 10_000 {
		t.Errorf("%d cells, then %v", n, last)
	}
}

// noneLeft waits for goroutines that have returned to be gone.
func noneLeft(t *testing.T, before int) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}
