package indexfile

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/postings"
)

// classed gives each document of a source one class of so many, the last none.
func classed(src postings.Source, classes int) postings.Source {
	src.Classes, src.Labels, src.LabelStart = nil, nil, []uint32{0}
	for k := range classes {
		src.Classes = append(src.Classes, string(rune('a'+k%26))+string(rune('a'+k/26%26))+string(rune('a'+k/676%26))+string(rune('a'+k/17576)))
	}
	for d := range src.IDs {
		if d > 0 {
			src.Labels = append(src.Labels, uint32(d*7919%classes))
		}
		src.LabelStart = append(src.LabelStart, uint32(len(src.Labels)))
	}
	return src
}

// Lists of all lengths merge to those of one build, by pieces or document by document,
// with few classes and with many, within bounds on document frequency or without, with
// spools in files, and with their cells: added up, counted, or left out because they are many.
func TestMergeOfLongLists(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 3))
	large := 80_000 // more than a container
	if testing.Short() {
		large = 10_000
	}
	tooMany := 0
	for _, c := range []struct {
		recipe
		classes int
	}{
		{recipe: recipe{name: "rare terms", docs: large, terms: 150, share: .5, count: mixedCounts}, classes: 3},
		{recipe: recipe{name: "values", docs: large / 4, terms: 150, share: .5, value: thirdValues}, classes: 20},
		{recipe: recipe{name: "classes of two bytes", docs: large, terms: 40, share: .5, count: mixedCounts}, classes: 300},
		{recipe: recipe{name: "classes of three bytes", docs: 1<<16 + 5000, terms: 10, share: .5, count: mixedCounts}, classes: 1<<16 + 1000},
	} {
		c.recipe.labels = noLabel
		src := classed(c.source(41), c.classes)
		whole := documentsOf(src, 0, len(src.IDs))
		var shards []*postings.Index
		for i, part := range split(r, src, 3) {
			x := build(t, part)
			if i > 0 {
				x = open(t, saved(t, written(t, x, WriteOptions{Cells: true})), OpenOptions{})
			}
			shards = append(shards, x)
		}
		for _, bounds := range [][2]float64{{}, {200, 0.2}} {
			x := testkit.Must(postings.Build(t.Context(), whole, postings.BuildOptions{MinDF: bounds[0], MaxDF: bounds[1]}))
			for _, cells := range []bool{false, true} {
				want := written(t, x, WriteOptions{Cells: cells})
				if cells && !HasCells(must(decode(want, nil))) {
					tooMany++
				}
				for _, threads := range []int{1, 4} {
					opt := MergeOptions{MinDF: bounds[0], MaxDF: bounds[1], Cells: cells, Threads: threads, Dir: t.TempDir(), spool: 1000}
					if got := merged(t, shards, opt); !bytes.Equal(got, want) {
						t.Errorf("%s within %v on %d threads, cells %v: another index", c.name, bounds, threads, cells)
					}
				}
			}
		}
	}
	if tooMany == 0 {
		t.Error("no index has too many cells")
	}
}

// mergeItems gives what sorting gives, whichever list ends first.
func TestMergeItems(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 4))
	for range 2000 {
		n := r.IntN(40)
		var a, b []uint64
		odds := r.IntN(10)
		for item := range uint64(n) {
			if odds = max(0, min(9, odds+r.IntN(3)-1)); r.IntN(10) < odds {
				a = append(a, item)
			} else {
				b = append(b, item)
			}
		}
		want := append([]uint64{99}, slices.Sorted(slices.Values(slices.Concat(a, b)))...)
		if got := mergeItems([]uint64{99}, a, b); !slices.Equal(got, want) {
			t.Fatalf("%v and %v: %v", a, b, got)
		}
	}
}
