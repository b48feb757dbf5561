package postings

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

// within is the source of some of the documents, as their texts alone would give it.
func within(src Source, keep []bool) Source {
	part := Source{Names: src.Names, LabelStart: []uint32{0}, Columns: Columns{DocStart: []uint64{0}}}
	class := map[uint32]uint32{}
	for d, id := range src.IDs {
		if !keep[d] {
			continue
		}
		part.IDs = append(part.IDs, id)
		for _, c := range src.Labels[src.LabelStart[d]:src.LabelStart[d+1]] {
			if _, ok := class[c]; !ok {
				class[c] = uint32(len(part.Classes))
				part.Classes = append(part.Classes, src.Classes[c])
			}
			part.Labels = append(part.Labels, class[c])
		}
		part.LabelStart = append(part.LabelStart, uint32(len(part.Labels)))
		from, to := src.DocStart[d], src.DocStart[d+1]
		part.Terms = append(part.Terms, src.Terms[from:to]...)
		if src.Values != nil {
			part.Values = append(part.Values, src.Values[from:to]...)
		} else {
			part.Counts = append(part.Counts, src.Counts[from:to]...)
		}
		part.DocStart = append(part.DocStart, uint64(len(part.Terms)))
	}
	return counted(part)
}

// counted has counts for real values that all are whole numbers.
func counted(src Source) Source {
	if src.Values == nil || slices.ContainsFunc(src.Values, func(v float64) bool { return v != float64(uint32(v)) }) {
		return src
	}
	src.Counts = []uint32{}
	for _, v := range src.Values {
		src.Counts = append(src.Counts, uint32(v))
	}
	src.Values = nil
	return src
}

// numbersOf gives the numbers that documents have in an index.
func numbersOf(x *Index, keep []bool) *roaring.Bitmap {
	docs := roaring.New()
	for d, place := range x.Input {
		if keep[place] {
			docs.Add(uint32(d))
		}
	}
	return docs
}

// choices are the parts of n documents that are tried.
func choices(n int) map[string][]bool {
	r := rand.New(rand.NewPCG(21, 22))
	chosen := func(is func(d int) bool) []bool {
		keep := make([]bool, n)
		for d := range keep {
			keep[d] = is(d)
		}
		return keep
	}
	return map[string][]bool{
		"all":       chosen(func(int) bool { return true }),
		"none":      chosen(func(int) bool { return false }),
		"half":      chosen(func(int) bool { return r.IntN(2) == 0 }),
		"few":       chosen(func(int) bool { return r.IntN(50) == 0 }),
		"most":      chosen(func(int) bool { return r.IntN(50) > 0 }),
		"the first": chosen(func(d int) bool { return d < n/3 }),
		"one":       chosen(func(d int) bool { return d == n/2 }),
	}
}

// A subset has the bytes of the index of its documents, on any number of threads.
func TestSubset(t *testing.T) {
	for _, recipe := range append(recipes, recipe{
		name: "some whole values", docs: 400, terms: 60, classes: 5, labels: oneLabel, share: 3,
		value: func(n int) float64 { return float64(1+n%400) + float64(n/300%2)/2 },
	}) {
		t.Run(recipe.name, func(t *testing.T) {
			src := recipe.source(15)
			x := testkit.Must(Build(t.Context(), src, BuildOptions{Meta: []byte("{}")}))
			for name, keep := range choices(x.Documents()) {
				part := within(src, keep)
				want := encoded(buildSlowly(part, BuildOptions{Meta: []byte("{}")}))
				for _, threads := range []int{1, 3} {
					got := testkit.Must(x.Subset(t.Context(), numbersOf(x, keep), SubsetOptions{Meta: []byte("{}"), Threads: threads}))
					if !bytes.Equal(encoded(got), want) {
						t.Fatalf("%s on %d threads: another index than that of the documents", name, threads)
					}
				}
			}
		})
	}
}

// A subset of a subset is that of both conditions.
func TestSubsetOfSubset(t *testing.T) {
	src := recipes[1].source(16)
	x := build(src)
	every := func(x *Index, n uint32) *roaring.Bitmap {
		docs := roaring.New()
		for d, place := range x.Input {
			if place%n == 0 {
				docs.Add(uint32(d))
			}
		}
		return docs
	}
	third := testkit.Must(x.Subset(t.Context(), every(x, 3), SubsetOptions{}))
	got := testkit.Must(third.Subset(t.Context(), every(third, 2), SubsetOptions{}))
	want := testkit.Must(x.Subset(t.Context(), every(x, 6), SubsetOptions{}))
	if !bytes.Equal(encoded(got), encoded(want)) {
		t.Error("another index")
	}
	if !slices.Equal(got.Terms.Sorted(), table.DictionaryOf(got.Terms.Len(), got.Terms.Term).Sorted()) {
		t.Error("the dictionary is not sorted")
	}
}

// KeepClasses keeps the numbers of the classes, and changes nothing else.
func TestSubsetKeepsClasses(t *testing.T) {
	x := build(recipes[1].source(17))
	docs := roaring.BitmapOf(0, 1, 2) // of the first class
	bare := testkit.Must(x.Subset(t.Context(), docs, SubsetOptions{}))
	kept := testkit.Must(x.Subset(t.Context(), docs, SubsetOptions{KeepClasses: true}))
	if len(bare.Classes) == len(x.Classes) || !slices.Equal(kept.Classes, x.Classes) || kept.NumPostings() != bare.NumPostings() {
		t.Errorf("%q of %q", bare.Classes, kept.Classes)
	}
	sameStatistics(t, countOf(t, kept, CountOptions{}), countOf(t, x, CountOptions{Within: docs}))
}

// What was pruned stays away, and the subset says so.
func TestSubsetOfPruned(t *testing.T) {
	src := recipes[0].source(18)
	x := testkit.Must(Build(t.Context(), src, BuildOptions{MinDF: 20, MaxDF: .5}))
	docs := numbersOf(x, choices(x.Documents())["half"])
	part := testkit.Must(x.Subset(t.Context(), docs, SubsetOptions{}))
	if !part.Pruned {
		t.Error("the subset is not marked")
	}
	for i := range part.Terms.Len() {
		name := part.Terms.Term(i)
		old, ok := x.Terms.Lookup(name)
		if both := roaring.And(testkit.Must(x.Bitmap(old)), docs).GetCardinality(); !ok || int(both) != part.DF(i) {
			t.Fatalf("%q: %d documents, want %d", name, part.DF(i), both)
		}
	}
}

func TestSubsetRefuses(t *testing.T) {
	x := build(recipes[0].source(19))
	if _, err := x.Subset(t.Context(), roaring.BitmapOf(uint32(x.Documents())), SubsetOptions{}); err == nil {
		t.Error("a document that is not there was taken")
	}
}

// Wherever Subset looks at its context, it stops there.
func TestSubsetStops(t *testing.T) {
	x := build(recipes[1].source(20))
	docs := numbersOf(x, choices(x.Documents())["half"])
	for looks := int64(0); ; looks++ {
		ctx := &endsAfter{Context: context.Background()}
		ctx.looks.Store(looks)
		part, err := x.Subset(ctx, docs, SubsetOptions{Threads: 1})
		if err == nil {
			if looks < 5 {
				t.Errorf("the context was looked at %d times", looks)
			}
			break
		}
		if !errors.Is(err, context.Canceled) || part != nil {
			t.Fatalf("after %d looks: %v, %v", looks, part, err)
		}
	}
}
