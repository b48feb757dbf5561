package bench

import (
	"fmt"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/postings"
)

// BenchmarkSubset makes the index of every second document: from that of all, and
// from the documents once they have been counted. The time is that of a posting of
// the subset.
func BenchmarkSubset(b *testing.B) {
	forSets(b, "20ng,S,Labels,M,L", func(b *testing.B, s *set) {
		src, docs := everySecond(s)
		var x *postings.Index
		run := func(impl string, threads int, f func() (*postings.Index, error)) {
			b.Run(fmt.Sprintf("impl=%s/threads=%d/set=%s", impl, threads, s.name), func(b *testing.B) {
				b.ReportAllocs()
				loop(b, func() {
					var err error
					if x, err = f(); err != nil {
						b.Fatal(err)
					}
				})
				per(b, "posting", float64(len(src.Terms)))
				checkIndex(b, x, src)
			})
		}
		for _, threads := range []int{1, 2} {
			run("engine", threads, func() (*postings.Index, error) {
				return listsOf(b, testkit.Must(s.index.Subset(b.Context(), docs, false, postings.BuildOptions{Threads: threads})))
			})
			run("build", threads, func() (*postings.Index, error) {
				return postings.Build(b.Context(), src, postings.BuildOptions{Threads: threads})
			})
		}
	})
}

// BenchmarkOppose holds every second document against the others.
func BenchmarkOppose(b *testing.B) {
	forSets(b, "20ng,S,Labels,M,L", func(b *testing.B, s *set) {
		_, docs := everySecond(s)
		var sides [2]*postings.Index
		for i, part := range []*roaring.Bitmap{docs, roaring.Flip(docs, 0, uint64(s.index.Documents()))} {
			sides[i] = testkit.Must(listsOf(b, testkit.Must(s.index.Subset(b.Context(), part, false, postings.BuildOptions{}))))
		}
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("impl=engine/threads=%d/set=%s", threads, s.name), func(b *testing.B) {
				b.ReportAllocs()
				var x *postings.Index
				loop(b, func() {
					opt := postings.BuildOptions{Threads: threads}
					x = testkit.Must(listsOf(b, testkit.Must(postings.Oppose(b.Context(), sides, [2]string{"target", "reference"}, opt))))
				})
				per(b, "posting", s.postings())
				checkOpposed(b, x, s.index)
			})
		}
	})
}

func listsOf(b *testing.B, n *postings.Numbered) (*postings.Index, error) {
	return n.Index(b.Context())
}

// checkOpposed compares what the order of documents does not change.
func checkOpposed(b *testing.B, x, all *postings.Index) {
	b.Helper()
	if x.Documents() != all.Documents() || x.Terms.Len() != all.Terms.Len() {
		b.Fatalf("%d documents, %d terms", x.Documents(), x.Terms.Len())
	}
	var p, q postings.List
	for t := range all.Terms.Len() { // of equal order, for it hangs on df and bytes
		x.Read(t, &p)
		all.Read(t, &q)
		sum := 0.0
		for i := range q.TF {
			sum += q.TF[i]
		}
		for _, tf := range p.TF {
			sum -= tf
		}
		if x.Terms.Term(t) != all.Terms.Term(t) || len(p.Docs) != len(q.Docs) || sum != 0 {
			b.Fatalf("term %d is %q in %d documents, want %q in %d", t, x.Terms.Term(t), len(p.Docs), all.Terms.Term(t), len(q.Docs))
		}
	}
}

// everySecond gives every second document of a set, as a source and by their numbers.
func everySecond(s *set) (postings.Source, *roaring.Bitmap) {
	x, docs := s.index, roaring.New()
	src := postings.Source{Classes: x.Classes, LabelStart: []uint32{0}, Columns: postings.Columns{DocStart: []uint64{0}}}
	terms, counts := make([][]uint32, x.Documents()), make([][]uint32, x.Documents())
	var p postings.List
	for t := range x.Terms.Len() {
		src.Names = append(src.Names, x.Terms.Term(t))
		x.Read(t, &p)
		for i, d := range p.Docs {
			terms[d], counts[d] = append(terms[d], uint32(t)), append(counts[d], uint32(p.TF[i]))
		}
	}
	for place, d := range testkit.Must(x.InputOrder()) {
		if place%2 == 1 {
			continue
		}
		docs.Add(d)
		src.IDs = append(src.IDs, testkit.Must(x.DocumentIDs()).Term(int(d)))
		src.Labels = append(src.Labels, x.Labels(int(d))...)
		src.LabelStart = append(src.LabelStart, uint32(len(src.Labels)))
		src.Terms, src.Counts = append(src.Terms, terms[d]...), append(src.Counts, counts[d]...)
		src.DocStart = append(src.DocStart, uint64(len(src.Terms)))
	}
	return src, docs
}
