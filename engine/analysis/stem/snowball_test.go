package stem_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/analysis/stem"
)

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
	for _, name := range stem.Names() {
		pairs, known := languageStems[name]
		if !known && name != "english" && !strings.HasPrefix(name, "porter") {
			t.Errorf("%s: no stems to compare with", name)
		}
		of := stem.New(name)
		for pair := range strings.FieldsSeq(pairs) {
			word, want, _ := strings.Cut(pair, "=")
			if got := of([]byte(word)); string(got) != want {
				t.Errorf("%s: %s becomes %s, want %s", name, word, got, want)
			}
		}
	}
	if got := stem.New("english")([]byte("generously")); string(got) != string(stem.New("porter2")([]byte("generously"))) {
		t.Errorf("english is not porter2: %s", got)
	}
}

// Any word of letters has a stem that is neither empty nor malformed, and the same again.
func TestLanguagesTakeAnything(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	letters := []rune("abcdeéiınoösştuüzœßабвгеиёйльтыюяابةتكلمهويىءதமிழ்中ΩéÅ\u0301\u200c_0")
	for _, name := range stem.Names() {
		of := stem.New(name)
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

func FuzzLanguages(f *testing.F) {
	for name, pairs := range languageStems {
		for pair := range strings.FieldsSeq(pairs) {
			word, _, _ := strings.Cut(pair, "=")
			f.Add(uint8(slices.Index(stem.Names(), name)), word)
		}
	}
	f.Fuzz(func(t *testing.T, number uint8, word string) {
		if word == "" || !utf8.ValidString(word) {
			return // a stemmer takes words of UTF-8
		}
		name := stem.Names()[int(number)%len(stem.Names())]
		if got := stem.New(name)([]byte(word)); len(got) == 0 || !utf8.Valid(got) {
			t.Fatalf("%s: %q becomes %q", name, word, got)
		}
	})
}
