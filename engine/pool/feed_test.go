package pool

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"strings"
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
			if n := seen[i].Load(); n != 1 {
				t.Fatalf("threads=%d: item %d was taken %d times", threads, i, n)
			}
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
			if !errors.Is(err, at10) {
				t.Fatalf("threads=%d: %v", threads, err)
			}
		}
		if err := Feed(t.Context(), threads, upTo(5, end), func(_, _, _ int) error { return nil }); !errors.Is(err, end) {
			t.Fatalf("threads=%d: %v", threads, err)
		}
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
		if err == nil || !strings.Contains(err.Error(), "panicked: sequence") {
			t.Errorf("threads=%d: %v", threads, err)
		}
		err = Feed(t.Context(), threads, upTo(3, nil), func(_, _, _ int) error { panic("work") })
		if err == nil || !strings.Contains(err.Error(), "panicked: work") {
			t.Errorf("threads=%d: %v", threads, err)
		}
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
	if err := stop(); err != nil {
		t.Error(err)
	}

	_, stop = Pull(func(func(int, error) bool) { t.Error("nobody has asked") })
	if err := stop(); err != nil {
		t.Error(err)
	}

	next, stop = Pull(func(yield func(int, error) bool) {
		for range 3 { // though it was told to stop
			yield(1, nil)
		}
		panic("late")
	})
	if _, err, ok := next(); err != nil || !ok {
		t.Error(err, ok)
	}
	if err := stop(); err == nil || !strings.Contains(err.Error(), "late") {
		t.Error(err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err, ok := next(); err != nil || ok {
		t.Error("after the end:", err, ok)
	}
	faults.NoneLeft(t, before)
}

func BenchmarkFeed(b *testing.B) {
	for b.Loop() {
		testkit.OK(Feed(b.Context(), 2, upTo(1000, nil), func(_, _, _ int) error { return nil }))
	}
}
