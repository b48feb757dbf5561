package bench

import (
	"runtime"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/projection"
)

// BenchmarkProjection projects the terms, and makes the cluster vectors of the
// documents that they were counted in.
func BenchmarkProjection(b *testing.B) {
	forSets(b, "20ng,S,M,Classes", func(b *testing.B, s *set) {
		o := projection.Options{Threads: runtime.GOMAXPROCS(0)}
		var p *projection.Projection
		b.Run("impl=engine/what=project/set="+s.name, func(b *testing.B) {
			loop(b, func() { p = project(b, s, o) })
			per(b, "posting", s.postings())
			b.ReportMetric(float64(len(p.Terms)), "terms")
		})
		b.Run("impl=engine/what=vectors/set="+s.name, func(b *testing.B) {
			p, right := project(b, s, o), 0
			loop(b, func() {
				right = 0
				for v := range testkit.All(p.Corpus(b.Context(), s.corpus)) {
					if slices.Contains(v.Labels, v.Predicted) {
						right++
					}
				}
			})
			per(b, "posting", s.postings())
			b.ReportMetric(100*float64(right)/float64(s.corpus.Documents()), "%right")
		})
	})
	benchmarkNaiveProjection(b)
}

func project(b *testing.B, s *set, o projection.Options) *projection.Projection {
	return testkit.Must(projection.Project(b.Context(), s.corpus, o))
}

// benchmarkNaiveProjection is BenchmarkProjection by the reference, over dense tables
// that have been counted before.
func benchmarkNaiveProjection(b *testing.B) {
	forSets(b, "20ng", func(b *testing.B, s *set) {
		binary := binaryOf(s)
		var p *naive.Projection
		run := func() {
			p = binary.Project(binary.Names, s.index.Classes, naive.ProjectionOptions{Alpha: .5})
		}
		b.Run("impl=naive/what=project/set="+s.name, func(b *testing.B) {
			loop(b, run)
			per(b, "posting", s.postings())
			checkProjection(b, s, binary, p)
		})
		b.Run("impl=naive/what=vectors/set="+s.name, func(b *testing.B) {
			run()
			docs, right := countsOf(s), 0
			loop(b, func() {
				right = 0
				for d, v := range p.Vectors(docs...) {
					if p.Predict(v) == binary.Labels[d][0] {
						right++
					}
				}
			})
			per(b, "posting", s.postings())
			b.ReportMetric(100*float64(right)/float64(len(docs)), "%right")
		})
	})
}

// countsOf gives the terms of every document.
func countsOf(s *set) []map[int]float64 {
	docs := make([]map[int]float64, s.index.Documents())
	for d := range docs {
		docs[d] = map[int]float64{}
	}
	var list postings.List
	for t := range s.index.Terms.Len() {
		s.index.Read(t, &list)
		for i, d := range list.Docs {
			docs[d][t] = list.TF[i]
		}
	}
	return docs
}

// checkProjection compares the reference's classes with those of the engine.
func checkProjection(b *testing.B, s *set, binary naive.Binary, want *naive.Projection) {
	b.Helper()
	got := project(b, s, projection.Options{})
	if len(got.Terms) != len(want.Order) {
		b.Fatalf("the engine projects %d terms, the reference %d", len(got.Terms), len(want.Order))
	}
	classes := map[string]int{}
	for _, t := range want.Order {
		classes[binary.Names[t]] = want.Class[t]
	}
	for _, t := range got.Terms {
		if class, ok := classes[t.Term]; !ok || class != t.Class {
			b.Fatalf("the engine projects %q to %d, the reference to %d", t.Term, t.Class, class)
		}
	}
}
