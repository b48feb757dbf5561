package main

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
)

// Files of this machine and of a store appear whole or not at all.
func TestFilesAppearWhole(t *testing.T) {
	t.Chdir(t.TempDir())
	failed := errors.New("failed")
	for _, path := range []string{"folder/file", "memfs://folder/file"} {
		fs, err := filesystem.New(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		write := func(text string, with error) error {
			return writeWhole(t.Context(), path, func(w io.Writer) error {
				_, err := io.WriteString(w, text)
				return errors.Join(err, with)
			})
		}
		list := func() string {
			names, err := fs.List(t.Context(), strings.TrimSuffix(path, "file")+"*")
			if err != nil {
				t.Fatal(err)
			}
			return strings.Join(names, " ")
		}
		if err := write("half", failed); !errors.Is(err, failed) || list() != "" {
			t.Errorf("%s: %v, and there is %q", path, err, list())
		}
		for _, text := range []string{"first", "second"} {
			if err := write(text, nil); err != nil {
				t.Fatal(err)
			}
			if got, err := filesystem.Read(t.Context(), fs, path); string(got) != text || list() != path {
				t.Errorf("%s has %q, %v, and there is %q", path, got, err, list())
			}
		}
		if err := write("third", failed); !errors.Is(err, failed) || list() != path {
			t.Errorf("%s: %v, and there is %q", path, err, list())
		}
	}
}

// Shards may lie in a store, and so may what is written.
func TestShardsOfAStore(t *testing.T) {
	t.Chdir(t.TempDir())
	oddShards(t)
	for _, name := range []string{"a.jsonl", "b.jsonl", "c.jsonl.gz"} {
		memfs.Write("memfs://in/"+name, contents(t, "odd/"+name))
	}
	onBeam(t, "features", "-k", "100", "--inputs", "memfs://in/*", "-o", "memfs://out/features.tsv", "--svmlight", "memfs://out/vectors")
	onOne(t, "select", "-k", "100", "-o", "want.tsv", "odd/a.jsonl", "odd/b.jsonl", "odd/c.jsonl.gz", "--svmlight", "want.svm")
	fs, err := filesystem.New(t.Context(), "memfs://out")
	if err != nil {
		t.Fatal(err)
	}
	got, err := filesystem.Read(t.Context(), fs, "memfs://out/features.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if withoutHash(got) != withoutHash(contents(t, "want.tsv")) {
		t.Error("other features than those of one machine")
	}
	var all []byte
	for _, name := range []string{"a.jsonl", "b.jsonl", "c.jsonl.gz"} {
		vectors, err := filesystem.Read(t.Context(), fs, "memfs://out/vectors/"+name+".svm")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, vectors...)
	}
	if want, err := os.ReadFile("want.svm"); err != nil || string(all) != string(want) {
		t.Errorf("other vectors than those of one machine, %v", err)
	}
}

// withoutHash returns the lines of a features file that do not depend on the names of shards.
func withoutHash(features []byte) string {
	var kept strings.Builder
	for line := range strings.Lines(string(features)) {
		if !strings.HasPrefix(line, "#provenance") && !strings.HasPrefix(line, "#seal") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
