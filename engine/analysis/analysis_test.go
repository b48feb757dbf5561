package analysis

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	snowballporter "github.com/blevesearch/snowballstem/porter"
)

// tokensOneByOne is the definition of the tokenizers, rune by rune.
func tokensOneByOne(text string, words bool) []string {
	var tokens []string
	var token []rune
	flush := func() {
		if len(token) > 1 || len(token) == 1 && !words {
			if s := string(token); len(s) <= defaultMaxToken {
				tokens = append(tokens, s)
			}
		}
		token = token[:0]
	}
	for i, r := range text {
		malformed := r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError))
		if !malformed && (unicode.IsLetter(r) || words && (unicode.IsNumber(r) || r == '_')) {
			token = append(token, unicode.ToLower(r))
		} else {
			flush()
		}
	}
	flush()
	return tokens
}

func checkTokens(t *testing.T, text string) {
	t.Helper()
	for _, tokens := range Tokenizers() {
		a := mustNew(t, Options{Tokens: tokens})
		want := tokensOneByOne(text, tokens == "words")
		if got := a.Terms([]byte(text)); !slices.Equal(got, want) {
			t.Fatalf("%s of %q:\n got %q\nwant %q", tokens, text, got, want)
		}
		checkCounts(t, a, text, want)
	}
}

func checkCounts(t *testing.T, a *Analyzer, text string, tokens []string) {
	t.Helper()
	want := map[string]uint32{}
	for _, token := range tokens {
		want[token]++
	}
	c := a.NewCounter()
	c.Count([]byte("some words before, some of them in the text"), nil)
	got := c.Count([]byte(text), nil)
	if len(got) != len(want) {
		t.Fatalf("%q: %d distinct terms, want %d", text, len(got), len(want))
	}
	for _, tc := range got {
		if want[c.Term(tc.Term)] != tc.Count {
			t.Fatalf("%q: %q counted %d times, want %d", text, c.Term(tc.Term), tc.Count, want[c.Term(tc.Term)])
		}
	}
}

func mustNew(t testing.TB, opt Options) *Analyzer {
	t.Helper()
	a, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// One character of every kind that the scanner treats in its own way.
var alphabet = []string{"a", "Z", "7", "_", " ", "\x00", "é", "Ǆ", "中", "½", "\xff", "\xe4\xb8", "İ"}

func TestEveryShortTextAtBlockEdges(t *testing.T) {
	var texts []string
	for _, a := range alphabet {
		for _, b := range alphabet {
			for _, c := range alphabet {
				texts = append(texts, a+b+c)
			}
		}
	}
	for i, text := range texts {
		before := []int{0, 13, 61, 62, 63, 64, 125, 127}[i%8]
		checkTokens(t, strings.Repeat(".", before)+text)
		checkTokens(t, strings.Repeat("x", before)+text+"y")
	}
}

func TestRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 1500 {
		var text strings.Builder
		for range r.IntN(200) {
			switch r.IntN(4) {
			case 0:
				text.WriteString(alphabet[r.IntN(len(alphabet))])
			case 1:
				text.WriteString(strings.Repeat("w", 13+r.IntN(6)))
			default:
				text.WriteByte(byte(' ' + r.IntN(95)))
			}
		}
		if n%50 == 0 {
			text.WriteString(strings.Repeat("long", 70))
		}
		checkTokens(t, text.String())
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("Hello wörld, x2 foo_bar \xff")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 || strings.ContainsRune(text, utf8.RuneError) {
			t.Skip("CPU: too long for a fuzz step, or with a character that the oracle cannot tell from a malformed byte")
		}
		checkTokens(t, text)
	})
}

func TestCountAllocatesNothingForKnownWords(t *testing.T) {
	c := mustNew(t, Options{}).NewCounter()
	text := []byte(strings.Repeat("the quick brown fox jumps over internationalisations ", 50))
	dst := c.Count(text, nil)
	if n := testing.AllocsPerRun(20, func() { dst = c.Count(text, dst[:0]) }); n > 0 {
		t.Fatalf("%v allocations for a document", n)
	}
}

// The library's porter follows the paper but for words of one or two letters.
func TestPaperPorterAgainstLibrary(t *testing.T) {
	for _, word := range vocabulary() {
		env := snowballstem.NewEnv(word)
		snowballporter.Stem(env)
		if got := string(porter([]byte(word), true)); len(word) > 2 && got != env.Current() {
			t.Errorf("porter-paper(%q) = %q, want %q", word, got, env.Current())
		}
	}
}

// The digest is that of snowballstemmer 2.2.0 (Python, algorithm "porter") over
// the same words, one stem a line.
func TestPorterAgainstSnowball(t *testing.T) {
	h := sha256.New()
	for _, word := range vocabulary() {
		fmt.Fprintln(h, string(porter([]byte(word), false)))
	}
	const want = "1528782d883b485999c87d6531bae372b871ebbcf31e3549032713f4b43cf537"
	if got := fmt.Sprintf("%x", h.Sum(nil)); got != want {
		t.Fatalf("digest %s, want %s", got, want)
	}
}

