package reader

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
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
	if err != nil {
		t.Fatal(err)
	}
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
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte("{\"label\":\"a\",\"text\":\"one\"}\n{\"label\":\"b\",\"text\":\"two\"}\n")); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		content string
		docs    int
	}{
		"lines.jsonl":    {"{\"label\":\"a\",\"text\":\"one\"}\n{\"label\":\"b\",\"text\":\"two\"}\n", 2},
		"named.jsonl":    {"{\"id\":\"x\",\"label\":\"a\",\"text\":\"one\"}\n", 1},
		"table.csv":      {"label,text\na,one\nb,\"two\nlines\"\n", 2},
		"counts.svm":     {"1 1:2 3:1\n2 2:1\n", 2},
		"packed.json.gz": {packed.String(), 2},
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
	if _, err := From(ctx, "x", nil, Options{}); !errors.Is(err, usage.ErrUsage) {
		t.Errorf("nil: %v", err)
	}
	if _, err := From(ctx, "", strings.NewReader("x"), Options{}); !errors.Is(err, usage.ErrUsage) {
		t.Errorf("no name: %v", err)
	}
	if _, err := From(ctx, "x", strings.NewReader("x"), Options{Format: "doc"}); err == nil {
		t.Errorf("a wrong format: %v", err)
	}
}
