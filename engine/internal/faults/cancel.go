package faults

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// ErrStop is the cause of the end of a context of [NewCountdown].
var ErrStop = errors.New("enough")

// A Countdown is a context that ends after a number of calls of its Err, from any goroutines.
type Countdown struct {
	context.Context
	left atomic.Int64
	end  func()
}

// NewCountdown returns a context whose Err returns nil n times and then an error.
func NewCountdown(t testing.TB, n int) *Countdown {
	t.Helper()
	ctx, end := context.WithCancelCause(t.Context())
	t.Cleanup(func() { end(nil) })
	c := &Countdown{Context: ctx, end: func() { end(ErrStop) }}
	c.left.Store(int64(n))
	return c
}

// Err implements [context.Context].
func (c *Countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.end()
	}
	return c.Context.Err()
}

// Ended reports whether Err has returned an error.
func (c *Countdown) Ended() bool { return c.left.Load() < 0 }
