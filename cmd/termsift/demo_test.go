package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
)

// demoOutput is what the demo prints, with # for times, which differ from run to run.
func demoOutput(t *testing.T) (printed, masked string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"demo"}, strings.NewReader(""), &out, &errs); code != exitOK || errs.Len() > 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	return out.String(), regexp.MustCompile(` +[0-9.]+ ms`).ReplaceAllString(out.String(), "    # ms")
}

func TestDemoPrintsWhatItAlwaysDid(t *testing.T) {
	_, got := demoOutput(t)
	golden := filepath.Join("testdata", "demo.golden")
	if *update {
		testkit.Write(golden, got)
	}
	want := testkit.Must(os.ReadFile(golden))
	testkit.Equal(testkit.Stop(t), got, string(want), "the demo prints something else (go test -update rewrites it)")
}

func TestDemoFitsATerminal(t *testing.T) {
	printed, _ := demoOutput(t)
	if n := strings.Count(printed, "\n"); n < 24 || n > 42 {
		t.Errorf("%d lines, not 24 to 42", n)
	}
	for _, took := range regexp.MustCompile(`([0-9.]+) ms`).FindAllStringSubmatch(printed, -1) {
		testkit.Equal(t, len(took[1]) <= 4, true, took[1], "is wider than its column")
	}
	for line := range strings.Lines(printed) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// The corpus of the demo is made by this file from the sentences of pieces.txt, and
// TestDemoCorpusIsMadeOfItsPieces makes it again. It stands for the mail of six clubs: a
// message says a sentence or two about its subject, and for the rest what people write in
// every club. Nothing but the sentences of a subject depends on the class, which makes
// all other words noise.
//
// The seed and the amounts of chatter and of typing errors were set before the first result
// was seen, and stayed so; afterwards two sentences and a list were corrected for their
// English. That measures are compared by 400 terms was decided on the first results, and the
// demo shows other numbers of terms beside it. TestDemoHoldsForOtherSeeds repeats
// the finding for other seeds. It also measures messages without chatter: naive Bayes is
// then as good on all terms (94.8 % by 94.7 % on 800), Bernoulli and neighbours still gain
// one to three points. So the demo shows what selection does where much is said beside the
// subject, and not how much it does elsewhere.

// demoSizes are the messages of each subject. They are unequal, as in real mail.
var demoSizes = []struct {
	class    string
	messages int
}{
	{"gardening", 150},
	{"cooking", 130},
	{"cycling", 110},
	{"sailing", 90},
	{"chess", 70},
	{"astronomy", 50},
}

const (
	demoSeed     = 1
	mostBytes    = 300_000
	chatterLeast = 3 // sentences that have nothing to do with the subject
	chatterMost  = 6
	mistyped     = .02 // of words of six and more letters, with two letters swapped
)

// pieces are sentences and lists of words by their names.
type pieces struct {
	sentences map[string][]string
	lists     map[string][]string // "subject/name", "chatter/name"
}

func readPieces(t *testing.T) pieces {
	data := testkit.Must(os.ReadFile(filepath.Join("demo/pieces.txt")))
	p, section := pieces{map[string][]string{}, map[string][]string{}}, ""
	for line := range strings.Lines(string(data)) {
		switch line = strings.TrimSpace(line); {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "== "):
			section = line[3:]
		case strings.HasPrefix(line, "= "):
			name, words, _ := strings.Cut(line[2:], ": ")
			p.lists[section+"/"+name] = strings.Split(words, ", ")
		default:
			p.sentences[section] = append(p.sentences[section], line)
		}
	}
	return p
}

// A composer writes messages.
type composer struct {
	pieces
	*rand.Rand
	chatter [2]int // least and most sentences
}

func newComposer(p pieces, seed uint64) *composer {
	return &composer{p, rand.New(rand.NewPCG(seed, 0)), [2]int{chatterLeast, chatterMost}}
}

type message struct {
	ID     string   `json:"id"`
	Labels []string `json:"labels"`
	Split  string   `json:"split"`
	Text   string   `json:"text"`
}

// corpus writes all messages. Every fourth is a test document for those who want a
// fixed division; the demo itself divides by folds.
func (c *composer) corpus() (all []message) {
	for _, s := range demoSizes {
		for i := range s.messages {
			split := "train"
			if i%4 == 3 {
				split = "test"
			}
			all = append(all, message{fmt.Sprintf("%s-%03d", s.class, i+1), []string{s.class}, split, c.message(s.class)})
		}
	}
	return all
}

// message has a greeting or none, the sentences of the subject among chatter, sometimes
// one of another subject, and a farewell.
func (c *composer) message(class string) string {
	var middle []string
	for range 1 + c.IntN(2) {
		middle = append(middle, c.sentence(class))
	}
	for range c.chatter[0] + c.IntN(c.chatter[1]-c.chatter[0]+1) {
		middle = append(middle, c.sentence("chatter"))
	}
	if c.IntN(5) == 0 {
		middle = append(middle, c.sentence(demoSizes[c.IntN(len(demoSizes))].class))
	}
	c.Shuffle(len(middle), func(i, j int) { middle[i], middle[j] = middle[j], middle[i] })
	if c.IntN(2) == 0 {
		middle = append([]string{c.sentence("greeting")}, middle...)
	}
	return c.mistype(strings.Join(append(middle, c.sentence("farewell")), " "))
}

// sentence fills in one of the section's.
func (c *composer) sentence(section string) string {
	all := c.sentences[section]
	var b strings.Builder
	rest := all[c.IntN(len(all))]
	for {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			break
		}
		name, left, _ := strings.Cut(after, "}")
		b.WriteString(c.word(section, name))
		rest = left
	}
	text := b.String()
	return strings.ToUpper(text[:1]) + text[1:]
}

