package rank_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// The tests below fix what becomes of corpora of an extreme shape. naive.Shapes has
// more of them, compared value by value.

// termsOf lists the terms of entries with their values.
func termsOf(entries []rank.Entry) string {
	var list []string
	for _, e := range entries {
		list = append(list, fmt.Sprintf("%s=%.6g", e.Term, e.Value))
	}
	return strings.Join(list, " ")
}

// topOf gives the best terms by a measure.
func topOf(t *testing.T, c *corpus.Corpus, by string, k int) string {
	r := testkit.Must(rank.Several(t.Context(), c, rank.Options{Measure: rank.Measure(by)}))
	return termsOf(r[0].Top(k))
}

// Equal values come in the order of df, then of the terms' bytes, for every k.
func TestTiesAreInOrder(t *testing.T) {
	c := enginetest.Build(t, "a:bb cc aa", "a:bb", "b:dd ee", "b:ee")
	testkit.Equal(t, topOf(t, c, "cf", 9), "bb=2 ee=2 aa=1 cc=1 dd=1")
	for k := range 6 {
		testkit.Equal(t, topOf(t, c, "cf", k),
			strings.Join(strings.Fields("bb=2 ee=2 aa=1 cc=1 dd=1")[:min(k, 5)], " "), "the first", k)
	}
}

// A k of 0 is no selection, one above the terms is all of them with a warning.
func TestExtremeK(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "b:three")
	for k, want := range map[int]int{-1: 0, 0: 0, 1: 1, 3: 3, 4: 3, math.MaxInt: 3} {
		s, err := selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(k)})
		switch {
		case k <= 0 && !errors.Is(err, usage.ErrUsage):
			t.Errorf("k = %d: %v", k, err)
		case k > 0 && (err != nil || len(s.Features) != want || (len(s.Warnings) > 0) != (k > 3)):
			t.Errorf("k = %d: %+v, %v", k, s, err)
		}
	}
}

// No documents, no labels and no terms are errors of three kinds of words.
func TestShapesOfNothing(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		opt   corpus.Options
		want  error
		text  string
	}{
		"no documents":     {nil, corpus.Options{}, ingest.ErrEmpty, ""},
		"no labels":        {[]string{":one", ":two"}, corpus.Options{}, ingest.ErrNoLabels, "none of the 2 documents says its class"},
		"no terms":         {[]string{"a:", "b:!"}, corpus.Options{}, ingest.ErrEmpty, "none of the 2 documents has a term"},
		"no terms, min-df": {[]string{"a:one", "b:two"}, corpus.Options{MinDF: 2}, ingest.ErrEmpty, "none of the 2 documents has a term within the bounds"},
		"no terms, max-df": {[]string{"a:one", "b:one"}, corpus.Options{MaxDF: .5}, ingest.ErrEmpty, "none of the 2 documents has a term within the bounds"},
	} {
		_, err := corpus.Build(t.Context(), enginetest.Texts(c.lines...), c.opt)
		testkit.Refused(t, err, c.want, c.text, name)
	}
}

// A term of no document cannot be asked for, and one with a value of 0 is none.
func TestTermInNoDocument(t *testing.T) {
	c, err := corpus.Build(t.Context(), func(yield func(document.Document, error) bool) {
		_ = yield(document.Document{ID: "1", Labels: []string{"a"}, Features: []document.Feature{{Term: "one", Value: 1}}}, nil) &&
			yield(document.Document{ID: "2", Labels: []string{"b"}, Features: []document.Feature{}}, nil)
	}, corpus.Options{})
	if err != nil || c.Terms() != 1 || testkit.Must(c.Info(t.Context())).EmptyDocuments != 1 {
		t.Fatalf("%+v, %v", testkit.Must(c.Info(t.Context())), err)
	}
	var unknown *usage.UnknownError
	if _, err := enginetest.StatisticsOf(t, c, "").Lookup("two"); !errors.As(err, &unknown) {
		t.Errorf("got %v", err)
	}
}

