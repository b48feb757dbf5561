package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// errInternal is the kind of errors for panics.
var errInternal = errors.New("termsift failed")

// runPlain runs a short function on the caller's thread, and writes its error, or "", to
// the text that dst returns.
func runPlain(dst func() []byte, f func() error) status {
	return report(dst, "", guarded(func() error { maybePanic(); return f() }))
}

// A longCall is the work of a function that may be cancelled, or that reads or writes many
// bytes. It returns warnings.
type longCall func(ctx context.Context) (warnings []string, err error)

// runLong runs a function that the handle may cancel on the caller's thread.
func runLong(dst func() []byte, cancel uint64, f longCall) status {
	ctx, err := contextOf(cancel)
	if err == nil && ctx.Err() != nil {
		err = usage.Cause(ctx)
	}
	if err != nil {
		return report(dst, "", err)
	}
	warnings, err := guardedCall(ctx, f)
	return report(dst, strings.Join(warnings, "\n"), err)
}

// onThreads runs a part of a long call that takes several threads, or 0 for all, on a goroutine of its
// own. That of the caller is bound to the caller's thread: each time it waits for another one, the
// system has to wake a thread, and another one when it goes on. So does the goroutine of its own, once, which
// takes 20 to 50 us; a single thread waits for nobody, and goes on where it is.
func onThreads(ctx context.Context, threads int, f longCall) (warnings []string, err error) {
	takeBallast()
	if pool.Threads(threads) == 1 {
		return f(ctx)
	}
	err = pool.Detached(ctx, func(ctx context.Context) (err error) {
		warnings, err = guardedCall(ctx, f)
		return err
	})
	return warnings, err
}

// guardedCall is guarded for a long call.
func guardedCall(ctx context.Context, f longCall) (warnings []string, err error) {
	err = guarded(func() (err error) {
		maybePanic()
		warnings, err = f(ctx)
		return err
	})
	return warnings, err
}

// guarded runs f and returns its error, or one for its panic. A pointer of the caller's that
// cannot be read panics, too, instead of ending the process.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked(r)
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	return f()
}

// panicked returns an error for what recover returned.
func panicked(r any) error {
	if fault, ok := r.(interface{ Addr() uintptr }); ok {
		return fmt.Errorf("%w: the memory at %#x cannot be read or written: a pointer or a length of the call is wrong", errInternal, fault.Addr())
	}
	return fmt.Errorf("%w: %v\n%s", errInternal, r, debug.Stack())
}

// report writes the text of err, or the warnings if it is nil, and returns the status, which is
// that of the work even if the text cannot be written: the caller must learn what was done.
func report(dst func() []byte, warnings string, err error) status {
	s, text := statusOf(err), warnings
	switch {
	case s == statusCancelled:
		text = "the call was cancelled"
	case err != nil:
		text = textOf(err)
	}
	_ = guarded(func() error { putText(dst(), text); return nil })
	return s
}
