package analysis

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// Pairs lie within sentences; what ends one is said by Unicode, but for single line breaks.
func TestSentences(t *testing.T) {
	for _, c := range []struct{ text, pairs string }{
		{"One two. Three four! Five six? seven", "one two,three four,five six"},
		{"It is 3.5 metres. The end", "it is,is metres,the end"}, // 3 and 5 are too short for words
		{"He said \"go home.\" They went", "he said,said go,go home,they went"},
		{"no end here\nof the line", "no end,end here,here of,of the,the line"},
		{"a title of it\n\nand text", "title of,of it,and text"},
		{"a title of it\r\n  \r\nand text", "title of,of it,and text"},
		{"one line\r\nmore of it", "one line,line more,more of,of it"},
		{"bytes \xff that are. Not text", "bytes that,that are,not text"},
		{"第一 句。 第二 句", ""},
		{"", ""},
	} {
		a := testkit.Must(New(Options{NGrams: "2", Sentences: true}))
		if got := strings.Join(a.Terms([]byte(c.text)), ","); c.pairs != "" && got != c.pairs {
			t.Errorf("%q: %s, want %s", c.text, got, c.pairs)
		}
	}
	for _, tokens := range []string{"char", "char_wb"} {
		if _, err := New(Options{Tokens: tokens, NGrams: "2-3", Sentences: true}); !errors.Is(err, usage.ErrUsage) {
			t.Errorf("sentences of %s: %v", tokens, err)
		}
	}
}

// Without n-grams the words of a text are the same with sentences and without.
func TestSentencesKeepWords(t *testing.T) {
	for _, text := range []string{"Mr. Smith's e.g. 3.14, ΟΔΟΣ. ΑΣ\nx", "a.b.c.D. \u2029 e\u0301t\u00e9!\x80 ende?No", "don't stop... 中文。日本"} {
		for _, tokens := range []string{"words", "letters", "unicode", "zh-bigrams", `pattern:\w+`} {
			plain := testkit.Must(New(Options{Tokens: tokens}))
			cut := testkit.Must(New(Options{Tokens: tokens, Sentences: true}))
			if got, want := cut.Terms([]byte(text)), plain.Terms([]byte(text)); !slices.Equal(got, want) {
				t.Errorf("%s of %q: %q, want %q", tokens, text, got, want)
			}
		}
	}
}

// Parts are those of a Locator, which knows no sentences.
func TestSentencesOfPart(t *testing.T) {
	a := testkit.Must(New(Options{Sentences: true}))
	c, parts := a.NewCounter(), 0
	c.EachPart([]byte("one two. Three four"), func(terms []uint32) {
		if parts++; len(terms) != 4 {
			t.Errorf("%d terms", len(terms))
		}
	})
	if parts != 1 {
		t.Errorf("%d parts", parts)
	}
}
