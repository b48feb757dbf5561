package collocation_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/cases"
	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/collocation"
)

// naiveNames are the names of the measures in the reference.
var naiveNames = map[collocation.Measure]string{collocation.DeltaP21: "deltap_21", collocation.DeltaP12: "deltap_12"}

// Random corpora of few words have the counts and values of the reference, n-gram by n-gram, in the whole
// and in each class, for every length and both marginals, best first.
func TestRandomCorpora(t *testing.T) {
	for round, r := range cases.Each(t, 60) {
		var texts []string
		for range 1 + r.IntN(12) {
			var words []string
			for range r.IntN(30) {
				words = append(words, fmt.Sprintf("w%c", 'a'+int(r.ExpFloat64()*2)%(1+round%9)))
			}
			texts = append(texts, strings.Join(words, " "))
		}
		if strings.Join(texts, "") == "" {
			continue // there is nothing to count
		}
		table := count(t, documents(texts, "a", "b", ""), "1-4")
		for _, o := range []collocation.Options{
			{},
			{Least: 3},
			{Least: 2, Most: 4, Measure: collocation.PMI},
			{Marginals: collocation.Words, Measure: collocation.LogDice},
			{Choice: collocation.Choice{EachClass: true}, Measure: collocation.LambdaZ, Least: 2, Most: 3},
			{Choice: collocation.Choice{Class: "a"}, Parameters: collocation.Parameters{Yates: true}, Measure: collocation.Chi2},
			{Choice: collocation.Choice{Top: 3}, Measure: collocation.T, Least: 4},
		} {
			o.MinFreq = 1 + r.IntN(3)
			if o.Class != "" && len(texts) < 2 || o.EachClass && len(texts) < 2 {
				continue
			}
			lists, err := collocation.Find(t.Context(), collocation.OfTable(table), o)
			if err != nil && !errors.Is(err, collocation.ErrNone) {
				t.Fatalf("%+v: %v", o, err)
			}
			for _, l := range lists {
				compareWithNaive(t, texts, o, l)
			}
		}
	}
}

// compareWithNaive compares a list with the reference.
func compareWithNaive(t *testing.T, texts []string, o collocation.Options, l collocation.List) {
	t.Helper()
	if l.Class != "" {
		var own []string
		for i, text := range texts {
			if i%3 == slices.Index([]string{"a", "b"}, l.Class) {
				own = append(own, text)
			}
		}
		texts = own
	}
	all, passing := naive.Grams(texts, l.Words), map[string]naive.Collocation{}
	for _, gram := range all {
		term := strings.Join(gram, " ")
		if _, done := passing[term]; done {
			continue
		}
		c := naive.Collocate(gram, all)
		if o.Marginals == collocation.Words {
			c = naive.CollocateWords(gram, texts)
		}
		if int(c.O) >= o.MinFreq {
			passing[term] = c
		}
	}
	if l.Passed != len(passing) || o.Top == 0 && len(l.Collocations) != len(passing) || o.Top > 0 && len(l.Collocations) != min(o.Top, len(passing)) {
		t.Fatalf("%+v, %d words of %q: %d passed and %d listed of %d", o, l.Words, l.Class, l.Passed, len(l.Collocations), len(passing))
	}
	for i := range l.Collocations {
		got, c := &l.Collocations[i], passing[l.Collocations[i].Term]
		want := c.Measures()
		for _, m := range collocation.Measures() {
			name := cmp.Or(naiveNames[m], string(m))
			if m == collocation.Chi2 && o.Yates {
				name = "chi2_yates"
			}
			if v := got.Of(m); math.IsNaN(v) != math.IsNaN(want[name]) || !math.IsNaN(v) && !testkit.Near(v, want[name], 1e-12, 1e-12) {
				t.Errorf("%+v, %q in %q: %s is %v, want %v", o, got.Term, l.Class, m, v, want[name])
			}
		}
		if i > 0 {
			inOrder(t, &l.Collocations[i-1], got)
		}
	}
}

// inOrder checks that of two collocations the first is the better one.
func inOrder(t *testing.T, a, b *collocation.Collocation) {
	t.Helper()
	switch {
	case math.IsNaN(b.Value) && !math.IsNaN(a.Value), a.Value > b.Value:
		return
	case a.Value == b.Value || math.IsNaN(a.Value) && math.IsNaN(b.Value):
		if a.Frequency > b.Frequency || a.Frequency == b.Frequency && a.Term < b.Term {
			return
		}
	}
	t.Errorf("%+v before %+v", a, b)
}
