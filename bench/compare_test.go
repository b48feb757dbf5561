package bench

import (
	"runtime"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/compare"
	"github.com/termsift/termsift/engine/rank"
)

// BenchmarkCompare compares rankings that have been made before: all measures, pair by
// pair, and two of them.
func BenchmarkCompare(b *testing.B) {
	forSets(b, "20ng,S,M", func(b *testing.B, s *set) {
		var scorings []rank.Options
		place := map[string]int{}
		for i, m := range rank.Measures() {
			scorings = append(scorings, rank.Options{Measure: rank.Measure(m.Name)})
			place[m.Name] = i
		}
		all := rankBy(b, s.corpus, scorings)
		two := []*rank.Ranking{all[place["chi"]], all[place["ocfs"]]}
		for _, run := range []struct {
			name     string
			overlaps bool
			rankings []*rank.Ranking
		}{
			{"all", false, all},
			{"overlaps-of-all", true, all},
			{"chi-ocfs", false, two},
			{"overlaps-of-chi-ocfs", true, two},
		} {
			o := compare.Options{OverlapsOnly: run.overlaps, Threads: runtime.GOMAXPROCS(0)}
			b.Run("impl=engine/what="+run.name+"/set="+s.name, func(b *testing.B) {
				var c *compare.Comparison
				loop(b, func() { c = compareAll(b, o, run.rankings) })
				per(b, "pair", float64(len(c.Pairs)))
			})
		}
		b.Run("impl=naive/what=overlaps-of-chi-ocfs/set="+s.name, func(b *testing.B) {
			var shared []int
			loop(b, func() { shared = sharedByMaps(two) })
			per(b, "pair", 1)
			for i, at := range compareAll(b, compare.Options{OverlapsOnly: true}, two).Pairs[0].At {
				if at.Shared != shared[i] {
					b.Fatalf("the engine finds %+v, the reference %d", at, shared[i])
				}
			}
		})
	})
}

func compareAll(b *testing.B, o compare.Options, rankings []*rank.Ranking) *compare.Comparison {
	return testkit.Must(compare.Rankings(b.Context(), o, rankings...))
}

// sharedByMaps counts the terms that are among the best of both rankings.
func sharedByMaps(two []*rank.Ranking) (shared []int) {
	for _, k := range []int{10, 100, 1000, 10_000} {
		var fronts [2][]string
		for i, r := range two {
			for e := range r.Best(k) {
				fronts[i] = append(fronts[i], e.Term)
			}
		}
		shared = append(shared, naive.Shared(fronts[0], fronts[1]))
	}
	return shared
}
