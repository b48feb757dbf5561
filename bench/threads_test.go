package bench

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/table"
)

// threadCounts are 1, 2, 4 and so on, up to what the process may use.
func threadCounts() (counts []int) {
	for n := 1; n <= runtime.GOMAXPROCS(0); n *= 2 {
		counts = append(counts, n)
	}
	return counts
}

// BenchmarkThreads does the same work on more and more threads: the time on the
// wall should fall as they grow, and the CPU time should not rise. Rankings are made
// from cells that are there, as in a file.
func BenchmarkThreads(b *testing.B) {
	forSets(b, "S,M,L", func(b *testing.B, s *set) {
		stats := testkit.Must(s.corpus.Statistics(b.Context(), corpus.CountOptions{}))
		for _, what := range []struct {
			name string
			run  func(b *testing.B, threads int)
		}{
			{"cells", func(b *testing.B, n int) {
				testkit.Must(s.corpus.Index().Count(b.Context(), postings.CountOptions{Threads: n}))
			}},
			{"chi", func(b *testing.B, n int) { rankAgain(b, stats, []rank.Options{{Measure: "chi", Threads: n}}) }},
			{"all", func(b *testing.B, n int) { rankAgain(b, stats, onThreads(measures(true), n)) }},
		} {
			for _, n := range threadCounts() {
				b.Run(fmt.Sprintf("%s/threads=%d/what=%s/set=%s", impl, n, what.name, s.name), func(b *testing.B) {
					loop(b, func() { what.run(b, n) })
					per(b, "posting", s.postings())
				})
			}
		}
	})
	if slices.Contains(asked("20ng"), "20ng") {
		benchmarkTextOnThreads(b)
	}
}

// rankAgain ranks from cells.
func rankAgain(b *testing.B, stats *table.Table, scorings []rank.Options) {
	testkit.Must(rank.Several(b.Context(), stats, scorings...))
}

func onThreads(scorings []rank.Options, n int) []rank.Options {
	for i := range scorings {
		scorings[i].Threads = n
	}
	return scorings
}

// benchmarkTextOnThreads makes an index of texts in memory.
func benchmarkTextOnThreads(b *testing.B) {
	docs, bytes := texts(b)
	for _, n := range threadCounts() {
		b.Run(fmt.Sprintf("%s/threads=%d/what=build/set=20ng", impl, n), func(b *testing.B) {
			b.SetBytes(bytes)
			loop(b, func() {
				c := testkit.Must(corpus.BuildBatches(b.Context(), document.InBatches(docs), corpus.Options{Threads: n}))
				if c.Index().Terms.Len() != 130_107 { // with the posting lists, which are made when they are needed
					b.Fatalf("%d terms", c.Terms())
				}
			})
		})
	}
}

// texts reads the training part of 20 Newsgroups.
func texts(b *testing.B) (docs []document.Document, bytes int64) {
	b.Helper()
	path := testkit.Corpus(b, "20news-bydate.tar.gz")
	source := testkit.Must(reader.Read(b.Context(), []string{path}, reader.Options{Split: "train", Charset: "latin-1"}))
	for d := range testkit.All(source.Documents()) {
		d.Text, d.Labels = slices.Clone(d.Text), slices.Clone(d.Labels)
		bytes += int64(len(d.Text))
		docs = append(docs, d)
	}
	return docs, bytes
}

// BenchmarkGrowth compares a set with one of the same shape and a tenth of its
// documents: time and memory should grow with them and no faster.
func BenchmarkGrowth(b *testing.B) {
	for _, name := range asked("S,M,L") {
		for _, part := range []int{10, 1} {
			g := grow(b, name, part)
			suffix := fmt.Sprintf("/documents=%d/set=%s", g.index.Documents(), name)
			growth(b, g.set, "construct"+suffix, func(b *testing.B) { buildOn(b, g.source, 1) })
			growth(b, g.set, "chi"+suffix, func(b *testing.B) { rankBy(b, g.corpus, []rank.Options{{Measure: "chi", Threads: 1}}) })
		}
	}
}

// A grown set has its source too.
type grown struct {
	*set
	source postings.Source
}

var allGrown = map[string]grown{}

// grow makes one part of a set the first time it is asked for.
func grow(b *testing.B, name string, part int) grown {
	b.Helper()
	key := fmt.Sprint(name, "/", part)
	if g, ok := allGrown[key]; ok {
		return g
	}
	p := params(b, name)
	p.Documents /= part
	source := generated(b, p)
	allGrown[key] = grown{encoded(b, name, rewriting(build(b, source))), source}
	return allGrown[key]
}

func growth(b *testing.B, s *set, what string, f func(b *testing.B)) {
	b.Run(impl+"/what="+what, func(b *testing.B) {
		loop(b, func() { f(b) })
		per(b, "posting", s.postings())
		b.ReportMetric(float64(s.index.Bytes())/s.postings(), "B/posting")
	})
}

// buildOn makes an index on a number of threads.
func buildOn(b *testing.B, src postings.Source, threads int) *postings.Index {
	x := testkit.Must(postings.Build(b.Context(), src, postings.BuildOptions{Threads: threads, Meta: []byte("{}")}))
	return x
}
