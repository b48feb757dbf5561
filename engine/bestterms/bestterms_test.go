package bestterms_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
)

// A naiveBest is what the reference says of a class.
type naiveBest struct {
	Positive, Negative []string
	Kept               []int
	Documents          int
}

func bestTerms(t testing.TB, c *corpus.Corpus, o bestterms.Options) *bestterms.Choice {
	return testkit.Must(bestterms.Choose(t.Context(), c, o))
}

// compareBest compares sets; the order of the terms is that of their values.
func compareBest(t *testing.T, what string, c *corpus.Corpus, got bestterms.ClassTerms, want naiveBest) {
	t.Helper()
	same := func(part string, got, want any) {
		t.Helper()
		testkit.Same(t, got, want, what, part)
	}
	kept := []int{}
	for _, d := range got.Kept.ToArray() {
		id := testkit.Must(strconv.Atoi(testkit.Must(c.DocumentIDs())[d]))
		kept = append(kept, id)
	}
	slices.Sort(kept)
	same("F+", sortedNames(got.Positive), slices.Sorted(slices.Values(want.Positive)))
	same("F-", sortedNames(got.Negative), slices.Sorted(slices.Values(want.Negative)))
	same("D_F", kept, append([]int{}, want.Kept...))
	same("D_C", got.Documents, want.Documents)
}

func sortedNames(terms []bestterms.Term) (names []string) {
	for _, b := range terms {
		names = append(names, b.Term)
	}
	slices.Sort(names)
	return names
}

// Every function, rule, scope and count base on random corpora: the engine's result
// is the reference's, and the same for any number of threads.
func TestBestTermsAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 24, Large: 2}.Each(t, bestAgainstNaive)
}

func bestAgainstNaive(t *testing.T, r *rand.Rand, c naive.Corpus) {
	t.Helper()
	corpus, binary := enginetest.CorpusOf(t, c), naive.BinaryOf(c)
	classes := []int{}
	for k := range c.Classes {
		if len(c.Classes) <= 12 || r.IntN(len(c.Classes)) < 6 {
			classes = append(classes, k)
		}
	}
	for _, function := range bestterms.Functions() {
		for _, p := range []float64{0, .25, .5, .75, 1, math.Round(20*r.Float64()) / 20, r.Float64()} {
			o := bestterms.Options{Function: function, P: p, Classes: []string{}}
			for _, k := range classes {
				o.Classes = append(o.Classes, c.Classes[k])
			}
			want := naive.BestTermsOptions{Function: function, P: p, Max: r.IntN(2) == 0, All: r.IntN(2) == 0, Recount: r.IntN(2) == 0}
			if want.Max {
				o.Rule = bestterms.RuleMax
			}
			if want.All {
				o.Scope = bestterms.ScopeAll
			}
			if want.Recount {
				o.Counts = bestterms.CountsReduced
			}
			var results [3]*bestterms.Choice
			for i := range results {
				o.Threads = i + 1
				results[i] = testkit.Must(bestterms.Choose(t.Context(), corpus, o))
			}
			testkit.Same(t, results[0], results[1], o, "threads change the result")
			testkit.Same(t, results[0], results[2], o, "threads change the result")
			entries := 0
			for i, k := range classes {
				n := binary.BestTerms(k, want)
				entries += n.Entries
				compareBest(t, fmt.Sprintf("%+v %s", want, c.Classes[k]), corpus, results[0].Classes[i], naiveBest{
					Positive: termNames(c, n.Positive), Negative: termNames(c, n.Negative), Kept: n.Kept, Documents: int(binary.NC[k]),
				})
			}
			testkit.Equal(t, results[0].Entries, int64(entries), want, "entries, want", entries)
		}
	}
}

func termNames(c naive.Corpus, terms []int) (names []string) {
	for _, t := range terms {
		names = append(names, c.Terms[t])
	}
	return names
}

// The order of a list is that of a ranking, and its numbers are those of the term.
func TestBestTermsLists(t *testing.T) {
	c := enginetest.CorpusOf(t, naive.RandomCorpus(rand.New(rand.NewPCG(5, 5)), naive.Shapes[4]))
	s := enginetest.StatisticsOf(t, c, "")
	byCell := enginetest.ClassValues(t, s, rank.Options{Measure: "chi"})
	for _, class := range bestTerms(t, c, bestterms.Options{}).Classes {
		for _, list := range [][]bestterms.Term{class.Positive, class.Negative} {
			for i, b := range list {
				e := byCell[[2]string{b.Term, class.Class}]
				if b.DF != e.DF || b.A != e.A || b.B != e.B || !testkit.Near(b.Score, e.Value, 1e-14, 0) {
					t.Errorf("%s: %+v, want %+v", class.Class, b, e)
				}
				if i > 0 && b.Score > list[i-1].Score {
					t.Errorf("%s: %+v behind %+v", class.Class, b, list[i-1])
				}
			}
		}
	}
}

