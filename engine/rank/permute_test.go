package rank_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/usage"
)

// placesOf returns the places in the input of the engine's documents, and the inverse.
func placesOf(c *corpus.Corpus) (place, number []int) {
	number = make([]int, c.Documents())
	for d := range c.Documents() {
		i := testkit.Must(strconv.Atoi(testkit.Must(c.DocumentIDs())[d]))
		place = append(place, i)
		number[i] = d
	}
	return place, number
}

// orderOf returns an order of the engine's documents as an order of those of the input.
func orderOf(t testing.TB, c *corpus.Corpus, order []uint32) []int {
	t.Helper()
	place, number := placesOf(c)
	out := make([]int, len(order))
	for i := range out {
		out[i] = place[order[number[i]]]
	}
	return out
}

// someScorings returns every measure with its default combination, some with every
// combination, and every weighting.
func someScorings() (all []rank.Options) {
	for _, o := range enginetest.EveryScoring(2) {
		if o.Combine == "" || o.Measure == "chi" || o.Measure == "mi" || o.Measure == "ttest" || o.Measure == "g2tf" {
			all = append(all, o)
		}
	}
	return append(all, rank.Options{Measure: "ttest", Signed: true, Combine: "sum"}, rank.Options{Measure: "or", Own: []score.Measure{score.Measure(half{})}},
		rank.Options{Measure: "half", Combine: "avg", Own: []score.Measure{half{}}}, rank.Options{Measure: "mine=A*D/(B*C)"}, rank.Options{Measure: "mine=S*ln(S*T/(cf*T_c))", Combine: "sum"})
}

// half is a measure of documents and tokens that the caller defines.
type half struct{}

// Name implements [score.Measure].
func (half) Name() string { return "half" }

// Class implements [score.Measure].
func (half) Class(t *score.Table) float64 { return t.A/(t.NC+1) + t.S/(t.TC+2) + t.Pooled }

// Under a permutation the values are those of a corpus whose documents have the
// permuted labels: to the bit, but for sums of weights, whose order differs.
func TestPermutedValuesAreThoseOfTheRelabelledCorpus(t *testing.T) {
	enginetest.Rounds{All: 12, Large: 3, InTurn: true}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		corpus := enginetest.CorpusOf(t, c)
		seed, b := r.Uint64(), r.Uint64N(100)
		order := orderOf(t, corpus, rank.DrawOrder(corpus.Documents(), seed, b))
		relabelled := enginetest.CorpusOf(t, naive.Relabel(c, order))
		for _, o := range someScorings() {
			got := testkit.Must(rank.PermutedValues(t.Context(), corpus, rank.PermuteOptions{By: o, B: 100, Seed: seed}, b))
			want := testkit.Must(rank.Several(t.Context(), relabelled, o))
			sameValues(t, got, slices.Collect(want[0].All()), o)
		}
		class := corpus.Classes()[r.IntN(len(corpus.Classes()))]
		for _, by := range []string{"chi", "mi", "ttest", "logoddsz"} {
			o := rank.PermuteOptions{By: rank.Options{Measure: rank.Measure(by)}, Class: class, B: 100, Seed: seed}
			got := testkit.Must(rank.PermutedValues(t.Context(), corpus, o, b))
			want := testkit.Must(rank.Class(t.Context(), relabelled, class, o.By))
			sameValues(t, got, slices.Collect(want.All()), o.By)
		}
	})
}

func sameValues(t *testing.T, got map[string]float64, want []rank.Entry, o rank.Options) {
	t.Helper()
	weighted := o.Measure == "ocfs" && o.Weight != "binary" && o.Weight != "tf"
	testkit.Equal(t, len(got), len(want), o, "terms")
	for _, e := range want {
		v := got[e.Term]
		if same := math.Float64bits(v) == math.Float64bits(e.Value) || math.IsNaN(v) && math.IsNaN(e.Value); !same && !(weighted && testkit.Near(v, e.Value, 1e-12, 1e-15)) {
			t.Errorf("%+v: %s has %v, want %v", o, e.Term, v, e.Value)
		}
	}
}

// The counts of the reference, which relabels and tabulates the corpus anew each time.
func TestPermutationsAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 16, Large: 3, InTurn: true}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		corpus := enginetest.CorpusOf(t, c)
		o := rank.PermuteOptions{B: 1 + r.IntN(30), Seed: r.Uint64()}
		var orders [][]int
		for b := range o.B {
			orders = append(orders, orderOf(t, corpus, rank.DrawOrder(corpus.Documents(), o.Seed, uint64(b))))
		}
		measures := append(naive.Measures(), naive.NewMeasures()...)
		for range 6 {
			o.By.Measure = rank.Measure(measures[r.IntN(len(measures))])
			o.By.Combine = []rank.Combination{"", "max", "avg", "sum", "mean"}[r.IntN(5)]
			class, number := r.IntN(2*len(c.Classes))-len(c.Classes), -1
			if o.Class = ""; class >= 0 && !naive.GlobalOnly(string(o.By.Measure)) {
				o.Class, number = c.Classes[class], class
			}
			got := testkit.Must(rank.Permute(t.Context(), corpus, o))
			want := naive.PermutationTest(c, string(o.By.Measure), string(o.By.Combine), number, naive.Options{}, orders)
			entries := map[string]rank.PermutedEntry{}
			for e := range got.All() {
				entries[e.Term] = e
			}
			for i, term := range c.Terms {
				p := func(n int) float64 { return float64(1+n) / float64(o.B+1) }
				e, w := entries[term], want[i]
				if e.P < p(w.Least) || e.P > p(w.Most) || e.PMax < p(w.LeastMax) || e.PMax > p(w.MostMax) || e.PMax < e.P {
					t.Errorf("%s %s %s: %s has %v and %v, want %+v of %d", o.By.Measure, o.By.Combine, o.Class, term, e.P, e.PMax, w, o.B)
				}
			}
		}
	})
}

