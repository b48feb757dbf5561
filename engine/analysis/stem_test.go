package analysis

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/porter"
)

// stemWords are the words of testdata/words.txt: frequent and rare words, the
// named exceptions, and words with characters beyond ASCII.
func stemWords(t *testing.T) []string {
	t.Helper()
	file, err := os.Open("testdata/words.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var words []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		words = append(words, lines.Text())
	}
	if len(words) < 2000 {
		t.Fatalf("%d words", len(words))
	}
	return words
}

func TestStemmersAgainstSnowball(t *testing.T) {
	words := stemWords(t)
	if docs, err := newsgroups(); err == nil && !testing.Short() {
		words = append(words, distinctWords(t, docs)...)
	}
	for _, test := range []struct {
		name   string
		oracle func(*snowballstem.Env) bool
	}{{"porter", porter.Stem}, {"porter2", english.Stem}} {
		ours := stemmer(test.name)
		bad := 0
		for _, word := range words {
			env := snowballstem.NewEnv(word)
			test.oracle(env)
			want := env.Current()
			if want == "" {
				want = word // ours is never empty
			}
			if got := string(ours([]byte(word))); got != want && bad < 20 {
				bad++
				t.Errorf("%s: %q gives %q, want %q", test.name, word, got, want)
			}
		}
		t.Logf("%s: %d words", test.name, len(words))
	}
}

func distinctWords(t *testing.T, docs [][]byte) []string {
	t.Helper()
	a, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := a.NewCounter()
	for _, doc := range docs {
		c.Count(doc, nil)
	}
	var words []string
	for id := range uint32(c.Len()) {
		words = append(words, string(c.Term(id)))
	}
	return words
}

// Every word over a few letters that take part in the rules, plus suffixes.
func TestStemmersAgainstSnowballSmallWords(t *testing.T) {
	fronts := []string{""}
	for from := 0; len(fronts[from]) < 4; from++ {
		for _, letter := range []string{"a", "y", "b", "w", "t", "l", "é", "'"} {
			if len(fronts[from]) < 3 || letter != "'" {
				fronts = append(fronts, fronts[from]+letter)
			}
		}
	}
	suffixes := []string{
		"", "s", "ies", "ied", "sses", "ed", "eed", "ing", "eedly", "ingly", "edly", "y", "e", "ll", "le",
		"ational", "tional", "enci", "abli", "bli", "logi", "ogi", "li", "fulli", "lessli", "ative", "icate", "ion", "sion", "ement", "ou", "'s", "'s'",
	}
	for _, test := range []struct {
		name   string
		oracle func(*snowballstem.Env) bool
	}{{"porter", porter.Stem}, {"porter2", english.Stem}} {
		ours := stemmer(test.name)
		for i, front := range fronts {
			if testing.Short() && i%8 != 0 {
				continue
			}
			for _, suffix := range suffixes {
				word := front + suffix
				if word == "" {
					continue
				}
				env := snowballstem.NewEnv(word)
				test.oracle(env)
				want := env.Current()
				if want == "" {
					continue
				}
				if got := string(ours([]byte(word))); got != want {
					t.Fatalf("%s: %q gives %q, want %q", test.name, word, got, want)
				}
			}
		}
	}
}

func TestStemsAreNeverEmpty(t *testing.T) {
	for _, name := range Stemmers()[1:] {
		stem := stemmer(name)
		for _, word := range []string{"s", "y", "e", "é", "_", "1", "ed", "ing", "'", "''", "'s", "'s'"} {
			if got := stem([]byte(word)); len(got) == 0 {
				t.Errorf("%s of %q is empty", name, word)
			}
		}
	}
}

// A stem may be asked of any lower-cased token, of any script.
func FuzzStemsAreNeverEmpty(f *testing.F) {
	for _, word := range []string{"s", "ies", "ed", "eed", "ing", "ying", "y", "sses", "'s'", "é", "és", "don't", "3.14", "中文", "ement", "_ing"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, tokens := range Tokenizers() {
			for _, word := range must(t, Options{Tokens: tokens}).Terms([]byte(text)) {
				for _, name := range Stemmers()[1:] {
					stem := stemmer(name)([]byte(word))
					if len(stem) == 0 || len(stem) > len(word)+1 || !utf8.Valid(stem) {
						t.Errorf("%s of %q is %q", name, word, stem)
					}
					if name == "porter-paper" && utf8.RuneCountInString(word) <= 2 && string(stem) != word {
						t.Errorf("%s of %q is %q", name, word, stem)
					}
				}
			}
		}
	})
}

// Every word over a few letters, among them all of the rules' that are vowels or
// doubled, or begin a suffix.
func TestStemsOfShortWordsAreNeverEmpty(t *testing.T) {
	letters := []byte("aeiybdglnstuz")
	for _, name := range Stemmers()[1:] {
		stem := stemmer(name)
		words := [][]byte{{}}
		for range 4 {
			var longer [][]byte
			for _, word := range words {
				for _, letter := range letters {
					longer = append(longer, append(slices.Clone(word), letter))
				}
			}
			for _, word := range longer {
				got := stem(slices.Clone(word))
				if len(got) == 0 || name == "porter-paper" && len(word) <= 2 && !slices.Equal(got, word) {
					t.Fatalf("%s of %q is %q", name, word, got)
				}
			}
			words = longer
		}
	}
}

// The paper and Snowball's porter share the rules that Porter's program in C
// changed (there: assembl, possibl, technolog); short words are the difference.
func TestPorterOfThePaper(t *testing.T) {
	paper, snowball := stemmer("porter-paper"), stemmer("porter")
	for word, want := range map[string]string{
		"assembly": "assembli", "possibly": "possibli", "technology": "technologi", "archaeology": "archaeologi",
		"conformably": "conform", "sensibly": "sensibli", "terribly": "terribli",
		"caresses": "caress", "ponies": "poni", "ties": "ti", "cats": "cat", "agreed": "agre", "plastered": "plaster",
		"motoring": "motor", "hopping": "hop", "falling": "fall", "filing": "file", "happy": "happi", "sky": "sky",
		"relational": "relat", "digitizer": "digit", "radicalli": "radic", "triplicate": "triplic", "allowance": "allow",
		"adoption": "adopt", "probate": "probat", "rate": "rate", "controll": "control", "roll": "roll",
		"generalizations": "gener", "oscillators": "oscil",
	} {
		if got := string(paper([]byte(word))); got != want {
			t.Errorf("porter-paper: %s gives %s, want %s", word, got, want)
		}
		if got := string(snowball([]byte(word))); got != want {
			t.Errorf("porter: %s gives %s, want %s", word, got, want)
		}
	}
	for word, want := range map[string][2]string{"is": {"is", "i"}, "as": {"as", "a"}, "us": {"us", "u"}, "és": {"és", "é"}} {
		got := [2]string{string(paper([]byte(word))), string(snowball([]byte(word)))}
		if got != want {
			t.Errorf("%s: porter-paper and porter give %q, want %q", word, got, want)
		}
	}
}

func TestStopWordsComeBeforeStems(t *testing.T) {
	a, err := New(Options{Stem: "porter2", StopWords: []string{"Running"}})
	if err != nil {
		t.Fatal(err)
	}
	got := a.Terms([]byte("Running runs run RUNNING runner"))
	if want := strings.Fields("run run runner"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
