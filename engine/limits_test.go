package engine_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
	"github.com/termsift/termsift/engine/words"
)

// largestOptions are calls with the largest number in each option that says how many.
func largestOptions(c, other *corpus.Corpus) map[string]func(context.Context) error {
	docs := enginetest.ManyTexts(50)
	build := func(o corpus.Options) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := corpus.Build(ctx, enginetest.Stream(docs), o)
			return err
		}
	}
	stability := func(o rank.StabilityOptions) func(context.Context) error {
		return func(ctx context.Context) error { _, err := rank.MeasureStability(ctx, c, o); return err }
	}
	lines := func(o words.LineOptions) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := words.Lines(ctx, document.InBatches(docs), analysis.Options{}, o, words.OfTerms("the")...)
			return err
		}
	}
	sift := func(o words.KeynessOptions) func(context.Context) error {
		return func(ctx context.Context) error { _, err := words.Keyness(ctx, c, other, o); return err }
	}
	return map[string]func(context.Context) error{
		"max-token":            build(corpus.Options{Analysis: analysis.Options{MaxToken: math.MaxInt}}),
		"min-df":               build(corpus.Options{MinDF: math.MaxFloat64}),
		"max-df":               build(corpus.Options{MaxDF: math.MaxFloat64}),
		"memory":               build(corpus.Options{MaxMemory: math.MaxInt64}),
		"stability, k":         stability(rank.StabilityOptions{K: math.MaxInt, Samples: 2}),
		"stability, samples":   stability(rank.StabilityOptions{K: 1, Samples: math.MaxInt}),
		"stability, folds":     stability(rank.StabilityOptions{K: 1, Folds: math.MaxInt}),
		"lines":                lines(words.LineOptions{Most: math.MaxInt}),
		"width of lines":       lines(words.LineOptions{Most: 3, Width: math.MaxInt}),
		"keyness, top":         sift(words.KeynessOptions{Top: math.MaxInt}),
		"keyness, frequencies": sift(words.KeynessOptions{MinFreq: math.MaxInt, MinRange: math.MaxInt}),
		"permutations": func(ctx context.Context) error {
			_, err := rank.Permute(ctx, c, rank.PermuteOptions{B: math.MaxInt})
			return err
		},
		"documents with a term": func(ctx context.Context) error {
			_, err := words.Documents(ctx, c, math.MaxInt, "the")
			return err
		},
		"selection": func(ctx context.Context) error {
			_, err := selection.Select(ctx, c, selection.Options{Keep: selection.Best(math.MaxInt)})
			return err
		},
		"per class": func(ctx context.Context) error {
			_, err := selection.Select(ctx, c, selection.Options{Keep: selection.Best(math.MaxInt), PerClass: true})
			return err
		},
		"per document": func(ctx context.Context) error {
			_, err := selection.Select(ctx, c, selection.Options{Keep: selection.PerDocument(math.MaxInt)})
			return err
		},
		"redundancy": func(ctx context.Context) error {
			_, err := methods.Redundancy{}.Select(ctx, other, math.MaxInt)
			return err
		},
		"projection": func(ctx context.Context) error {
			_, err := projection.Project(ctx, c, projection.Options{K: math.MaxInt})
			return err
		},
		"ranking": func(ctx context.Context) error {
			r, err := rank.Terms(ctx, c, rank.Options{})
			if err == nil {
				r.Top(math.MaxInt)
			}
			return err
		},
		"neighbours": func(ctx context.Context) error {
			s := testkit.Must(selection.Select(ctx, c, selection.Options{Keep: selection.Best(20)}))
			m, err := learn.Collect(testkit.Must(vectors.New(s, "")).Corpus(ctx, c), 20, c.Classes())
			if err == nil {
				_, err = learn.Learner{Kind: "knn", Neighbours: math.MaxInt}.Train(ctx, m, learn.TrainOptions{})
			}
			return err
		},
		"trial": func(ctx context.Context) error {
			_, err := learn.Trial{Method: testkit.Must(methods.Parse("chi", methods.Options{})), Folds: math.MaxInt}.Run(ctx, c, nil)
			return err
		},
		"divisions": func(context.Context) error {
			_, err := learn.Repeated(50, math.MaxInt, .5, learn.Dividing{})
			return err
		},
	}
}

// A number allocates and starts no more than the work at hand needs, however large it is: the call
// finishes, or says what the largest number is. A thousand workers take their own memory.
func TestLargestOptions(t *testing.T) {
	docs := enginetest.ManyTexts(120)
	c := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{}))
	other := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs[:20]), corpus.Options{}))
	for name, call := range largestOptions(c, other) {
		if bytes := allocated(func() {
			if err := call(t.Context()); err != nil && !errors.Is(err, usage.ErrUsage) && !errors.Is(err, usage.ErrData) && !errors.Is(err, usage.ErrNothing) {
				t.Errorf("%s: %v", name, err)
			}
		}); bytes > 100<<20 {
			t.Errorf("%s: %d MB were allocated", name, bytes>>20)
		}
	}
	for name, call := range enginetest.AsideOf(t, docs).Calls(c, math.MaxInt) {
		if bytes := allocated(func() {
			testkit.Is(t, call(t.Context()), nil, name, "on 2^63 threads")
		}); bytes > 1<<30 {
			t.Errorf("%s on 2^63 threads: %d MB were allocated", name, bytes>>20)
		}
	}
}

// allocated returns the bytes that are allocated while f runs.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
