package reader

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	if err != nil || !slices.Equal(docs, []string{`stdin:1 [] "café"`}) {
		t.Fatalf("%q, %v", docs, err)
	}
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
