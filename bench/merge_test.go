package bench

import (
	"io"
	"runtime"
	"testing"

	"github.com/termsift/termsift/engine/store"
)

// BenchmarkMerge merges two indexes of a set's size each into a file that nobody
// keeps.
func BenchmarkMerge(b *testing.B) {
	forSets(b, "S,M,L", func(b *testing.B, s *set) {
		p := params(b, s.name)
		p.Seed++
		shards := []*store.Index{s.index, build(b, generated(b, p))}
		postings := s.postings() + float64(shards[1].NumPostings())
		b.Run("impl=engine/set="+s.name, func(b *testing.B) {
			loop(b, func() {
				opt := store.MergeOptions{Threads: runtime.GOMAXPROCS(0), Dir: b.TempDir()}
				if err := store.Merge(b.Context(), io.Discard, shards, opt); err != nil {
					b.Fatal(err)
				}
			})
			per(b, "posting", postings)
		})
	})
}
