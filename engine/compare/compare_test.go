package compare_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/compare"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/usage"
)

// Rankings of random corpora, by any measure and combination: the engine's numbers
// are those of the definitions, to the bit on any number of threads.
func TestCompareAgainstNaive(t *testing.T) {
	for _, shape := range naive.Shapes {
		t.Run(shape.Name, func(t *testing.T) {
			t.Parallel()
			for _, r := range testkit.Cases(t, 80) {
				c := enginetest.CorpusOf(t, naive.RandomCorpus(r, shape))
				rankings := testkit.Must(rank.Several(t.Context(), c, comparedScorings(r)...))
				compareAgainstNaive(t, someComparing(r, c.Terms()), rankings)
			}
		})
	}
}

// comparedScorings are two to five, now and then the same twice.
func comparedScorings(r *rand.Rand) (scorings []rank.Options) {
	measures := rank.Measures()
	for range 2 + r.IntN(4) {
		combine := []string{"", "max", "avg", "sum", "mean"}[r.IntN(5)]
		scorings = append(scorings, rank.Options{Measure: rank.Measure(measures[r.IntN(len(measures))].Name), Combine: rank.Combination(combine), Signed: r.IntN(2) == 0})
	}
	return scorings
}

func someComparing(r *rand.Rand, terms int) compare.Options {
	o := compare.Options{P: []float64{0, .5, .98}[r.IntN(3)]}
	for range 1 + r.IntN(4) {
		o.K = append(o.K, 1+r.IntN(terms+2))
	}
	return o
}

func compareAgainstNaive(t *testing.T, o compare.Options, rankings []*rank.Ranking) {
	t.Helper()
	c := compared(t, o, rankings)
	lists, values := make([][]string, len(rankings)), make([][]float64, len(rankings))
	for i, r := range rankings {
		for _, e := range r.Top(r.Len()) {
			lists[i] = append(lists[i], e.Term)
		}
		for e := range r.All() {
			values[i] = append(values[i], e.Value)
		}
	}
	if n := len(rankings); len(c.Pairs) != n*(n-1)/2 {
		t.Fatalf("%d pairs of %d", len(c.Pairs), n)
	}
	for _, p := range c.Pairs {
		testkit.Close(t, p.Tau, naive.TauB(values[p.A], values[p.B]), 1e-14, 1e-14, "tau of", rankings[p.A].Measure,
			"and", rankings[p.B].Measure, values[p.A], values[p.B])
	}
	bestTermsAgainstNaive(t, c, o, lists)
	for threads := 1; threads <= 3; threads++ {
		o.Threads = threads
		testkit.Same(t, compared(t, o, rankings).Pairs, c.Pairs, threads, "threads change the result")
	}
}

func compared(t *testing.T, o compare.Options, rankings []*rank.Ranking) *compare.Comparison {
	return testkit.Must(compare.Rankings(t.Context(), o, rankings...))
}

// bestTermsAgainstNaive compares sizes, overlaps and Only with the definitions.
func bestTermsAgainstNaive(t *testing.T, c *compare.Comparison, o compare.Options, lists [][]string) {
	t.Helper()
	longest := 0
	for _, list := range lists {
		longest = max(longest, len(list))
	}
	depths := slices.Clone(o.K)
	for i := range depths {
		depths[i] = min(depths[i], longest)
	}
	slices.Sort(depths)
	if depths = slices.Compact(depths); !slices.Equal(c.K, depths) {
		t.Fatalf("depths %d of %d, want %d", c.K, o.K, depths)
	}
	p := o.P
	if p == 0 {
		p = .9
	}
	for _, pair := range c.Pairs {
		for i, got := range pair.At {
			a, b := naive.Front(lists[pair.A], depths[i]), naive.Front(lists[pair.B], depths[i])
			testkit.Equal(t, c.Size(depths[i], pair.A), len(a), "the first", depths[i], "of", lists[pair.A])
			want := compare.Overlap{K: depths[i], Shared: naive.Shared(a, b), Jaccard: naive.Jaccard(a, b), RBO: got.RBO}
			testkit.Equal(t, got, want, a, "and", b, "and an RBO of", naive.RBO(a, b, p))
			testkit.Close(t, got.RBO, naive.RBO(a, b, p), 1e-13, 1e-13, a, "and", b, got, "want", want, "and an RBO of")
			onlyAgainstNaive(t, c, depths[i], pair.A, a, b, pair.B)
			onlyAgainstNaive(t, c, depths[i], pair.B, b, a, pair.A)
		}
	}
	var others [][]string
	for _, list := range lists[1:] {
		others = append(others, naive.Front(list, depths[0]))
	}
	testkit.EqualSlices(t, listed(c.Only(depths[0], 0)), naive.OnlyIn(naive.Front(lists[0], depths[0]), others...),
		"only the first")
}

