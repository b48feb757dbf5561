package bench

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// BenchmarkConstruct makes an index of tokenised documents in memory; impl=cells counts its
// cells, too, as whoever writes a file of it does.
func BenchmarkConstruct(b *testing.B) {
	forSources(b, "S,M,L,X,Classes", func(b *testing.B, name string, src postings.Source) {
		for _, threads := range threadCounts() {
			for _, impl := range []string{"engine", "cells"} {
				b.Run(fmt.Sprintf("impl=%s/threads=%d/set=%s", impl, threads, name), func(b *testing.B) {
					b.ReportAllocs()
					var x *postings.Index
					var counts *table.Table
					for b.Loop() {
						x, counts = construct(b, src, threads, impl == "cells")
					}
					perPosting(b, src)
					checkIndex(b, x, src)
					if counts != nil {
						checkCells(b, counts, src)
					}
				})
			}
		}
	})
	forSources(b, "S", func(b *testing.B, name string, src postings.Source) {
		b.Run("impl=naive/threads=1/set="+name, func(b *testing.B) {
			b.ReportAllocs()
			var lists []postingList
			for b.Loop() {
				lists = invert(src)
			}
			perPosting(b, src)
			checkInverted(b, lists, src)
		})
	})
}

// construct makes an index, and counts its cells if they are asked for.
func construct(b *testing.B, src postings.Source, threads int, withCells bool) (*postings.Index, *table.Table) {
	x := testkit.Must(postings.Build(b.Context(), src, postings.BuildOptions{Threads: threads}))
	if !withCells {
		return x, nil
	}
	counts := testkit.Must(x.Count(b.Context(), postings.CountOptions{Threads: threads}))
	return x, counts
}

// forSources is forSets without making an index: nothing is in memory but the
// documents, and only those of one set at a time.
func forSources(b *testing.B, names string, f func(b *testing.B, name string, src postings.Source)) {
	asked := os.Getenv(setsVariable)
	if asked == "" {
		asked = "S"
	}
	for name := range strings.SplitSeq(names, ",") {
		if strings.Contains(","+asked+",", ","+name+",") {
			f(b, name, generate(b, name))
		}
	}
}

func perPosting(b *testing.B, src postings.Source) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src.Terms)), "ns/posting")
}

// A postingList is what invert makes of a term.
type postingList struct {
	term     string
	postings []posting
}

type posting struct{ doc, count uint32 }

// invert is the index as one writes it first: a list a term in a map, then a
// sort.
func invert(src postings.Source) []postingList {
	lists := map[string][]posting{}
	for d := range src.IDs {
		for i := src.DocStart[d]; i < src.DocStart[d+1]; i++ {
			name := src.Names[src.Terms[i]]
			lists[name] = append(lists[name], posting{uint32(d), src.Counts[i]})
		}
	}
	sorted := make([]postingList, 0, len(lists))
	for term, postings := range lists {
		sorted = append(sorted, postingList{term, postings})
	}
	slices.SortFunc(sorted, func(i, j postingList) int {
		return cmp.Or(cmp.Compare(len(j.postings), len(i.postings)), cmp.Compare(i.term, j.term))
	})
	return sorted
}

// sums are a term's totals: what a wrong index hardly gets right by chance.
type sums struct{ df, tokens, places uint64 }

// sourceSums adds up the postings of every term. A place is that of the document
// in the input.
func sourceSums(src postings.Source) map[string]sums {
	byTerm := make([]sums, len(src.Names))
	for d := range src.IDs {
		for i := src.DocStart[d]; i < src.DocStart[d+1]; i++ {
			s := &byTerm[src.Terms[i]]
			s.df++
			s.tokens += uint64(src.Counts[i])
			s.places += uint64(d) * uint64(src.Counts[i])
		}
	}
	byName := map[string]sums{}
	for t, s := range byTerm {
		if s.df > 0 {
			byName[src.Names[t]] = s
		}
	}
	return byName
}

// checkIndex compares the totals of every term with those of the source.
func checkIndex(b *testing.B, x *postings.Index, src postings.Source) {
	b.Helper()
	want := sourceSums(src)
	if x.NumPostings() != len(src.Terms) || x.Documents() != len(src.IDs) || x.Terms.Len() != len(want) {
		b.Fatalf("%d postings, %d documents, %d terms", x.NumPostings(), x.Documents(), x.Terms.Len())
	}
	place := make([]uint64, x.Documents())
	for in, doc := range testkit.Must(x.InputOrder()) {
		place[doc] = uint64(in)
	}
	var p postings.List
	for t := range x.Terms.Len() {
		x.Read(t, &p)
		got := sums{df: uint64(len(p.Docs))}
		for i, doc := range p.Docs {
			got.tokens += uint64(p.TF[i])
			got.places += place[doc] * uint64(p.TF[i])
		}
		if name := x.Terms.Term(t); got != want[name] {
			b.Fatalf("term %q: %v, want %v", name, got, want[name])
		}
	}
}

// checkCells compares the cells of every term, each weighted by its class, with the source.
func checkCells(b *testing.B, counts *table.Table, src postings.Source) {
	b.Helper()
	type weighted struct{ documents, tokens float64 }
	number := make([]float64, len(src.Classes))
	for i, class := range src.Classes {
		number[i] = 1 + float64(slices.Index(counts.ClassNames, class))
	}
	want := make([]weighted, len(src.Names))
	for d := range src.IDs {
		weight := 0.0
		for _, label := range src.Labels[src.LabelStart[d]:src.LabelStart[d+1]] {
			weight += number[label]
		}
		for i := src.DocStart[d]; i < src.DocStart[d+1]; i++ {
			w := &want[src.Terms[i]]
			w.documents += weight
			w.tokens += weight * float64(src.Counts[i])
		}
	}
	byName := map[string]weighted{}
	for t, w := range want {
		byName[src.Names[t]] = w
	}
	for t := range counts.Names.Len() {
		var got weighted
		for i := counts.Cells.Start[t]; i < counts.Cells.Start[t+1]; i++ {
			weight, documents := 1+float64(counts.Cells.Class.At(i)), counts.Cells.A.At(i, 0)
			got.documents += weight * documents
			got.tokens += weight * counts.Cells.S.At(i, documents)
		}
		if name := counts.Names.Term(t); got != byName[name] {
			b.Fatalf("cells of term %q: %v, want %v", name, got, byName[name])
		}
	}
}

func checkInverted(b *testing.B, lists []postingList, src postings.Source) {
	b.Helper()
	want := sourceSums(src)
	if len(lists) != len(want) {
		b.Fatalf("%d terms, want %d", len(lists), len(want))
	}
	for _, l := range lists {
		got := sums{df: uint64(len(l.postings))}
		for _, p := range l.postings {
			got.tokens += uint64(p.count)
			got.places += uint64(p.doc) * uint64(p.count)
		}
		if got != want[l.term] {
			b.Fatalf("term %q: %v, want %v", l.term, got, want[l.term])
		}
	}
}
