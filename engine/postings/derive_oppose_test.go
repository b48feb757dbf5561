package postings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// opposed is the source of the documents of two indexes, in the order of their
// numbers, with a class for each index.
func opposed(sides [2]Side) Source {
	src := Source{LabelStart: []uint32{0}, Columns: Columns{DocStart: []uint64{0}}}
	numbers := map[string]uint32{}
	isReal := sides[0].Index.Real() || sides[1].Index.Real()
	if isReal {
		src.Values = []float64{}
	}
	for i, side := range sides {
		x := side.Index
		src.Classes = append(src.Classes, side.Class)
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
	for i, r := range []recipe{
		{docs: 150, terms: 60, classes: 3, labels: upToThreeLabels, share: 6, count: mixedCounts},
		{docs: 70, terms: 90, classes: 5, labels: oneLabel, share: 6, count: smallCounts},
		{docs: 80, terms: 40, classes: 2, labels: noLabel, share: 3, value: halfValues},
		{docs: 40, terms: 40, classes: 2, labels: oneLabel, share: 3, value: thirdValues},
		{docs: 3, terms: 4, classes: 1, labels: oneLabel, share: 0, count: smallCounts},
	} {
		all = append(all, build(r.source(uint64(30+i))))
	}
	for i, a := range all {
		for j, b := range all {
			for _, classes := range [][2]string{{"target", "reference"}, {"a", "b"}} {
				sides := [2]Side{{a, classes[0]}, {b, classes[1]}}
				want := encoded(buildSlowly(opposed(sides), BuildOptions{}))
				for _, threads := range []int{1, 3} {
					x := testkit.Must(Oppose(t.Context(), sides, OpposeOptions{Threads: threads}))
					if !bytes.Equal(encoded(x), want) {
						t.Fatalf("%d against %d, %q, %d threads: another index than that of the documents", i, j, classes, threads)
					}
				}
			}
		}
	}
}

func TestOpposeRefuses(t *testing.T) {
	x := build(recipes[0].source(40))
	if _, err := Oppose(t.Context(), [2]Side{{x, "a"}, {x, "a"}}, OpposeOptions{}); err == nil {
		t.Error("one class was taken for two")
	}
}

// What a side lacks, the whole lacks.
func TestOpposePruned(t *testing.T) {
	src := recipes[0].source(41)
	pruned := testkit.Must(Build(t.Context(), src, BuildOptions{MinDF: 100}))
	for _, sides := range [][2]Side{{{pruned, "a"}, {build(src), "b"}}, {{build(src), "a"}, {pruned, "b"}}} {
		if x, err := Oppose(t.Context(), sides, OpposeOptions{}); err != nil || !x.Pruned {
			t.Errorf("%v", err)
		}
	}
}

// Wherever Oppose looks at its context, it stops there.
func TestOpposeStops(t *testing.T) {
	x := build(recipes[1].source(42))
	for looks := int64(0); ; looks++ {
		ctx := &endsAfter{Context: context.Background()}
		ctx.looks.Store(looks)
		got, err := Oppose(ctx, [2]Side{{x, "a"}, {x, "b"}}, OpposeOptions{Threads: 1})
		if err == nil {
			if looks < 5 {
				t.Error(fmt.Sprint(looks, " looks at the context"))
			}
			break
		}
		if !errors.Is(err, context.Canceled) || got != nil {
			t.Fatalf("after %d looks: %v, %v", looks, got, err)
		}
	}
}
