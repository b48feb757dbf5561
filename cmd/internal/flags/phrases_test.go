package flags

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/collocation"
)

func TestPhraseLists(t *testing.T) {
	path := filepath.Join(t.TempDir(), "phrases")
	read := func(text string, a analysis.Options) (analysis.Phrases, error) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return Lists{1000}.Phrases(path, a)
	}
	for _, list := range []struct {
		text string
		a    analysis.Options
		want string
	}{
		{"# mine\nNew York\n\n Bank of  America \r\n", analysis.Options{}, "[[new york bank of america]]"},
		{"New Yorkers", analysis.Options{Stem: "porter2", NGrams: "2", Tokens: analysis.Auto}, "[[new yorker]]"},
		{"Bank of America", analysis.Options{Stop: "english"}, "[[bank america]]"},
		{"phrase\tpass\ttf\tscore\nhorri thing\t1\t2\t0.5\nhorri_thing two\t2\t2\t0.5\n", analysis.Options{Stem: "porter2"}, "[[horri thing] [horri_thing two]]"},
		{"phrase\tpass\ttf\tscore\n", analysis.Options{}, "[]"},
	} {
		if got, err := read(list.text, list.a); err != nil || fmt.Sprint([][]string(got)) != list.want {
			t.Errorf("%q: %v, %v; want %s", list.text, [][]string(got), err, list.want)
		}
	}
	for text, want := range map[string]string{
		"":                 "has no phrase",
		"# nothing\n":      "has no phrase",
		"new york\nyork\n": ":2: ",
		"new york\n\xff\n": "not UTF-8",
		"phrase\tpass\ttf\tscore\na b\t0\t1\t1\n":   ":2: ",
		"phrase\tpass\ttf\tscore\na b\t101\t1\t1\n": ":2: ",
		"phrase\tpass\ttf\tscore\na b\n":            ":2: ",
		strings.Repeat("new york\n", 200):           "--max-list",
	} {
		if got, err := read(text, analysis.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, got, err, want)
		}
	}
}

// What is written is read.
func TestWritePhrases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "phrases")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	phrases := []collocation.Phrase{{Text: "new york", Pass: 1, Frequency: 5, Score: 1.0 / 3}, {Text: "new_york times", Pass: 2, Frequency: 3, Score: 2e22}}
	if err := WritePhrases(f, phrases); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	got, err := Lists{1000}.Phrases(path, analysis.Options{Stem: "porter2"})
	if want := "[[new york] [new_york times]]"; err != nil || fmt.Sprint([][]string(got)) != want {
		t.Errorf("%v, %v", got, err)
	}
}
