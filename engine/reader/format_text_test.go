package reader

import (
	"errors"
	"fmt"
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

// Mail in a folder of its class is decoded as its header says, in a tree and in an archive, and what is left out is
// told once.
func TestMailInFolders(t *testing.T) {
	const pages = "Content-Type: multipart/alternative; boundary=o\n\n--o\n\nwords\n--o\nContent-Type: text/html\n\n<p>w\n--o--\n"
	files := map[string]string{
		"a/1": "Subject: =?iso-8859-1?Q?gro=DF?=\nContent-Transfer-Encoding: quoted-printable\n\ncaf=C3=A9\n", "b/1": pages, "b/2": pages,
		"c/1": "Content-Transfer-Encoding: base64\n\nnot packed\n", "c/2": "From: a@b\n\n=C3=A9\n",
	}
	for _, input := range []string{directoryOf(t, files), writeFile(t, archive(t, membersOf(files)...))} {
		got, sum, err := textsOf(t, Options{}, input)
		testkit.OK(err)
		for _, want := range []string{"Subject: groß\n", "\n\ncafé\n a;", "\n\nwords\n b;", "\n\nnot packed\n c;", "From: a@b\n\n=C3=A9\n c"} {
			testkit.Contains(t, got, want)
		}
		notes := strings.Join(sum.Notes, "\n")
		testkit.Contains(t, notes, "parts of the mail that are no text, or say what a text before them says, are left out; save what they hold as files of their own (the first of 2)")
		testkit.Contains(t, notes, "a part of the mail is not in the encoding that its header names, and is read as it stands")
		testkit.Equal(t, len(sum.Notes), 2)
	}
}

// Each message of an mbox is a document, wherever frames end; the file's name can be its label.
func TestMbox(t *testing.T) {
	var text strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&text, "From ada@x.org Thu Aug 22 12:36:23 %d\nSubject: =?utf-8?q?n=C3=BAmero?= %d\n\n%sFrom here on it is text\n\n", 1990+i%40, i, strings.Repeat("a line\n", i%30))
	}
	docs := testkit.Must(collect(t, text.String(), Options{}))
	testkit.Equal(testkit.Stop(t), len(docs), 4000, "documents")
	line := 1
	for i, d := range docs {
		want := fmt.Sprintf("Subject: número %d\n\n%sFrom here on it is text\n\n", i, strings.Repeat("a line\n", i%30))
		if d.ID != fmt.Sprintf("stdin:%d", line) || d.Source.Line != line || string(d.Text) != want {
			t.Fatalf("document %d: %s at %v, %q, want line %d", i, d.ID, d.Source, d.Text, line)
		}
		line += 5 + i%30
	}
	const two = "From a@b Sat Jan  3 01:05:34 +0000 1996\nX: y\n\none\n\nFrom c@d Sat Jan  3 01:05 EST 1996\r\nX: y\n\ntwo\n"
	got, _, err := ids(t, Options{LabelFrom: fromFile}, directoryOf(t, map[string]string{"ham.mbox": two, "spam.mbox": two}))
	testkit.OK(err)
	testkit.Equal(t, len(got), 4)
	testkit.Equal(t, strings.HasSuffix(got[0], "ham.mbox:1 ham") && strings.HasSuffix(got[3], "spam.mbox:6 spam"), true, got)
	for text, is := range map[string]bool{
		two: true, "From a@b Thu Aug 22 12:36:23 2002\r\nReceived: x\n": true, "From here on: 12:30 2002\nno header": false, "From: a@b\nX: y\n": false, "From a@b\nX: y\n": false,
	} {
		testkit.Equal(t, mboxLayout.detect([]byte(text), false), is, text)
	}
	for text, opt := range map[string]Options{"words\n" + two: {Format: Mbox}, two: {Split: "train"}, "From a@b Thu Aug 22 12:36:23 2002\nX: y\n\nlong\n": {MaxDocument: 9}} {
		testkit.Is(t, testkit.Err(collect(t, text, opt)), ErrBadInput, text)
	}
}
