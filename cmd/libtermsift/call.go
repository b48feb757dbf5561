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

// A refusal is the panic that ends a call whose arguments are wrong, or whose work fails; [guarded]
// returns its error.
type refusal struct{ err error }

func check(err error) {
	if err != nil {
		panic(refusal{err})
	}
}

// need returns v, or ends the call by the error.
func need[T any](v T, err error) T {
	check(err)
	return v
}

// refused is the refusal of an argument.
func refused(format string, args ...any) refusal { return refusal{usage.Errorf(format, args...)} }

// runPlain runs a short function on the caller's thread, and writes its error, or "", to
// the text that dst returns.
func runPlain(dst func() []byte, f func()) status {
	return report(dst, "", guarded(func() { maybePanic(); f() }))
}

// A longCall is the work of a function that may be cancelled, or that reads or writes many
// bytes. It returns warnings.
type longCall func(ctx context.Context) (warnings []string)

// runLong runs a function that the handle may cancel on the caller's thread.
func runLong(dst func() []byte, cancel uint64, f longCall) status {
	var warnings []string
	err := guarded(func() {
		ctx := contextOf(cancel)
		if ctx.Err() != nil {
			check(usage.Cause(ctx))
		}
		maybePanic()
		warnings = f(ctx)
	})
	return report(dst, strings.Join(warnings, "\n"), err)
}

// onThreads runs a part of a long call that takes several threads, or 0 for all, on a goroutine of its
// own. That of the caller is bound to the caller's thread: each time it waits for another one, the
// system has to wake a thread, and another one when it goes on. So does the goroutine of its own, once, which
// takes 20 to 50 us; a single thread waits for nobody, and goes on where it is.
func onThreads(ctx context.Context, threads int, f longCall) (warnings []string) {
	takeBallast()
	if pool.Threads(threads) == 1 {
		return f(ctx)
	}
	check(pool.Detached(ctx, func(ctx context.Context) error {
		return guarded(func() { maybePanic(); warnings = f(ctx) })
	}))
	return warnings
}

// guarded runs f and returns its error, or one for its panic. A pointer of the caller's that
// cannot be read panics, too, instead of ending the process.
func guarded(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked(r)
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	f()
	return nil
}

// panicked returns an error for what recover returned.
func panicked(r any) error {
	if refused, ok := r.(refusal); ok {
		return refused.err
	}
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
	_ = guarded(func() { putText(dst(), text) })
	return s
}
