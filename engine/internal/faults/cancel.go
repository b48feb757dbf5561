package faults

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// ErrStop is the cause of the end of a context of [NewCountdown].
var ErrStop = errors.New("enough")

// A countdown is a context that ends after a number of calls of its Err, from any goroutines.
type countdown struct {
	context.Context
	left atomic.Int64
	end  func()
}

// NewCountdown returns a context whose Err returns nil n times and then an error.
func NewCountdown(t testing.TB, n int) *countdown {
	t.Helper()
	ctx, end := context.WithCancelCause(t.Context())
	t.Cleanup(func() { end(nil) })
	c := &countdown{Context: ctx, end: func() { end(ErrStop) }}
	c.left.Store(int64(n))
	return c
}

// Err implements [context.Context].
func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.end()
	}
	return c.Context.Err()
}

// NoneLeft fails the test unless the number of goroutines falls to before. It is patient,
// because goroutines that are about to end may wait for a busy processor.
func NoneLeft(t testing.TB, before int) {
	t.Helper()
	for range 60_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// Locked runs f on a goroutine that is locked to its thread.
func Locked(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		f()
	}()
	<-done
}
