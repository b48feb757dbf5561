package analysis

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// plainGrams joins the words of one part.
func plainGrams(words []string, least, most int) (grams []string) {
	for n := least; n <= most; n++ {
		for i := 0; i+n <= len(words); i++ {
			grams = append(grams, strings.Join(words[i:i+n], " "))
		}
	}
	return grams
}

func TestNGramOptions(t *testing.T) {
	for option, want := range map[string]string{"": "", "1": "", "1-1": "", "2": "2", "2-2": "2", "1-2": "1-2", "3-5": "3-5", "5": "5"} {
		a := testkit.Must(New(Options{NGrams: option}))
		testkit.Equal(t, a.Options().NGrams, want, option, a)
	}
	for _, option := range []string{"0", "6", "-", "1-", "-2", "2-1", "1-6", "0-2", "12", "1-2-3", "1 2", "a", "1-b", "１"} {
		testkit.Fails(t, testkit.Err(New(Options{NGrams: option})), option, "is taken")
	}
}

// The words of an analyzer without n-grams, joined, are the definition.
func TestNGramsOfRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, opt := range []Options{
		{},
		{Tokens: "letters"},
		{Tokens: "unicode"},
		{Stop: "smart", Stem: "porter2", MaxToken: 9},
	} {
		plain := must(opt)
		for least := 1; least <= mostWords; least++ {
			for most := least; most <= mostWords; most++ {
				opt.NGrams = fmt.Sprintf("%d-%d", least, most)
				c := must(opt).NewCounter()
				for range rounds(20) {
					text := wordyText(r, r.IntN(60))
					checkGrams(t, c, text, plainGrams(plain.Terms(text), least, most))
				}
				checkNames(t, c)
			}
		}
	}
}

// N-grams of long texts are looked up in several batches, and their slots grow meanwhile.
func TestNGramsOfLongTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	plain := must(Options{})
	for _, ngrams := range []gramRange{{1, 2}, {2, 2}, {1, 5}, {3, 4}} {
		c := must(Options{NGrams: ngrams.String()}).NewCounter()
		for _, words := range []int{gramsTogether, gramsTogether + 1, gramsTogether + 2, 2*gramsTogether + 1, 5000} {
			var text []byte
			for range words {
				text = fmt.Appendf(text, "w%d ", r.IntN(words/3))
			}
			checkGrams(t, c, text, plainGrams(plain.Terms(text), ngrams.least, ngrams.most))
		}
		checkNames(t, c)
	}
}

func wordyText(r *rand.Rand, words int) []byte {
	var text []byte
	for range words {
		text = append(text, []string{"run", "Runs", "the", "x", "naïve", "a-b", "antidisestablishmentarianism", "don't", "1990", "...", "中文"}[r.IntN(11)]...)
		text = append(text, " \n,"[r.IntN(3)])
	}
	return text
}

// checkGrams compares the counts of a text, and the order in which terms come.
func checkGrams(t *testing.T, c *Counter, text []byte, want []string) {
	t.Helper()
	testkit.EqualSlices(testkit.Stop(t), c.a.Terms(text), want, c.a.opt.NGrams, "of", text)
	counts := map[string]uint32{}
	for _, term := range want {
		counts[term]++
	}
	got := c.Count(text, nil)
	for _, tc := range got {
		testkit.Equal(testkit.Stop(t), counts[string(c.Term(tc.Term))], tc.Count, c.a.opt.NGrams, "of", text, "times")
	}
	testkit.Equal(testkit.Stop(t), len(got), len(counts), c.a.opt.NGrams, "of", text, "terms")
}

func checkNames(t *testing.T, c *Counter) {
	t.Helper()
	names := c.Names()
	seen := map[string]bool{}
	for id, name := range names {
		if string(c.Term(uint32(id))) != name || seen[name] {
			t.Fatalf("term %d is %q and %q, seen %v", id, name, c.Term(uint32(id)), seen[name])
		}
		seen[name] = true
	}
	testkit.Equal(testkit.Stop(t), len(names), c.Len(), "names of")
}

func TestNGramsStayWithinDocumentsAndHeaders(t *testing.T) {
	a := must(Options{NGrams: "2", Headers: "subject", Stop: "glasgow"})
	c := a.NewCounter()
	c.Count([]byte("one more"), nil)
	got := a.Terms([]byte("Subject: red the fox\nFrom: ann\nSubject: dog\n\nbody text"))
	testkit.EqualSlices(t, got, []string{"red fox", "body text"})
	for range 2 {
		testkit.Equal(t, len(c.Count([]byte("two"), nil)), 0, "a pair across documents")
	}
}

// A term added verbatim and one from a text are the same if their bytes are; the
// parts of an added one are no terms by that.
func TestAddWithNGrams(t *testing.T) {
	for _, ngrams := range []string{"1-2", "2-3"} {
		c := must(Options{NGrams: ngrams}).NewCounter()
		c.Count([]byte("red fox jumps"), nil)
		known := c.Len()
		terms := []string{"red fox", "new york", "", " ", "a  b", "gamma", "one two three four five six seven", "Red fox", "red fox "}
		ids := map[string]uint32{}
		for _, term := range terms {
			ids[term] = c.Add(term)
			testkit.Equal(t, string(c.Term(ids[term])), term, ngrams)
			testkit.Equal(t, c.Add(term), ids[term], ngrams, term, "is", c.Term(ids[term]))
		}
		if c.Len() != known+len(terms)-1 || int(ids["red fox"]) >= known {
			t.Errorf("%s: %d terms", ngrams, c.Len())
		}
		found := map[uint32]bool{}
		for _, tc := range c.Count([]byte("New York gamma seven six"), nil) {
			found[tc.Term] = true
		}
		if !found[ids["new york"]] || found[ids["gamma"]] != (ngrams == "1-2") {
			t.Errorf("%s: %v, %v", ngrams, found, ids)
		}
		checkNames(t, c)
	}
}

// Figures of scikit-learn's CountVectorizer on the same decoded posts.
func TestNGramsOfNewsgroups(t *testing.T) {
	docs := needNewsgroups(t)
	for _, test := range []struct {
		opt                     Options
		terms, postings, tokens int
	}{
		{Options{NGrams: "1-2"}, 1_181_803, 4_696_188, 6_728_032},
		{Options{NGrams: "2"}, 1_051_696, 2_908_623, 3_358_359},
		{Options{NGrams: "2-3"}, 3_038_164, 6_056_825, 6_705_404},
		{Options{NGrams: "1-2", Stop: "sklearn"}, 1_186_545, 3_071_571, 4_038_874},
	} {
		if testing.Short() && test.opt.NGrams != "1-2" {
			continue
		}
		c := must(test.opt).NewCounter()
		var found []TermCount
		postings, tokens := 0, 0
		for _, doc := range docs {
			found = c.Count(doc, found[:0])
			postings += len(found)
			for _, tc := range found {
				tokens += int(tc.Count)
			}
		}
		got := [3]int{c.Len(), postings, tokens}
		testkit.Equal(t, got, [3]int{test.terms, test.postings, test.tokens}, test.opt, "terms, postings, tokens")
	}
}
