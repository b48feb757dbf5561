package rank_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
)

// topicKeys are the variants of c-TF-IDF in golden_methods.json.
var topicKeys = map[string]rank.Options{
	"plain": {}, "bm25": {BM25: true}, "plain_sqrt": {ReduceFrequent: true}, "bm25_sqrt": {BM25: true, ReduceFrequent: true},
	"plain_seed_fox_multiplier_2": {SeedWords: []string{"fox"}, SeedMultiplier: 2},
}

func TestGoldenTopics(t *testing.T) {
	var golden struct {
		Corpus struct {
			Documents []string
			Labels    [][]string
			Multi     [][]string `json:"labels_multi"`
		} `json:"corpus_a"`
		CTFIDF map[string]json.RawMessage
	}
	testkit.OK(json.Unmarshal(testkit.Must(os.ReadFile(filepath.Join("..", "..", "testdata", "golden_methods.json"))), &golden))
	checked := 0
	for part, labels := range map[string][][]string{"single": golden.Corpus.Labels, "multi": golden.Corpus.Multi} {
		var docs []document.Document
		for i, text := range golden.Corpus.Documents {
			docs = append(docs, document.Document{ID: fmt.Sprint(i), Labels: labels[i], Text: []byte(text)})
		}
		c := testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{}))
		var want map[string]json.RawMessage
		testkit.OK(json.Unmarshal(golden.CTFIDF[part], &want))
		for key, o := range topicKeys {
			o.Measure = rank.CTFIDF
			var values map[string][]float64
			testkit.Is(testkit.Stop(t), json.Unmarshal(want[key], &values), nil, key)
			got := enginetest.ClassValues(t, enginetest.StatisticsOf(t, c, ""), o)
			largest := enginetest.Values(t, enginetest.StatisticsOf(t, c, ""), o)
			for term, byClass := range values {
				for k, class := range []string{"a", "b", "c"} {
					checked++
					testkit.Close(t, got[[2]string{term, class}].Value, byClass[k], 1e-12, 1e-15, part, key, term,
						class, "=")
				}
				testkit.Close(t, largest[term], slices.Max(byClass), 1e-12, 1e-15, part, key, term, "=")
			}
		}
	}
	testkit.Equal(t, checked, 2*(4*13+1)*3)
}

// variants are options of the new measures beside their defaults.
var variants = []struct {
	o     rank.Options
	naive naive.Options
}{
	{rank.Options{Measure: rank.CTFIDF, BM25: true}, naive.Options{BM25: true}},
	{rank.Options{Measure: rank.CTFIDF, ReduceFrequent: true}, naive.Options{ReduceFrequent: true}},
	{rank.Options{Measure: rank.CTFIDF, BM25: true, ReduceFrequent: true}, naive.Options{BM25: true, ReduceFrequent: true}},
	{rank.Options{Measure: rank.SimpleMaths, Smooth: 100}, naive.Options{Smooth: 100}},
	{rank.Options{Measure: rank.SimpleMaths, Smooth: 1e-9}, naive.Options{Smooth: 1e-9}},
	{rank.Options{Measure: rank.ZetaLog, ZetaC: .25}, naive.Options{ZetaC: .25}},
}

// Random corpora, some with unlabelled documents and empty classes, others with several labels: engine == naive
// for the variants, seed words among them, by class and by combination.
func TestVariantsAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 120}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		s, tb := enginetest.StatisticsOf(t, enginetest.CorpusOf(t, c), ""), naive.Tabulate(c)
		seeds := []int{r.IntN(len(c.Terms)), r.IntN(len(c.Terms))}
		seeded := variants[r.IntN(3)]
		seeded.o.SeedWords, seeded.o.SeedMultiplier = []string{c.Terms[seeds[0]], c.Terms[seeds[1]]}, 3
		seeded.naive.Seeds, seeded.naive.SeedMultiplier = seeds, 3
		for _, v := range append(slices.Clone(variants), seeded) {
			measure := string(v.o.Measure)
			want, byCell := tb.Class(measure, v.naive), enginetest.ClassValues(t, s, v.o)
			for i, term := range c.Terms {
				for k, class := range c.Classes {
					enginetest.CompareValue(t, byCell[[2]string{term, class}].Value, want[i][k], 0, measure, v.naive, term, class)
				}
			}
			for _, how := range []rank.Combination{"", rank.Avg, rank.Sum, rank.Mean} {
				v.o.Combine = how
				got, want := enginetest.Values(t, s, v.o), tb.Global(measure, string(how), v.naive)
				for i, term := range c.Terms {
					enginetest.CompareValue(t, got[term], want[i], math.Abs(want[i]), measure, v.naive, how, term)
				}
			}
		}
	})
}

// By BM25 a term that all classes use often is below 0, and 0 where a class lacks it.
func TestNegativeTopics(t *testing.T) {
	c := testkit.Must(corpus.Build(t.Context(), document.Of(
		document.Document{ID: "1", Labels: []string{"x"}, Text: []byte("often often often some")},
		document.Document{ID: "2", Labels: []string{"y"}, Text: []byte("often often often often often other other")},
		document.Document{ID: "3", Labels: []string{"z"}, Text: []byte("twice often")},
	), corpus.Options{}))
	largest := enginetest.Values(t, enginetest.StatisticsOf(t, c, ""), rank.Options{Measure: rank.CTFIDF, BM25: true})
	if v := largest["often"]; !(v < 0) {
		t.Errorf("often in all classes = %v", v)
	}
	r := testkit.Must(rank.Terms(t.Context(), c, rank.Options{Measure: rank.CTFIDF, BM25: true}))
	if top := r.Top(9); top[len(top)-1].Term != "often" || top[len(top)-1].Class != "z" {
		t.Errorf("the last term is %+v", top[len(top)-1])
	}
}

