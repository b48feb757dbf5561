package bench

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/selection"
)

// BenchmarkRedundancy chooses a thousand of all terms.
func BenchmarkRedundancy(b *testing.B) {
	forSets(b, "20ng,S,Labels", func(b *testing.B, s *set) {
		for _, by := range methods.Criteria() {
			b.Run("impl=engine/by="+by+"/k=1000/set="+s.name, func(b *testing.B) {
				var selection *selection.Selection
				loop(b, func() { selection = chooseApart(b, s, 1000, methods.Redundancy{Criterion: by}) })
				b.ReportMetric(float64(len(selection.Features)), "features")
			})
		}
	})
	benchmarkNaiveRedundancy(b)
}

func chooseApart(b *testing.B, s *set, k int, o methods.Redundancy) *selection.Selection {
	o.Threads = runtime.GOMAXPROCS(0)
	return testkit.Must(o.Select(b.Context(), s.corpus, k))
}

// benchmarkNaiveRedundancy chooses 60 of 2,000 terms by both, the reference going
// through all pairs of terms, with a byte for each term and document.
func benchmarkNaiveRedundancy(b *testing.B) {
	const terms, k = 2000, 60
	forSets(b, "20ng", func(b *testing.B, s *set) {
		for _, by := range methods.Criteria() {
			o := methods.Redundancy{Criterion: by, Among: spread(s, terms)}
			name := fmt.Sprintf("by=%s/k=%d/terms=%d/set=%s", by, k, terms, s.name)
			b.Run("impl=engine/"+name, func(b *testing.B) {
				loop(b, func() { chooseApart(b, s, k, o) })
			})
			b.Run("impl=naive/"+name, func(b *testing.B) {
				binary := someOf(s, o.Among)
				var g *naive.Greedy
				loop(b, func() {
					g = binary.NewGreedy(by, nil)
					for range k {
						values := g.Values()
						g.Take(largest(values))
					}
				})
				checkRedundancy(b, binary, by, chooseApart(b, s, k, o), g)
			})
		}
	})
}

// spread names so many terms of a set, from frequent to rare ones.
func spread(s *set, n int) (names []string) {
	for i := range n { // quadratically denser where terms are frequent
		names = append(names, s.corpus.Term(i+i*i*(s.corpus.Terms()/8-n)/(n*n)))
	}
	return names
}

// someOf makes the reference's view of some terms of a set.
func someOf(s *set, names []string) naive.Binary {
	out := naive.Binary{
		Tables: &naive.Tables{DF: make([]float64, len(names)), NC: make([]float64, len(s.index.Classes))},
		Names:  names, Terms: make([][]int, s.index.Documents()),
	}
	for i, name := range names {
		t, _ := s.corpus.Lookup(name)
		out.DF[i] = float64(s.corpus.DF(t))
		for _, d := range testkit.Must(s.corpus.Postings(t)).ToArray() {
			out.Terms[d] = append(out.Terms[d], i)
		}
	}
	for d := range s.index.Documents() {
		labels := []int{}
		for _, c := range s.index.Labels(d) {
			labels = append(labels, int(c))
		}
		out.Labels = append(out.Labels, labels)
	}
	return out
}

// largest is the first of the largest values; chosen terms have none.
func largest(values []float64) int {
	best := -1
	for t, v := range values {
		if best < 0 || v > values[best] || math.IsNaN(values[best]) {
			best = t
		}
	}
	return best
}

// checkRedundancy compares the reference's terms with those of the engine.
func checkRedundancy(b *testing.B, binary naive.Binary, by string, got *selection.Selection, want *naive.Greedy) {
	b.Helper()
	var features, chosen []string
	for _, f := range got.Features {
		features = append(features, f.Term)
	}
	for _, t := range want.Chosen {
		chosen = append(chosen, binary.Names[t])
	}
	if !slices.Equal(features, chosen) {
		b.Fatalf("%s: the engine chooses %q, the reference %q", by, features, chosen)
	}
}
