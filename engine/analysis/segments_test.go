package analysis

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	segmentation "github.com/clipperhouse/uax29/v2/words"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// segmented are characters of all properties of UAX 29, as the standard lists them, and malformed bytes.
var segmented = append(strings.Split("aBéЖ\u212aªאת70٣カー_‿'\":·,;.’\u0301\u2060\ufe0f\u200d👍©\uff9e\uff9f\u202f \u3000\t\u00a0\n\r\u2028\x00-中ひ½²\ue000𠀀", ""), "\xff", "\xe2\x80", "\xf0\x9f\x91")

// plainSegments are the segments of each well-formed stretch, cut at white space and control characters.
func plainSegments(text []byte) (tokens []string) {
	var run []rune
	flush := func() {
		tokens = append(tokens, segmentsOf(run)...)
		run = nil
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if r == utf8.RuneError && size == 1 {
			flush()
			continue
		}
		run = append(run, r)
	}
	flush()
	return tokens
}

func segmentsOf(run []rune) (tokens []string) {
	for all := segmentation.FromString(string(run)); all.Next(); {
		for _, part := range strings.FieldsFunc(all.Value(), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
			if strings.ContainsFunc(part, func(r rune) bool { return unicode.In(r, unicode.L, unicode.N) }) {
				tokens = append(tokens, strings.Map(unicode.ToLower, part))
			}
		}
	}
	return tokens
}

// No term has white space in it, whatever a segment of the standard may have.
func TestSegmentsWithoutWhiteSpace(t *testing.T) {
	a := must(Options{Tokens: "unicode"})
	for text, want := range map[string]string{
		"  \uff9e":             "\uff9e",
		"a  \uff9f b":          "a|\uff9f|b",
		"\u3000 \u0301\uff9eb": "\u0301\uff9e|b",
		"\t\uff9e":             "\uff9e",
		"\u00a0\uff9e":         "\uff9e",
		"10\u202f000":          "10|000",
		"ｶ\uff9e":              "ｶ\uff9e",
	} {
		testkit.Equal(t, strings.Join(a.Terms([]byte(text)), "|"), want, text)
	}
}

func TestSegmentsOfRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, maxToken := range []int{0, 4, 20} {
		c := must(Options{Tokens: "unicode", MaxToken: maxToken}).NewCounter()
		for range rounds(3000) {
			var text []byte
			for range r.IntN(60) {
				if r.IntN(3) == 0 {
					text = append(text, "aB07.' _"[r.IntN(8)])
				} else {
					text = append(text, segmented[r.IntN(len(segmented))]...)
				}
			}
			checkText(t, c, text)
		}
	}
}

// checkSegments checks what must hold for any text: no letter or number of the
// well-formed part is lost, added or moved, and every token has one.
func checkSegments(t *testing.T, text []byte) {
	t.Helper()
	keep := func(text string) string {
		return strings.Map(func(r rune) rune {
			switch r = unicode.ToLower(r); {
			case r == 'ς': // which a Σ becomes by its neighbours
				return 'σ'
			case unicode.In(r, unicode.L, unicode.N):
				return r
			}
			return -1
		}, text)
	}
	terms := must(Options{Tokens: "unicode", MaxToken: 1 << 30}).Terms(text)
	for _, term := range terms {
		if keep(term) == "" || !utf8.ValidString(term) || strings.ContainsFunc(term, unicode.IsSpace) || strings.ContainsFunc(term, unicode.IsControl) {
			t.Fatalf("%q gives the token %q", text, term)
		}
	}
	testkit.Equal(testkit.Stop(t), keep(strings.Join(terms, "")), keep(string(text)), text, "letters and numbers")
}

func TestSegmentsLoseNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range rounds(3000) {
		checkSegments(t, randomText(r, r.IntN(300)))
		checkSegments(t, chineseText(r, r.IntN(300)))
	}
}

func FuzzSegments(f *testing.F) {
	f.Add([]byte("Can't pay 3.14 for a\u0301b_c or א\"ב, カ_a\u200d👍 中文 \xe2\x80 x:y 1,2;3"))
	f.Add([]byte("a'\u0301b. a'. 1.\xffb"))
	f.Add([]byte("x   \uff9ea\t\uff9f 1\u202f000\u00a0\uff9e"))
	f.Add([]byte("\x00\uff9f a\x1b\uff9e"))
	f.Fuzz(func(t *testing.T, text []byte) {
		checkSegments(t, text)
		checkText(t, must(Options{Tokens: "unicode"}).NewCounter(), text)
	})
}

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
		testkit.Is(t, testkit.Err(New(Options{Tokens: tokens, NGrams: "2-3", Sentences: true})), usage.ErrUsage,
			"sentences of", tokens)
	}
}

// Without n-grams the words of a text are the same with sentences and without.
func TestSentencesKeepWords(t *testing.T) {
	for _, text := range []string{"Mr. Smith's e.g. 3.14, ΟΔΟΣ. ΑΣ\nx", "a.b.c.D. \u2029 e\u0301t\u00e9!\x80 ende?No", "don't stop... 中文。日本"} {
		for _, tokens := range []string{"words", "letters", "unicode", "zh-bigrams", `pattern:\w+`} {
			plain := testkit.Must(New(Options{Tokens: tokens}))
			cut := testkit.Must(New(Options{Tokens: tokens, Sentences: true}))
			testkit.EqualSlices(t, cut.Terms([]byte(text)), plain.Terms([]byte(text)), tokens, "of", text)
		}
	}
}

// A sentence is a part, to a Counter and a Locator.
func TestSentencesOfPart(t *testing.T) {
	a := testkit.Must(New(Options{Sentences: true}))
	c, parts := a.NewCounter(), 0
	c.EachPart([]byte("one two. Three four"), func(terms []uint32) {
		if parts++; len(terms) != 2 {
			t.Errorf("%d terms", len(terms))
		}
	})
	a.NewLocator().EachPart([]byte("one\ntwo. Three four"), func(part []byte, tokens []Token) {
		if parts++; len(tokens) != 2 || string(part[tokens[1].From:tokens[1].To]) != tokens[1].Word {
			t.Errorf("%q: %v", part, tokens)
		}
	})
	testkit.Equal(t, parts, 4)
}
