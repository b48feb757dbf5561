package pool

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/faults"
)

// The goroutines of the caller, the sequence and a worker may be locked to threads.
func TestFeedOnLockedThreads(t *testing.T) {
	locks := func(yield func(int, error) bool) {
		for i := range 10 {
			runtime.LockOSThread()
			if !yield(i, nil) {
				return
			}
			if i%2 == 0 {
				runtime.UnlockOSThread()
			}
		}
	}
	for threads := 1; threads <= 4; threads++ {
		for name, items := range map[string]iter.Seq2[int, error]{"plain": upTo(10, nil), "locks": locks} {
			before := runtime.NumGoroutine()
			faults.Locked(func() {
				took := make([]int, threads)
				err := Feed(t.Context(), threads, items, func(worker, number, _ int) error {
					if number%3 == 0 {
						runtime.LockOSThread()
						defer runtime.UnlockOSThread()
					}
					took[worker]++
					return nil
				})
				sum := 0
				for _, n := range took {
					sum += n
				}
				testkit.OK(err)
				testkit.Equal(t, sum, 10, name, threads, "threads", "items")
			})
			faults.NoneLeft(t, before)
		}
	}
}

// A runtime.Goexit of any goroutine is returned as ErrGoexit.
func TestGoexitIsAnError(t *testing.T) {
	exits := func(yield func(int, error) bool) {
		yield(0, nil)
		runtime.Goexit()
	}
	stays := func(yield func(int, error) bool) {
		defer runtime.Goexit()
		for i := 0; yield(i, nil); i++ {
		}
	}
	enough := errors.New("enough")
	nothing := func(_, _, _ int) error { return nil }
	for threads := 1; threads <= 4; threads++ {
		before := runtime.NumGoroutine()
		testkit.Is(t, Feed(t.Context(), threads, exits, nothing), ErrGoexit, threads,
			"threads, a sequence that ends its goroutine")
		testkit.Is(t, Feed(t.Context(), threads, stays, func(_, _, _ int) error { return enough }), enough, threads,
			"threads, a sequence that ends its goroutine when it is stopped")
		err := Detached(t.Context(), func(ctx context.Context) error {
			return Feed(ctx, threads, upTo(5, nil), func(_, _, item int) error {
				if item == 3 {
					runtime.Goexit()
				}
				return nil
			})
		})
		testkit.Is(t, err, ErrGoexit, threads, "threads, work that ends its goroutine")
		err = Detached(t.Context(), func(ctx context.Context) error {
			return Run(ctx, threads, 5, func(_, chunk int) error {
				if chunk == 3 {
					runtime.Goexit()
				}
				return nil
			})
		})
		testkit.Is(t, err, ErrGoexit, threads, "threads, a chunk that ends its goroutine")
		faults.NoneLeft(t, before)
	}
}

func TestDetached(t *testing.T) {
	before := runtime.NumGoroutine()
	boom := errors.New("boom")
	testkit.Is(t, Detached(t.Context(), func(context.Context) error { return boom }), boom)
	if err := Detached(t.Context(), func(context.Context) error { panic("ouch") }); err == nil || !strings.Contains(err.Error(), "ouch") || !strings.Contains(err.Error(), "detached_test.go") {
		t.Error(err)
	}
	testkit.Is(t, Detached(t.Context(), func(context.Context) error { runtime.Goexit(); return nil }), ErrGoexit)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(boom)
	testkit.Is(t, Detached(ctx, func(context.Context) error { t.Error("it ran"); return nil }), boom)
	faults.NoneLeft(t, before)
}

// A detached goroutine, and that of a sequence, stand in profiles under the stage of
// their callers.
func TestDetachedKeepsLabels(t *testing.T) {
	profiled := func() bool {
		var b strings.Builder
		testkit.OK(pprof.Lookup("goroutine").WriteTo(&b, 1))
		return strings.Count(b.String(), `{"stage":"labelled"}`) > 0
	}
	inSequence := false
	items := func(func(int, error) bool) { inSequence = profiled() }
	testkit.OK(Stage(t.Context(), "labelled", func(ctx context.Context) error {
		return Detached(ctx, func(ctx context.Context) error {
			return Feed(ctx, 2, items, func(_, _, _ int) error { return nil })
		})
	}))
	testkit.Equal(t, inSequence, true, "labelled")
}
