package analysis

import (
	"reflect"
	"slices"
	"testing"

	"github.com/termsift/termsift/internal/testkit"
)

func TestSplitStops(t *testing.T) {
	for name, c := range map[string]struct {
		opt           Options
		split, pieces []string
	}{
		"an apostrophe":        {Options{StopWords: []string{"don't", "DON’T", "the"}}, []string{"don't"}, []string{"don"}},
		"pieces are stopped":   {Options{StopWords: []string{"don't", "don"}}, nil, nil},
		"single letters":       {Options{StopWords: []string{"c++", "a", "-"}}, nil, nil},
		"of letters":           {Options{Tokens: "letters", StopWords: []string{"don't", "don", "r2d2"}}, []string{"don't", "r2d2"}, []string{"d", "r", "t"}},
		"whole":                {Options{Tokens: "unicode", StopWords: []string{"don't", "3.14"}}, nil, nil},
		"a hyphen":             {Options{Tokens: "unicode", StopWords: []string{"e-mail"}}, []string{"e-mail"}, []string{"e", "mail"}},
		"two words":            {Options{StopWords: []string{"new york", "york"}}, []string{"new york"}, []string{"new"}},
		"a header":             {Options{Headers: "none", StopWords: []string{"from:me"}}, []string{"from:me"}, []string{"from", "me"}},
		"a tag":                {Options{Markup: "strip", StopWords: []string{"<br>"}}, []string{"<br>"}, []string{"br"}},
		"marks":                {Options{StopWords: []string{"cafe\u0301s"}}, []string{"cafe\u0301s"}, []string{"cafe"}},
		"marks are composed":   {Options{Normalize: "nfc", StopWords: []string{"cafe\u0301s"}}, nil, nil},
		"stems and n-grams":    {Options{Stem: "porter2", NGrams: "2-3", StopWords: []string{"isn't running-shoes"}}, []string{"isn't running-shoes"}, []string{"isn", "running", "shoes"}},
		"own words of Chinese": {Options{Tokens: "zh-bigrams", StopWords: []string{"怎么办", "我们", "的"}}, []string{"怎么办"}, []string{"么办", "怎么"}},
		"a list of Chinese":    {Options{Tokens: "zh-bigrams", Stop: "chinese"}, nil, nil},
		"a list's word given":  {Options{Tokens: "letters", Stop: "snowball", StopWords: []string{"she's", "she"}}, nil, nil},
	} {
		a, err := New(c.opt)
		if err != nil {
			t.Fatal(name, err)
		}
		split, pieces := a.SplitStops()
		if name == "a list's word given" { // its s counts then
			if !slices.Contains(split, "she's") || !slices.Contains(pieces, "s") || slices.Contains(split, "he's") {
				t.Errorf("%s: %q %q", name, split, pieces)
			}
			continue
		}
		if !reflect.DeepEqual(split, c.split) || !reflect.DeepEqual(pieces, c.pieces) {
			t.Errorf("%s: %q %q", name, split, pieces)
		}
	}
}

// Of each list what is told remains as a term, and is a word.
func TestSplitStopsOfLists(t *testing.T) {
	for _, list := range StopLists() {
		for _, tokens := range Tokenizers()[:4] {
			a := testkit.Must(New(Options{Tokens: tokens, Stop: list}))
			split, pieces := a.SplitStops()
			english := list == "english" || list == "snowball" || list == "smart"
			if told := english && tokens != "unicode"; (len(split) > 20) != told || !told && len(split) > 0 {
				t.Errorf("%s, %s: %q", list, tokens, split)
			}
			for _, piece := range pieces {
				if got := a.Terms([]byte(piece)); len(piece) < 2 || !slices.Equal(got, []string{piece}) {
					t.Errorf("%s, %s: piece %q gives %q", list, tokens, piece, got)
				}
			}
		}
	}
}
