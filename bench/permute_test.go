package bench

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/resample"
)

const (
	permutations      = 100
	naivePermutations = 3
)

// BenchmarkPermutations tests all terms by permuted labels. ns/posting is that of a
// posting and a permutation.
func BenchmarkPermutations(b *testing.B) {
	forSets(b, "20ng,S,Labels", func(b *testing.B, s *set) {
		for _, by := range []string{"chi", "ig", "emi", "ttest"} {
			b.Run("impl=engine/by="+by+"/set="+s.name, func(b *testing.B) {
				loop(b, func() { permute(b, s, by, permutations) })
				per(b, "posting", s.postings()*permutations)
				per(b, "permutation", permutations)
			})
		}
	})
	forSets(b, "20ng", func(b *testing.B, s *set) {
		b.Run("impl=naive/by=chi/set="+s.name, func(b *testing.B) {
			p, own := decoded(s), permute(b, s, "chi", naivePermutations)
			var hits []int
			var largest []float64
			loop(b, func() { hits, largest = p.permute(own) })
			per(b, "posting", s.postings()*naivePermutations)
			per(b, "permutation", naivePermutations)
			checkPermutations(b, s, own, hits, largest)
		})
	})
}

func permute(b *testing.B, s *set, by string, times int) *resample.Permutations {
	o := resample.PermuteOptions{By: rank.Options{Measure: rank.Measure(by), Threads: runtime.GOMAXPROCS(0)}, B: times, Seed: 1}
	return testkit.Must(resample.Permute(b.Context(), s.corpus, o))
}

// permute is chi by plain loops: labels are moved, all terms counted in a dense table
// anew and scored. The orders are those of the engine's permutations.
func (p *plain) permute(own *resample.Permutations) (hits []int, largest []float64) {
	p.counts()
	observed := p.largest(chi)
	hits = make([]int, len(observed))
	labels := p.label
	for b := range own.B {
		p.label = make([]int, len(labels))
		for d, from := range own.Order(b) {
			p.label[d] = labels[from]
		}
		p.counts()
		best := math.Inf(-1)
		for t, v := range p.largest(chi) {
			if v >= observed[t]*(1-4e-12) {
				hits[t]++
			}
			best = max(best, v)
		}
		largest = append(largest, best)
	}
	p.label = labels
	return hits, largest
}

// checkPermutations compares what the reference counted with the engine's.
func checkPermutations(b *testing.B, s *set, own *resample.Permutations, hits []int, largest []float64) {
	b.Helper()
	slices.Sort(largest)
	for i, v := range own.Largest {
		if !near(v, largest[i]) {
			b.Fatalf("the largest values are %v, by the reference %v", own.Largest, largest)
		}
	}
	for e := range own.All() {
		t, _ := s.corpus.Lookup(e.Term)
		if p := float64(1+hits[t]) / float64(own.B+1); e.P != p {
			b.Fatalf("%s has p = %v, by the reference %v", e.Term, e.P, p)
		}
	}
}
