package analysis

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// plainPhrases takes phrases for words, from the left, the longest first.
func plainPhrases(words []string, phrases Phrases) (left []string) {
	for at := 0; at < len(words); {
		n := len(words) - at
		for ; n > 1 && !slices.Contains(phrases, strings.Join(words[at:at+n], " ")); n-- {
		}
		left = append(left, strings.Join(words[at:at+n], "_"))
		at += n
	}
	return left
}

// The words of an analyzer without phrases, joined, are the definition.
func TestPhrasesOfRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(40, 5))
	for round := range rounds(60) {
		opt := Options{Tokens: []string{"words", "letters", "unicode", `pattern:\w+`}[round%4], Stop: []string{"none", "smart"}[round%2], Stem: []string{"none", "porter2"}[round/2%2]}
		plain := must(opt)
		texts := make([][]byte, 4)
		var words []string
		for i := range texts {
			texts[i] = wordyText(r, r.IntN(80))
			words = append(words, plain.Terms(texts[i])...)
		}
		opt.Phrases = randomPhrases(r, words)
		for _, grams := range []string{"1", "1-2", "2", "3"} {
			opt.NGrams = grams
			a := must(opt)
			c := a.NewCounter()
			least, most := a.grams.least, a.grams.most
			for _, text := range texts {
				left := plainPhrases(plain.Terms(text), opt.Phrases)
				checkGrams(t, c, text, plainGrams(left, least, most))
				checkPlaces(t, a, text, left)
			}
			checkNames(t, c)
			clone := c.Clone()
			text := wordyText(r, 50)
			testkit.Equal(testkit.Stop(t), fmt.Sprint(clone.Count(text, nil)), fmt.Sprint(c.Count(text, nil)),
				"a clone counts")
		}
	}
}

// randomPhrases returns phrases that are in words.
func randomPhrases(r *rand.Rand, words []string) (p Phrases) {
	for range min(len(words)/2, 20) {
		at := r.IntN(len(words))
		if n := min(2+r.IntN(3), len(words)-at); n > 1 {
			p = append(p, strings.Join(words[at:at+n], " "))
		}
	}
	return p
}

// checkPlaces checks that a locator finds the same words, each where the words of a phrase stand.
func checkPlaces(t *testing.T, a *Analyzer, text []byte, want []string) {
	t.Helper()
	var words []string
	end := 0
	a.NewLocator().EachPart(text, func(_ []byte, tokens []Token) {
		for _, token := range tokens {
			if token.From < end || token.To <= token.From {
				t.Fatalf("%+v begins before %d", token, end)
			}
			words, end = append(words, token.Word), token.To
		}
	})
	testkit.EqualSlices(testkit.Stop(t), words, want, "a locator finds")
}

func TestPhrases(t *testing.T) {
	a := must(Options{Phrases: Phrases{"new york", "bank of america", "york times", "new york times"}})
	for text, want := range map[string]string{
		"New York, the bank of America":    "new_york the bank_of_america",
		"the New York Times; York Times":   "the new_york_times york_times",
		"new_york times":                   "new_york times",
		"new new york york bank of amerca": "new new_york york bank of amerca",
		"":                                 "",
	} {
		testkit.Equal(t, strings.Join(a.Terms([]byte(text)), " "), want, text)
	}
	c := a.NewCounter()
	c.Count([]byte("New York and new_york"), nil)
	testkit.Equal(t, c.Len(), 2, c.Names())
	for term, known := range map[string]bool{"new_york": true, "and": true, "york": false, "new": false, "york_times": false} {
		testkit.Equal(t, slices.Contains(c.Names(), term), known, term, c.Names())
	}
}

// The order of phrases and repeated ones make no difference.
func TestPhrasesInOneOrder(t *testing.T) {
	a := must(Options{Phrases: Phrases{"c d", "a b", "c d"}})
	b := must(Options{Phrases: Phrases{"a b", "c d"}})
	testkit.Equal(t, fmt.Sprintf("%q", a.Options().Phrases), fmt.Sprintf("%q", b.Options().Phrases))
	if a.Options().Phrases.String() != b.Options().Phrases.String() || a.Options().Phrases.String() == (Phrases{"a b", "c e"}).String() {
		t.Errorf("%v", a.Options().Phrases)
	}
	if must(Options{Phrases: Phrases{}}).Options().Phrases != nil {
		t.Error("no phrases are some")
	}
}

// Lists of passes, which phrases were when they were learnt, are refused with what to do.
func TestPhrasesOfPasses(t *testing.T) {
	var opt Options
	if err := json.Unmarshal([]byte(`{"phrases":["new york"]}`), &opt); err != nil || !slices.Equal(opt.Phrases, Phrases{"new york"}) {
		t.Errorf("%q, %v", opt.Phrases, err)
	}
	testkit.Says(t, json.Unmarshal([]byte(`{"phrases":[["new york"],["new_york times"]]}`), &opt),
		"went in 0.2.0: count again")
}

func TestWrongPhrases(t *testing.T) {
	for _, opt := range []Options{
		{Phrases: Phrases{"one"}},
		{Phrases: Phrases{""}},
		{Phrases: Phrases{"a  b"}},
		{Phrases: Phrases{" a b"}},
		{Tokens: "char", Phrases: Phrases{"a b"}},
		{Tokens: "char_wb", Phrases: Phrases{"a b"}},
		{Tokens: "zh-bigrams", Phrases: Phrases{"a b"}},
		{Tokens: "pattern:[a-z ]+", Phrases: Phrases{"a b"}},
	} {
		if _, err := New(opt); err == nil {
			t.Errorf("%+v is taken", opt)
		} else if !errors.Is(err, usage.ErrUsage) && !strings.Contains(err.Error(), "spaces") {
			t.Errorf("%+v: %v", opt, err)
		}
	}
}