func onlyAgainstNaive(t *testing.T, c *compare.Comparison, k, list int, best, other []string, others int) {
	t.Helper()
	only := c.Only(k, list, others)
	testkit.EqualSlices(t, listed(only), naive.OnlyIn(best, other), "list", list, "has", only)
	for _, x := range only {
		testkit.Equal(t, best[x.Rank-1], x.Term, x, "in", best)
	}
}

func listed(terms []compare.ListedTerm) (names []string) {
	for _, x := range terms {
		names = append(names, x.Term)
	}
	return names
}

// A drawn measure gives values that have nothing to do with the counts: many ties,
// both infinities, undefined ones and both zeros.
type drawn struct {
	name string
	seed uint64
	kind int
}

func (d drawn) Name() string { return d.name }

func (d drawn) Class(x *score.Table) float64 {
	r := rand.New(rand.NewPCG(d.seed, uint64(x.DF)))
	switch d.kind {
	case 0:
		return float64(r.IntN(10))
	case 1:
		return r.Float64()
	case 2:
		return 0
	}
	return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1}[r.IntN(6)]
}

// As many terms as several runs of the merge sort and the filter's threshold want,
// each with a document frequency of its own.
func TestCompareManyTerms(t *testing.T) {
	const terms = 300
	c := enginetest.CorpusFrom(t, func(d int) document.Document {
		doc := document.Document{Labels: []string{"only"}}
		for term := range terms - d {
			doc.Features = append(doc.Features, document.Feature{Term: "t" + strconv.Itoa(term*7919%terms), Value: 1})
		}
		return doc
	}, terms)
	r := rand.New(rand.NewPCG(5, 5))
	for round := range 12 {
		own := []score.Measure{}
		var scorings []rank.Options
		for i := range 4 {
			own = append(own, drawn{"drawn" + strconv.Itoa(i), r.Uint64(), r.IntN(4)})
		}
		for _, m := range own {
			scorings = append(scorings, rank.Options{Measure: rank.Measure(m.Name()), Own: own})
		}
		scorings = append(scorings, rank.Options{Measure: "df"}, scorings[0])
		rankings := testkit.Must(rank.Several(t.Context(), c, scorings...))
		compareAgainstNaive(t, compare.Options{K: []int{1, 5 + round, 100, 250}}, rankings)
		same := compared(t, compare.Options{}, rankings).Pair(5, 0)
		if overlap := same.At[1]; overlap != (compare.Overlap{K: 100, Shared: 100, Jaccard: 1, RBO: 1}) || same.Tau != 1 && same.Tau != 0 {
			t.Errorf("a ranking and itself: %+v", same)
		}
	}
}

// The examples of bench/naive/compare_test.go, which derives them by hand.
func TestCompareByHand(t *testing.T) {
	for _, x := range []struct {
		a, b     []string
		p        float64
		rbo, tau float64
	}{
		{[]string{"a", "b", "c", "d"}, []string{"b", "a", "d", "e"}, .5, 41. / 96, .4},
		{[]string{"a", "b"}, []string{"b", "c", "a"}, .5, 1. / 3, -1. / 3},
		{[]string{"a", "b", "c"}, []string{"b", "a", "d"}, .5, 5. / 12, 1. / 3},
		{[]string{"a", "b"}, []string{"a", "b"}, 0, 1, 1},
		{[]string{"a", "b"}, []string{"c", "d"}, 0, 0, -.8},
	} {
		c := testkit.Must(compare.Lists(t.Context(), compare.Options{P: x.p}, x.a, x.b))
		got := c.Pairs[0]
		if len(got.At) != 1 || !testkit.Near(got.At[0].RBO, x.rbo, 1e-15, 0) || !testkit.Near(got.Tau, x.tau, 1e-15, 0) {
			t.Errorf("%v and %v: %+v, want RBO %v and tau %v", x.a, x.b, got, x.rbo, x.tau)
		}
	}
}

