package reader

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
)

// slowFastText reads a line word by word.
func slowFastText(line string) (labels, words []string) {
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(fastTextSpace, r) }) {
		if label, ok := strings.CutPrefix(word, "__label__"); !ok {
			words = append(words, word)
		} else if label != "" && !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return labels, words
}

// checkFastText compares with slowFastText.
func checkFastText(t *testing.T, line string) {
	t.Helper()
	docs, err := collect(t, line, Options{Format: FastText, Charset: "utf-8"})
	if !utf8.ValidString(line) || strings.TrimSpace(line) == "" || strings.ContainsAny(line, "\n\r") || strings.HasPrefix(line, "\ufeff") || err != nil {
		return
	}
	labels, words := slowFastText(line)
	_, got := slowFastText(string(docs[0].Text))
	if len(docs) != 1 || !slices.Equal(docs[0].Labels, labels) || !slices.Equal(got, words) {
		t.Fatalf("%q: %v, want %q and %q", line, docs, labels, words)
	}
}

var fastTextSeeds = []string{
	"__label__a some words", "__label__a __label__b\tsome words", "some words __label__b", "x __label__ y", "x__label__a y", "__label____label__a x",
	"__label__a __label__a x", "__label__a", "words", "__label__a\x00x\v__label__b\fy",
}

func TestFastTextSlowly(t *testing.T) {
	for _, line := range fastTextSeeds {
		for cut := range len(line) + 1 {
			checkFastText(t, line[:cut])
			checkFastText(t, line[cut:])
		}
	}
	eachMutation(rand.New(rand.NewPCG(5, 1)), fastTextSeeds, "_label \t\x00\v", 2_000, func(line string) { checkFastText(t, line) })
}

func FuzzFastText(f *testing.F) {
	for _, line := range fastTextSeeds {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkFuzz(t, text, FastText)
		checkFastText(t, text)
	})
}

func TestAcceptedFastText(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  Options
		want []string
	}{
		"lines":       {"__label__a some words\n\n__label__b __label__c more, words\r\n", Options{}, []string{`stdin:1 [a] "some words"`, `stdin:3 [b c] "more, words"`}},
		"at the end":  {"__label__a x\nmore words __label__b\n", Options{}, []string{`stdin:1 [a] "x"`, `stdin:2 [b] "more words"`}},
		"between":     {"__label__a x __label__b y\n", Options{}, []string{`stdin:1 [a b] "x  y"`}},
		"no label":    {"__label__a x\nno label\n", Options{}, []string{`stdin:1 [a] "x"`, `stdin:2 [] "no label"`}},
		"no name":     {"__label__ x\n", Options{}, []string{`stdin:1 [] "x"`}},
		"only labels": {"__label__a\n", Options{}, []string{`stdin:1 [a] ""`}},
		"named":       {"no label\nx __label__a\n", Options{Format: FastText}, []string{`stdin:1 [] "no label"`, `stdin:2 [a] "x"`}},
		"Latin-1":     {"__label__caf\xe9 caf\xe9\n", Options{Charset: "latin-1"}, []string{`stdin:1 [café] "café"`}},
		"a mark":      {"\ufeff__label__a x\n", Options{}, []string{`stdin:1 [a] "x"`}},
	} {
		got, _, err := shown(t, c.text, c.opt)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	file := t.TempDir() + "/train.txt"
	testkit.Write(file, "__label__a x\n")
	if got, _, err := ids(t, Options{}, file); err != nil || len(got) != 1 || !strings.HasSuffix(got[0], ":1 a") {
		t.Errorf("by what it has: %q, %v", got, err)
	}
	for text, opt := range map[string]Options{
		"__label__a x\n": {Split: "train"}, "__label__a " + strings.Repeat("x", 60): {MaxLine: 50}, "__label__" + strings.Repeat("a", 60) + " x": {MaxName: 50},
		"__label__a __label__b x\n": {MaxLabels: 1},
	} {
		if _, _, err := shown(t, text, opt); err == nil {
			t.Errorf("%.30q is taken", text)
		}
	}
}
