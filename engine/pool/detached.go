package pool

import (
	"context"
	"errors"

	"github.com/termsift/termsift/engine/usage"
)

// ErrGoexit is returned if code of the caller, such as a stream of documents, ended its
// goroutine by [runtime.Goexit], as the Fatal of a test does.
var ErrGoexit = errors.New("a goroutine was ended by runtime.Goexit (t.FailNow and t.Fatal call it): return an error instead")

// Detached runs f on a goroutine of its own and returns its error. That goroutine is not
// locked to a thread, has the profiler labels of the caller's, and is gone when Detached
// returns. If ctx has ended already, Detached returns its cause and does not run f. A
// panic in f becomes an error with its stack, a runtime.Goexit becomes [ErrGoexit].
func Detached(ctx context.Context, f func(ctx context.Context) error) error {
	if ctx.Err() != nil {
		return usage.Cause(ctx)
	}
	done := make(chan error, 1)
	go func() {
		err := ErrGoexit
		defer func() { done <- err }()
		err = withoutPanic(func() error { maybePanic(); return f(ctx) })
	}()
	return <-done
}

// Start runs f on a goroutine of its own and does not wait for it: for a read that may
// block for ever and is left behind. f should end when its context does, or as soon after as
// it can.
func Start(f func()) { go f() }

// withoutPanic runs f and returns its error, or an error for its panic. It does not return
// after a runtime.Goexit in f.
func withoutPanic(f func() error) (err error) {
	defer func() {
		if r := panicError(recover()); r != nil {
			err = r
		}
	}()
	return f()
}
