package usage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestCause(t *testing.T) {
	reason := NewError(ErrData, "a reason")
	ctx, cancel := context.WithCancelCause(t.Context())
	testkit.Is(t, Cause(ctx), nil, "before")
	cancel(reason)
	err := Cause(ctx)
	for _, target := range []error{reason, ErrData, context.Canceled} {
		testkit.Is(t, err, target)
	}
	testkit.Equal(t, err.Error(), "a reason", "text", err)
	plain, stop := context.WithCancel(t.Context())
	stop()
	testkit.Equal(t, Cause(plain), context.Canceled, "without a cause")
}

func TestUnknownErrorIs(t *testing.T) {
	for kind, want := range map[string]error{"term": ErrNothing, "class": ErrUsage, "measure": ErrUsage} {
		err := Unknown(kind, "x", nil)
		for _, target := range []error{ErrUsage, ErrNothing, ErrData, ErrCorrupt} {
			testkit.Equal(t, errors.Is(err, target), target == want, "an unknown", kind, "is", target, target != want)
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
		testkit.Equal(t, KindOf(c.err), c.want, c.err)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"chi", "chitf", "ig", "porter", "porter2", "porter-long"}
	for name, want := range map[string][]string{
		"chy": {"chi"}, "portr": {"porter"}, "porter1": {"porter", "porter2"}, "hci": {"chi"}, "gi": {"ig"}, "potrer2": {"porter2", "porter"}, "": {}, "zzzz": {},
		strings.Repeat("x", 1000): {},
	} {
		testkit.EqualSlices(t, Nearest(name, slices.Values(known)), want, name)
	}
}

// A percentage and a number with a point are shares, of which 100 % is all; a whole number is a
// number of things.
func TestParseBound(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "1": 1, "5": 5, "1e3": 1000, "0.5": .5, ".5": .5, "5e-1": .5, "50%": .5, "0.0": 0, "0%": 0, "1%": .01, "0.5%": .005, "1.%": .01,
		"1.0": All, "1.": All, "1.0e0": All, "100%": All, "100.0%": All, "1e2%": All,
	} {
		testkit.Equal(t, testkit.Must(ParseBound("--least", text)), want, text)
	}
	for _, text := range []string{"", "%", "x", "-1", "-0.5", "-1%", "1.5", "2.0", "5.0", "100.1%", "101%", "1000%", "NaN", "NaN%", "Inf", "1e999", "50 %", "50%%", "1,5"} {
		if v, err := ParseBound("--least", text); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "--least is a number") {
			t.Errorf("%q: %v, %v", text, v, err)
		}
	}
}
