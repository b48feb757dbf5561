package analysis

import (
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// What a person types is told from what the analysis leaves of it.
func TestLost(t *testing.T) {
	for _, c := range []struct {
		o          Options
		text, want string
	}{
		{Options{}, "hepatitis", ""},
		{Options{}, "New-York, (the) \u201ccity\u201d...", ""},
		{Options{}, "<the> moon", ""},
		{Options{}, "hepatitis b", "b"},
		{Options{}, "3.14", "3"},
		{Options{}, "don\u2019t", "t"},
		{Options{}, "M.D.", "M.D"},
		{Options{}, "naive\u0301", "\u0301"},
		{Options{StripAccents: "unicode"}, "naive\u0301", ""},
		{Options{Normalize: "nfc"}, "naive\u0301", ""},
		{Options{}, "rock \U0001f600", "\U0001f600"},
		{Options{}, "$100", "$"},
		{Options{Stop: "glasgow", Stem: "porter2"}, "running of the moon", ""},
		{Options{Tokens: "letters"}, "b 2 b", "2"},
		{Options{Tokens: "unicode"}, "a priori don't 3.14 M.D.", ""},
		{Options{Tokens: "zh-bigrams"}, "\u6708\u4eae\u5f88", ""},
		{Options{Tokens: "char", NGrams: "3"}, "E b", ""},
		{Options{Tokens: `pattern:@(\w+)`}, "@moon", ""},
		{Options{Tokens: `pattern:@(\w+)`}, "@moon base", "base"},
		{Options{NGrams: "1-2", Phrases: Phrases{"new york"}}, "new york city b", "b"},
		{Options{MaxToken: 4}, "moons", "moons"},
	} {
		a := testkit.Must(New(c.o))
		if got := a.Lost(c.text); got != c.want {
			t.Errorf("%+v, %q: lost %q, want %q", c.o, c.text, got, c.want)
		}
	}
}
