package analysis

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestStopListsAreAsPublished(t *testing.T) {
	published := map[string]struct {
		sha256   string
		distinct int
	}{
		"chinese":    {"48f9c36bfc730ef966b2a4f43a23164bc3507c5c321f31a6b0657919cec205ef", 794},
		"danish":     {"1bedc9cf5a8830dacf8c4ee0d8b301f0801861756ad0d504431d01047f961b0c", 94},
		"dutch":      {"e5a2a7c390fe3ad0c0a132586ed11492b635d66a1f426cd89677f80b07bc76a6", 101},
		"english":    {"79702275efb200187cd3e03be19c35c564ae9713b16fdbc5006dd7ecb363e822", 174},
		"finnish":    {"952af766edc9b8e7ddc877fc464cbd94b91754b5621fdfdd7020568fd4813fcd", 229},
		"french":     {"6ca60ffd4257c35cc3981d0e923881c3d8b85c8c0f6ef7a6697bd4ae97200fd8", 155},
		"german":     {"46bf0dcec5b5bd83cd7fb96a5283876fdf91cfae7f988252132218545a61d1f7", 231},
		"glasgow":    {"a72d82495d4a0733625aeff0a7b5be0badde29cffddb5f0b07d64c575dea42f9", 319},
		"hungarian":  {"cb66b000fe0c852579ab2cb01e086f3d0eef80d650353bcd854958556dcf917d", 198},
		"italian":    {"293d7841f198e4012f49e8e5653c3bfd073a58cea1259fa2c0fcec894167b628", 279},
		"norwegian":  {"f7e5b42208ccf1b1f282f9e0f8570e464272762bda5718b6b26750f510a688dc", 172},
		"portuguese": {"5f305fac1d830620eeb9b2a68a1b96bf26f65c2e9257d56c8413d6fb36ed6cac", 203},
		"russian":    {"1743191192b4a4f77fcc216499455dc00c1b8626fdd407076a8deefff80e3d59", 151},
		"smart":      {"0f21fbc8f4d86a06562bd61032209ae5cdc16aaad8cbfb09e064a7d5bb75e823", 570},
		"snowball":   {"79702275efb200187cd3e03be19c35c564ae9713b16fdbc5006dd7ecb363e822", 174},
		"spanish":    {"7450c1f7196c161d9a4e537de43f88bd55cdb64028c808e14587bd7a6ac7be3d", 313},
		"swedish":    {"2a9d9d756bc4257d49329994f805c712cd5ab6746162e2082752238766c1c0c8", 114},
		"turkish":    {"f2c7f0c2bd3dba42da700776266831853a3b5f1207fada5c15207334109abb57", 53},
	}
	for _, name := range StopLists() {
		if name == "none" || name == sklearn {
			continue
		}
		want := published[name]
		file := strings.Replace(name, stopEnglish, "snowball", 1)
		list := testkit.Must(stopFiles.ReadFile("stop/" + file + ".txt"))
		sum := sha256.Sum256(list)
		testkit.Equal(t, hex.EncodeToString(sum[:]), want.sha256, name, "sha256")
		testkit.Equal(t, len(stopWords(name, nil)), want.distinct, name, "words")
		if n := len(strings.Fields(string(list))); name == "smart" && n != 571 { // one of them twice
			t.Errorf("smart: %d entries", n)
		}
	}
	testkit.Equal(t, len(StopLists()), len(published)+2, "lists")
	testkit.Equal(t, len(stopWords(sklearn, nil)), 318, "sklearn")
	testkit.Equal(t, len(stopWords("none", nil)), 0, "none")
}

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
		testkit.Is(testkit.Stop(t), err, nil, name)
		split, pieces := a.SplitStops()
		if name == "a list's word given" { // its s counts then
			if !slices.Contains(split, "she's") || !slices.Contains(pieces, "s") || slices.Contains(split, "he's") {
				t.Errorf("%s: %q %q", name, split, pieces)
			}
			continue
		}
		testkit.Same(t, split, c.split, name, pieces)
		testkit.Same(t, pieces, c.pieces, name, split)
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
