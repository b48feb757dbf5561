package pool

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/faults"
)

func TestRunVisitsEveryChunkOnce(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 7} {
		seen := make([]atomic.Int32, 1000)
		testkit.OK(Run(t.Context(), threads, len(seen), func(_, chunk int) error {
			seen[chunk].Add(1)
			return nil
		}))
		for i := range seen {
			testkit.Equal(testkit.Stop(t), seen[i].Load(), 1, "threads=", threads, "chunk", i, "ran")
		}
	}
}

func TestRunReturnsTheError(t *testing.T) {
	boom := errors.New("boom")
	err := Run(t.Context(), 3, 100, func(_, chunk int) error {
		if chunk == 42 {
			return boom
		}
		return nil
	})
	testkit.Is(testkit.Stop(t), err, boom)
}

func TestRunTurnsAPanicIntoAnError(t *testing.T) {
	for _, threads := range []int{1, 3} {
		err := Run(t.Context(), threads, 10, func(_, _ int) error { panic("ouch") })
		if err == nil || !strings.Contains(err.Error(), "ouch") || !strings.Contains(err.Error(), "pool_test.go") {
			t.Fatalf("got %v", err)
		}
	}
}

func TestRunStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var ran, after atomic.Int32
	var cancelled atomic.Bool
	err := Run(ctx, 2, 1_000_000, func(_, _ int) error {
		if cancelled.Load() {
			after.Add(1)
		}
		if ran.Add(1) == 10 {
			cancel()
			cancelled.Store(true)
		}
		return nil
	})
	testkit.Is(testkit.Stop(t), err, context.Canceled)
	if after.Load() > 10 {
		t.Fatalf("%d chunks began after the cancellation", after.Load())
	}
}

func TestSplitCoversAllItems(t *testing.T) {
	cost := func(i int) int64 { return int64(i % 7) }
	for _, n := range []int{0, 1, 5, 1000} {
		for _, align := range []int{1, 16} {
			next := 0
			for _, r := range Split(n, 20, align, cost) {
				if r.From != next || r.To <= r.From || r.From%align != 0 {
					t.Fatalf("n=%d: range %v after %d", n, r, next)
				}
				next = r.To
			}
			testkit.Equal(testkit.Stop(t), next, n, "n", "covered")
		}
	}
}

// However many workers are asked for, no more than MostThreads are started.
func TestThreadsAreBounded(t *testing.T) {
	testkit.Equal(t, Threads(math.MaxInt), MostThreads, "Threads(math.MaxInt)")
	var started atomic.Int64
	all := make(chan struct{})
	testkit.OK(Run(t.Context(), math.MaxInt, 1<<20, func(worker, _ int) error {
		if worker >= MostThreads {
			t.Errorf("there is a worker %d", worker)
		}
		if started.Add(1) == MostThreads {
			close(all) // each worker waits in its first chunk until all have begun
		}
		<-all
		return nil
	}))
}

// More workers than chunks or items: those that have nothing to do are not started, or end by themselves.
func TestMoreThreadsThanWork(t *testing.T) {
	var chunks, items atomic.Int64
	testkit.OK(Run(t.Context(), 1000, 3, func(worker, _ int) error {
		if worker >= 3 {
			t.Errorf("three chunks have a worker %d", worker)
		}
		chunks.Add(1)
		return nil
	}))
	before := runtime.NumGoroutine()
	testkit.OK(Feed(t.Context(), 1000, upTo(3, nil), func(_, _, _ int) error { items.Add(1); return nil }))
	faults.NoneLeft(t, before)
	testkit.Equal(t, chunks.Load(), 3, "chunks and")
	testkit.Equal(t, items.Load(), 3, "chunks and")
}

// Who watches is told the time of each outermost stage, also where it fails.
func TestWatch(t *testing.T) {
	var told []string
	ctx := Watch(t.Context(), func(stage string, wall, _ time.Duration) {
		if wall < time.Millisecond {
			t.Errorf("%s took %v", stage, wall)
		}
		told = append(told, stage)
	})
	failed := errors.New("failed")
	for _, name := range []string{"one", "two"} {
		err := Stage(ctx, name, func(ctx context.Context) error {
			return Stage(ctx, "inner", func(context.Context) error {
				time.Sleep(time.Millisecond)
				return failed
			})
		})
		testkit.Is(t, err, failed)
	}
	testkit.EqualSlices(t, told, []string{"one", "two"}, "told of")
}