// One class has c-TF-IDF like any number; the other new measures have the value of independence.
func TestNewMeasuresOfOneClass(t *testing.T) {
	c := testkit.Must(corpus.Build(t.Context(), document.Of(
		document.Document{ID: "1", Labels: []string{"x"}, Text: []byte("one one two")},
		document.Document{ID: "2", Labels: []string{"x"}, Text: []byte("two three three")},
	), corpus.Options{}))
	for measure, want := range map[rank.Measure]float64{
		rank.Zeta: 0, rank.ZetaCraig: 1, rank.ZetaEder: 0, rank.ZetaLog: 0, rank.SimpleMaths: 1, rank.JLH: 0,
		rank.GND: 1, rank.CTFIDF: 2. / 6 * math.Log(1+6./2),
	} {
		r := testkit.Must(rank.Terms(t.Context(), c, rank.Options{Measure: measure}))
		testkit.Close(t, r.Top(1)[0].Value, want, 1e-12, 0, measure, "=")
		if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "there is one class only") {
			t.Errorf("%s: warnings %q", measure, r.Warnings)
		}
	}
}

func TestSeedWordsThatAreNoTerms(t *testing.T) {
	c := testkit.Must(corpus.Build(t.Context(), document.Of(document.Document{ID: "1", Labels: []string{"x"}, Text: []byte("running home")}, document.Document{
		ID: "2", Labels: []string{"y"}, Text: []byte("away"),
	}), corpus.Options{}))
	o := rank.Options{Measure: rank.CTFIDF, SeedWords: []string{"HOME", "unicorn", "griffin"}}
	plain := enginetest.Values(t, enginetest.StatisticsOf(t, c, ""), rank.Options{Measure: rank.CTFIDF})
	r := testkit.Must(rank.Terms(t.Context(), c, o))
	testkit.EqualSlices(t, r.Warnings, []string{`2 of the seed words are no terms: "unicorn", "griffin"`}, "warnings")
	for e := range r.All() {
		times := 1.
		if e.Term == "home" {
			times = 2
		}
		testkit.Equal(t, e.Value, times*plain[e.Term], e.Term, "=", "without seeds", plain[e.Term])
	}
	for range 12 {
		o.SeedWords = append(o.SeedWords, "griffin")
	}
	testkit.Equal(t, strings.HasSuffix(testkit.Must(rank.Terms(t.Context(), c, o)).Warnings[0], ` and 4 more`), true,
		"warning")
}

func TestNewMeasuresRefuse(t *testing.T) {
	for want, o := range map[string]rank.Options{
		"the multiplier of seed words must be positive and finite, not +Inf": {Measure: rank.CTFIDF, SeedMultiplier: math.Inf(1)},
		"the multiplier of seed words must be positive and finite, not -2":   {Measure: rank.CTFIDF, SeedMultiplier: -2},
		"the multiplier of seed words must be positive and finite, not NaN":  {Measure: rank.CTFIDF, SeedMultiplier: math.NaN()},
		"a seed word is empty":                      {Measure: rank.CTFIDF, SeedWords: []string{"a", ""}},
		"k of simplemaths must be positive, not -1": {Measure: rank.SimpleMaths, Smooth: -1},
		"c of zetalog must be positive, not NaN":    {Measure: rank.ZetaLog, ZetaC: math.NaN()},
		"there are no p-values of ctfidf":           {Measure: rank.CTFIDF, PValues: true},
	} {
		if err := o.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) || !errors.Is(err, usage.ErrUsage) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The best terms of the classes are those of the rankings of each class, entry for entry.
func TestEveryTopOfAClass(t *testing.T) {
	sparse := 0
	enginetest.Rounds{All: 60, InTurn: true}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		s := enginetest.StatisticsOf(t, enginetest.CorpusOf(t, c), "")
		options := []rank.Options{
			{Measure: rank.CTFIDF, BM25: true},
			{Measure: rank.CTFIDF, SeedWords: c.Terms[:1], SeedMultiplier: 50},
			{Measure: rank.ZetaLog, Positive: true},
			{Measure: rank.Chi, PValues: true},
		}
		for _, m := range rank.KnownMeasures() {
			if m.Combinable {
				options = append(options, rank.Options{Measure: rank.Measure(m.Name), Threads: 1 + r.IntN(3)})
			}
		}
		for _, o := range options {
			o.Combine = rank.ByClass
			p, k := testkit.Must(o.Resolve()), 1+r.IntN(4)
			n := 0
			for top := range testkit.All(p.TopOfClasses(t.Context(), s, k)) {
				want := testkit.Must(p.Class(t.Context(), s, top.Class))
				if !slices.Equal(top.Entries, want.Top(k)) || top.Test != want.Test {
					t.Errorf("%s, the best %d of %s: %+v, want %+v", o.Measure, k, top.Class, top.Entries, want.Top(k))
				}
				n++
			}
			testkit.Equal(t, n, len(s.Classes()), o.Measure)
			if p.CellsTell(t.Context(), s, k) {
				sparse++
			}
		}
	})
	if sparse == 0 {
		t.Error("no cells told the best terms of a class")
	}
}