// Real values, and documents of several labels beyond the eight places of a row.
func TestPermutationsOfOtherData(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for name, data := range map[string]struct {
		labels int
		least  float64
	}{"one label": {1, 0}, "up to 12 labels": {12, 0}, "large values": {1, 1e6}, "large values of up to 12 labels": {12, 1e6}} {
		labels := data.labels
		var lines []document.Document
		for d := range 60 {
			doc := document.Document{ID: strconv.Itoa(d)}
			for range 1 + r.IntN(labels) {
				doc.Labels = append(doc.Labels, "c"+strconv.Itoa(r.IntN(20)))
			}
			for term := range 10 {
				if r.IntN(2) == 0 {
					doc.Features = append(doc.Features, document.Feature{Term: strconv.Itoa(term), Value: data.least + r.Float64()})
				}
			}
			lines = append(lines, doc)
		}
		make := func(order []int) *corpus.Corpus {
			return enginetest.CorpusFrom(t, func(d int) document.Document {
				doc := lines[d]
				doc.Labels = lines[order[d]].Labels
				return doc
			}, len(lines))
		}
		identity := []int{}
		for d := range lines {
			identity = append(identity, d)
		}
		c := make(identity)
		relabelled := make(orderOf(t, c, rank.DrawOrder(c.Documents(), 3, 4)))
		for _, o := range someScorings() {
			if data.least > 0 && o.Measure != "ttest" && o.Measure != "anova" {
				continue
			}
			got := testkit.Must(rank.PermutedValues(t.Context(), c, rank.PermuteOptions{By: o, B: 9, Seed: 3}, 4))
			want := testkit.Must(rank.Several(t.Context(), relabelled, o))
			for e := range want[0].All() {
				if !testkit.Near(got[e.Term], e.Value, 1e-11, 1e-11) { // sums of reals in another order
					t.Errorf("%s, %+v: %s has %v, want %v", name, o, e.Term, got[e.Term], e.Value)
				}
			}
		}
	}
}

// planted is a corpus of two classes of equal size: the term "perfect" tells them
// apart, the others, of many frequencies, know nothing of them.
func planted(t *testing.T, documents, terms int) *corpus.Corpus {
	r := rand.New(rand.NewPCG(71, 72))
	return enginetest.CorpusFrom(t, func(d int) document.Document {
		doc := document.Document{Labels: []string{[]string{"x", "y"}[d%2]}}
		if d%2 == 0 {
			doc.Features = append(doc.Features, document.Feature{Term: "perfect", Value: 1})
		}
		for term := range terms {
			if r.Float64() < .2+.6*float64(term)/float64(terms) {
				doc.Features = append(doc.Features, document.Feature{Term: fmt.Sprintf("n%03d", term), Value: 1})
			}
		}
		return doc
	}, documents)
}

// A term that tells the classes apart has the least p-value that there can be, those
// that know nothing of the labels have uniform ones, near those of the chi-square
// distribution; and few of them are among the terms that maxT keeps.
func TestPermutationDistribution(t *testing.T) {
	const b = 999
	c := planted(t, 1000, 400)
	got := testkit.Must(rank.Permute(t.Context(), c, rank.PermuteOptions{By: rank.Options{Measure: "chi"}, B: b, Seed: 5}))
	var p []float64
	kept := 0
	for e := range got.All() {
		if e.Term == "perfect" {
			testkit.Equal(t, e.P, 1./(b+1), e)
			testkit.Equal(t, e.PMax, 1./(b+1), e)
			continue
		}
		p = append(p, e.P)
		if e.PMax <= .05 {
			kept++
		}
		// 5 standard errors of a share of b, and the steps of the discrete statistic.
		want := math.Exp(pvalue.ChiSquare(e.Value, 1))
		testkit.Close(t, e.P, want, 0, 5*math.Sqrt(want*(1-want)/b)+.06*math.Sqrt(want), e.Term, "p",
			"by the distribution")
	}
	if kept > 1 {
		t.Errorf("maxT keeps %d terms of chance", kept)
	}
	slices.Sort(p)
	largest := 0. // Kolmogorov & Smirnov's distance to the uniform distribution
	for i, v := range p {
		largest = max(largest, math.Abs(v-float64(i+1)/float64(len(p))))
	}
	if largest > 1.63/math.Sqrt(float64(len(p))) { // 1 %
		t.Errorf("the p-values of %d terms are %v from uniform", len(p), largest)
	}
}

