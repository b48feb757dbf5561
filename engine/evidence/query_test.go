package evidence

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/usage"
)

// A pattern becomes the words that a text would, with wildcards in them.
func TestWordsOfPatterns(t *testing.T) {
	for _, c := range []struct {
		a             analysis.Options
		pattern, want string
	}{
		{analysis.Options{}, "Moon", "moon"},
		{analysis.Options{}, " New  YORK\t", "new york"},
		{analysis.Options{}, "MO?N*", "mo?n*"},
		{analysis.Options{}, "mo**n***", "mo*n*"},
		{analysis.Options{}, "the * of", "the * of"},
		{analysis.Options{}, "ice-cream*", "ice cream*"},
		{analysis.Options{}, "*-like", "* like"},
		{analysis.Options{}, "???", "???"},
		{analysis.Options{}, "qxa*qx", "qxa*qx"},
		{analysis.Options{}, "qxxqx?", "qxxqx?"},
		{analysis.Options{KeepCase: true}, "Moo*", "Moo*"},
		{analysis.Options{StripAccents: "unicode"}, "CAF\u00c9*", "cafe*"},
		{analysis.Options{Normalize: "nfc"}, "cafe\u0301*", "caf\u00e9*"},
		{analysis.Options{Normalize: "nfkc"}, "\uff51\uff58*", "qx*"},
		{analysis.Options{Stem: "porter2"}, "running runn*", "run runn*"},
		{analysis.Options{Stop: "glasgow"}, "th* moon", "th* moon"},
		{analysis.Options{Tokens: "unicode"}, "don't*", "don't*"},
		{analysis.Options{Tokens: "unicode"}, "3.*", "3 *"}, // as 3.x,
		{analysis.Options{Tokens: "zh-bigrams"}, "\u6708\u4eae\u5f88", "\u6708\u4eae \u4eae\u5f88"},
		{analysis.Options{Tokens: "zh-bigrams"}, "\u6708*", "\u6708*"},
		{analysis.Options{Tokens: "char", NGrams: "3"}, "E b", "e b"},
		{analysis.Options{Tokens: "char", NGrams: "3"}, "e?b", "e?b"},
		{analysis.Options{Tokens: `pattern:#\w+`}, "#Moon", "#moon"},
		{analysis.Options{Tokens: `pattern:#\w+`}, "#mo*", "#mo*"},
		{analysis.Options{NGrams: "2-3", Headers: "none", Markup: "strip"}, "an<em>is from: moon", "an em is from moon"},
		{analysis.Options{MaxToken: 4}, "moo* *moons", "moo* *moons"},
		{analysis.Options{}, "\u039f\u0394\u039f\u03a3*", "\u03bf\u03b4\u03bf\u03c3*"},
	} {
		p := testkit.Must(newParser(c.a))
		words, err := p.words(c.pattern)
		testkit.Is(t, err, nil, c.a, c.pattern)
		var got []string
		for _, w := range words {
			testkit.Equal(t, w.glob != nil, strings.ContainsAny(w.text, "*?"), c.a, c.pattern, w.text, "has the glob",
				w.glob)
			got = append(got, w.text)
		}
		testkit.Equal(t, strings.Join(got, " "), c.want, c.a, c.pattern, got)
	}
}