// A class of all documents, or of none, has nothing that indicates it.
func TestBestTermsOfNoChoice(t *testing.T) {
	all := naive.Corpus{Terms: []string{"x", "y"}, Classes: []string{"all", "some"}, Docs: []naive.Doc{
		{Labels: []int{0, 1}, Counts: map[int]float64{0: 1}}, {Labels: []int{0}, Counts: map[int]float64{0: 1, 1: 2}},
	}}
	for _, scope := range []string{bestterms.ScopeReduced, bestterms.ScopeAll} {
		for _, counts := range []string{bestterms.CountsTraining, bestterms.CountsReduced} {
			b := bestTerms(t, enginetest.CorpusOf(t, all), bestterms.Options{Scope: scope, Counts: counts})
			if c := b.Classes[0]; len(c.Positive)+len(c.Negative) > 0 || !c.Kept.IsEmpty() || c.Documents != 2 || c.Entries != 3 {
				t.Errorf("%s %s: %+v", scope, counts, c)
			}
		}
	}
}

// One tenth is one tenth: 0.1 as a float64 is more, which would decide equality.
func TestBestTermsEquality(t *testing.T) {
	c := naive.Corpus{Terms: []string{"x", "y"}, Classes: []string{"a", "b"}}
	for d := range 40 {
		doc := naive.Doc{Labels: []int{1}, Counts: map[int]float64{1: 1}}
		if d == 0 {
			doc.Labels = []int{0}
		}
		if d < 10 {
			doc.Counts = map[int]float64{0: 1}
		}
		c.Docs = append(c.Docs, doc)
	}
	corpus := enginetest.CorpusOf(t, c)
	for p, want := range map[float64]int{.1: 1, math.Nextafter(.1, 1): 0, math.Nextafter(.1, 0): 1, 1e-300: 1} {
		o := bestterms.Options{P: p, Rule: bestterms.RuleMax, Classes: []string{"a"}}
		testkit.Equal(t, len(bestTerms(t, corpus, o).Classes[0].Positive), want, "p =", p)
	}
}

func TestBestTermsBadOptions(t *testing.T) {
	c := enginetest.CorpusOf(t, naive.RandomCorpus(rand.New(rand.NewPCG(1, 1)), naive.Shapes[1]))
	for _, o := range []bestterms.Options{
		{P: -.1},
		{P: 1.1},
		{P: math.NaN()},
		{P: math.Inf(1)},
		{RSD: -1},
		{RSD: math.NaN()},
		{Function: "ch"},
		{Function: "gini"},
		{Function: "cf"},
		{Function: "ttest"},
		{Rule: "interp"},
		{Scope: "everything"},
		{Counts: "none"},
		{Classes: []string{"no such class"}},
	} {
		testkit.Is(t, testkit.Err(bestterms.Choose(t.Context(), c, o)), usage.ErrUsage, o)
	}
	var unknown *usage.UnknownError
	if _, err := bestterms.Choose(t.Context(), c, bestterms.Options{Function: "ch"}); !errors.As(err, &unknown) || !slices.Contains(unknown.Near, "chi") {
		t.Errorf("%v names nothing near", err)
	}
	testkit.Equal(t, len(bestTerms(t, c, bestterms.Options{Classes: []string{}}).Classes), 0)
}

// choices returns options with every scope and count base.
func choices(function string, p float64) (out []bestterms.Options) {
	for _, scope := range []string{bestterms.ScopeReduced, bestterms.ScopeAll} {
		for _, counts := range []string{bestterms.CountsTraining, bestterms.CountsReduced} {
			out = append(out, bestterms.Options{Function: function, P: p, Scope: scope, Counts: counts})
		}
	}
	return out
}

