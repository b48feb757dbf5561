package rank_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
)

// Wherever a pass is cancelled, it gives the cause and nothing else, and what a
// corpus keeps for the next one is whole.
func TestCancelledAtEveryCheck(t *testing.T) {
	c := enginetest.ManyChunks(t)
	s := enginetest.StatisticsOf(t, c, "")
	for name, pass := range enginetest.Passes(c, s, 1) {
		checks := 0
		for {
			some, err := pass(faults.NewCountdown(t, checks))
			if err == nil {
				break
			}
			if !errors.Is(err, faults.ErrStop) || some {
				t.Fatalf("%s, stopped at check %d: a result: %v, error %v", name, checks, some, err)
			}
			checks++
		}
		if checks < 4 {
			t.Errorf("%s: looked only %d times whether it was cancelled", name, checks)
		}
	}
	for _, o := range []rank.Options{{Measure: "chi"}, {Measure: "ttest"}, {Measure: "ocfs", Weight: "ltc"}} {
		got := testkit.Must(rank.Several(t.Context(), c, o))
		want := testkit.Must(rank.Several(t.Context(), enginetest.ManyChunks(t), o))
		enginetest.SameRanking(t, string(o.Measure)+" after cancellations", got[0], want[0])
	}
}

// Workers that are cancelled midway finish no more than the chunk at hand.
func TestCancelledMidway(t *testing.T) {
	c := enginetest.ManyChunks(t)
	goroutines := runtime.NumGoroutine()
	ranked := func(threads int, at int64) (calls int64, r []*rank.Ranking, err error) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		m := &enginetest.Stopper{At: at, Stop: func() { cancel(faults.ErrStop) }, Stopped: make(chan struct{})}
		r, err = rank.Several(ctx, c, rank.Options{Measure: rank.Measure(m.Name()), Combine: "sum", Own: []score.Measure{m}, Threads: threads})
		return m.Calls.Load(), r, err
	}
	for _, threads := range []int{1, 2, 3} {
		all, _, err := ranked(threads, -1)
		testkit.OK(err)
		some, r, err := ranked(threads, 100)
		if !errors.Is(err, faults.ErrStop) || r != nil {
			t.Errorf("%d threads: %d rankings, error %v", threads, len(r), err)
		}
		if some < 100 || some > all*int64(threads)/4 { // there are four chunks and a little one
			t.Errorf("%d threads: %d of %d calls in spite of the cancellation", threads, some, all)
		}
	}
	faults.NoneLeft(t, goroutines)
}

// Values yielded one by one stop too.
func TestCancelledCells(t *testing.T) {
	s := enginetest.StatisticsOf(t, enginetest.ManyChunks(t), "")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	n := 0
	var last error
	for _, err := range rank.Cells(ctx, s, rank.Options{}) {
		if n++; n == 10 {
			cancel(faults.ErrStop)
		}
		last = err
	}
	if !errors.Is(last, faults.ErrStop) || n > 10_000 {
		t.Errorf("%d cells, then %v", n, last)
	}
}
