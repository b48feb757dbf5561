package analysis

import (
	"fmt"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A clone counts as its counter would have, and neither hears of the other. Terms are spelled by their words.
func TestClones(t *testing.T) {
	first := []string{"The cat of the hat, the café", "中文 is 中国人 text", "ab abab a\x00b \x00 averyveryverylongword averyveryverylongword"}
	second := []string{"the hat of 中文 cat", "new words, the café: averyveryverylongword and anotherverylongword", "a\x00b"}
	for _, tokens := range Tokenizers() {
		for _, ngrams := range []string{"1", "2", "1-3"} {
			if tokens == "zh-bigrams" && ngrams != "1" {
				continue
			}
			a := must(Options{Tokens: tokens, NGrams: ngrams})
			what := fmt.Sprint(tokens, " ", ngrams)
			counter, alone := a.NewCounter(), a.NewCounter()
			for _, text := range first {
				counter.Count([]byte(text), nil)
				alone.Count([]byte(text), nil)
			}
			counter.Add("added term")
			alone.Add("added term")
			clone := counter.Clone()
			for _, text := range append(second, first...) {
				want := alone.Count([]byte(text), nil)
				testkit.EqualSlices(t, clone.Count([]byte(text), nil), want, what, "a clone counts", text)
			}
			if counter.Len() >= clone.Len() {
				t.Errorf("%s: the counter has %d terms, and its clone %d", what, counter.Len(), clone.Len())
			}
			testkit.EqualSlices(t, clone.Names(), alone.Names(), what, "terms")
			for text := range slices.Values(second) {
				testkit.Equal(t, len(counter.Count([]byte(text), nil)), len(clone.Count([]byte(text), nil)), what,
					"and", "terms of", text)
			}
			checkSpelling(t, what, clone)
		}
	}
}

func checkSpelling(t *testing.T, what string, c *Counter) {
	t.Helper()
	for id, name := range c.Names() {
		testkit.Equal(t, string(c.AppendTerm([]byte("x"), uint32(id))), "x"+name, what, "term", id, "is appended as",
			"want", name)
	}
}
