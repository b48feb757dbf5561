package bench

import (
	"runtime"
	"testing"

	"github.com/termsift/termsift/engine"
)

// BenchmarkPermutations tests all terms by permuted labels.
func BenchmarkPermutations(b *testing.B) {
	forSets(b, "20ng,S,Labels", func(b *testing.B, s *set) {
		for _, by := range []string{"chi", "ig", "emi", "ttest"} {
			b.Run("impl=engine/by="+by+"/set="+s.name, func(b *testing.B) {
				const times = 1000
				loop(b, func() {
					o := engine.Permuting{Scoring: engine.Scoring{By: by, Threads: runtime.GOMAXPROCS(0)}, B: times}
					if _, err := s.corpus.Permute(b.Context(), o); err != nil {
						b.Fatal(err)
					}
				})
				per(b, "posting", s.postings()*times)
				per(b, "permutation", times)
			})
		}
	})
}
