package reader

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
)

// Where no label is needed, plain files and plain lines are documents.
func TestUnlabelledInputs(t *testing.T) {
	flat, folders := plant(t, "b.txt", "a.txt", ".hidden"), plant(t, "x/1", "y/2", "README")
	data := plant(t, "notes.txt")
	testkit.Write(filepath.Join(data, "1.jsonl"), `{"text":"t"}`)
	for name, c := range map[string]struct {
		input string
		want  []string
		note  string
	}{
		"a flat folder":          {flat, []string{"a.txt ", "b.txt "}, ""},
		"folders of classes":     {folders, []string{"x/1 x", "y/2 y"}, ""},
		"files of documents":     {data, []string{filepath.Join(data, "1.jsonl") + ":1 "}, ""},
		"one file, line by line": {filepath.Join(flat, "a.txt"), []string{filepath.Join(flat, "a.txt") + ":1 "}, "its format is not known, and every line is taken as a document"},
	} {
		got, s, err := ids(t, Options{Unlabelled: true}, c.input)
		if err != nil || !slices.Equal(got, c.want) || !strings.Contains(strings.Join(s.Notes, ""), c.note) {
			t.Errorf("%s: %q, %q, %v", name, got, s.Notes, err)
		}
	}
	for name, input := range map[string]string{"an empty folder": t.TempDir(), "hidden files only": plant(t, ".x")} {
		if _, _, err := ids(t, Options{Unlabelled: true}, input); !errors.Is(err, ErrEmpty) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := ids(t, Options{}, filepath.Join(flat, "a.txt")); !errors.Is(err, ErrBadInput) {
		t.Errorf("lines are taken where labels are needed: %v", err)
	}
}

func TestLines(t *testing.T) {
	docs, s, err := shown(t, "one\r\n\n \ntwo {\n", Options{Format: Lines})
	if err != nil || !slices.Equal(docs, []string{`stdin:1 [] "one"`, `stdin:4 [] "two {"`}) || s.Notes != nil {
		t.Fatalf("%q, %v, %v", docs, s.Notes, err)
	}
	docs, _, err = shown(t, "caf\xe9\n", Options{Format: Lines, Charset: "latin-1"})
	testkit.OK(err)
	testkit.EqualSlices(testkit.Stop(t), docs, []string{`stdin:1 [] "café"`})
	for text, opt := range map[string]Options{
		"PNG\x00\x00\x00\x00\x00\x00\x00\x00": {Unlabelled: true},
		"one\n":                               {Format: Lines, Split: "train"},
		"longer\n":                            {Format: Lines, MaxLine: 4},
	} {
		if _, _, err := shown(t, text, opt); !errors.Is(err, ErrBadInput) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

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
