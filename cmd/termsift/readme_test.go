package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/corpora"
	"github.com/termsift/termsift/engine/reader"
)

// Every command of the README that has a prompt is run, one after the other as a reader
// would, and prints the lines that stand there. Times, speeds and white space do not
// count; "..." stands for lines that were left out, and what is piped is.
func TestReadmeExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: the examples take a quarter of a minute")
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	prepareReadme(t)
	commands := 0
	for _, block := range regexp.MustCompile("(?ms)^```\n(\\$ termsift .*?)^```").FindAllSubmatch(readme, -1) {
		for _, example := range strings.Split("\n"+string(block[1]), "\n$ termsift ")[1:] {
			command, want, _ := strings.Cut(example, "\n")
			readmeExample(t, command, strings.Split(want, "\n"))
			commands++
		}
	}
	if commands < 30 {
		t.Errorf("%d commands", commands)
	}
}

// prepareReadme makes a folder with the files that the examples name.
func prepareReadme(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	link := func(from, to string) {
		if err := os.Symlink(from, filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"20news-bydate.tar.gz", "reuters21578.tar.gz", "online_shopping_10_cats.csv.gz", "fudan-corpus.tar.zst"} {
		link(corpora.Path(t, name), name)
	}
	link(filepath.Dir(corpora.Path(t, "iris.data")), "collections")
	var computers, fold bytes.Buffer
	source, err := reader.Read(t.Context(), []string{corpora.Path(t, "20news-bydate.tar.gz")}, reader.Options{Split: "train", Charset: "latin-1"})
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	documents := 0
	for d, err := range source.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		if documents%10 == 0 {
			fold.WriteString(d.ID + "\n")
		}
		documents++
		if label := d.Labels[0]; strings.HasPrefix(label, "comp.") && !slices.Contains(seen, label) {
			seen = append(seen, label)
			computers.WriteString(label + "\n")
		}
	}
	for name, content := range map[string]*bytes.Buffer{"comp.txt": &computers, "fold1": &fold} {
		if err := os.WriteFile(filepath.Join(dir, name), content.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// readmeExample runs a command and looks for the lines.
func readmeExample(t *testing.T, command string, want []string) {
	t.Helper()
	command, _, _ = strings.Cut(command, " | ")
	var out, errs bytes.Buffer
	code := run(t.Context(), shellWords(command), strings.NewReader(""), &out, &errs)
	if code != exitOK && code != exitNothing { // check finds things
		t.Errorf("%s: exit code %d: %s", command, code, errs.String())
		return
	}
	got := map[string]bool{"": true, "...": true}
	for line := range strings.SplitSeq(out.String()+errs.String(), "\n") {
		got[withoutTimes(line)] = true
	}
	for _, line := range want {
		if !got[withoutTimes(line)] {
			t.Errorf("%s\ndoes not print\n%s", command, line)
		}
	}
}

// shellWords cuts a command at its spaces, but for those within single quotes.
func shellWords(command string) (words []string) {
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}

var timeOrSpeed = regexp.MustCompile(`[0-9.]+ (ms|s|MB/s)\b`)

func withoutTimes(line string) string {
	return timeOrSpeed.ReplaceAllString(strings.Join(strings.Fields(line), " "), "# ")
}