func TestBestTermsOfExtremeClasses(t *testing.T) {
	doc := func(labels []int, terms ...int) naive.Doc {
		d := naive.Doc{Labels: labels, Counts: map[int]float64{}}
		for _, t := range terms {
			d.Counts[t] = 1
		}
		return d
	}
	terms := []string{"x", "y", "z"}
	type want struct {
		positive, negative []string
		kept, documents    int
	}
	for _, shape := range []struct {
		name    string
		classes []string
		docs    []naive.Doc
		want    []want
	}{
		{"one document in all", []string{"a"}, []naive.Doc{doc([]int{0}, 0, 1)}, []want{{documents: 1}}},
		{
			"one document in a class",
			[]string{"a", "b"},
			[]naive.Doc{doc([]int{0}, 0, 2), doc([]int{1}, 1, 2), doc([]int{1}, 1)},
			[]want{{[]string{"x"}, nil, 1, 1}, {[]string{"y"}, nil, 2, 2}},
		},
		{
			"every document in a class",
			[]string{"all", "some"},
			[]naive.Doc{doc([]int{0, 1}, 0), doc([]int{0}, 1), doc([]int{0}, 1, 2)},
			[]want{{documents: 3}, {[]string{"x"}, nil, 1, 1}},
		},
		{
			"documents without a label are outside all classes",
			[]string{"a", "b"},
			[]naive.Doc{doc([]int{0}, 0), doc([]int{1}, 1), doc(nil, 0, 2), doc(nil, 2)},
			[]want{{[]string{"x"}, []string{"z"}, 2, 1}, {[]string{"y"}, nil, 1, 1}},
		},
		{
			"a document counts in each of its classes",
			[]string{"a", "b"},
			[]naive.Doc{doc([]int{0, 1}, 0), doc([]int{0}, 0, 1), doc([]int{1}, 2), doc(nil, 1)},
			[]want{{[]string{"x"}, nil, 2, 2}, {[]string{"z"}, nil, 1, 2}},
		},
		{
			"documents without a term",
			[]string{"a", "b"},
			[]naive.Doc{doc([]int{0}), doc([]int{1}, 1), doc(nil)},
			[]want{{documents: 1}, {[]string{"y"}, nil, 1, 1}},
		},
	} {
		c := enginetest.CorpusOf(t, naive.Corpus{Terms: terms, Classes: shape.classes, Docs: shape.docs})
		for _, o := range choices("chi", 0) {
			for i, got := range bestTerms(t, c, o).Classes {
				w := shape.want[i]
				if o.Scope == bestterms.ScopeAll { // there are more of them then
					w.negative = sortedNames(got.Negative)
				}
				if !reflect.DeepEqual(sortedNames(got.Positive), w.positive) || !reflect.DeepEqual(sortedNames(got.Negative), w.negative) ||
					got.KeptDocuments != w.kept || int(got.Kept.GetCardinality()) != w.kept || got.Documents != w.documents {
					t.Errorf("%s, class %s, %+v: %+v instead of %+v", shape.name, got.Class, o, got, w)
				}
			}
		}
	}
}

// An index may know a class that none of its documents has.
func TestBestTermsOfAnEmptyClass(t *testing.T) {
	c := enginetest.CorpusOfSource(t, postings.Source{
		IDs: []string{"1", "2"}, Classes: []string{"a", "nobody"}, LabelStart: []uint32{0, 1, 1}, Labels: []uint32{0},
		Names:   []string{"x", "y"},
		Columns: postings.Columns{DocStart: []uint64{0, 1, 2}, Terms: []uint32{0, 1}, Counts: []uint32{1, 1}},
	})
	for _, function := range bestterms.Functions() {
		for _, o := range choices(function, .5) {
			b := bestTerms(t, c, o)
			if e := b.Classes[1]; e.Class != "nobody" || e.Documents != 0 || len(e.Positive)+len(e.Negative) > 0 || !e.Kept.IsEmpty() {
				t.Errorf("%+v: %+v", o, e)
			}
			testkit.Same(t, sortedNames(b.Classes[0].Positive), []string{"x"}, o)
		}
	}
}

func TestBestTermsClassNamedTwice(t *testing.T) {
	c := enginetest.CorpusOf(t, naive.Corpus{Terms: []string{"x"}, Classes: []string{"a"}, Docs: []naive.Doc{{Labels: []int{0}, Counts: map[int]float64{0: 1}}}})
	testkit.Is(t, testkit.Err(bestterms.Choose(t.Context(), c, bestterms.Options{Classes: []string{"a", "a"}})),
		usage.ErrUsage)
}

// One class of many documents is left at once when the context ends: within a pass
// over them as well.
func TestBestTermsCancelledWithinAClass(t *testing.T) {
	const documents = 5000
	c := enginetest.CorpusFrom(t, func(d int) document.Document {
		doc := document.Document{Features: []document.Feature{{Term: "t" + strconv.Itoa(d%7), Value: 1}, {Term: "all", Value: 1}}}
		if d%3 > 0 || d%7 == 1 {
			doc.Labels = []string{"a"}
		}
		return doc
	}, documents)
	for _, counts := range []string{bestterms.CountsTraining, bestterms.CountsReduced} {
		o := bestterms.Options{Scope: bestterms.ScopeAll, Counts: counts, Threads: 1}
		for checks := 0; ; checks++ {
			b, err := bestterms.Choose(faults.NewCountdown(t, checks), c, o)
			if err == nil {
				if checks < 2*documents/256 {
					t.Errorf("%s: %d looks at the context", counts, checks)
				}
				break
			}
			if !errors.Is(err, faults.ErrStop) || b != nil {
				t.Fatalf("%s, stopped at check %d: %v, error %v", counts, checks, b, err)
			}
		}
	}
}

func TestBestTermsCancelled(t *testing.T) {
	c := enginetest.CorpusOf(t, naive.RandomCorpus(rand.New(rand.NewPCG(1, 1)), naive.Shapes[1]))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, testkit.Err(bestterms.Choose(ctx, c, bestterms.Options{})), context.Canceled)
}
