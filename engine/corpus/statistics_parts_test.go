package corpus_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/bench/cases"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// throughFile returns statistics as their file has them.
func throughFile(t *testing.T, s *table.Table) *table.Table {
	t.Helper()
	return testkit.Must(corpus.DecodeStatistics(statisticsBytes(t, s)))
}

// joinInGroups joins parts in any order and grouping, some of them through files.
func joinInGroups(t *testing.T, r *rand.Rand, parts []*table.Table) *table.Table {
	t.Helper()
	for len(parts) > 1 {
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		n := 1 + r.IntN(len(parts))
		joined := testkit.Must(table.JoinParts(parts[:n]...))
		if r.IntN(4) == 0 {
			joined = throughFile(t, joined)
		}
		parts = append([]*table.Table{joined}, parts[n:]...)
	}
	return parts[0]
}

// Splits into 1 to 64 parts, joined in any order and grouping, give the bytes of the whole:
// 1,000 of them with TERMSIFT_HEAVY. So do the parts of shards, which are added part
// by part first, of documents that are cut anywhere.
func TestEverySplitGivesTheWhole(t *testing.T) {
	docs := enginetest.ManyTexts(80)
	statistics := func(from, to int) *table.Table {
		c := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs[from:to]), corpus.Options{}))
		return testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{Threads: 1}))
	}
	whole := statistics(0, len(docs))
	want := statisticsBytes(t, whole)
	for round, r := range cases.Each(t, 1000) {
		n := 1 + r.IntN(64)
		if got := joinInGroups(t, r, testkit.Must(whole.Split(n))); !bytes.Equal(statisticsBytes(t, got), want) {
			t.Fatalf("round %d: %d parts give another file", round, n)
		}
		cut := 1 + r.IntN(len(docs)-1)
		left, right := testkit.Must(statistics(0, cut).Split(n)), testkit.Must(statistics(cut, len(docs)).Split(n))
		for i := range left {
			left[i] = testkit.Must(left[i].Add(throughFile(t, right[i])))
		}
		if got := joinInGroups(t, r, left); !bytes.Equal(statisticsBytes(t, got), want) {
			t.Fatalf("round %d: %d parts of two shards, cut at %d, give another file", round, n, cut)
		}
	}
}

// Every analysis, real values and no terms at all are split; each term is in the part that
// its hash says, with the values that it has in the whole.
func TestSplitKeepsValues(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 18))
	for name, v := range enginetest.Variants() {
		c := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs), v.Opt))
		whole := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{}))
		parts := testkit.Must(whole.Split(5))
		terms := 0
		for i, part := range parts {
			part = throughFile(t, part)
			terms += part.Cells.Terms()
			if p := part.Provenance().Part; p == nil || p.Of != 5 || !slices.Equal(p.Numbers, []int{i}) || part.Documents() != whole.Documents() {
				t.Fatalf("%s: part %d is %v, of %d documents", name, i, p, part.Documents())
			}
			for _, m := range []rank.Measure{rank.Chi, rank.ANOVA, rank.OCFS, rank.LogOddsZ, rank.BNS, rank.G2TF} {
				of := testkit.Must(rank.Terms(t.Context(), part, rank.Options{Measure: m}))
				all := testkit.Must(rank.Terms(t.Context(), whole, rank.Options{Measure: m}))
				for j, v := range of.Values() {
					term := part.Names.Term(j)
					if xxh3.HashString(term)%5 != uint64(i) {
						t.Fatalf("%s: %q is in part %d", name, term, i)
					}
					if at := testkit.Must(whole.Lookup(term)); all.Values()[at] != v {
						t.Fatalf("%s: %s of %q is %v, in the whole %v", name, m, term, v, all.Values()[at])
					}
				}
			}
		}
		if terms != whole.Cells.Terms() {
			t.Errorf("%s: %d of %d terms", name, terms, whole.Cells.Terms())
		}
		if !bytes.Equal(statisticsBytes(t, joinInGroups(t, r, parts)), statisticsBytes(t, whole)) {
			t.Errorf("%s: the parts give another file", name)
		}
	}
	few := testkit.Must(enginetest.Build(t, "a:one two", "b:one").Statistics(t.Context(), corpus.CountOptions{}))
	parts := testkit.Must(few.Split(64)) // most without a term
	if !bytes.Equal(statisticsBytes(t, joinInGroups(t, r, parts)), statisticsBytes(t, few)) {
		t.Error("64 parts of two terms give another file")
	}
}

// What is no part of the same whole is refused.
func TestPartsThatDoNotJoin(t *testing.T) {
	one := testkit.Must(enginetest.Build(t, "a:one two three", "b:one four five").Statistics(t.Context(), corpus.CountOptions{}))
	same := testkit.Must(enginetest.Build(t, "a:one two six", "b:one four five").Statistics(t.Context(), corpus.CountOptions{})) // with the same totals
	other := testkit.Must(enginetest.Build(t, "a:one two", "b:one").Statistics(t.Context(), corpus.CountOptions{}))
	split := func(s *table.Table, n int) []*table.Table { return testkit.Must(s.Split(n)) }
	x, y := split(one, 3), split(one, 4)
	for name, try := range map[string]func() (*table.Table, error){
		"no parts":                   func() (*table.Table, error) { return table.JoinParts() },
		"nil statistics":             func() (*table.Table, error) { return table.JoinParts(x[0], nil) },
		"given twice":                func() (*table.Table, error) { return table.JoinParts(x[0], x[1], x[0]) },
		"one is the whole":           func() (*table.Table, error) { return table.JoinParts(x[0], one) },
		"another split":              func() (*table.Table, error) { return table.JoinParts(x[0], y[1]) },
		"of other documents":         func() (*table.Table, error) { return table.JoinParts(x[0], split(same, 3)[1]) },
		"other totals":               func() (*table.Table, error) { return table.JoinParts(x[0], split(other, 3)[1]) },
		"add up the same part":       func() (*table.Table, error) { return x[0].Add(x[1]) },
		"and the other is the whole": func() (*table.Table, error) { return x[0].Add(one) },
		"what is subtracted":         func() (*table.Table, error) { return one.Sub(x[1]) },
		"not 0":                      func() (*table.Table, error) { _, err := one.Split(0); return nil, err },
		"1 to 65536":                 func() (*table.Table, error) { _, err := one.Split(1 << 20); return nil, err },
		"0 of 3 already":             func() (*table.Table, error) { _, err := x[0].Split(2); return nil, err },
	} {
		_, err := try()
		if !errors.Is(err, usage.ErrUsage) && !errors.Is(err, usage.ErrContradiction) {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(fmt.Sprint(err), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
