package indexfile

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/postings"
)

// Shards that were moved to files merge to what they were, in bounded memory or not,
// and no file is to be seen.
func TestSpill(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 7))
	for _, recipe := range recipes {
		src := recipe.source(23)
		whole := written(t, build(t, documentsOf(src, 0, len(src.IDs))), WriteOptions{Cells: true})
		dir := t.TempDir()
		var shards []*postings.Index
		for _, part := range split(r, src, 5) {
			x := testkit.Must(Spill(build(t, part), nil, dir))
			shards = append(shards, x)
		}
		for _, most := range []int64{0, 1, 1 << 30} {
			var counts MergeCounts
			got := merged(t, shards, MergeOptions{Dir: dir, MaxMemory: most, Cells: true, Threads: 2, Counts: &counts})
			if !bytes.Equal(got, whole) {
				t.Fatalf("%s, within %d: another index", recipe.name, most)
			}
			x := must(Decode(got))
			if empty := must(x.EmptyDocuments(t.Context())); counts.Empty != empty || counts.Terms != x.Terms.Len() || counts.Postings != int64(x.NumPostings()) || counts.Documents != x.Documents() {
				t.Fatalf("%s: %+v of %d terms, %d documents, %d empty", recipe.name, counts, x.Terms.Len(), x.Documents(), empty)
			}
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Fatalf("left behind: %v, %v", left, err)
		}
		for _, x := range shards {
			testkit.OK(x.Close())
		}
	}
}

func TestSpillNeedsADirectory(t *testing.T) {
	x := build(t, recipes[0].source(3))
	if _, err := Spill(x, nil, filepath.Join(t.TempDir(), "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	err := Merge(t.Context(), &bytes.Buffer{}, []*postings.Index{x}, MergeOptions{Dir: filepath.Join(t.TempDir(), "missing"), MaxMemory: 1})
	if !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
}
