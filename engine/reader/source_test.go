package reader

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// keptDocuments returns the documents of a source, or what it returned with, as text.
func keptDocuments(t *testing.T, s *Source, err error) (docs []document.Document, failure string) {
	t.Helper()
	testkit.OK(err)
	for d, err := range s.Documents() {
		if err != nil {
			return docs, err.Error()
		}
		d.Text, d.Labels = bytes.Clone(d.Text), append([]string{}, d.Labels...)
		docs = append(docs, d)
	}
	return docs, ""
}

// A stream gives the documents, names and errors of the file of its name.
func TestFrom(t *testing.T) {
	t.Chdir(t.TempDir())
	const lines = "{\"label\":\"a\",\"text\":\"one\"}\n{\"label\":\"b\",\"text\":\"two\"}\n"
	for name, c := range map[string]struct {
		content string
		docs    int
	}{
		"lines.jsonl":    {lines, 2},
		"named.jsonl":    {"{\"id\":\"x\",\"label\":\"a\",\"text\":\"one\"}\n", 1},
		"table.csv":      {"label,text\na,one\nb,\"two\nlines\"\n", 2},
		"counts.svm":     {"1 1:2 3:1\n2 2:1\n", 2},
		"packed.json.gz": {string(zip(t, []byte(lines))), 2},
		"broken.jsonl":   {"{\"label\":\"a\",\"text\":\"one\"}\n{\"label\":\n", 1},
		"empty.jsonl":    {"", 0},
	} {
		testkit.Write(name, c.content)
		file, err := Read(t.Context(), []string{name}, Options{})
		want, wantFailure := keptDocuments(t, file, err)
		stream, err := From(t.Context(), name, strings.NewReader(c.content), Options{Stdin: os.Stdin})
		got, failure := keptDocuments(t, stream, err)
		if len(got) != c.docs || !reflect.DeepEqual(got, want) || failure != wantFailure || (failure != "") != (name == "broken.jsonl" || c.docs == 0) {
			t.Errorf("%s: %+v, %s\nwant %+v, %s", name, got, failure, want, wantFailure)
		}
	}
}

func TestFromNothing(t *testing.T) {
	ctx := context.Background()
	testkit.Is(t, testkit.Err(From(ctx, "x", nil, Options{})), usage.ErrUsage, "nil")
	testkit.Is(t, testkit.Err(From(ctx, "", strings.NewReader("x"), Options{})), usage.ErrUsage, "no name")
	testkit.Fails(t, testkit.Err(From(ctx, "x", strings.NewReader("x"), Options{Format: "doc"})), "a wrong format")
}

func TestReadableTwice(t *testing.T) {
	dir := t.TempDir()
	for input, want := range map[string]bool{"-": false, os.DevNull: false, dir: true, filepath.Join(dir, "none"): true} {
		testkit.Equal(t, ReadableTwice(input), want, input)
	}
}

// Progress grows with what is read, to the size of the inputs where that is known.
func TestProgress(t *testing.T) {
	var lines bytes.Buffer
	for i := range 40_000 {
		fmt.Fprintf(&lines, "{\"id\":\"%d\",\"labels\":[\"a\"],\"text\":\"some words of document %d\"}\n", i, i*i)
	}
	packed := zip(t, lines.Bytes())
	dir := t.TempDir()
	plain, gz, tree := filepath.Join(dir, "plain.jsonl"), filepath.Join(dir, "packed.jsonl.gz"), filepath.Join(dir, "tree", "a")
	testkit.OK(os.MkdirAll(tree, 0o755))
	for path, data := range map[string][]byte{plain: lines.Bytes(), gz: packed, filepath.Join(tree, "x"): []byte("a document")} {
		testkit.Write(path, data)
	}
	both := int64(lines.Len() + len(packed))
	for _, c := range []struct {
		inputs      []string
		size, taken int64
	}{
		{[]string{plain}, int64(lines.Len()), int64(lines.Len())},
		{[]string{gz}, int64(len(packed)), int64(len(packed))},
		{[]string{plain, gz}, both, both},
		{[]string{"-"}, 0, int64(lines.Len())},
		{[]string{filepath.Dir(tree)}, 0, int64(len("a document"))},
		{[]string{filepath.Dir(tree), plain}, 0, int64(len("a document") + lines.Len())},
	} {
		s := testkit.Must(Read(t.Context(), c.inputs, Options{Stdin: strings.NewReader(lines.String())}))
		if taken, size := s.Progress(); taken != 0 || size != c.size {
			t.Errorf("%q: at the beginning %d of %d, want 0 of %d", c.inputs, taken, size, c.size)
		}
		var seen []int64
		for range testkit.All(s.Documents()) {
			if taken, _ := s.Progress(); len(seen) == 0 || taken != seen[len(seen)-1] {
				seen = append(seen, taken)
			}
		}
		for i := 1; i < len(seen); i++ {
			if seen[i] < seen[i-1] {
				t.Errorf("%q: %v", c.inputs, seen)
			}
		}
		if taken, _ := s.Progress(); taken != c.taken || len(seen) > 1 && seen[0] >= c.taken {
			t.Errorf("%q: at the end %d, want %d, by way of %v", c.inputs, taken, c.taken, seen)
		}
	}
}
