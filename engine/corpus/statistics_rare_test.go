package corpus_test

import (
	"errors"
	"testing"

	"github.com/termsift/termsift/bench/cases"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Shards that leave out their rare terms add up to counts that lack no more than the bound says.
func TestEveryBoundOfRareTerms(t *testing.T) {
	for _, r := range cases.Each(t, 40) {
		docs := enginetest.ManyTexts(100 + r.IntN(400))
		whole := testkit.Must(testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{})).Statistics(t.Context(), corpus.CountOptions{}))
		var sum *table.Table
		bound := 0
		for left := docs; len(left) > 0; {
			n := min(1+r.IntN(100), len(left))
			shard := testkit.Must(testkit.Must(corpus.Build(t.Context(), enginetest.Stream(left[:n]), corpus.Options{})).Statistics(t.Context(), corpus.CountOptions{}))
			least := r.IntN(6)
			shard = testkit.Must(shard.WithoutRare(least))
			if m := int(shard.Missing); m > max(0, least-1) {
				t.Fatalf("without terms below %d documents up to %d are missing", least, m)
			}
			bound += int(shard.Missing)
			if left = left[n:]; sum == nil {
				sum = shard
			} else {
				sum = testkit.Must(sum.Add(shard))
			}
		}
		if int(sum.Missing) != bound || sum.Documents() != whole.Documents() || sum.Cells.Tokens != whole.Cells.Tokens {
			t.Fatalf("%d documents, %d missing, not %d, %d", sum.Documents(), int(sum.Missing), whole.Documents(), bound)
		}
		for i, df := range whole.Cells.DF {
			kept := 0
			if n, found := sum.Names.Lookup(whole.Names.Term(i)); found {
				kept = int(sum.Cells.DF[n])
			}
			if lost := int(df) - kept; lost < 0 || lost > bound {
				t.Fatalf("%q: %d of %d documents, where %d may be missing", whole.Names.Term(i), kept, df, bound)
			}
		}
	}
}

func TestRareTermsThatCannotBeLeftOut(t *testing.T) {
	docs := enginetest.ManyTexts(60)
	whole := testkit.Must(testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{})).Statistics(t.Context(), corpus.CountOptions{}))
	if _, err := whole.WithoutRare(-1); !errors.Is(err, usage.ErrUsage) {
		t.Error(err)
	}
	some := testkit.Must(whole.WithoutRare(3))
	if err := table.Comparable(whole, some); !errors.Is(err, table.ErrRareLeftOut) {
		t.Error(err)
	}
	if _, err := whole.Sub(some); !errors.Is(err, table.ErrRareLeftOut) {
		t.Error(err)
	}
}
