package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/compare"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
)

// Passes returns by name every call that goes through a whole corpus c or its statistics s.
// Each returns whether it gave a result.
func Passes(c *corpus.Corpus, s *table.Table, threads int) map[string]func(context.Context) (bool, error) {
	some := roaring.New()
	some.AddRange(0, 100)
	o := rank.Options{Measure: "ttest", Threads: threads}
	out := map[string]func(context.Context) (bool, error){
		"rank of class": func(ctx context.Context) (bool, error) { return gave(rank.Class(ctx, c, "c1", o)) },
		"counts within": func(ctx context.Context) (bool, error) {
			return gave(c.Statistics(ctx, corpus.CountOptions{Within: some, Weight: "ltc", Threads: threads}))
		},
		"rank of counts":          func(ctx context.Context) (bool, error) { return gave(rank.Terms(ctx, s, o)) },
		"rank of class of counts": func(ctx context.Context) (bool, error) { return gave(rank.Class(ctx, s, "c1", o)) },
		"weights":                 func(ctx context.Context) (bool, error) { return gave(c.Index().Weights(ctx, "ltc")) },
		"selection": func(ctx context.Context) (bool, error) {
			return gave(selection.Select(ctx, c, selection.Options{Keep: selection.Best(10), By: o}))
		},
		"selection per class": func(ctx context.Context) (bool, error) {
			return gave(selection.Select(ctx, c, selection.Options{Keep: selection.Best(10), PerClass: true, By: o}))
		},
	}
	for _, by := range []string{"chi", "ttest"} {
		o := rank.Options{Measure: rank.Measure(by), Threads: threads}
		out["permutations by "+by] = func(ctx context.Context) (bool, error) {
			return gave(rank.Permute(ctx, c, rank.PermuteOptions{By: o, B: 3}))
		}
		out["stability by "+by] = func(ctx context.Context) (bool, error) {
			return gave(rank.MeasureStability(ctx, c, rank.StabilityOptions{By: o, K: 5, Samples: 3}))
		}
	}
	out["stability by weights"] = func(ctx context.Context) (bool, error) {
		return gave(rank.MeasureStability(ctx, c, rank.StabilityOptions{By: rank.Options{Measure: "ocfs", Weight: "ltc", Threads: threads}, K: 5, Folds: 2}))
	}
	for name, o := range map[string]selection.Options{
		"selection by exact tests": {Keep: selection.FPR(.9), By: rank.Options{Exact: true, Threads: threads}},
		"selection per document":   {Keep: selection.PerDocument(1), By: o},
		"selection by energy":      {Keep: selection.Energy(.5), By: o},
	} {
		out[name] = func(ctx context.Context) (bool, error) { return gave(selection.Select(ctx, c, o)) }
	}
	var rankings []*rank.Ranking
	for _, by := range []string{"chi", "df", "ttest"} {
		if r, err := rank.Terms(context.Background(), s, rank.Options{Measure: rank.Measure(by)}); err == nil {
			rankings = append(rankings, r)
		}
	}
	out["comparison"] = func(ctx context.Context) (bool, error) {
		return gave(compare.Rankings(ctx, compare.Options{Threads: threads}, rankings...))
	}
	for _, many := range [][]rank.Options{{{Measure: "chi"}}, {{Measure: "ttest"}, {Measure: "chi", Combine: "avg"}}, {{Measure: "ocfs", Weight: "ltc"}, {Measure: "ig"}}} {
		many[0].Threads = threads
		out[fmt.Sprintf("rank by %s and %d more", many[0].Measure, len(many)-1)] = func(ctx context.Context) (bool, error) {
			r, err := rank.Several(ctx, c, many...)
			return r != nil, err
		}
	}
	return out
}

// A Stopper is a measure that calls Stop when it computes its At-th value. At below 0 means
// never.
type Stopper struct {
	Calls   atomic.Int64
	At      int64
	Stop    func()
	Stopped chan struct{} // closed behind Stop; later calls wait for it
}

// Name implements [score.Measure].
func (s *Stopper) Name() string { return "stopper" }

// Class implements [score.Measure].
func (s *Stopper) Class(*score.Table) float64 {
	switch n := s.Calls.Add(1); {
	case s.At < 0 || n < s.At:
	case n == s.At:
		s.Stop()
		close(s.Stopped)
	default:
		<-s.Stopped
	}
	return 1
}

// AsideOf makes the inputs of [callInputs.Calls] from documents, at least 50.
func AsideOf(t *testing.T, docs []document.Document) *callInputs {
	t.Helper()
	c := testkit.Must(corpus.Build(t.Context(), Stream(docs), corpus.Options{}))
	return &callInputs{
		testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(20)})),
		testkit.Must(corpus.Build(t.Context(), Stream(docs[:50]), corpus.Options{})),
		testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{})),
	}
}

// RankAll ranks the terms of a corpus by one scoring.
func RankAll(t *testing.T, c *corpus.Corpus, o rank.Options) *rank.Ranking {
	t.Helper()
	return testkit.Must(rank.Several(t.Context(), c, o))[0]
}

// Newsgroups opens a part of 20 Newsgroups, bydate: all groups, or those named.
func Newsgroups(t testing.TB, split string, groups ...string) *reader.Source {
	t.Helper()
	archive := testkit.Corpus(t, "20news-bydate.tar.gz")
	o := reader.Options{Split: split, Charset: "latin-1", Classes: groups, Labelled: groups != nil}
	return testkit.Must(reader.Read(t.Context(), []string{archive}, o))
}

// A GoldenPart has labels of the toy corpus and the expected values.
type GoldenPart struct {
	Labels       [][]string
	Scores       map[string]map[string][]any
	Global       map[string]map[string]map[string]any
	DirectGlobal map[string]json.RawMessage `json:"direct_global"`
	OCFS         map[string]struct{ Score []float64 }
}

// Allocated returns the number of bytes that f allocates.
func Allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// gave says whether a call had a result.
func gave[T any](v *T, err error) (bool, error) { return v != nil, err }
