package analysis

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
)

// The stems of the words of testdata/words.txt stay what they are: of frequent and rare words, the named exceptions,
// words with characters beyond ASCII, and one at least for each rule of Porter's. Those of porter-c were compared with
// a program written after his in C, as were those of all words of 20 Newsgroups.
func TestStemsStay(t *testing.T) {
	for name, want := range map[string]string{
		"porter":   "fa72d750db1866b88fe673858293f44805428d4034b26aee6d497bc7a80437b1",
		"porter-c": "f928279bd2291e90307280ad36003d227090b385bcadb3361a72382506ac0db5",
		"porter2":  "59751fd5aa6bc5ecafdda140ab85b1ce8da641db4a6787270742d41d0117ae82",
	} {
		digest := sha256.New()
		for word := range strings.FieldsSeq(string(testkit.Must(os.ReadFile("testdata/words.txt")))) {
			fmt.Fprintf(digest, "%s\n", newStemmer(name)([]byte(word)))
		}
		testkit.Equal(t, hex.EncodeToString(digest.Sum(nil)), want, name, "the digest of its stems")
	}
}

func analyzer(tokens string) *Analyzer {
	return testkit.Must(New(Options{Tokens: tokens}))
}

// leavesShortWords says that a stemmer leaves words of one or two letters alone.
func leavesShortWords(name string) bool { return name == "porter-c" }

// ofEnglish says that a stemmer is one of those of Porter.
func ofEnglish(name string) bool { return strings.HasPrefix(name, "porter") }

func TestStemsAreNeverEmpty(t *testing.T) {
	for _, name := range stemmers()[1:] {
		stemOf := newStemmer(name)
		for _, word := range []string{"s", "y", "e", "é", "_", "1", "ed", "ing", "'", "''", "'s", "'s'"} {
			if got := stemOf([]byte(word)); len(got) == 0 {
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
			for _, word := range analyzer(tokens).Terms([]byte(text)) {
				for _, name := range stemmers()[1:] {
					got := newStemmer(name)([]byte(word))
					if len(got) == 0 || ofEnglish(name) && len(got) > len(word)+1 || !utf8.Valid(got) {
						t.Errorf("%s of %q is %q", name, word, got)
					}
					if leavesShortWords(name) && utf8.RuneCountInString(word) <= 2 && string(got) != word {
						t.Errorf("%s of %q is %q", name, word, got)
					}
				}
			}
		}
	})
}

// porter is the paper's and Snowball's, porter-c has the three departures of Porter's
// program in C.
func TestPortersOfPaperAndProgram(t *testing.T) {
	same := map[string]string{
		"conformably": "conform", "caresses": "caress", "ponies": "poni", "ties": "ti", "cats": "cat", "agreed": "agre", "plastered": "plaster",
		"motoring": "motor", "hopping": "hop", "falling": "fall", "filing": "file", "happy": "happi", "sky": "sky",
		"relational": "relat", "digitizer": "digit", "radicalli": "radic", "triplicate": "triplic", "allowance": "allow",
		"adoption": "adopt", "probate": "probat", "rate": "rate", "controll": "control", "roll": "roll",
		"generalizations": "gener", "oscillators": "oscil",
	}
	for word, want := range same {
		checkStems(t, word, [2]string{want, want})
	}
	for word, want := range map[string][2]string{ // porter, porter-c
		"assembly": {"assembli", "assembl"}, "possibly": {"possibli", "possibl"},
		"sensibly": {"sensibli", "sensibl"}, "terribly": {"terribli", "terribl"},
		"technology": {"technologi", "technolog"}, "archaeology": {"archaeologi", "archaeolog"},
		"revving": {"revv", "rev"}, // two equal consonants: Snowball's are fewer
		"is":      {"i", "is"}, "as": {"a", "as"}, "us": {"u", "us"}, "és": {"é", "és"},
	} {
		checkStems(t, word, want)
	}
}

// checkStems compares the stems of porter and porter-c.
func checkStems(t *testing.T, word string, want [2]string) {
	t.Helper()
	for i, name := range []string{"porter", "porter-c"} {
		testkit.Equal(t, string(newStemmer(name)([]byte(word))), want[i], name, word)
	}
}

// Words and their stems by stemwords of libstemmer 2.2.0.
var languageStems = map[string]string{
	"arabic":     "المكتبات=مكتب والكتاب=والكتاب يكتبون=يكتب مدرسة=مدرس",
	"danish":     "undersøgelserne=undersøg virksomhederne=virksomhed husene=hus",
	"dutch":      "lichamelijkheid=licham opgroeiende=opgroei huizen=huiz",
	"finnish":    "edeltäjiensä=edeltäjie taloissa=talo kirjojen=kirj",
	"french":     "continuellement=continuel majestueusement=majestu chevaux=cheval",
	"german":     "aufeinanderschlügen=aufeinanderschlug häuser=haus straße=strass kategorischen=kategor",
	"hungarian":  "babakocsijáért=babakocs házakban=ház könyveket=könyv",
	"irish":      "bhfeirm=feirm fhoirgneamh=foirgn leabharlann=leabharlann",
	"italian":    "abbandonarono=abbandon propagandistica=propagandist case=cas",
	"norwegian":  "opplysningene=opplysning havnedistriktet=havnedistrikt husene=hus",
	"portuguese": "quilométricas=quilométr quietação=quietaçã casas=cas",
	"romanian":   "abruptă=abrupt absolutului=absol casele=cas",
	"russian":    "важнейшими=важн падением=паден книгами=книг",
	"spanish":    "chicharrones=chicharron torneados=torn casas=cas",
	"swedish":    "jakthundarna=jakthund klostergården=klostergård husen=hus",
	"tamil":      "புத்தகங்களை=புத்தகம் மரங்கள்=மரங்",
	"turkish":    "kitaplarımızdan=kitap evlerinden=ev gözlükçülük=gözlükçülük",
}

func TestLanguages(t *testing.T) {
	for _, name := range stemmers()[1:] {
		pairs, known := languageStems[name]
		if !known && name != "english" && !strings.HasPrefix(name, "porter") {
			t.Errorf("%s: no stems to compare with", name)
		}
		of := newStemmer(name)
		for pair := range strings.FieldsSeq(pairs) {
			word, want, _ := strings.Cut(pair, "=")
			testkit.Equal(t, string(of([]byte(word))), want, name, word, "becomes")
		}
	}
	testkit.Equal(t, string(newStemmer("english")([]byte("generously"))),
		string(newStemmer("porter2")([]byte("generously"))), "english is not porter2")
}

// Any word of letters has a stem that is neither empty nor malformed, and the same again.
func TestLanguagesTakeAnything(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	letters := []rune("abcdeéiınoösştuüzœßабвгеиёйльтыюяابةتكلمهويىءதமிழ்中ΩéÅ\u0301\u200c_0")
	for _, name := range stemmers()[1:] {
		of := newStemmer(name)
		for range 1000 {
			word := make([]rune, 1+rnd.IntN(14))
			for i := range word {
				word[i] = letters[rnd.IntN(len(letters))]
			}
			text := string(word)
			got := string(of([]byte(text)))
			if again := string(of([]byte(text))); got == "" || !utf8.ValidString(got) || got != again {
				t.Fatalf("%s: %q becomes %q, then %q", name, text, got, again)
			}
		}
	}
}
