package analysis

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/reader"
)

// stemWords are the words of testdata/words.txt: frequent and rare words, the
// named exceptions, and words with characters beyond ASCII.
func stemWords(t *testing.T) []string {
	t.Helper()
	file := testkit.Must(os.Open("testdata/words.txt"))
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

// The stems of the words of testdata/words.txt stay what they are.
func TestStemsStay(t *testing.T) {
	for name, want := range map[string]string{
		"porter":   "8f68f515af8e26951fe6a5e580ea4d29852da6c9887dac31a6832e43213add73",
		"porter-c": "b89f9e34d4e3c1c2b989e98bc4c6861ae960e28d1595ae7c5c61b90bdbeb01d5",
		"porter2":  "e1bf654dee92ebe343187d54d95c7807e080837dd59488cf1652e45ed39e8969",
	} {
		digest := sha256.New()
		for _, word := range stemWords(t) {
			fmt.Fprintf(digest, "%s\n", newStemmer(name)([]byte(word)))
		}
		testkit.Equal(t, hex.EncodeToString(digest.Sum(nil)), want, name, "the digest of its stems")
	}
}

// newsgroupWords are the distinct words of the training half of 20 Newsgroups. Without
// the collection, and in short runs, the test is skipped.
func newsgroupWords(t *testing.T) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("testing.Short: it stems the words of 20 Newsgroups by every stemmer and its reference")
	}
	path := testkit.Corpus(t, "20news-bydate.tar.gz")
	s := testkit.Must(reader.Read(t.Context(), []string{path}, reader.Options{Split: "train", Charset: "latin-1"}))
	c := analyzer("words").NewCounter()
	for doc := range testkit.All(s.Documents()) {
		c.Count(doc.Text, nil)
	}
	if c.Len() < 100_000 {
		t.Fatalf("%d words", c.Len())
	}
	return c.Names()
}

func analyzer(tokens string) *Analyzer {
	return testkit.Must(New(Options{Tokens: tokens}))
}

// leavesShortWords says that a stemmer leaves words of one or two letters alone.
func leavesShortWords(name string) bool { return name == "porter-c" }

// ofEnglish says that a stemmer is one of those of Porter.
func ofEnglish(name string) bool { return strings.HasPrefix(name, "porter") }

