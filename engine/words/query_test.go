package words

import (
	"fmt"
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

// Patterns have bounds, as what is typed has no end. Before, the first took all memory and the others minutes.
func TestPatternsHaveBounds(t *testing.T) {
	many := make([]string, 20_000)
	for i := range many {
		many[i] = fmt.Sprint("w", i, "*")
	}
	for want, patterns := range map[string][]string{
		`uuu..." has 80001 characters, and the longest that is looked for has 1000: take a part of it`: {"q" + strings.Repeat("u", 40_000) + strings.Repeat("*", 40_000)},
		"has 15000 characters": {strings.Repeat("aa bb ", 2500)},
		`those with * or ? have more than 100000 characters together: look for the rest in another call`: many,
	} {
		testkit.Refused(t, testkit.Err(newQuery(analysis.Options{}, []Search{{Patterns: patterns}})), usage.ErrUsage, want)
	}
}

// Patterns that begin alike cost no more than one: 60,000 of them, at each of 100,000 places, took minutes.
func TestManyPatternsThatBeginAlike(t *testing.T) {
	var searches []Search
	for i := range 60_000 {
		searches = append(searches, Search{Term: fmt.Sprint("aa w", i)})
	}
	searches = append(searches, Search{Patterns: []string{"aa * bb", "aa aa", "aa"}})
	m := newMatcher(testkit.Must(newQuery(analysis.Options{NGrams: "2"}, searches)))
	found := m.find([]byte(strings.Repeat("aa ", 100_000) + "w7 bb"))
	testkit.Equal(t, len(found), 100_001, "every aa, and aa w7")
	last := occurrence{60_000, 0, 99_999, 100_002}
	testkit.Equal(t, found[len(found)-1], last, "the longest")
}