// Of 2^40 documents the products of counts are beyond 2^63 and beyond what a
// float64 holds exactly. Chi-square and its sign must not notice.
func TestProductsBeyondInt64(t *testing.T) {
	m, _, ok := score.NewRegistry(score.Options{}).Lookup("chi")
	testkit.Equal(testkit.Stop(t), ok, true, "no chi")
	const n, half = int64(1) << 40, int64(1) << 39
	for _, c := range []struct{ df, nc, a int64 }{
		{half, half, half},         // A·D = 2^78
		{half, half, half / 2},     // independent: exactly 0
		{half, half, half/2 + 1},   // as little above it as can be
		{half, half, half/2 - 1},   // below
		{1, half, 1},               //
		{half + 1, half - 1, 1234}, //
		{n - 1, n - 1, n - 2},      //
		{n/3 + 1, n / 7, n / 21},   // the rounded products are equal, the exact ones not
	} {
		table := score.Table{N: float64(n), DF: float64(c.df), NC: float64(c.nc), A: float64(c.a)}
		testkit.Close(t, m.Class(&table), exactChi(n, c.df, c.nc, c.a), 1e-12, 0, c)
	}
}

// exactChi is chi-square by whole numbers of any size.
func exactChi(n, df, nc, a int64) float64 {
	number := func(x int64) *big.Int { return big.NewInt(x) }
	product := func(factors ...*big.Int) *big.Int {
		p := number(1)
		for _, f := range factors {
			p.Mul(p, f)
		}
		return p
	}
	gap := new(big.Int).Sub(product(number(n), number(a)), product(number(df), number(nc)))
	value, _ := new(big.Rat).SetFrac(
		product(number(n), gap, gap), product(number(df), number(n-df), number(nc), number(n-nc)),
	).Float64()
	return value
}

// generated makes a corpus of a known shape without going through text.
func generated(t *testing.T, p workload.Params) *corpus.Corpus {
	t.Helper()
	src := testkit.Must(workload.Generate(t.Context(), p, 2))
	return enginetest.CorpusOfSource(t, src)
}

// A hundred thousand classes cost memory in proportion to what there is of
// postings, documents, terms and classes: nothing has a place for each term in
// each class, not even a bit, nor for each class in each chunk of terms.
func TestManyClassesTakeLittleMemory(t *testing.T) {
	for _, p := range []workload.Params{
		{Name: "one label", Documents: 200_000, Tokens: 12, Terms: 400_000, Classes: 100_000, Seed: 3},
		{Name: "several labels", Documents: 60_000, Tokens: 12, Terms: 400_000, Classes: 100_000, Labels: 1.9, Seed: 4},
	} {
		if !testkit.AllCases() {
			p.Documents /= 4
		}
		c := generated(t, p)
		info := testkit.Must(c.Info(t.Context()))
		bound := 64*(info.Postings+int64(info.Documents)+int64(info.Terms)) + 1024*int64(info.Classes)
		for _, o := range []rank.Options{{Measure: "chi"}, {Measure: "chi", Combine: "avg"}, {Measure: "ig"}, {Measure: "chitf"}, {Measure: "ttest"}} {
			o.Threads = 2
			bytes := enginetest.Allocated(func() { rankOnce(t, c, o) })
			if bytes > bound {
				t.Errorf("%s: %s %s takes %d bytes, more than %d", p.Name, o.Measure, o.Combine, bytes, bound)
			}
			t.Logf("%s: %s %s: %d MB; %d terms and %d classes", p.Name, o.Measure, o.Combine, bytes>>20, info.Terms, info.Classes)
		}
	}
}

// rankOnce scores the terms; the best one must be better than nothing.
func rankOnce(t *testing.T, c *corpus.Corpus, o rank.Options) {
	t.Helper()
	r := testkit.Must(rank.Several(t.Context(), c, o))
	if best := r[0].Top(1)[0]; !(best.Value > 0) {
		t.Errorf("%s: the best term is %+v", o.Measure, best)
	}
}
