package analysis

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// located returns the words of the tokens of a text.
func located(a *Analyzer, l *Locator, text []byte) (words []string) {
	l.EachPart(text, func(part []byte, tokens []Token) {
		for _, t := range tokens {
			words = append(words, t.Word)
			if got := a.Terms(part[t.From:t.To]); !a.changesCharacters() && (len(got) != 1 || strings.ReplaceAll(got[0], "σ", "ς") != strings.ReplaceAll(t.Word, "σ", "ς")) { // by its neighbours
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
		"İ", "a_b", "１２", "𠀀", "カナ", "한국어", "ไทย", "😀", "\u200d", ",", "1,000", "𐐀", "\ufffd", "\r\n", "Σ", "ℂ", "\u2c2f", "\U0001E4D0", "\uffff", "ﬁ", "한", "\x00", "  ", "1a", strings.Repeat("long", 70),
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, tokens := range append(Tokenizers(), `pattern:\w+'?`, `pattern:\b[a-z]{2,}\b`, `pattern:(\d)?\w`) {
		for _, o := range []Options{
			{},
			{Stop: "glasgow", Stem: "porter2"},
			{Headers: "none"},
			{Headers: "subject"},
			{StripAccents: "unicode"},
			{StripAccents: "ascii", Stop: "english"},
			{KeepCase: true, Stop: "english"},
			{FullCase: true},
			{Unicode: "13.0"},
			{KeepCase: true, StripAccents: "unicode", Unicode: "14.0"},
			{NGrams: "2-3"},
		} {
			o.Tokens = tokens
			if tokenizer := must(Options{Tokens: tokens}).tokens; tokenizer.ofCharacters() && (o.Stop != "" || o.Stem != "") || o.NGrams != "" && !tokenizer.ofCharacters() {
				continue
			}
			a := testkit.Must(New(o))
			l := a.NewLocator()
			for range 80 {
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

// What a token comes from stands at its place, whatever became of its characters.
func TestPlacesOfTokens(t *testing.T) {
	for _, c := range []struct {
		o          Options
		text, want string
	}{
		{Options{StripAccents: "unicode"}, "der ÉCOLE, İ ﬁne 한국", "der ÉCOLE ﬁne 한국"},
		{Options{StripAccents: "ascii"}, "xéy Ünder Straße", "xéy Ünder Straße"},
		{Options{Tokens: "char_wb", NGrams: "3"}, "Ab  é\n", "Ab|Ab|é"},
		{Options{Tokens: "char", NGrams: "3"}, "a \n\tbc", "a \n\tb| \n\tbc"},
		{Options{Tokens: `pattern:#(\w+)`, StripAccents: "unicode"}, "#Été #b", "Été|b"},
		{Options{Tokens: `pattern:#(\w+)?`}, "a# #b", "|b"},
		{Options{FullCase: true}, "İstanbul", "stanbul"},
	} {
		var got []string
		must(c.o).NewLocator().EachPart([]byte(c.text), func(part []byte, tokens []Token) {
			for _, token := range tokens {
				got = append(got, string(part[token.From:token.To]))
			}
		})
		separator := "|"
		if !strings.Contains(c.want, "|") {
			separator = " "
		}
		if strings.Join(got, separator) != c.want {
			t.Errorf("%+v: %q, want %q", c.o, got, c.want)
		}
	}
}