// A pattern that has no word, or matches every one, is an error that says so.
func TestBadPatterns(t *testing.T) {
	for _, c := range []struct {
		a             analysis.Options
		pattern, want string
	}{
		{analysis.Options{}, "", "has no token as words are"},
		{analysis.Options{}, "!", "has no token as words are"},
		{analysis.Options{}, "x", `"x" is no token as words are: read the text with --tokens unicode`},
		{analysis.Options{}, "*", "matches every word"},
		{analysis.Options{}, "**", "matches every word"},
		{analysis.Options{}, "?*", "matches every word"},
		{analysis.Options{}, "* ** ?*?", "matches every word"},
		{analysis.Options{}, "*!*", "matches every word"},
		{analysis.Options{Tokens: "char", NGrams: "3"}, "*", "matches every word"},
		{analysis.Options{Tokens: "zh-bigrams"}, "\u6708", "pairs of characters"},
		{analysis.Options{Stop: "glasgow"}, "of the", `"of" is a stop word`},
		{analysis.Options{Stop: "glasgow"}, "state of the art", `"of" is a stop word`},
		{analysis.Options{Stop: "glasgow"}, "* of moon", `"of" is a stop word`},
		{analysis.Options{Stop: "glasgow"}, "by-law*", `"by" is a stop word`},
		{analysis.Options{}, "hepatitis b", `"hepatitis b": "b" is no token as words are: read the text with --tokens unicode`},
		{analysis.Options{}, "a priori", `"a" is no token`},
		{analysis.Options{}, "saw 3 men", `"3" is no token`},
		{analysis.Options{}, "3.14", `"3" is no token`},
		{analysis.Options{}, "don't", `"t" is no token`},
		{analysis.Options{}, "M.D.", `"M.D" is no token`},
		{analysis.Options{}, "e-mail*", `"e" is no token`},
		{analysis.Options{}, "vitamin k*c d", `"d" is no token`},
		{analysis.Options{}, "#metoo", `"#" is no token as words are: read the text with --tokens 'pattern:\S+'`},
		{analysis.Options{}, "c++ code", `"c++" is no token as words are: read the text with --tokens 'pattern:\S+'`},
		{analysis.Options{Tokens: "unicode"}, "c++ code", `"++" is no token as unicode are`},
		{analysis.Options{}, "cafe\u0301s", `is no token as words are: read the text with --tokens unicode`},
		{analysis.Options{Tokens: "letters"}, "mp3s*", `"3" is no token as letters are`},
		{analysis.Options{Tokens: "letters"}, "area 51", `"51" is no token as letters are`},
		{analysis.Options{MaxToken: 4}, "moons moo*", `"moons" is no token as words are: leave it away`},
		{analysis.Options{MaxToken: 4}, "moons-moo*", `"moons" is no token`},
		{analysis.Options{Tokens: `pattern:#\w+`}, "#moon landing", `"landing" is no token as pattern:#\w+ are`},
		{analysis.Options{Tokens: "zh-bigrams"}, "\u6708\u4eae \u5f88", "\"\u5f88\" is no token"},
	} {
		_, err := newQuery(c.a, []Search{{Patterns: []string{c.pattern}}})
		testkit.Refused(t, err, usage.ErrUsage, c.want, c.a, c.pattern)
	}
}

// A glob matches what the regular expression does that it stands for.
func TestGlobsMatchAsExpressions(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	letters := []rune("ab\u00e9\u6708")
	for range 20_000 {
		var text, word strings.Builder
		for range r.IntN(7) {
			switch n := r.IntN(7); n {
			case 0, 1:
				text.WriteByte("*?"[n])
			default:
				text.WriteRune(letters[r.IntN(len(letters))])
			}
		}
		for range r.IntN(9) {
			word.WriteRune(letters[r.IntN(len(letters))])
		}
		w := newWord(text.String(), "*", "?")
		expression := regexp.MustCompile("^(?s:" + strings.NewReplacer("*", ".*", "?", ".").Replace(text.String()) + ")$")
		want := expression.MatchString(word.String())
		got := w.text == word.String()
		if w.glob != nil {
			got = w.glob.matches([]byte(word.String()))
		}
		testkit.Equal(testkit.Stop(t), got, want, text.String(), "matches", word.String())
	}
}

// A glob of many runs takes no longer than the word times the glob.
func TestGlobsAreNotExponential(t *testing.T) {
	w := newWord(strings.Repeat("a*", 500)+"b", "*", "?")
	testkit.Equal(t, w.glob.matches([]byte(strings.Repeat("a", 20_000))), false, "there is no b")
}
