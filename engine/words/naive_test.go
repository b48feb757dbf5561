package words_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/words"
)

// This file compares the finder with a naive one: regular expressions over the tokens of a document.

// A naivePattern is a pattern with an expression for each word.
type naivePattern struct {
	typed string
	words []*regexp.Regexp
}

// A naiveText is a document with its tokens.
type naiveText struct {
	part   []byte
	tokens []analysis.Token
}

var naivePieces = []string{
	"the", "Running", "runs", "moon", "MOON", "moons", "moonlight", "don't", "3.14", "汉字", "中", "文字", "é", "Café", "cafe", "_", "ß", "İ", "１２", "𠀀", "ΟΔΟΣ", "x", "of", "state", "art", "\xff",
	strings.Repeat("long", 70),
}

// naiveTexts makes random documents with a few distinct words.
func naiveTexts(r *rand.Rand, n int) (docs []document.Document) {
	for d := range n {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(naivePieces[r.IntN(len(naivePieces))])
			b.WriteString([]string{" ", " ", " ", "\n", ", ", "-", "  ", ""}[r.IntN(8)])
		}
		docs = append(docs, document.Document{ID: fmt.Sprint("d", d), Text: []byte(b.String())})
	}
	return docs
}

// naivePatternOf makes a pattern of tokens in a row somewhere, some of them with wildcards.
func naivePatternOf(r *rand.Rand, a *analysis.Analyzer, texts []naiveText) (p naivePattern, ok bool) {
	text := texts[r.IntN(len(texts))]
	n := 1 + r.IntN(3)
	if strings.HasPrefix(a.Options().Tokens, "char") {
		n = 1
	}
	if len(text.tokens) < n {
		return p, false
	}
	at := r.IntN(len(text.tokens) - n + 1)
	var typed []string
	for _, token := range text.tokens[at : at+n] {
		surface, word := string(text.part[token.From:token.To]), token.Word
		plain := regexp.MustCompile(`^[a-z0-9]{2,20}$`).MatchString(word)
		switch {
		case plain && r.IntN(3) > 0:
			wild, expression := withWildcards(r, word)
			typed, p.words = append(typed, wild), append(p.words, expression)
		case strings.HasPrefix(a.Options().Tokens, "char"):
			typed, p.words = append(typed, word), append(p.words, regexp.MustCompile("^(?s:"+regexp.QuoteMeta(word)+")$"))
		case slices.Equal(a.Terms([]byte(surface)), []string{word}) && len(strings.Fields(surface)) == 1 && strings.ToValidUTF8(surface, "") == surface:
			typed, p.words = append(typed, surface), append(p.words, regexp.MustCompile("^(?s:"+regexp.QuoteMeta(word)+")$"))
		default:
			return p, false
		}
	}
	if n > 2 && r.IntN(3) == 0 {
		typed[1], p.words[1] = "*", regexp.MustCompile("^(?s:.*)$")
	}
	p.typed = strings.Join(typed, " ")
	return p, strings.Trim(p.typed, "*? ") != ""
}

// withWildcards puts wildcards into a word.
func withWildcards(r *rand.Rand, word string) (typed string, expression *regexp.Regexp) {
	var b, e strings.Builder
	e.WriteString("^(?s:")
	for i := 0; i < len(word); i++ {
		switch r.IntN(4) {
		case 0:
			b.WriteByte('?')
			e.WriteByte('.')
		case 1:
			b.WriteByte('*')
			e.WriteString(".*")
			i += r.IntN(3) - 1
		default:
			b.WriteByte(word[i])
			e.WriteByte(word[i])
		}
	}
	e.WriteString(")$")
	return b.String(), regexp.MustCompile(e.String())
}

// find returns the lines of patterns, as the places of their tokens and what stands there.
func naiveFind(texts []naiveText, patterns []naivePattern) (found []string) {
	for _, text := range texts {
		for at := range text.tokens {
			longest := 0
			for _, p := range patterns {
				if at+len(p.words) <= len(text.tokens) && allMatch(p.words, text.tokens[at:]) {
					longest = max(longest, len(p.words))
				}
			}
			if longest > 0 {
				found = append(found, naiveSpaced(string(text.part[text.tokens[at].From:text.tokens[at+longest-1].To])))
			}
		}
	}
	return found
}

func allMatch(words []*regexp.Regexp, tokens []analysis.Token) bool {
	for i, w := range words {
		if !w.MatchString(tokens[i].Word) {
			return false
		}
	}
	return true
}

var white = regexp.MustCompile(`[\s\x{85}\x{a0}]+`)

func naiveSpaced(text string) string {
	return white.ReplaceAllString(strings.ToValidUTF8(text, "\ufffd"), " ")
}

