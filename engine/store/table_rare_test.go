package store_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
)

// What is left out is bounded by the most frequent of the terms that are, and no more is.
func TestWithoutRare(t *testing.T) {
	s := randomStatistics(7, 2000, 12, false)
	for _, least := range []uint32{0, 1, 2, 5, 100, math.MaxUint32} {
		got := testkit.Must(s.WithoutRare(int(least)))
		kept, missing := 0, uint32(0)
		for i, df := range s.Cells.DF {
			name := s.Names.Term(i)
			n, found := got.Names.Lookup(name)
			testkit.Equal(testkit.Stop(t), found, df >= least, name, "of", df, "documents is kept")
			if !found {
				missing = max(missing, df)
				continue
			}
			kept++
			if got.Cells.DF[n] != df || !slices.Equal(got.Cells.Class.Read(nil, got.Cells.Start[n], got.Cells.Start[n+1]), s.Cells.Class.Read(nil, s.Cells.Start[i], s.Cells.Start[i+1])) {
				t.Fatalf("%q has other counts", name)
			}
		}
		if got.Names.Len() != kept || got.Missing != missing || got.Cells.Documents != s.Cells.Documents || got.Cells.Tokens != s.Cells.Tokens {
			t.Fatalf("%d terms, up to %d documents missing; not %d and %d", got.Names.Len(), got.Missing, kept, missing)
		}
		if least <= 1 && got.Missing != 0 {
			t.Fatalf("%d documents missing, where nothing was left out", got.Missing)
		}
		again, _, err := store.DecodeTable(statisticsFile(t, got))
		testkit.OK(err)
		sameStatistics(t, "decoded", again, got)
	}
}

// Bounds add up, by Add and by streams, and what they make wrong is refused.
func TestBoundsOfRareTerms(t *testing.T) {
	a, b := randomStatistics(1, 300, 4, false), randomStatistics(2, 200, 5, false)
	a.Missing, b.Missing = 3, 4
	sum, err := table.AddCounts(a, b)
	testkit.OK(err)
	testkit.Equal(testkit.Stop(t), sum.Missing, 7, sum, "documents")
	if got := mergedStatistics(t, [][]byte{statisticsFile(t, a), statisticsFile(t, b)}, store.TableMergeOptions{Meta: []byte(`{"a":1}`)}); !bytes.Equal(got, statisticsFile(t, sum)) {
		t.Error("merged as streams they are another file")
	}
	for _, part := range []*table.Table{a, {Names: b.Names, Cells: b.Cells, ClassNames: b.ClassNames}} {
		testkit.Is(t, testkit.Err(table.SubCounts(sum, part)), table.ErrRareLeftOut, "a difference")
	}
	b.Missing = math.MaxUint32 - 2
	testkit.Is(t, testkit.Err(table.AddCounts(a, b)), table.ErrRareLeftOut, "a bound beyond what a file holds")
	files := [][]byte{statisticsFile(t, a), statisticsFile(t, b)}
	testkit.Is(t, store.MergeTables(t.Context(), &bytes.Buffer{}, len(files), opener(files), store.TableMergeOptions{}),
		table.ErrRareLeftOut, "merged")
	testkit.Is(t, testkit.Err((&table.Table{Pruned: true, Names: a.Names, Cells: a.Cells}).WithoutRare(2)),
		table.ErrPruned, "of an index without terms")
}
