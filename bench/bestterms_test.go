package bench

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/postings"
)

// bestSets are those that Best Terms is measured on.
const bestSets = "20ng,S,M"

// BenchmarkForward transposes the lists to documents.
func BenchmarkForward(b *testing.B) {
	forSets(b, "20ng,S,M,L", func(b *testing.B, s *set) {
		b.Run("impl=engine/set="+s.name, func(b *testing.B) {
			var f *postings.Forward
			loop(b, func() {
				var err error
				if f, err = s.index.Forward(b.Context()); err != nil {
					b.Fatal(err)
				}
			})
			per(b, "posting", s.postings())
			if f.Len() != s.index.NumPostings() {
				b.Fatalf("%d postings", f.Len())
			}
		})
	})
}

// BenchmarkBestTerms chooses the terms of all classes.
func BenchmarkBestTerms(b *testing.B) {
	forSets(b, bestSets, func(b *testing.B, s *set) {
		for _, function := range []string{"chi", "emi", "or"} {
			b.Run("impl=engine/function="+function+"/p=0.25/set="+s.name, func(b *testing.B) {
				var best *bestterms.Choice
				loop(b, func() {
					var err error
					o := bestterms.Options{Function: function, P: .25, Threads: runtime.GOMAXPROCS(0)}
					if best, err = bestterms.Choose(b.Context(), s.corpus, o); err != nil {
						b.Fatal(err)
					}
				})
				per(b, "entry", float64(best.Entries))
				b.ReportMetric(float64(best.Entries), "entries")
			})
		}
	})
	benchmarkNaiveBestTerms(b)
}

// BenchmarkBestTermsGrowth doubles the documents of S: the time of an entry stays.
func BenchmarkBestTermsGrowth(b *testing.B) {
	if len(asked("S")) == 0 {
		b.Skip("S is not asked for")
	}
	for _, times := range []int{1, 2, 4} {
		p := params(b, "S")
		p.Documents *= times
		s := encoded(b, p.Name, rewriting(build(b, generated(b, p))))
		b.Run(fmt.Sprintf("impl=engine/documents=%d", p.Documents), func(b *testing.B) {
			var best *bestterms.Choice
			loop(b, func() {
				var err error
				if best, err = bestterms.Choose(b.Context(), s.corpus, bestterms.Options{P: .25, Threads: runtime.GOMAXPROCS(0)}); err != nil {
					b.Fatal(err)
				}
			})
			per(b, "entry", float64(best.Entries))
			b.ReportMetric(float64(best.Entries), "entries")
		})
	}
}

// benchmarkNaiveBestTerms is BenchmarkBestTerms by the reference, over dense tables.
func benchmarkNaiveBestTerms(b *testing.B) {
	forSets(b, "20ng", func(b *testing.B, s *set) {
		b.Run("impl=naive/function=chi/p=0.25/set="+s.name, func(b *testing.B) {
			binary := binaryOf(s)
			results := make([]naive.BestTerms, len(s.index.Classes))
			entries := 0
			loop(b, func() {
				entries = 0
				for c := range results {
					results[c] = binary.BestTerms(c, naive.BestTermsOptions{Function: "chi", P: .25})
					entries += results[c].Entries
				}
			})
			per(b, "entry", float64(entries))
			b.ReportMetric(float64(entries), "entries")
			checkBest(b, s, binary, results)
		})
	})
}

// binaryOf makes the tables of a single-label set.
func binaryOf(s *set) naive.Binary {
	x, p := s.index, decoded(s)
	out := naive.Binary{Tables: p.out, Terms: make([][]int, x.Documents())}
	for t := range x.Terms.Len() {
		out.Names = append(out.Names, x.Terms.Term(t))
		for _, d := range p.docs[p.start[t]:p.start[t+1]] {
			out.Terms[d] = append(out.Terms[d], t)
		}
	}
	for _, c := range p.label {
		out.Labels = append(out.Labels, []int{c})
	}
	return out
}

// checkBest compares the reference's terms with those of the engine.
func checkBest(b *testing.B, s *set, binary naive.Binary, results []naive.BestTerms) {
	b.Helper()
	best := testkit.Must(bestterms.Choose(b.Context(), s.corpus, bestterms.Options{P: .25}))
	names := func(terms []int) (out []string) {
		for _, t := range terms {
			out = append(out, binary.Names[t])
		}
		return out
	}
	for i, c := range best.Classes {
		for _, list := range []struct {
			got  []bestterms.Term
			want []int
		}{{c.Positive, results[i].Positive}, {c.Negative, results[i].Negative}} {
			var got []string
			for _, t := range list.got {
				got = append(got, t.Term)
			}
			slices.Sort(got)
			if want := slices.Sorted(slices.Values(names(list.want))); !slices.Equal(got, want) {
				b.Fatalf("%s: the engine chooses %q, the reference %q", c.Class, got, want)
			}
		}
		if int(c.Kept.GetCardinality()) != len(results[i].Kept) {
			b.Fatalf("%s: %d documents are kept, %d by the reference", c.Class, c.Kept.GetCardinality(), len(results[i].Kept))
		}
	}
}