func TestStemsAreNeverEmpty(t *testing.T) {
	for _, name := range Stemmers()[1:] {
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
				for _, name := range Stemmers()[1:] {
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

// Every word over a few letters, among them all of the rules' that are vowels or
// doubled, or begin a suffix.
func TestStemsOfShortWordsAreNeverEmpty(t *testing.T) {
	letters := []byte("aeiybdglnstuz")
	for _, name := range Stemmers()[1:] {
		if !ofEnglish(name) {
			continue // TestLanguagesTakeAnything
		}
		stemOf := newStemmer(name)
		words := [][]byte{{}}
		for range 4 {
			var longer [][]byte
			for _, word := range words {
				for _, letter := range letters {
					longer = append(longer, append(slices.Clone(word), letter))
				}
			}
			for _, word := range longer {
				got := stemOf(slices.Clone(word))
				if len(got) == 0 || leavesShortWords(name) && len(word) <= 2 && !slices.Equal(got, word) {
					t.Fatalf("%s of %q is %q", name, word, got)
				}
			}
			words = longer
		}
	}
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

// porter-c gives what the program in C gives, here written after it, step by step.
func TestPorterOfTheProgram(t *testing.T) {
	t.Run("set=words", func(t *testing.T) { checkProgram(t, stemWords(t)) })
	t.Run("set=20ng", func(t *testing.T) { checkProgram(t, newsgroupWords(t)) })
}

func checkProgram(t *testing.T, words []string) {
	t.Helper()
	ours := newStemmer("porter-c")
	bad, changed := 0, 0
	for _, word := range words {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			continue
		}
		want := programInC(word)
		if got := string(ours([]byte(word))); got != want && bad < 20 {
			bad++
			t.Errorf("%q gives %q, want %q", word, got, want)
		}
		if want != string(newStemmer("porter")([]byte(word))) {
			changed++
		}
	}
	if changed < 10 {
		t.Errorf("only %d words of %d tell the program from the paper", changed, len(words))
	}
}

// A program has the variables of Porter's program: the word is b[:k+1], the stem before
// a suffix b[:j+1].
type program struct {
	b    string
	k, j int
}

func programInC(word string) string {
	z := &program{b: word, k: len(word) - 1}
	if z.k <= 1 {
		return word // a departure
	}
	z.step1()
	if z.k > 0 {
		z.step2()
		z.step3()
		z.step4()
		z.step5()
	}
	return z.b[:z.k+1]
}

func (z *program) cons(i int) bool {
	switch z.b[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !z.cons(i-1)
	}
	return true
}

// m counts the consonant sequences behind vowels in b[:j+1].
func (z *program) m() (n int) {
	for i := 1; i <= z.j; i++ {
		if z.cons(i) && !z.cons(i-1) {
			n++
		}
	}
	return n
}

func (z *program) vowelInStem() bool {
	for i := range z.j + 1 {
		if !z.cons(i) {
			return true
		}
	}
	return false
}

func (z *program) doubleC(i int) bool { return i >= 1 && z.b[i] == z.b[i-1] && z.cons(i) }

func (z *program) cvc(i int) bool {
	return i >= 2 && z.cons(i) && !z.cons(i-1) && z.cons(i-2) && !strings.ContainsRune("wxy", rune(z.b[i]))
}

func (z *program) ends(s string) bool {
	if !strings.HasSuffix(z.b[:z.k+1], s) {
		return false
	}
	z.j = z.k - len(s)
	return true
}

func (z *program) setTo(s string) {
	z.b = z.b[:z.j+1] + s
	z.k = len(z.b) - 1
}

// first takes the first suffix of pairs, and replaces it where m > 0.
func (z *program) first(pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		if z.ends(pairs[i]) {
			if z.m() > 0 {
				z.setTo(pairs[i+1])
			}
			return
		}
	}
}

func (z *program) step1() {
	if z.b[z.k] == 's' {
		switch {
		case z.ends("sses"):
			z.k -= 2
		case z.ends("ies"):
			z.setTo("i")
		case z.b[z.k-1] != 's':
			z.k--
		}
	}
	if z.ends("eed") {
		if z.m() > 0 {
			z.k--
		}
	} else if (z.ends("ed") || z.ends("ing")) && z.vowelInStem() {
		z.k = z.j
		switch {
		case z.ends("at"):
			z.setTo("ate")
		case z.ends("bl"):
			z.setTo("ble")
		case z.ends("iz"):
			z.setTo("ize")
		case z.doubleC(z.k):
			if !strings.ContainsRune("lsz", rune(z.b[z.k])) {
				z.k--
			}
		default:
			if z.j = z.k; z.m() == 1 && z.cvc(z.k) {
				z.setTo("e")
			}
		}
	}
	if z.ends("y") && z.vowelInStem() {
		z.b = z.b[:z.k] + "i"
	}
}

func (z *program) step2() {
	z.first("ational", "ate", "tional", "tion", "enci", "ence", "anci", "ance", "izer", "ize",
		"bli", "ble", // a departure
		"alli", "al", "entli", "ent", "eli", "e", "ousli", "ous", "ization", "ize", "ation", "ate", "ator", "ate",
		"alism", "al", "iveness", "ive", "fulness", "ful", "ousness", "ous", "aliti", "al", "iviti", "ive", "biliti", "ble",
		"logi", "log") // a departure
}

func (z *program) step3() {
	z.first("icate", "ic", "ative", "", "alize", "al", "iciti", "ic", "ical", "ic", "ful", "", "ness", "")
}

func (z *program) step4() {
	for _, s := range []string{
		"al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize",
	} {
		if !z.ends(s) || s == "ion" && (z.j < 0 || z.b[z.j] != 's' && z.b[z.j] != 't') {
			continue
		}
		if z.m() > 1 {
			z.k = z.j
		}
		return
	}
}

func (z *program) step5() {
	z.j = z.k
	if z.b[z.k] == 'e' {
		if a := z.m(); a > 1 || a == 1 && !z.cvc(z.k-1) {
			z.k--
		}
	}
	z.j = z.k
	if z.b[z.k] == 'l' && z.doubleC(z.k) && z.m() > 1 {
		z.k--
	}
}

// BenchmarkStem stems every word of the list once, as the counter does with each distinct
// word.
func BenchmarkStem(b *testing.B) {
	text := testkit.Must(os.ReadFile("testdata/words.txt"))
	words := strings.Fields(string(text))
	run := func(b *testing.B, one func(word string) int) {
		b.ReportAllocs()
		letters := 0
		for b.Loop() {
			for _, word := range words {
				letters += one(word)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(words)), "ns/word")
		if letters == 0 {
			b.Fatal("no stems")
		}
	}
	for _, name := range Stemmers()[1:] {
		b.Run("stem="+name, func(b *testing.B) {
			stemOf, buffer := newStemmer(name), make([]byte, 0, 64)
			run(b, func(word string) int { return len(stemOf(append(buffer[:0], word...))) })
		})
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
	for _, name := range Stemmers()[1:] {
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
	for _, name := range Stemmers()[1:] {
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

func FuzzLanguages(f *testing.F) {
	for name, pairs := range languageStems {
		for pair := range strings.FieldsSeq(pairs) {
			word, _, _ := strings.Cut(pair, "=")
			f.Add(uint8(slices.Index(Stemmers()[1:], name)), word)
		}
	}
	f.Fuzz(func(t *testing.T, number uint8, word string) {
		if word == "" || !utf8.ValidString(word) {
			return // a stemmer takes words of UTF-8
		}
		name := Stemmers()[1:][int(number)%len(Stemmers()[1:])]
		if got := newStemmer(name)([]byte(word)); len(got) == 0 || !utf8.Valid(got) {
			t.Fatalf("%s: %q becomes %q", name, word, got)
		}
	})
}
