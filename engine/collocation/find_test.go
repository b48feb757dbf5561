package collocation_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/collocation"
	"github.com/termsift/termsift/engine/usage"
)

// Requests that make no sense, and counts that do not have what is asked for, are errors that say what
// to do.
func TestErrors(t *testing.T) {
	texts := []string{"new york is big", "new york is far", "one"}
	pairs := count(t, documents(texts, "a", "b"), "1-2")
	for _, c := range []struct {
		ngrams string
		o      collocation.Options
		kind   error
		want   string
	}{
		{"1-2", collocation.Options{Measure: "mi"}, usage.ErrUsage, `unknown measure of collocation "mi"`},
		{"1-2", collocation.Options{Least: 1}, usage.ErrUsage, "from 2 to 5 words, not 1 to 1"},
		{"1-2", collocation.Options{Least: 2, Most: 6}, usage.ErrUsage, "not 2 to 6"},
		{"1-2", collocation.Options{Marginals: "all"}, usage.ErrUsage, `unknown marginals "all"`},
		{"1-3", collocation.Options{Least: 2, Most: 3, Marginals: collocation.Words}, usage.ErrUsage, "those of pairs"},
		{"1-3", collocation.Options{Least: 2, Most: 3, Measure: collocation.Z}, usage.ErrUsage, "z is defined for pairs alone: rank n-grams of 3 words by ll, pmi, npmi, mi3, t, dice, lambda, lambda_z"},
		{"1-2", collocation.Options{Choice: collocation.Choice{MinFreq: -1}}, usage.ErrUsage, "must not be negative"},
		{"1-2", collocation.Options{Parameters: collocation.Parameters{Base: 1}}, usage.ErrUsage, "above 1, not 1"},
		{"1-2", collocation.Options{Choice: collocation.Choice{Class: "c"}}, usage.ErrUsage, `unknown class "c"`},
		{"1-2", collocation.Options{Choice: collocation.Choice{Class: "a", EachClass: true}}, usage.ErrUsage, "either one class or each"},
		{"1-2", collocation.Options{Choice: collocation.Choice{WithoutList: "englsh"}}, usage.ErrUsage, "unknown stop list"},
		{"", collocation.Options{}, usage.ErrData, "the terms are single words, and collocations of 2 words are asked for: count them with --ngrams 2"},
		{"1-2", collocation.Options{Least: 2, Most: 3}, usage.ErrData, "the terms are n-grams of 1 to 2 words, and collocations of 2-3 words are asked for: count them with --ngrams 2-3"},
		{"2", collocation.Options{Marginals: collocation.Words}, usage.ErrData, "the terms are n-grams of 2 words, and marginals of words need words and pairs: count them with --ngrams 1-2"},
		{"1-2", collocation.Options{}, collocation.ErrNone, "no n-gram occurs 5 times, the most frequent 2 times: lower the least frequency (--min-freq 2)"},
		{"1-2", collocation.Options{Choice: collocation.Choice{Class: "a", MinFreq: 2}}, collocation.ErrNone, `no n-gram of class "a" occurs 2 times, the most frequent 1 times`},
		{"1-5", collocation.Options{Choice: collocation.Choice{MinFreq: 1}, Least: 5}, collocation.ErrNone, "no document has 5 words in a row"},
		{"2", collocation.Options{Choice: collocation.Choice{MinFreq: 1, Without: []string{"York", "is"}}}, collocation.ErrNone, "has a word that was left out"},
	} {
		counted := pairs
		if c.ngrams != "1-2" {
			counted = count(t, documents(texts, "a", "b"), c.ngrams)
		}
		_, err := collocation.Find(t.Context(), collocation.OfTable(counted), c.o)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %+v: %v", c.ngrams, c.o, err)
		}
	}
	if _, err := collocation.Find(t.Context(), collocation.OfTable(nil), collocation.Options{}); !errors.Is(err, usage.ErrUsage) {
		t.Errorf("nil statistics: %v", err)
	}
	rare := testkit.Must(pairs.WithoutRare(2))
	if _, err := collocation.Find(t.Context(), collocation.OfTable(rare), collocation.Options{Choice: collocation.Choice{MinFreq: 1}}); !errors.Is(err, usage.ErrData) {
		t.Errorf("statistics without rare terms: %v", err)
	}
}
