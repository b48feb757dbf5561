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
	var cases []struct {
		A             analysis.Options
		Pattern, Want string
	}
	testkit.ReadJSON("testdata/patterns.json", &cases)
	for _, c := range cases {
		p := testkit.Must(newParser(c.A))
		words, err := p.words(c.Pattern)
		testkit.Is(t, err, nil, c.A, c.Pattern)
		var got []string
		for _, w := range words {
			testkit.Equal(t, w.glob != nil, strings.ContainsAny(w.text, "*?"), c.A, c.Pattern, w.text, "has the glob",
				w.glob)
			got = append(got, w.text)
		}
		testkit.Equal(t, strings.Join(got, " "), c.Want, c.A, c.Pattern, got)
	}
}

// A pattern that has no word, or matches every one, is an error that says so.
func TestBadPatterns(t *testing.T) {
	var cases []struct {
		A             analysis.Options
		Pattern, Want string
	}
	testkit.ReadJSON("testdata/bad_patterns.json", &cases)
	for _, c := range cases {
		_, err := newQuery(c.A, []Search{{Patterns: []string{c.Pattern}}})
		testkit.Refused(t, err, usage.ErrUsage, c.Want, c.A, c.Pattern)
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
