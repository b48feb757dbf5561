package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// folderOf writes files and returns their paths.
func folderOf(t *testing.T, files map[string]string) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		testkit.Write(path, []byte(content))
		paths = append(paths, path)
	}
	return paths
}

// ask answers a request, as JSON that is read again.
func ask[T any](t *testing.T, s *session, r request) (answer T, got parts) {
	t.Helper()
	value, got, err := s.do(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(testkit.Must(json.Marshal(value)), &answer); err != nil {
		t.Fatal(err)
	}
	return answer, got
}

func TestTable(t *testing.T) {
	paths := folderOf(t, map[string]string{"reviews.csv": "stars;review\n5;sehr schön und gut\n1;sehr schlecht und laut\n5;gut und schön genug hier\n1;laut und sehr teuer\n5;gut gut gut gut\n1;laut laut laut zu laut\n5;schön hier und dort\n1;teuer und laut\n"})
	var s session
	d, _ := ask[description](t, &s, request{Op: "describe", Paths: paths})
	t.Logf("%+v", d)
	c, _ := ask[collection](t, &s, request{Op: "count", Paths: d.Inputs, Text: "review", Classes: "column:stars"})
	t.Logf("%+v", c)
	w, _ := ask[map[string][]word](t, &s, request{Op: "words", Most: 3})
	t.Logf("%+v", w)
	l, _ := ask[map[string]any](t, &s, request{Op: "lines", Pattern: "laut", Most: 3})
	t.Logf("%+v", l)
	sp, _ := ask[spread](t, &s, request{Op: "spread", Pattern: "laut", Parts: 4})
	t.Logf("%+v", sp)
	x, _ := ask[map[string]any](t, &s, request{Op: "compare", A: []int{0}, B: []int{1}})
	t.Logf("%+v", x)
	_, p := ask[map[string]any](t, &s, request{Op: "save", Most: 3})
	t.Log(len(p["page"]))
}
