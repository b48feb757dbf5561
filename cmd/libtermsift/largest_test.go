package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/usage"
)

// numbersOf returns, for each option that takes a number, the smallest and the largest one as options.
func numbersOf(settings []usage.Setting) (all []string) {
	for _, s := range settings {
		var values []any
		switch s.To.(type) {
		case *int:
			values = []any{math.MinInt32, math.MaxInt32}
		case *float64:
			values = []any{-math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxFloat64}
		case *number:
			values = []any{-math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxInt32, math.MaxFloat64}
		}
		for _, v := range values {
			text := testkit.Must(json.Marshal(map[string]any{s.Name: v}))
			all = append(all, string(text))
		}
	}
	return all
}

// with adds further options to an object of options.
func with(options, more string) string { return strings.TrimSuffix(options, "}") + ", " + more + "}" }

// Each option that takes a number is refused, or the call takes no more memory than its input needs,
// however large the number is.
func TestLargestNumbers(t *testing.T) {
	texts := [][]byte{[]byte("the orbit of the moon"), []byte("a goal in the match"), []byte("an orbit"), []byte("the match")}
	y := &labels{classes: 2, of: []int32{0, 1, 0, 1}}
	y.named(nil)
	m := &matrix.Matrix[int32, float64]{Documents: 2, Terms: 2, Start: []int32{0, 1, 2}, Index: []int32{0, 1}, Values: []float64{1, 2}}
	tried := 0
	try := func(options string, call func(ctx context.Context) error) {
		t.Helper()
		tried++
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := call(t.Context())
		runtime.ReadMemStats(&after)
		known := err == nil || errors.Is(err, usage.ErrUsage) || errors.Is(err, usage.ErrData) || errors.Is(err, usage.ErrNothing)
		if s := statusOf(err); !known || s == statusInternal {
			t.Errorf("%s: status %d, %v", options, s, err)
		}
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 50<<20 {
			t.Errorf("%s: %d MB were allocated", options, bytes>>20)
		}
	}
	for _, options := range numbersOf((&fitOptions{}).settings()) {
		for _, by := range []string{"chi", "ttest", "mrmr", "best-terms", "project"} {
			o := with(options, fmt.Sprintf("%q: %q", "by", by))
			if !strings.Contains(options, `"k"`) {
				o = with(o, `"k": 2`)
			}
			try(o, func(ctx context.Context) error {
				return guarded(func() { fit(ctx, texts, y, optionsOf(o, &fitOptions{}), true) })
			})
		}
	}
	scoring := (&scoring{}).settings("")
	for _, options := range numbersOf(scoring) {
		for _, by := range []string{"chi", "rs", "mi", "g2", "sklearn-chi2"} {
			o := with(options, fmt.Sprintf("%q: %q", "by", by))
			try(o, func(ctx context.Context) error {
				return guarded(func() {
					optionsOf(o, &scoreOptions{}).ofMatrix(ctx, m, &labels{classes: 2, of: []int32{0, 1}}, 2, make([]float64, 2), make([]float64, 2))
				})
			})
		}
	}
	s := testkit.Must(corpus.CountInMemory(t.Context(), batches(texts, y), corpus.Options{}))
	for _, options := range append(numbersOf(scoring), `{"top": 2147483647}`, `{"top": 1e300}`) {
		try(options, func(ctx context.Context) error {
			return guarded(func() { rankTerms(ctx, &counted{statistics: s.Table}, optionsOf(options, &rankOptions{})) })
		})
	}
	for _, options := range numbersOf((&keynessOptions{}).settings()) {
		try(options, func(ctx context.Context) error {
			return guarded(func() {
				compareUse(ctx, s.Table, s.Table, optionsOf(options, &keynessOptions{}))
			})
		})
	}
	if tried < 200 {
		t.Errorf("%d options were tried", tried)
	}
	t.Logf("%d options", tried)
}