// A measure that does not look at the labels has p = 1, and so has what is undefined.
func TestPermutationsOfConstants(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "a:one", "b:two three", "b,a:four", ":five")
	for _, by := range []string{"df", "cf"} {
		got := testkit.Must(rank.Permute(t.Context(), c, rank.PermuteOptions{By: rank.Options{Measure: rank.Measure(by)}, B: 20}))
		for e := range got.All() {
			testkit.Equal(t, e.P, 1, by, e)
			testkit.Equal(t, e.PMax, 1, by, e)
		}
	}
}

func TestPermutationsAreTheSameForAnyThreads(t *testing.T) {
	c := enginetest.ManyChunks(t)
	for _, o := range []rank.PermuteOptions{
		{By: rank.Options{Measure: "chi"}, B: 40},
		{By: rank.Options{Measure: "ttest"}, B: 40},
		{By: rank.Options{Measure: "ig", Combine: "avg"}, B: 7},
		{By: rank.Options{Measure: "chi"}, Class: "c1", B: 7},
	} {
		var want []rank.PermutedEntry
		for _, threads := range []int{1, 2, 3, 8} {
			o.By.Threads = threads
			p := testkit.Must(rank.Permute(t.Context(), c, o))
			got := slices.Collect(p.All())
			if want == nil {
				want = got
			}
			testkit.EqualSlices(t, got, want, o.By.Measure, threads, "threads give other p-values than one")
			if top := slices.Collect(p.Best(5)); len(top) != 5 || top[0].Rank != 1 || top[0].Value < top[4].Value {
				t.Errorf("%+v", top)
			}
		}
		o.Seed++
		p := testkit.Must(rank.Permute(t.Context(), c, o))
		testkit.Equal(t, reflect.DeepEqual(slices.Collect(p.All()), want), false, o.By.Measure,
			"another seed gives the same p-values")
	}
}

func TestPermuteRefuses(t *testing.T) {
	c := enginetest.Build(t, "a:one", "b:two")
	for name, o := range map[string]rank.PermuteOptions{
		"none":           {},
		"less than none": {B: -1},
		"a measure":      {By: rank.Options{Measure: "chy"}, B: 1},
		"all classes":    {By: rank.Options{Combine: "class"}, B: 1},
		"a class":        {Class: "z", B: 1},
		"no class value": {By: rank.Options{Measure: "gini"}, Class: "a", B: 1},
	} {
		if p, err := rank.Permute(t.Context(), c, o); !errors.Is(err, usage.ErrUsage) || p != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A bootstrap draws as often as there are documents.
func TestBootstrapDrawsAllDocuments(t *testing.T) {
	total := 0
	for _, times := range rank.BootstrapWeights(1000, 1, 2) {
		total += int(times)
	}
	testkit.Equal(t, total, 1000)
}

func TestPermutationsWeighNoSeedWords(t *testing.T) {
	c := enginetest.Build(t, "x: one two", "y: two three")
	_, err := rank.Permute(t.Context(), c, rank.PermuteOptions{B: 3, By: rank.Options{Measure: rank.CTFIDF, SeedWords: []string{"two"}}})
	testkit.Refused(t, err, usage.ErrUsage, "seed words")
}

// A sample multiplies the values of seed words, as a ranking does.
func TestSamplesWeighSeedWords(t *testing.T) {
	c := enginetest.Build(t, "x: one two", "y: two three", "x: one four")
	o := rank.Options{Measure: rank.CTFIDF}
	all := []uint32{1, 1, 1}
	plain, _, err := rank.SampleValues(t.Context(), c, o, all)
	testkit.OK(err)
	o.SeedWords, o.SeedMultiplier = []string{"four", "none"}, 5
	seeded, _, err := rank.SampleValues(t.Context(), c, o, all)
	testkit.OK(err)
	plain["four"] *= 5
	testkit.Equal(t, maps.Equal(plain, seeded), true, seeded, "want", plain)
}

// A term whose value is undefined is no evidence, whatever the labels are, and hides no other term.
func TestUndefinedFormulas(t *testing.T) {
	c := enginetest.Build(t, "a: moon orbit moon", "a: orbit launch moon", "b: god faith moon", "b: faith god god launch")
	p := testkit.Must(rank.Permute(t.Context(), c, rank.PermuteOptions{By: rank.Options{Measure: "mine=(A>0)*A/df+ln(3-df)-ln(3-df)"}, B: 30}))
	for e := range p.All() {
		undefined := math.IsNaN(e.Value)
		if undefined != (e.Term == "moon") || undefined && (e.P != 1 || e.PMax != 1) || !(e.P > 0 && e.P <= e.PMax && e.PMax <= 1) {
			t.Errorf("%+v", e)
		}
	}
}
