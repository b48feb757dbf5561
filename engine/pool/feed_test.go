package pool

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/faults"
)

// upTo yields 0 to n-1, then err unless it is nil.
func upTo(n int, err error) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(n, err)
		}
	}
}

func TestFeedTakesEveryItemOnce(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 7} {
		seen := make([]atomic.Int32, 1000)
		testkit.OK(Feed(t.Context(), threads, upTo(len(seen), nil), func(worker, number, item int) error {
			if number != item || worker < 0 || worker >= Threads(threads) {
				t.Errorf("worker %d has item %d as number %d", worker, item, number)
			}
			seen[item].Add(1)
			return nil
		}))
		for i := range seen {
			testkit.Equal(testkit.Stop(t), seen[i].Load(), 1, "threads=", threads, "item", i, "was taken")
		}
	}
}

// The error of the first item wins, on any number of threads, and also before
// one of the sequence, which comes later.
func TestFeedReturnsTheFirstError(t *testing.T) {
	at10, at20, end := errors.New("10"), errors.New("20"), errors.New("end")
	for _, threads := range []int{1, 2, 8} {
		for range 50 {
			err := Feed(t.Context(), threads, upTo(21, end), func(_, number, _ int) error {
				switch number {
				case 10:
					return at10
				case 20:
					return at20
				}
				return nil
			})
			testkit.Is(testkit.Stop(t), err, at10, "threads=", threads)
		}
		testkit.Is(testkit.Stop(t), Feed(t.Context(), threads, upTo(5, end), func(_, _, _ int) error { return nil }),
			end, "threads=", threads)
	}
}

func TestFeedStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why, closed := errors.New("enough"), false
	items := func(yield func(int, error) bool) {
		defer func() { closed = true }()
		for i := 0; yield(i, nil); i++ {
		}
	}
	err := Feed(ctx, 3, items, func(_, number, _ int) error {
		if number == 100 {
			cancel(why)
		}
		return nil
	})
	if !errors.Is(err, why) || !closed {
		t.Fatalf("%v, closed: %v", err, closed)
	}
}

func TestFeedPanics(t *testing.T) {
	bad := func(yield func(int, error) bool) {
		yield(0, nil)
		panic("sequence")
	}
	for _, threads := range []int{1, 4} {
		err := Feed(t.Context(), threads, bad, func(_, _, _ int) error { return nil })
		testkit.Says(t, err, "panicked: sequence", "threads=", threads)
		err = Feed(t.Context(), threads, upTo(3, nil), func(_, _, _ int) error { panic("work") })
		testkit.Says(t, err, "panicked: work", "threads=", threads)
	}
}

func TestPull(t *testing.T) {
	before := runtime.NumGoroutine()
	next, stop := Pull(upTo(2, nil))
	for want := range 2 {
		if got, err, ok := next(); got != want || err != nil || !ok {
			t.Fatal(got, err, ok)
		}
	}
	for range 2 {
		if _, err, ok := next(); err != nil || ok {
			t.Fatal(err, ok)
		}
	}
	testkit.OK(stop())

	_, stop = Pull(func(func(int, error) bool) { t.Error("nobody has asked") })
	testkit.OK(stop())

	next, stop = Pull(func(yield func(int, error) bool) {
		for range 3 { // though it was told to stop
			yield(1, nil)
		}
		panic("late")
	})
	if _, err, ok := next(); err != nil || !ok {
		t.Error(err, ok)
	}
	testkit.Says(t, stop(), "late")
	testkit.OK(stop())
	if _, err, ok := next(); err != nil || ok {
		t.Error("after the end:", err, ok)
	}
	faults.NoneLeft(t, before)
}
