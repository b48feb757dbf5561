package usage

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestCause(t *testing.T) {
	reason := NewError(ErrData, "a reason")
	ctx, cancel := context.WithCancelCause(t.Context())
	if err := Cause(ctx); err != nil {
		t.Errorf("before: %v", err)
	}
	cancel(reason)
	err := Cause(ctx)
	for _, target := range []error{reason, ErrData, context.Canceled} {
		if !errors.Is(err, target) {
			t.Errorf("%v is not %v", err, target)
		}
	}
	if err.Error() != "a reason" {
		t.Errorf("text %q", err)
	}
	plain, stop := context.WithCancel(t.Context())
	stop()
	if err := Cause(plain); err != context.Canceled {
		t.Errorf("without a cause: %v", err)
	}
}

func TestUnknownErrorIs(t *testing.T) {
	for kind, want := range map[string]error{"term": ErrNothing, "class": ErrUsage, "measure": ErrUsage} {
		err := Unknown(kind, "x", nil)
		for _, target := range []error{ErrUsage, ErrNothing, ErrData, ErrCorrupt} {
			if errors.Is(err, target) != (target == want) {
				t.Errorf("an unknown %s is %v: %v", kind, target, target != want)
			}
		}
	}
}

func TestKindOf(t *testing.T) {
	wrapped := func(errs ...error) error { return fmt.Errorf("x: %w", errors.Join(errs...)) }
	for _, c := range []struct{ err, want error }{
		{nil, nil},
		{errors.New("x"), nil},
		{ErrContradiction, ErrData},
		{&UnknownError{Kind: "term"}, ErrNothing},
		{wrapped(context.Canceled), context.Canceled},
		{wrapped(context.Canceled, ErrNothing), ErrNothing},
		{wrapped(ErrData, ErrCorrupt), ErrCorrupt},
	} {
		if got := KindOf(c.err); got != c.want {
			t.Errorf("%v is %v, want %v", c.err, got, c.want)
		}
	}
}
