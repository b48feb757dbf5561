package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/explorer"
	"github.com/termsift/termsift/engine/words"
)

// folderOf writes files and returns their paths.
func folderOf(t *testing.T, files map[string]string) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		testkit.OK(os.MkdirAll(filepath.Dir(path), 0o777))
		paths = append(paths, testkit.Write(path, content))
	}
	return paths
}

// ask answers a request, as JSON that is read again.
func ask[T any](t *testing.T, s *session, r request) (answer T, got parts) {
	t.Helper()
	value, got, err := s.do(t.Context(), r)
	testkit.Is(testkit.Stop(t), err, nil, r.Op)
	testkit.OK(json.Unmarshal(testkit.Must(json.Marshal(value)), &answer))
	return answer, got
}

const reviews = "stars;review\n5;sehr schön und gut\n1;sehr schlecht und laut\n5;gut und schön genug hier\n1;laut und sehr teuer\n" +
	"5;gut gut gut gut\n1;laut laut laut zu laut\n5;schön hier und dort\n1;teuer und laut\n"

// What is understood of files: the fields of a table, folders and what is in them, and where classes can come from.
func TestDescribe(t *testing.T) {
	for name, c := range map[string]struct {
		files         []string
		says, classes string
	}{
		"a table":         {[]string{"reviews.csv"}, "1 table: review looks like text, stars looks like numbers", "column:stars none"},
		"two tables":      {[]string{"reviews.csv", "b.csv"}, "2 tables: review looks like text, stars looks like numbers", "column:stars file none"},
		"texts":           {[]string{"a.txt", "b.txt"}, "2 texts", "none file"},
		"folders":         {[]string{"x/a.txt", "y/b.txt"}, "2 texts in 2 folders", "folder file none"},
		"folders of some": {[]string{"x/1/a.txt", "x/2/b.txt", "y/1/c.txt"}, "3 texts in 3 folders", "folder top file none"},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		for _, file := range c.files {
			testkit.OK(os.MkdirAll(filepath.Dir(file), 0o777))
			testkit.Write(file, reviews)
		}
		d, _ := ask[description](t, &session{}, request{Op: "describe", Paths: c.files})
		testkit.Equal(t, d.Says, c.says, name)
		testkit.Equal(t, strings.Join(d.Classes, " "), c.classes, name)
		counted, _ := ask[collection](t, &session{}, request{Op: "count", Paths: d.Inputs, Text: d.Text, Classes: d.Classes[0]})
		testkit.Equal(t, counted.Documents, map[bool]int{true: len(c.files), false: 8 * len(c.files)}[d.Text == ""], name, "documents")
	}
}

// A table is counted, and answers questions; the numbers are counted by hand.
func TestSession(t *testing.T) {
	paths := folderOf(t, map[string]string{"reviews.csv": reviews})
	var s session
	c, shown := ask[collection](t, &s, request{Op: "count", Paths: paths, Text: "review", Classes: "column:stars"})
	testkit.Equal(t, c.Documents, 8, "documents")
	testkit.Equal(t, c.Terms, 11, "terms", c)
	testkit.Equal(t, c.Texts[5], text{Name: c.Texts[5].Name, Class: "1", Tokens: 5}, "the sixth text")
	testkit.Contains(t, string(shown["head"]), `"rank":"chi"`)
	testkit.Equal(t, strings.TrimPrefix(c.Command, "termsift explore "+explorer.InShell(paths[0])), " --text-field review --label-field stars -o page.html", "command")

	list, _ := ask[map[string][]word](t, &s, request{Op: "words", Most: 2, Stop: "german"})
	testkit.Equal(t, list["words"][0], word{"laut", 7, 4, list["words"][0].PerMillion, list["words"][0].DPNorm}, "the most frequent word")
	lines, _ := ask[words.Found](t, &s, request{Op: "lines", Pattern: "la*t", Most: 3})
	testkit.Equal(t, [3]int{lines.Occurrences, lines.Documents, len(lines.Lines)}, [3]int{7, 4, 3}, "occurrences, documents, lines")
	over, _ := ask[spread](t, &s, request{Op: "spread", Pattern: "Laut", Parts: 4})
	testkit.EqualSlices(t, []int{over.Stretches[0].Times, over.Stretches[1].Times, over.Stretches[2].Times, over.Stretches[3].Times}, []int{1, 1, 4, 1}, "times")
	inside, _ := ask[spread](t, &s, request{Op: "spread", Pattern: "laut", Parts: 5, Name: c.Texts[5].Name})
	testkit.Equal(t, len(inside.Stretches), 5, "parts")
	near, _ := ask[words.Window](t, &s, request{Op: "collocates", Pattern: "laut", By: "ll", Left: 1, Right: 1, Least: 1, Most: 9})
	testkit.Equal(t, near.Frequency, 7, "the node")
	read, _ := ask[map[string]any](t, &s, request{Op: "text", Name: c.Texts[5].Name})
	testkit.Equal(t, read["text"].(string), "laut laut laut zu laut", "a text")

	for sets, want := range map[[2]int]string{{1, 5}: "--docs id=" + c.Texts[1].Name} {
		compared, _ := ask[map[string]any](t, &s, request{Op: "compare", A: sets[:1], B: sets[1:]})
		testkit.Contains(t, compared["command"].(string), want)
	}
	compared, _ := ask[map[string]any](t, &s, request{Op: "compare", A: []int{1, 3, 5, 7}, B: []int{0, 2, 4, 6}})
	testkit.Contains(t, compared["command"].(string), "--docs class=1 --reference-docs class=5")
	_, kept := ask[map[string]any](t, &s, request{Op: "save", Most: 3})
	testkit.Contains(t, string(kept["page"]), `data-part="evidence"`)
	for op, wrong := range map[string]string{"spread": "niemand", "lines": "niemand", "collocates": "niemand", "text": "niemand", "none": "none"} {
		_, _, err := s.do(t.Context(), request{Op: op, Pattern: wrong, Name: map[bool]string{true: wrong}[op == "text"], Most: 1, By: "ll", Left: 1, Right: 1, Parts: 1})
		testkit.Says(t, err, wrong, op)
	}
}
