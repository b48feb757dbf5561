// Package bench measures the engine against naive code, at every stage, on real
// and on generated corpora. See BENCHMARKS.md for what came out.
package bench

import (
	"testing"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/kernels"
)

// impl is the kernels' path in this process; TERMSIFT_KERNELS chooses another.
var impl = "impl=" + kernels.Path()

// nothing is a visitor that looks at the counts and keeps nothing.
type nothing struct{ documents, tokens float64 }

func (n *nothing) Row(r *store.Row) {
	n.documents += r.DF
	n.tokens += r.CF
}

func (n *nothing) Tile(t *store.Tile) {
	for _, df := range t.DF {
		n.documents += df
	}
}

func (n *nothing) Few(_, _ int, classes []uint32, tf []uint8) {
	n.documents += float64(len(classes))
	for _, v := range tf {
		n.tokens += float64(v)
	}
}

// BenchmarkCounts makes the row of every term and drops it.
func BenchmarkCounts(b *testing.B) {
	for _, c := range []struct {
		name string
		opt  store.VisitOptions
	}{
		{"counts", store.VisitOptions{}},
		{"cells", store.VisitOptions{Cells: true}},
		{"moments", store.VisitOptions{Tokens: true}},
	} {
		forSets(b, "20ng,S,M,L,X,Classes", func(b *testing.B, s *set) {
			b.Run(impl+"/what="+c.name+"/set="+s.name, func(b *testing.B) {
				opt := c.opt
				opt.Threads, opt.Few = 1, 3
				for b.Loop() {
					v := &nothing{}
					if err := s.index.Visit(b.Context(), opt, func(int) store.Visitor { return v }); err != nil {
						b.Fatal(err)
					}
					if v.documents != s.postings() {
						b.Fatalf("%v postings were counted, there are %v", v.documents, s.postings())
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/s.postings(), "ns/posting")
			})
		})
	}
}

// documentMeasures depend on A, df, n_c and N only.
func measures(tokens bool) (out []engine.Scoring) {
	for _, m := range engine.Measures() {
		if tokens || !m.UsesTokens {
			out = append(out, engine.Scoring{By: m.Name, Threads: 1})
		}
	}
	return out
}

// BenchmarkScores counts and scores in one pass, without stored cells.
func BenchmarkScores(b *testing.B) {
	cases := map[string][]engine.Scoring{"all-A": measures(false), "all": measures(true)}
	names := []string{"all-A", "all"}
	for _, m := range engine.Measures() {
		cases[m.Name] = []engine.Scoring{{By: m.Name, Threads: 1}}
		names = append(names, m.Name)
	}
	for _, name := range names {
		forSets(b, "20ng,S,M,L,X,Classes", func(b *testing.B, s *set) {
			b.Run(impl+"/measure="+name+"/set="+s.name, func(b *testing.B) {
				for b.Loop() {
					if _, err := s.corpus.Rank(b.Context(), cases[name]...); err != nil {
						b.Fatal(err)
					}
				}
				perOp := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				b.ReportMetric(perOp/s.postings(), "ns/posting")
				b.ReportMetric(perOp/s.pairs(), "ns/pair")
			})
		})
	}
}

// BenchmarkTop is chi by max and the best 10,000 terms of a loaded index.
func BenchmarkTop(b *testing.B) {
	forSets(b, "20ng,S,M,L", func(b *testing.B, s *set) {
		b.Run(impl+"/cells=counted/set="+s.name, func(b *testing.B) {
			for b.Loop() {
				r, err := s.corpus.Rank(b.Context(), engine.Scoring{By: "chi", Threads: 1})
				if err != nil {
					b.Fatal(err)
				}
				if n := len(r[0].Top(10000)); n != 10000 {
					b.Fatalf("%d terms", n)
				}
			}
		})
		b.Run(impl+"/cells=stored/set="+s.name, func(b *testing.B) {
			stats, err := s.corpus.Statistics(b.Context(), engine.StatisticsOptions{})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				r, err := stats.Rank(b.Context(), engine.Scoring{By: "chi", Threads: 1})
				if err != nil {
					b.Fatal(err)
				}
				if n := len(r.Top(10000)); n != 10000 {
					b.Fatalf("%d terms", n)
				}
			}
		})
	})
}
