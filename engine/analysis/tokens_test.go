package analysis

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// located returns the words of the tokens of a text.
func located(a *Analyzer, l *Locator, text []byte) (words []string) {
	l.EachPart(text, func(part []byte, tokens []Token) {
		for _, t := range tokens {
			words = append(words, t.Word)
			if got := a.Terms(part[t.From:t.To]); len(got) != 1 || strings.ReplaceAll(got[0], "σ", "ς") != strings.ReplaceAll(t.Word, "σ", "ς") { // by its neighbours
				words = append(words, fmt.Sprintf("%q is at the place of %q", part[t.From:t.To], t.Word))
			}
		}
	})
	return words
}

// Tokens are the terms of a counter in the same order, whatever the text.
func TestLocatorFindsTheTermsOfCounters(t *testing.T) {
	pieces := []string{
		"the", "Running", " ", "\n", "\t", "x", "don't", "3.14", "汉字", "中", "文", "Ａｂｃ", "é", "e\u0301", "\xff", "\xe4\xb8", "_", "-", ".", "'", "\u00a0", "\uff9e", "\u202f1", "ß",
		"İ", "a_b", "１２", "𠀀", "カナ", "한국어", "ไทย", "😀", "\u200d", ",", "1,000", "𐐀", "\ufffd", "\r\n", "Σ", strings.Repeat("long", 70),
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, tokens := range Tokenizers()[:4] {
		for _, o := range []Options{{}, {Stop: "glasgow", Stem: "porter2"}, {Headers: "none"}, {Headers: "subject"}} {
			o.Tokens = tokens
			a, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			l := a.NewLocator()
			for range 200 {
				var b strings.Builder
				if r.IntN(3) == 0 {
					b.WriteString("Subject: Re: the running 汉字\nFrom: somebody\n\n")
				}
				for range r.IntN(40) {
					b.WriteString(pieces[r.IntN(len(pieces))])
				}
				text := []byte(b.String())
				if got, want := located(a, l, text), a.Terms(text); !slices.Equal(got, want) {
					t.Fatalf("%+v: %q has\n%q, the counter\n%q", o, text, got, want)
				}
			}
		}
	}
}
