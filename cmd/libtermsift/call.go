package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/termsift/termsift/engine/pool"
)

// errInternal is the kind of errors for panics.
var errInternal = errors.New("termsift failed")

// runPlain runs a short function on the caller's thread, and writes its error, or "", to
// the text that dst returns.
func runPlain(dst func() []byte, f func() error) status {
	return report(dst, "", guarded(func() error { maybePanic(); return f() }))
}

// runLong runs a function on a goroutine of its own, whose stack has grown already when the
// next call takes it, and which is not bound to the caller's thread. It may be cancelled by
// the handle, and returns warnings.
func runLong(dst func() []byte, cancel uint64, f func(ctx context.Context) (warnings []string, err error)) status {
	ctx, err := contextOf(cancel)
	if err != nil {
		return report(dst, "", err)
	}
	var warnings []string
	err = pool.Detached(ctx, func(ctx context.Context) error {
		return guarded(func() (err error) {
			maybePanic()
			warnings, err = f(ctx)
			return err
		})
	})
	return report(dst, strings.Join(warnings, "\n"), err)
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

// report writes the text of err, or the warnings if it is nil, and returns the status.
func report(dst func() []byte, warnings string, err error) status {
	s, text := statusOf(err), warnings
	switch {
	case s == statusCancelled:
		text = "the call was cancelled"
	case err != nil:
		text = textOf(err)
	}
	if fault := guarded(func() error { putText(dst(), text); return nil }); fault != nil {
		return statusInternal
	}
	return s
}
