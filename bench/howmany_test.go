package bench

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
)

// BenchmarkSelect is the same selection by every criterion: what the criteria cost
// beyond the ranking of k.
func BenchmarkSelect(b *testing.B) {
	chi := rank.Options{Measure: "chi", Threads: runtime.GOMAXPROCS(0)}
	exact, yates := chi, chi
	exact.Exact, yates.Yates = true, true
	forSets(b, "20ng,S,M", func(b *testing.B, s *set) {
		for _, c := range []struct {
			name string
			o    selection.Options
		}{
			{"k", selection.Options{By: chi, Keep: selection.Best(10_000)}},
			{"k-yates", selection.Options{By: yates, Keep: selection.Best(10_000)}},
			{"energy", selection.Options{By: chi, Keep: selection.Energy(.8)}},
			{"fdr", selection.Options{By: chi, Keep: selection.FDR(.05)}},
			{"fdr-exact", selection.Options{By: exact, Keep: selection.FDR(.05)}},
			{"per-document", selection.Options{By: chi, Keep: selection.PerDocument(1)}},
			{"per-class-fdr", selection.Options{By: chi, Keep: selection.FDR(.05), PerClass: true}},
		} {
			b.Run("impl=engine/criterion="+c.name+"/set="+s.name, func(b *testing.B) {
				terms := 0
				loop(b, func() { terms = len(selectOnce(b, s, c.o).Features) })
				b.ReportMetric(float64(terms), "terms")
			})
		}
	})
}

func selectOnce(b *testing.B, s *set, o selection.Options) *selection.Selection {
	return testkit.Must(selection.Select(b.Context(), s.corpus, o))
}

// BenchmarkPerDocument compares the engine, which goes through the terms, with what
// goes through the documents of a view made for it, from the same values.
func BenchmarkPerDocument(b *testing.B) {
	forSets(b, "20ng,S,M", func(b *testing.B, s *set) {
		r := testkit.Must(rank.Several(b.Context(), s.corpus, rank.Options{Measure: "chi"}))
		for _, f := range []int{1, 10} {
			o := selection.Options{By: rank.Options{Measure: "chi", Threads: 1}, Keep: selection.PerDocument(f)}
			var want []string
			for _, feature := range selectOnce(b, s, o).Features {
				want = append(want, feature.Term)
			}
			name := map[int]string{1: "1", 10: "10"}[f] + "/set=" + s.name
			b.Run("impl=terms/f="+name, func(b *testing.B) {
				loop(b, func() { selectOnce(b, s, o) })
			})
			b.Run("impl=forward/f="+name, func(b *testing.B) {
				var got []string
				loop(b, func() {
					if _, err := rank.Several(b.Context(), s.corpus, o.By); err != nil { // as Select does
						b.Fatal(err)
					}
					got = byDocuments(b, s, r[0], f)
				})
				if !slices.Equal(got, want) {
					b.Fatalf("%d terms, want %d", len(got), len(want))
				}
			})
		}
	})
}

// byDocuments keeps the f best of each document's terms.
func byDocuments(b *testing.B, s *set, r *rank.Ranking, f int) (names []string) {
	view := testkit.Must(s.index.Forward(b.Context()))
	order := r.Top(r.Len())
	place := make([]uint32, len(order))
	for t := range place {
		place[t] = math.MaxUint32
	}
	number := make(map[string]int, len(order))
	for t := range s.corpus.Terms() {
		number[s.corpus.Term(t)] = t
	}
	for i, e := range order {
		place[number[e.Term]] = uint32(i)
	}
	kept := make([]bool, len(order))
	best := make([]uint32, 0, f+1)
	for d := range s.corpus.Documents() {
		best = best[:0]
		for _, t := range view.Terms(d) {
			p := place[t]
			if len(best) == f && p > best[f-1] {
				continue
			}
			i, _ := slices.BinarySearch(best, p)
			best = slices.Insert(best, i, p)
			best = best[:min(f, len(best))]
		}
		for _, p := range best {
			kept[p] = true
		}
	}
	for i, e := range order {
		if kept[i] {
			names = append(names, e.Term)
		}
	}
	return names
}
