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

func TestFileOfFastText(t *testing.T) {
	file := testkit.Write(t.TempDir()+"/train.txt", "__label__a x\n")
	if got, _, err := ids(t, Options{}, file); err != nil || len(got) != 1 || !strings.HasSuffix(got[0], ":1 a") {
		t.Errorf("by what it has: %q, %v", got, err)
	}
}
