package bench

import (
	"bytes"
	"cmp"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/words"
)

// keysAsked is the number of keys of either sign that are asked for.
const keysAsked = 100

// BenchmarkKeyness finds the best keys of every second document against the others, by the measures of
// documents and by log-likelihood. The lengths of the documents are added up anew each time. ns/posting is
// that of the postings of both halves.
func BenchmarkKeyness(b *testing.B) {
	forSets(b, "20ng,S,M,L", func(b *testing.B, s *set) {
		sides := halvesOf(b, s.corpus)
		for _, m := range []words.Measure{words.LL, words.Wilcoxon, words.Welch, words.Eta} {
			b.Run("impl=engine/by="+string(m)+"/set="+s.name, func(b *testing.B) {
				loop(b, func() { keysOf(b, sides, m, runtime.GOMAXPROCS(0)) })
				per(b, "posting", s.postings())
			})
		}
	})
	forSets(b, "S", func(b *testing.B, s *set) { // of all documents for each term: minutes for larger sets
		sides := halvesOf(b, s.corpus)
		b.Run("impl=naive/by=wilcoxon/set="+s.name, func(b *testing.B) {
			var want []rankedTerm
			loop(b, func() { want = naiveRankSums(b, sides) })
			per(b, "posting", s.postings())
			checkRankSums(b, keysOf(b, sides, words.Wilcoxon, 1), want)
		})
	})
}

// BenchmarkKeynessPermutations tests all terms by log-likelihood, and by rank sums, of permuted documents.
func BenchmarkKeynessPermutations(b *testing.B) {
	forSets(b, "20ng,S", func(b *testing.B, s *set) {
		sides := halvesOf(b, s.corpus)
		for _, m := range []words.Measure{words.LL, words.Wilcoxon} {
			b.Run("impl=engine/by="+string(m)+"/set="+s.name, func(b *testing.B) {
				o := words.KeynessOptions{Measure: m, Top: keysAsked, Permutations: naivePermutations, Threads: runtime.GOMAXPROCS(0)}
				loop(b, func() { testkit.Must(words.Keyness(b.Context(), sides[0], sides[1], o)) })
				per(b, "posting", s.postings()*naivePermutations)
				per(b, "permutation", naivePermutations)
			})
		}
	})
}

// halvesOf returns every second document of a corpus, and the others.
func halvesOf(b testing.TB, c *corpus.Corpus) (sides [2]*corpus.Corpus) {
	half := roaring.New()
	for d := 0; d < c.Documents(); d += 2 {
		half.AddInt(d)
	}
	for i, docs := range []*roaring.Bitmap{half, roaring.Flip(half, 0, uint64(c.Documents()))} {
		sides[i] = testkit.Must(c.Subset(b.Context(), docs, corpus.SubsetOptions{}))
	}
	return sides
}

func keysOf(b testing.TB, sides [2]*corpus.Corpus, m words.Measure, threads int) *words.Comparison {
	return testkit.Must(words.Keyness(b.Context(), sides[0], sides[1], words.KeynessOptions{Measure: m, Top: keysAsked, Threads: threads}))
}

// A rankedTerm is a term with its z and the documents that have it.
type rankedTerm struct {
	term string
	z    float64
	df   int
}

// naiveRankSums ranks all documents for each term.
func naiveRankSums(b testing.TB, sides [2]*corpus.Corpus) (terms []rankedTerm) {
	var lengths [2][]float64
	shares := map[string]*[2][]float64{}
	df := map[string]int{}
	for i, c := range sides {
		x := c.Index()
		lengths[i] = testkit.Must(x.DocumentTokens(b.Context()))
		var p postings.List
		for t := range c.Terms() {
			testkit.OK(x.Guard(func() error { return x.Read(t, &p) }))
			name := c.Term(t)
			if shares[name] == nil {
				shares[name] = &[2][]float64{}
			}
			df[name] += len(p.Docs)
			for j, d := range p.Docs {
				shares[name][i] = append(shares[name][i], p.TF[j]/lengths[i][d])
			}
		}
	}
	for name, of := range shares {
		for i := range of {
			of[i] = append(of[i], make([]float64, len(lengths[i])-len(of[i]))...)
		}
		terms = append(terms, rankedTerm{name, naive.RankZ(of[0], of[1]), df[name]})
	}
	return terms
}

// checkRankSums fails unless the keys are the best of the terms, in order, with their values.
func checkRankSums(b testing.TB, c *words.Comparison, terms []rankedTerm) {
	b.Helper()
	for sign, keys := range map[float64][]words.Key{1: c.Lists[0].Keys, -1: c.Lists[1].Keys} {
		slices.SortFunc(terms, func(x, y rankedTerm) int {
			return cmp.Or(cmp.Compare(sign*y.z, sign*x.z), cmp.Compare(y.df, x.df), cmp.Compare(x.term, y.term))
		})
		if len(keys) != keysAsked {
			b.Fatalf("%d keys, want %d", len(keys), keysAsked)
		}
		for i, key := range keys {
			want := terms[i]
			if math.Abs(key.Value-want.z) > 1e-9*math.Abs(want.z) {
				b.Fatalf("key %d is %s with z %v, want %+v", i+1, key.Term, key.Value, want)
			}
			if key.Term != want.term && math.Abs(terms[i+1].z-want.z) > 1e-12 && math.Abs(terms[max(i, 1)-1].z-want.z) > 1e-12 {
				b.Fatalf("key %d is %s, want %s", i+1, key.Term, want.term)
			}
		}
	}
}

// The best keys of two halves of a corpus by rank sum are those of ranks of all documents for each term.
func TestRankSumsOfHalves(t *testing.T) {
	p := workload.Params{Documents: 1500, Tokens: 60, Terms: 4000, Classes: 5, Seed: 3}
	source := testkit.Must(workload.Generate(t.Context(), p, 1))
	var file bytes.Buffer
	x := testkit.Must(postings.Build(t.Context(), source, postings.BuildOptions{Meta: []byte("{}")}))
	testkit.Must(store.Write(t.Context(), &file, postings.Whole(x), store.WriteOptions{}))
	sides := halvesOf(t, testkit.Must(corpus.Decode(file.Bytes())))
	checkRankSums(t, keysOf(t, sides, words.Wilcoxon, 2), naiveRankSums(t, sides))
}
