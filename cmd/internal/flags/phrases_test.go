package flags

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
)

func TestPhraseLists(t *testing.T) {
	path := filepath.Join(t.TempDir(), "phrases")
	read := func(text string, a analysis.Options) (analysis.Phrases, error) {
		t.Helper()
		testkit.OK(os.WriteFile(path, []byte(text), 0o600))
		return Lists{1000}.Phrases(path, a)
	}
	for _, list := range []struct {
		text string
		a    analysis.Options
		want string
	}{
		{"# mine\nNew York\n\n Bank of  America \r\n", analysis.Options{}, "[bank of america new york]"},
		{"New Yorkers", analysis.Options{Stem: "porter2", NGrams: "2", Tokens: analysis.Auto}, "[new yorker]"},
		{"Bank of America", analysis.Options{Stop: "english"}, "[bank america]"},
		{"class\tterm\ttf\na\thorri thing\t2\nb\thorri thing\t3\nb\thorri\t3\nb\tA  b\t3\n", analysis.Options{Stem: "porter2"}, "[A b horri thing]"},
		{"#terms 1\nrank\tterm\n1\ta b\n", analysis.Options{}, "[a b]"},
		{"term\na b\nc d\n", analysis.Options{}, "[a b c d]"},
	} {
		testkit.Equal(t, fmt.Sprint([]string(testkit.Must(read(list.text, list.a)))), list.want, list.text)
	}
	for text, want := range map[string]string{
		"":                 "has no phrase",
		"# nothing\n":      "has no phrase",
		"new york\nyork\n": ":2: ",
		"new york\n\xff\n": "not UTF-8",
		"phrase\tpass\ttf\tscore\na b\t0\t1\t1\n": "is a table without a column term",
		"rank\tterm\n1\n":                         ":2: ",
		"rank\tterm\n1\tone\n":                    "has no phrase",
		strings.Repeat("new york\n", 200):         "--max-list",
	} {
		if got, err := read(text, analysis.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, got, err, want)
		}
	}
}

// A list whose name ends in .csv has fields as CSV has them.
func TestPhrasesOfCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.csv")
	testkit.OK(os.WriteFile(path, []byte("rank,term\n1,\"new york, ny\"\n2,\"bank of america\"\n"), 0o600))
	testkit.Equal(t, fmt.Sprint([]string(testkit.Must((Lists{1000}).Phrases(path, analysis.Options{})))),
		"[bank of america new york, ny]")
}