// word draws one for a place in a sentence.
func (c *composer) word(section, name string) string {
	switch name {
	case "number":
		return fmt.Sprintf("01632 960%03d", c.IntN(1000)) // of those kept free for stories
	case "place":
		if _, ok := c.lists[section+"/place"]; !ok {
			return c.compound("Al Ash Bar Bex Bram Cald Car Dun Elm Far Gal Had Hel Kel Lang Mar Nor Ot Pen Rad Sel Stan Thorn Up Wel Wink Yar",
				"bury by combe den field ford ham hurst ley mere minster ney pool sall stead stoke thorpe ton wich worth")
		}
	case "last":
		return c.compound("Ab Bell Birk Brad Crow Dar Ever Fen Garr Hal Holl Kirk Lam Mal Nead Os Pell Quar Rum Satt Tal Under Ven Wad Whit",
			"aby ard away bank by combe cott ell er field gate ick ing kin man ner ock over say shaw son ter thwaite well wood")
	}
	words, ok := c.lists[section+"/"+name]
	if !ok {
		words = c.lists["chatter/"+name]
	}
	return words[c.zipf(len(words))]
}

// compound makes a name of two parts. Most of them occur once or twice in the corpus, as
// names do.
func (c *composer) compound(first, second string) string {
	a, b := strings.Fields(first), strings.Fields(second)
	return a[c.IntN(len(a))] + b[c.IntN(len(b))]
}

// zipf draws one of n, the i-th of them with a chance that goes as 1/(i+3).
func (c *composer) zipf(n int) int {
	sum := 0.0
	for i := range n {
		sum += 1 / float64(i+3)
	}
	at := c.Float64() * sum
	for i := range n {
		if at -= 1 / float64(i+3); at < 0 {
			return i
		}
	}
	return n - 1
}

// mistype swaps two letters inside some of the words.
func (c *composer) mistype(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		if len(w) < 6 || c.Float64() >= mistyped {
			continue
		}
		b, at := []byte(w), 1+c.IntN(len(w)-4)
		if unicode.IsLower(rune(b[at])) && unicode.IsLower(rune(b[at+1])) {
			b[at], b[at+1] = b[at+1], b[at]
		}
		words[i] = string(b)
	}
	return strings.Join(words, " ")
}

// composed is the corpus as lines of JSON.
func (c *composer) composed(t *testing.T) []byte {
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	lines.SetEscapeHTML(false)
	for _, m := range c.corpus() {
		testkit.OK(lines.Encode(m))
	}
	return out.Bytes()
}

func TestDemoCorpusIsMadeOfItsPieces(t *testing.T) {
	made := newComposer(readPieces(t), demoSeed).composed(t)
	if *update {
		testkit.Write(filepath.Join("demo/corpus.jsonl"), made)
	}
	if !*update && !bytes.Equal(made, demoCorpus) {
		t.Error("corpus.jsonl is not what pieces.txt gives (go test -update writes it)")
	}
	if len(made) > mostBytes {
		t.Errorf("%d bytes to embed, above %d", len(made), mostBytes)
	}
}

// What the demo says at its end is no matter of the seed. The chatter is what does it:
// see what is logged for messages without (go test -v).
func TestDemoHoldsForOtherSeeds(t *testing.T) {
	p := readPieces(t)
	for seed := uint64(demoSeed); seed < demoSeed+4; seed++ {
		few, enough, all, worst := demoAccuracies(t, newComposer(p, seed))
		t.Logf("seed %d, %d terms: %.1f; 800: %.1f; all: %.1f; by df or mi: %.1f", seed, fewTerms, few, enough, all, worst)
		for i, l := range learners {
			switch {
			case l.Kind != "svm" && few[i] <= all[i]:
				t.Errorf("seed %d: %s gains nothing: %.1f of %.1f", seed, l, few[i], all[i])
			case l.Kind == "svm" && math.Abs(enough[i]-all[i]) > 2:
				t.Errorf("seed %d: 800 terms make a difference to %s: %.1f of %.1f", seed, l, enough[i], all[i])
			case worst[i] >= few[i] || worst[i] >= all[i]:
				t.Errorf("seed %d: %s does not lose by the wrong measure: %.1f of %.1f", seed, l, worst[i], all[i])
			}
		}
	}
	quiet := newComposer(p, demoSeed)
	quiet.chatter = [2]int{0, 0}
	few, enough, all, _ := demoAccuracies(t, quiet)
	t.Logf("without chatter, %d terms: %.1f; 800: %.1f; all: %.1f", fewTerms, few, enough, all)
}

// demoAccuracies are those of the classifiers in percent, for few terms by chi-square, for
// 800, for all, and the best of few by df or mi.
func demoAccuracies(t *testing.T, c *composer) (few, enough, all, worst []float64) {
	t.Helper()
	messages := testkit.Must(readMessages(t.Context(), c.composed(t)))
	chi, others, err := accuracies(t.Context(), messages)
	testkit.OK(err)
	for i, p := range chi.Points {
		switch accuracy := 100 * p.Accuracy.Mean; p.K {
		case fewTerms:
			few = append(few, accuracy)
			j := i % len(learners)
			worst = append(worst, 100*max(others.Points[j].Accuracy.Mean, others.Points[j+len(learners)].Accuracy.Mean))
		case 800:
			enough = append(enough, accuracy)
		case 0:
			all = append(all, accuracy)
		}
	}
	return few, enough, all, worst
}
