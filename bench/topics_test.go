package bench

import (
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
)

// topicsSet is a set of short texts and many topics.
var topicsSet = workload.Params{Name: "Topics", Documents: 2_000_000, Tokens: 12, Terms: 300_000, Classes: 1000, Seed: 1}

// BenchmarkTopics is c-TF-IDF from statistics: the largest value of each term, and the best ten terms of
// each topic.
func BenchmarkTopics(b *testing.B) {
	forSets(b, "20ng,S,L,Topics", func(b *testing.B, s *set) {
		stats := testkit.Must(s.corpus.Statistics(b.Context(), corpus.CountOptions{}))
		cells := float64(stats.Cells.Len())
		b.Run(impl+"/what=largest/set="+s.name, func(b *testing.B) {
			loop(b, func() { rankAgain(b, stats, []rank.Options{{Measure: rank.CTFIDF, Threads: 1}}) })
			per(b, "cell", cells)
		})
		p := testkit.Must(rank.Options{Measure: rank.CTFIDF, Combine: rank.ByClass, Threads: 1}.Resolve())
		b.Run(impl+"/what=words/set="+s.name, func(b *testing.B) {
			loop(b, func() {
				for range testkit.All(p.TopOfClasses(b.Context(), stats, 10)) {
				}
			})
			per(b, "cell", cells)
		})
	})
}
