package postings

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
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
	for i, shape := range append(buildShapes, buildShapes[5]) {
		t.Run(shape.String(), func(t *testing.T) {
			src := *shape.source(15)
			if i == len(buildShapes) { // some parts have whole values alone
				for at := range src.Values {
					src.Values[at] = float64(1+at%400) + float64(at/300%2)/2
				}
			}
			x := testkit.Must(Build(t.Context(), src, BuildOptions{Meta: []byte("{}")}))
			for name, keep := range choices(x.Documents()) {
				part := within(src, keep)
				want := encoded(buildSlowly(part, BuildOptions{Meta: []byte("{}")}))
				for _, threads := range []int{1, 3} {
					n := testkit.Must(x.Subset(t.Context(), numbersOf(x, keep), false, BuildOptions{Meta: []byte("{}"), Threads: threads}))
					testkit.EqualSlices(testkit.Stop(t), encoded(testkit.Must(n.Index(t.Context()))), want, name, "on", threads,
						"threads: another index than that of the documents")
				}
			}
		})
	}
}

// What was pruned stays away, and the subset says so.
func TestSubsetOfPruned(t *testing.T) {
	src := *buildShapes[0].source(18)
	x := testkit.Must(Build(t.Context(), src, BuildOptions{MinDF: 20, MaxDF: .5}))
	docs := numbersOf(x, choices(x.Documents())["half"])
	part := testkit.Must(x.Subset(t.Context(), docs, false, BuildOptions{})).Head()
	testkit.Equal(t, part.Pruned, true, "the subset is not marked")
	for i := range part.Terms.Len() {
		name := part.Terms.Term(i)
		old, ok := x.Terms.Lookup(name)
		if both := roaring.And(testkit.Must(x.Bitmap(old)), docs).GetCardinality(); !ok || int(both) != part.DF(i) {
			t.Fatalf("%q: %d documents, want %d", name, part.DF(i), both)
		}
	}
}

// opposed is the source of the documents of two indexes, in the order of their
// numbers, with a class for each index.
func opposed(sides [2]*Index, classes [2]string) Source {
	src := Source{LabelStart: []uint32{0}, Columns: Columns{DocStart: []uint64{0}}}
	numbers := map[string]uint32{}
	isReal := sides[0].Real() || sides[1].Real()
	if isReal {
		src.Values = []float64{}
	}
	src.Classes = classes[:]
	for i, x := range sides {
		for d := range x.Documents() {
			src.IDs = append(src.IDs, testkit.Must(x.DocumentIDs()).Term(d))
			src.Labels = append(src.Labels, uint32(i))
			src.LabelStart = append(src.LabelStart, uint32(len(src.Labels)))
			for t := range x.Terms.Len() {
				var p List
				x.Read(t, &p)
				at, has := slices.BinarySearch(p.Docs, uint32(d))
				if !has {
					continue
				}
				number, ok := numbers[x.Terms.Term(t)]
				if !ok {
					number = uint32(len(src.Names))
					numbers[x.Terms.Term(t)] = number
					src.Names = append(src.Names, x.Terms.Term(t))
				}
				src.Terms = append(src.Terms, number)
				if isReal {
					src.Values = append(src.Values, p.TF[at])
				} else {
					src.Counts = append(src.Counts, uint32(p.TF[at]))
				}
			}
			src.DocStart = append(src.DocStart, uint64(len(src.Terms)))
		}
	}
	return src
}

// Two opposed indexes have the bytes of the index of their documents with other
// labels.
func TestOppose(t *testing.T) {
	var all []*Index
	for i, s := range []shape{
		{docs: 150, terms: 60, classes: 3, labels: 3, unlabelled: .25, values: large, widest: 1},
		{docs: 70, terms: 90, classes: 5, labels: 1, values: counts, widest: 1},
		{docs: 80, terms: 40, classes: 2, labels: 1, unlabelled: 1, values: dyadic, widest: .9},
		{docs: 40, terms: 40, classes: 2, labels: 1, values: decimal, widest: .9},
		{docs: 3, classes: 1, labels: 1, values: counts},
	} {
		all = append(all, build(*s.source(uint64(30 + i))))
	}
	for i, a := range all {
		for j, b := range all {
			for _, classes := range [][2]string{{"target", "reference"}, {"a", "b"}} {
				want := encoded(buildSlowly(opposed([2]*Index{a, b}, classes), BuildOptions{}))
				for _, threads := range []int{1, 3} {
					n := testkit.Must(Oppose(t.Context(), [2]*Index{a, b}, classes, BuildOptions{Threads: threads}))
					testkit.EqualSlices(testkit.Stop(t), encoded(testkit.Must(n.Index(t.Context()))), want, i, "against", j, classes, threads,
						"threads: another index than that of the documents")
				}
			}
		}
	}
}

// A document that is not there is no part, and one class is not two.
func TestDerivedRefuses(t *testing.T) {
	x := build(*buildShapes[0].source(19))
	testkit.Fails(t, testkit.Err(x.Subset(t.Context(), roaring.BitmapOf(uint32(x.Documents())), false, BuildOptions{})),
		"a document that is not there was taken")
	testkit.Fails(t, testkit.Err(Oppose(t.Context(), [2]*Index{x, x}, [2]string{"a", "a"}, BuildOptions{})),
		"one class was taken for two")
}