// Every occurrence of every pattern is found, whatever the analysis, and however many patterns there are.
func TestNaiveOccurrences(t *testing.T) {
	for _, a := range []analysis.Options{
		{},
		{Tokens: "letters"},
		{Tokens: "unicode"},
		{Tokens: "zh-bigrams"},
		{Tokens: "char", NGrams: "2-3"},
		{Tokens: "char_wb", NGrams: "3"},
		{Tokens: `pattern:[\w']+`},
		{Stem: "porter2", Stop: "glasgow", NGrams: "1-2"},
		{Stem: "english", NGrams: "2"},
		{KeepCase: true},
		{StripAccents: "unicode", Stop: "english"},
		{StripAccents: "ascii"},
		{FullCase: true},
		{Unicode: "13.0"},
		{Normalize: "nfkc"},
	} {
		if a.Stem == "english" {
			a.Stem = "porter"
		}
		analyzer := testkit.Must(analysis.New(a))
		if !strings.HasPrefix(a.Tokens, "char") {
			single := a
			single.NGrams = ""
			analyzer = testkit.Must(analysis.New(single))
		}
		r := rand.New(rand.NewPCG(7, 8))
		docs := naiveTexts(r, 40)
		var texts []naiveText
		locator := analyzer.NewLocator()
		for _, d := range docs {
			locator.EachPart(d.Text, func(part []byte, tokens []analysis.Token) {
				texts = append(texts, naiveText{slices.Clone(part), slices.Clone(tokens)})
			})
		}
		var searches []words.Search
		var want [][]string
		for len(searches) < 40 {
			var patterns []naivePattern
			var s words.Search
			for range 1 + r.IntN(3) {
				if p, ok := naivePatternOf(r, analyzer, texts); ok {
					patterns = append(patterns, p)
					s.Patterns = append(s.Patterns, p.typed)
				}
			}
			if len(patterns) > 0 {
				searches, want = append(searches, s), append(want, naiveFind(texts, patterns))
			}
		}
		for _, threads := range []int{1, 3} {
			o := words.LineOptions{All: true, Order: words.ByDocument, Threads: threads}
			got := testkit.Must(words.Lines(t.Context(), batchesOf(docs, 7), a, o, searches...))
			testkit.Equal(t, got.Documents, len(docs), a)
			for i, s := range searches {
				var lines []string
				ids := map[string]bool{}
				for _, l := range got.Of[i].Lines {
					lines = append(lines, l.Match)
					ids[l.ID] = true
				}
				if !slices.Equal(lines, want[i]) || got.Of[i].Occurrences != len(want[i]) || got.Of[i].Documents != len(ids) || len(lines) == 0 {
					t.Fatalf("%+v: %q has %d occurrences in %d documents\n%q\nwant\n%q", a, s.Patterns, got.Of[i].Occurrences, got.Of[i].Documents, lines, want[i])
				}
			}
			testkit.Same(t, testkit.Must(words.Lines(t.Context(), batchesOf(docs, 40), a, o, searches[3])).Of[0],
				got.Of[3], a, searches[3].Patterns, "alone", "among others")
		}
	}
}

// batchesOf cuts documents into batches of n.
func batchesOf(docs []document.Document, n int) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		for part := range slices.Chunk(docs, n) {
			if !yield(document.Of(part...), nil) {
				return
			}
		}
	}
}

// There are as many lines of a term as a counter counts occurrences, n-grams and stems included.
func TestNaiveTerms(t *testing.T) {
	docs := naiveTexts(rand.New(rand.NewPCG(9, 9)), 80)
	for _, a := range []analysis.Options{{}, {Stem: "porter2", Stop: "glasgow", NGrams: "1-2"}, {NGrams: "2-3"}, {Tokens: "unicode"}, {Tokens: "zh-bigrams"}, {Tokens: "char", NGrams: "1-3"}, {Tokens: "char_wb", NGrams: "2"}} {
		analyzer := testkit.Must(analysis.New(a))
		occurrences, documents := map[string]int{}, map[string]int{}
		var terms []string
		for _, d := range docs {
			in := map[string]bool{}
			for _, term := range analyzer.Terms(d.Text) {
				if occurrences[term]++; occurrences[term] == 1 {
					terms = append(terms, term)
				}
				if !in[term] {
					documents[term]++
				}
				in[term] = true
			}
		}
		terms = append(terms, "nowhere to be found", "")
		found := testkit.Must(words.Lines(t.Context(), document.InBatches(docs), a, words.LineOptions{Most: 3}, words.OfTerms(terms...)...))
		for i, term := range terms {
			of := found.Of[i]
			if of.Occurrences != occurrences[term] || of.Documents != documents[term] || len(of.Lines) != min(3, occurrences[term]) {
				t.Errorf("%+v: %q has %d lines of %d occurrences in %d documents, want %d in %d", a, term, len(of.Lines), of.Occurrences, of.Documents, occurrences[term], documents[term])
			}
		}
	}
}

func naiveTextsOf(n int) []document.Document { return naiveTexts(rand.New(rand.NewPCG(3, 3)), n) }
