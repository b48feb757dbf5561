package bench

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/rank"
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

func permute(b *testing.B, s *set, by string, times int) *rank.Permutations {
	o := rank.PermuteOptions{By: rank.Options{Measure: rank.Measure(by), Threads: runtime.GOMAXPROCS(0)}, B: times, Seed: 1}
	return testkit.Must(rank.Permute(b.Context(), s.corpus, o))
}

// permute is chi by plain loops: labels are moved, all terms counted in a dense table
// anew and scored. The orders are those of the engine's permutations.
func (p *plain) permute(own *rank.Permutations) (hits []int, largest []float64) {
	p.counts()
	observed := p.largest(chi)
	hits = make([]int, len(observed))
	labels := p.label
	for b := range own.B {
		p.label = make([]int, len(labels))
		for d, from := range rank.DrawOrder(len(labels), 1, uint64(b)) {
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
func checkPermutations(b *testing.B, s *set, own *rank.Permutations, hits []int, largest []float64) {
	b.Helper()
	for e := range own.All() {
		t, _ := s.corpus.Lookup(e.Term)
		most := 0
		for _, v := range largest {
			if v >= e.Value*(1-4e-12) {
				most++
			}
		}
		p, pMax := float64(1+hits[t])/float64(own.B+1), float64(1+most)/float64(own.B+1)
		if e.P != p || e.PMax != pMax {
			b.Fatalf("%s has p = %v and %v, by the reference %v and %v", e.Term, e.P, e.PMax, p, pMax)
		}
	}
}

const (
	samples      = 100
	naiveSamples = 3
	stableTerms  = 1000
)

// BenchmarkStability repeats a selection on bootstrap samples. ns/posting is that of a
// posting and a sample.
func BenchmarkStability(b *testing.B) {
	forSets(b, "20ng,S,Labels", func(b *testing.B, s *set) {
		for _, by := range []string{"chi", "ig", "ttest"} {
			b.Run("impl=engine/by="+by+"/set="+s.name, func(b *testing.B) {
				loop(b, func() { stability(b, s, sampling(by, samples)) })
				per(b, "posting", s.postings()*samples)
				per(b, "sample", samples)
			})
		}
	})
	forSets(b, "20ng", func(b *testing.B, s *set) {
		b.Run("impl=naive/by=chi/set="+s.name, func(b *testing.B) {
			p, o := decoded(s), sampling("chi", naiveSamples)
			var times []int
			var jaccard float64
			loop(b, func() { times, jaccard = p.stability(o) })
			per(b, "posting", s.postings()*naiveSamples)
			per(b, "sample", naiveSamples)
			checkStability(b, s, o, times, jaccard)
		})
	})
}

func sampling(by string, samples int) rank.StabilityOptions {
	return rank.StabilityOptions{By: rank.Options{Measure: rank.Measure(by), Threads: runtime.GOMAXPROCS(0)}, K: stableTerms, Samples: samples, Seed: 1}
}

func stability(b *testing.B, s *set, o rank.StabilityOptions) *rank.Stability {
	return testkit.Must(rank.MeasureStability(b.Context(), s.corpus, o))
}

// stability is chi on the same samples by plain loops: dense tables, a sort, sets.
func (p *plain) stability(o rank.StabilityOptions) (times []int, jaccard float64) {
	times = make([]int, len(p.out.DF))
	var sets []map[int]bool
	for i := range o.Samples {
		set := map[int]bool{}
		for _, t := range p.sampled(o.Weights(i, len(p.label)))[:o.K] {
			set[t] = true
			times[t]++
		}
		sets = append(sets, set)
	}
	for i := range sets {
		for j := range i {
			common := 0
			for t := range sets[i] {
				if sets[j][t] {
					common++
				}
			}
			jaccard += float64(common) / float64(2*o.K-common)
		}
	}
	return times, jaccard / float64(o.Samples*(o.Samples-1)/2)
}

// sampled ranks all terms in a sample.
func (p *plain) sampled(weights []uint32) []int {
	out, k := *p.out, len(p.out.NC)
	out.NC, out.DF = make([]float64, k), make([]float64, len(p.out.DF))
	for d, w := range weights {
		out.NC[p.label[d]] += float64(w)
	}
	_, out.A = denseTable(len(out.DF), k)
	order, values := make([]int, len(out.DF)), make([]float64, len(out.DF))
	for t := range out.DF {
		for _, d := range p.docs[p.start[t]:p.start[t+1]] {
			out.A[t][p.label[d]] += float64(weights[d])
			out.DF[t] += float64(weights[d])
		}
		order[t], values[t] = t, math.Inf(-1)
		for c := range k {
			if out.DF[t] > 0 {
				values[t] = max(values[t], chi(&out, t, c))
			}
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(values[j], values[i]), cmp.Compare(out.DF[j], out.DF[i]),
			cmp.Compare(p.set.corpus.Term(i), p.set.corpus.Term(j)))
	})
	return order
}

// checkStability compares the reference's selections with the engine's. Values that are
// equal but for their rounding may have changed places at the end of a selection.
func checkStability(b *testing.B, s *set, o rank.StabilityOptions, times []int, jaccard float64) {
	b.Helper()
	own, differ := stability(b, s, o), 0
	for _, t := range own.Selected {
		i, _ := s.corpus.Lookup(t.Term)
		differ += max(times[i]-t.Count, t.Count-times[i])
	}
	if differ > 2*o.Samples || math.Abs(own.Jaccard-jaccard) > .005 {
		b.Fatalf("%d selections differ; Jaccard %v, by the reference %v", differ, own.Jaccard, jaccard)
	}
}