// Random lists, of different lengths.
func TestCompareListsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 400 {
		lists := make([][]string, 2+r.IntN(3))
		longest := 0
		for i := range lists {
			for _, term := range r.Perm(30)[:1+r.IntN(25)] {
				lists[i] = append(lists[i], fmt.Sprint("t", term))
			}
			longest = max(longest, len(lists[i]))
		}
		o := someComparing(r, longest)
		o.Threads = 1 + r.IntN(3)
		c := testkit.Must(compare.Lists(t.Context(), o, lists...))
		bestTermsAgainstNaive(t, c, o, lists)
		for _, p := range c.Pairs {
			testkit.Close(t, p.Tau, naive.ListTau(lists[p.A], lists[p.B]), 1e-14, 1e-14, lists[p.A], "and", lists[p.B],
				"tau")
		}
	}
}

func TestCompareDefaults(t *testing.T) {
	c := enginetest.Build(t, "a: one two three four", "b: two three five", "b: six")
	rankings := testkit.Must(rank.Several(t.Context(), c, rank.Options{Measure: "chi"}, rank.Options{Measure: "gss", Combine: "sum"}))
	got := compared(t, compare.Options{OverlapsOnly: true}, rankings)
	if !slices.Equal(got.K, []int{c.Terms()}) || got.P != .9 || len(got.Warnings) != 0 || !math.IsNaN(got.Pairs[0].Tau) {
		t.Errorf("%+v", got)
	}
	got = compared(t, compare.Options{K: []int{7, 2, 100, 2}}, rankings)
	if !slices.Equal(got.K, []int{2, c.Terms()}) || len(got.Warnings) != 3 {
		t.Errorf("%+v", got) // twice more than there are, and gss sums up to 0 everywhere
	}
	testkit.Equal(t, got.Pairs[0].Tau, 0, got.Pairs)
	testkit.Equal(t, got.Pairs[0].At[1].Shared, c.Terms(), got.Pairs)
}

func TestCompareBadInput(t *testing.T) {
	c, other := enginetest.Build(t, "a: one two", "b: two"), enginetest.Build(t, "a: one three", "b: three")
	var rankings []*rank.Ranking
	for _, c := range []*corpus.Corpus{c, c, other} {
		all := testkit.Must(rank.Several(t.Context(), c, rank.Options{}))
		rankings = append(rankings, all...)
	}
	for name, f := range map[string]func() (*compare.Comparison, error){
		"none": func() (*compare.Comparison, error) { return compare.Rankings(t.Context(), compare.Options{}) },
		"one": func() (*compare.Comparison, error) {
			return compare.Rankings(t.Context(), compare.Options{}, rankings[0])
		},
		"corpora": func() (*compare.Comparison, error) {
			return compare.Rankings(t.Context(), compare.Options{}, rankings...)
		},
		"depth": func() (*compare.Comparison, error) {
			return compare.Rankings(t.Context(), compare.Options{K: []int{5, 0}}, rankings[:2]...)
		},
		"p": func() (*compare.Comparison, error) {
			return compare.Rankings(t.Context(), compare.Options{P: 1}, rankings[:2]...)
		},
		"nan": func() (*compare.Comparison, error) {
			return compare.Rankings(t.Context(), compare.Options{P: math.NaN()}, rankings[:2]...)
		},
		"empty list": func() (*compare.Comparison, error) {
			return compare.Lists(t.Context(), compare.Options{}, []string{"a"}, nil)
		},
		"repeated": func() (*compare.Comparison, error) {
			return compare.Lists(t.Context(), compare.Options{}, []string{"a"}, []string{"b", "a", "b"})
		},
	} {
		if got, err := f(); !errors.Is(err, usage.ErrUsage) || got != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	// The same corpus read twice has the same terms.
	again := testkit.Must(rank.Several(t.Context(), enginetest.Build(t, "a: one two", "b: two"), rank.Options{Measure: "ig"}))
	compared(t, compare.Options{}, []*rank.Ranking{rankings[0], again[0]})

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, testkit.Err(compare.Rankings(ctx, compare.Options{}, rankings[:2]...)), context.Canceled)
	testkit.Is(t, testkit.Err(compare.Lists(ctx, compare.Options{}, []string{"a"}, []string{"b"})), context.Canceled)
}
