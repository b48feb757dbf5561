package faults

import (
	"context"
	"errors"
	"testing"
)

// ErrStop is the cause of the end of a context of [NewCountdown].
var ErrStop = errors.New("enough")

// A Countdown is a context that ends after a number of calls of its Err.
type Countdown struct {
	context.Context
	left int
	end  func()
}

// NewCountdown returns a context whose Err returns nil n times and then an error.
func NewCountdown(t testing.TB, n int) *Countdown {
	t.Helper()
	ctx, end := context.WithCancelCause(t.Context())
	t.Cleanup(func() { end(nil) })
	return &Countdown{ctx, n, func() { end(ErrStop) }}
}

// Err implements [context.Context].
func (c *Countdown) Err() error {
	if c.left--; c.left < 0 {
		c.end()
	}
	return c.Context.Err()
}

// Ended reports whether Err has returned an error.
func (c *Countdown) Ended() bool { return c.left < 0 }