// vocabulary makes words that reach every rule: all pairs of a beginning and
// one or two endings.
func vocabulary() []string {
	beginnings := []string{
		"", "a", "be", "try", "sky", "troubl", "relat", "condit", "radic", "hop", "hopp", "fall", "fizz", "siz", "tann",
		"vietnam", "revi", "inf", "gener", "oscill", "adjust", "bowdl", "commun", "analog", "electr", "conform", "yield", "sensi", "possi", "techno",
	}
	endings := []string{
		"", "s", "es", "ies", "sses", "eed", "ed", "ing", "y", "at", "ational", "tional", "enci", "anci", "izer", "abli",
		"bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism", "iveness", "fulness", "ousness",
		"aliti", "iviti", "biliti", "logi", "icate", "ative", "alize", "iciti", "ical", "ful", "ness", "al", "ance", "ence",
		"er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "sion", "tion", "ou", "ism", "ate", "iti", "ous", "ive", "ize", "e", "ll", "l",
	}
	var words []string
	for _, b := range beginnings {
		for _, e1 := range endings {
			for _, e2 := range endings {
				if w := b + e1 + e2; len(w) > 1 {
					words = append(words, w)
				}
			}
		}
	}
	return words
}

func TestPorterVersionsDiffer(t *testing.T) {
	for word, want := range map[string][2]string{
		"is": {"i", "is"}, "by": {"by", "by"}, "s": {"s", "s"}, "as": {"a", "as"},
		"possibly": {"possibli", "possibli"}, "technology": {"technologi", "technologi"},
		"comfortably": {"comfort", "comfort"},
	} {
		snowball, paper := porter([]byte(word), false), porter([]byte(word), true)
		if string(snowball) != want[0] || string(paper) != want[1] {
			t.Errorf("%q: porter %q, porter-paper %q, want %q", word, snowball, paper, want)
		}
	}
}

func TestAStemIsNeverEmpty(t *testing.T) {
	for _, name := range Stemmers()[1:] {
		f := stemmer(name)
		for _, w := range append(vocabulary(), "s", "ss", "sss", "eed", "ing", "ed", "é", "ées") {
			if len(f([]byte(w))) == 0 {
				t.Fatalf("%s(%q) is empty", name, w)
			}
		}
	}
}

func TestStopListsAreAsPublished(t *testing.T) {
	for _, list := range []struct{ name, text, hash string }{
		{"glasgow", glasgow, "a72d82495d4a0733625aeff0a7b5be0badde29cffddb5f0b07d64c575dea42f9"},
		{"smart", smart, "0f21fbc8f4d86a06562bd61032209ae5cdc16aaad8cbfb09e064a7d5bb75e823"},
	} {
		if got := fmt.Sprintf("%x", sha256.Sum256([]byte(list.text))); got != list.hash {
			t.Errorf("%s: sha256 %s, want %s", list.name, got, list.hash)
		}
	}
	for name, want := range map[string]int{"none": 0, "glasgow": 319, "sklearn": 318, "smart": 570} {
		if got := len(stopSet(name, nil)); got != want {
			t.Errorf("%s has %d words, want %d", name, got, want)
		}
	}
}

func TestStopWordsComeBeforeStems(t *testing.T) {
	a := mustNew(t, Options{Stop: "glasgow", StopWords: []string{"running"}, Stem: "porter"})
	if got := a.Terms([]byte("The runner was running and runs")); !slices.Equal(got, []string{"runner", "run"}) {
		t.Fatalf("got %q", got)
	}
}

func TestHeaders(t *testing.T) {
	message := "From: someone@example.org\nSubject: Comet dust\n  and more\nKeywords: ice\n\nBody text: kept.\n"
	for option, want := range map[string]string{
		"keep":             "from someone example org subject comet dust and more keywords ice body text kept",
		"none":             "body text kept",
		"subject":          "comet dust and more body text kept",
		"Subject,Keywords": "comet dust and more ice body text kept",
	} {
		a := mustNew(t, Options{Headers: option})
		if got := strings.Join(a.Terms([]byte(message)), " "); got != want {
			t.Errorf("headers %s: %q, want %q", option, got, want)
		}
	}
	for text, want := range map[string]string{
		"No header here: at all\n\nText":  "no header here at all text",
		"Subject: only a header":          "",
		"A: b\nbody without a blank line": "body without blank line",
		"A: bb\r\n\r\nbody":               "body",
		"":                                "",
	} {
		a := mustNew(t, Options{Headers: "none"})
		if got := strings.Join(a.Terms([]byte(text)), " "); got != want {
			t.Errorf("%q without headers: %q, want %q", text, got, want)
		}
	}
}

func TestLongTokensAreDroppedAndCounted(t *testing.T) {
	c := mustNew(t, Options{MaxToken: 20}).NewCounter()
	c.Count([]byte(strings.Repeat("x", 21)+" "+strings.Repeat("y", 20)), nil)
	if c.Len() != 1 || c.Dropped() != 1 {
		t.Fatalf("%d terms, %d dropped", c.Len(), c.Dropped())
	}
}

func TestUnknownOptions(t *testing.T) {
	for _, opt := range []Options{{Tokens: "syllables"}, {Stop: "nowhere"}, {Stem: "lovins"}} {
		_, err := New(opt)
		var oe *OptionError
		if !errors.As(err, &oe) || !strings.Contains(err.Error(), "known: ") {
			t.Errorf("%+v: %v", opt, err)
		}
	}
}
