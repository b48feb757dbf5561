// Package bench measures the engine against naive code, at every stage, on real
// and on generated corpora. See BENCHMARKS.md for what came out.
package bench

import (
	"math"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// impl is the kernels' path in this process; TERMSIFT_KERNELS chooses another.
var impl = "impl=" + kernels.Path()

// loop runs f as often as b wants. It reports the CPU time too: other programs on
// the machine disturb it less than the time on the wall.
func loop(b *testing.B, f func()) {
	b.Helper()
	before := pool.CPU()
	for b.Loop() {
		f()
	}
	b.ReportMetric(float64((pool.CPU()-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
}

// per reports the time on the wall for each of so many things.
func per(b *testing.B, what string, n float64) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/"+what)
}

// BenchmarkCounts counts every term in every class from its posting list.
func BenchmarkCounts(b *testing.B) {
	forSets(b, "20ng,S,Labels,M,L,X,Classes", func(b *testing.B, s *set) {
		b.Run(impl+"/what=moments/set="+s.name, func(b *testing.B) {
			b.SetBytes(s.read() + tokenBytes(s.index, true))
			loop(b, func() { countLists(b, s) })
			per(b, "posting", s.postings())
		})
	})
	benchmarkNaiveCounts(b)
}

// countLists counts every term.
func countLists(b *testing.B, s *set) {
	counter, all, documents := s.index.NewListCounter(true), s.index.AllDocuments(), 0.0
	testkit.OK(s.index.Guard(func() error {
		for _, terms := range s.index.Chunks() {
			if err := counter.Load(terms); err != nil {
				return err
			}
			counter.Count(all, func(t *table.Tile) {
				for _, df := range t.DF {
					documents += float64(df)
				}
			})
		}
		return nil
	}))
	if documents != s.postings() {
		b.Fatalf("%v postings were counted, there are %v", documents, s.postings())
	}
}

// listBytes is the size of all posting lists: what a pass over them reads.
func listBytes(x *postings.Index) (n int64) {
	var p postings.List
	var buffer []byte
	for t := range x.Terms.Len() {
		if df := x.DF(t); df < int(postings.LongFrom(x.Documents())) {
			n += int64(4 * df)
			continue
		}
		x.ReadDocs(t, &p)
		buffer = bitmap.Append(buffer[:0], p.Docs)
		n += int64(len(buffer))
	}
	return n
}

// codeBytes is what a pass reads of the table of the documents' classes: one code
// a posting of the lists that are not counted as bitmaps.
func codeBytes(x *postings.Index) (n int64) {
	width, long := int64(1), int(postings.LongFrom(x.Documents()))
	switch k := len(x.Classes); {
	case k >= 1<<16:
		width, long = 4, math.MaxInt // a posting of any list
	case k >= 1<<8:
		width = 2
	}
	if several(x) {
		width, long = 16, math.MaxInt
	}
	for t := range x.Terms.Len() {
		if df := x.DF(t); df < long {
			n += width * int64(df)
		}
	}
	return n
}

// several says whether some document has several labels.
func several(x *postings.Index) bool {
	for d := range x.Documents() {
		if len(x.Labels(d)) > 1 {
			return true
		}
	}
	return false
}

func tokenBytes(x *postings.Index, tokens bool) int64 {
	if tokens {
		return int64(x.NumPostings())
	}
	return 0
}

// measures are all, or those that depend on A, df, n_c and N only.
func measures(tokens bool) (out []rank.Options) {
	for _, m := range rank.Measures() {
		if tokens || !m.UsesTokens {
			out = append(out, rank.Options{Measure: rank.Measure(m.Name), Threads: 1})
		}
	}
	return out
}

// scoringCases names what is computed in one pass: each measure alone, all that
// look at documents only, all, the new ones, and all of both.
func scoringCases() (names []string, cases map[string][]rank.Options) {
	cases = map[string][]rank.Options{"all-A": measures(false), "all": measures(true)}
	names = []string{"all-A", "all", "all-new", "new"}
	for _, m := range rank.NewMeasures() {
		cases["new"] = append(cases["new"], rank.Options{Measure: rank.Measure(m.Name), Threads: 1})
	}
	cases["all-new"] = slices.Concat(cases["all"], cases["new"])
	for _, m := range rank.KnownMeasures() {
		cases[m.Name] = []rank.Options{{Measure: rank.Measure(m.Name), Threads: 1}}
		names = append(names, m.Name)
	}
	return names, cases
}

// BenchmarkScores counts and scores in one pass, without stored cells.
func BenchmarkScores(b *testing.B) {
	names, cases := scoringCases()
	for _, name := range names {
		forSets(b, "20ng,S,Labels,M,L,X,Classes", func(b *testing.B, s *set) {
			b.Run(impl+"/measure="+name+"/set="+s.name, func(b *testing.B) {
				b.ReportAllocs()
				loop(b, func() { rankBy(b, s.corpus, cases[name]) })
				per(b, "posting", s.postings())
				per(b, "pair", s.pairs())
			})
		})
	}
	benchmarkNaiveScores(b)
}

// rankBy counts and scores. A corpus keeps its statistics, so that each call ranks one of
// its own.
func rankBy(b *testing.B, c *corpus.Corpus, scorings []rank.Options) []*rank.Ranking {
	c = testkit.Must(corpus.New(c.Index()))
	r := testkit.Must(rank.Several(b.Context(), c, scorings...))
	if len(r) != len(scorings) || r[0].Len() != c.Terms() {
		b.Fatalf("%d rankings of %d terms", len(r), r[0].Len())
	}
	return r
}

// BenchmarkFromCells scores all terms from cells that are kept.
func BenchmarkFromCells(b *testing.B) {
	forSets(b, "20ng,S,M,L,X,Classes", func(b *testing.B, s *set) {
		stats := testkit.Must(s.corpus.Statistics(b.Context(), corpus.CountOptions{}))
		for _, measure := range []rank.Measure{rank.Chi, rank.IG, rank.TTest, rank.OCFS} {
			b.Run(impl+"/measure="+string(measure)+"/set="+s.name, func(b *testing.B) {
				loop(b, func() { rankAgain(b, stats, []rank.Options{{Measure: measure, Threads: 1}}) })
				per(b, "posting", s.postings())
				per(b, "cell", float64(stats.Cells.Len()))
			})
		}
	})
}

// BenchmarkTop is a measure of all terms of a loaded index and the best 10,000,
// from counts made on the way or kept.
func BenchmarkTop(b *testing.B) {
	forSets(b, "20ng,S,M,L", func(b *testing.B, s *set) {
		for _, measure := range []string{"chi", "ig"} {
			o := rank.Options{Measure: rank.Measure(measure), Threads: 1}
			b.Run(impl+"/measure="+measure+"/cells=counted/set="+s.name, func(b *testing.B) {
				loop(b, func() { checkTop(b, rankBy(b, s.corpus, []rank.Options{o})[0]) })
			})
			b.Run(impl+"/measure="+measure+"/cells=stored/set="+s.name, func(b *testing.B) {
				stats := testkit.Must(s.corpus.Statistics(b.Context(), corpus.CountOptions{}))
				loop(b, func() { checkTop(b, testkit.Must(rank.Terms(b.Context(), stats, o))) })
			})
		}
	})
}

// BenchmarkChoose finds the best 10,000 values by chi-square, with the names of their terms:
// alone, and as entries with all else that these say.
func BenchmarkChoose(b *testing.B) {
	forSets(b, "20ng,S,M,L", func(b *testing.B, s *set) {
		r := rankBy(b, s.corpus, []rank.Options{{Measure: "chi", Threads: 1}})[0]
		names := make([]string, 10000)
		b.Run(impl+"/what=names/set="+s.name, func(b *testing.B) {
			loop(b, func() {
				for i, t := range rank.TopK(r.Values(), len(names)) {
					names[i] = s.corpus.Term(t)
				}
			})
		})
		b.Run(impl+"/what=entries/set="+s.name, func(b *testing.B) {
			loop(b, func() { checkTop(b, r) })
		})
		b.Run(impl+"/what=list/set="+s.name, func(b *testing.B) {
			loop(b, func() { r.Top(len(names)) })
		})
	})
}

func checkTop(b *testing.B, r *rank.Ranking) {
	n, last := 0, math.Inf(1)
	for e := range r.Best(10000) {
		if e.Value > last {
			b.Fatalf("rank %d is better than the one before", e.Rank)
		}
		n, last = n+1, e.Value
	}
	if n != 10000 {
		b.Fatalf("%d terms, want 10000", n)
	}
}
