package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/reader"
)

// termsift is the path of the command of one machine, whose outputs are those to reach, and termsiftBeam that of
// this one, for tests that need a process of it.
var termsift, termsiftBeam string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "termsift")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.Setenv("TMPDIR", dir); err != nil { // Beam leaves files there
		log.Fatal(err)
	}
	termsift, termsiftBeam = filepath.Join(dir, "termsift"), filepath.Join(dir, "termsift-beam")
	for _, room := range []string{"../termsift", "."} {
		build := exec.Command("go", "build", "-o", dir+"/", ".")
		build.Dir = room
		if text, err := build.CombinedOutput(); err != nil {
			log.Fatalf("go build: %v\n%s", err, text)
		}
	}
	code := m.Run()
	_ = os.RemoveAll(dir) // nothing depends on it
	os.Exit(code)
}

// onOne runs termsift in the current folder.
func onOne(t testing.TB, args ...string) {
	t.Helper()
	if text, err := exec.CommandContext(t.Context(), termsift, args...).CombinedOutput(); err != nil {
		t.Fatalf("termsift %s: %v\n%s", strings.Join(args, " "), err, text)
	}
}

// onBeam runs a job in the current folder, and returns what it prints.
func onBeam(t *testing.T, args ...string) string {
	t.Helper()
	code, text := tryBeam(t, args...)
	if code != 0 {
		t.Fatalf("termsift-beam %s: %s", strings.Join(args, " "), text)
	}
	return text
}

// tryBeam runs a job and returns its exit code and what it prints.
func tryBeam(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var stderr bytes.Buffer
	code := run(t.Context(), args, &stderr)
	return code, stderr.String()
}

// sameFiles fails unless two files are equal and not empty.
func sameFiles(t testing.TB, got, want string) {
	t.Helper()
	a, b := contents(t, got), contents(t, want)
	if len(b) == 0 || !bytes.Equal(a, b) {
		at := 0
		for at < min(len(a), len(b)) && a[at] == b[at] {
			at++
		}
		t.Fatalf("%s has %d bytes, %s %d; they differ from byte %d on:\n%.200q\n%.200q", got, len(a), want, len(b), at, a[at:], b[at:])
	}
}

func contents(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// shards returns the files that match a pattern, in the order of their names.
func shards(t testing.TB, glob string) []string {
	t.Helper()
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %d files, %v", glob, len(paths), err)
	}
	return paths
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644)); err != nil {
		t.Fatal(err)
	}
}

// line returns a document as a line of JSON.
func line(id, text string, labels ...string) string {
	data, err := json.Marshal(map[string]any{"id": id, "labels": append([]string{}, labels...), "text": text})
	if err != nil {
		panic(err)
	}
	return string(data) + "\n"
}

func zipped(text string) []byte {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, text); err != nil || w.Close() != nil {
		panic("a buffer cannot be written")
	}
	return packed.Bytes()
}

// oddShards writes shards of different classes: one is empty, one has no labels, one no terms, one
// is compressed, and documents have several labels.
func oddShards(t *testing.T) {
	t.Helper()
	var texts [4]strings.Builder
	for i := range 400 {
		var words strings.Builder
		for j := range 30 {
			fmt.Fprintf(&words, "word%d ", (i*31+j*j*7)%(40+i))
		}
		labels := []string{fmt.Sprint("class ", i%3+i/100), fmt.Sprint("of shard ", i/100)}
		texts[i/100].WriteString(line(fmt.Sprint(i), words.String(), labels[:1+i%2]...))
	}
	writeFile(t, "odd/b.jsonl", []byte(texts[0].String()))
	writeFile(t, "odd/a.jsonl", []byte(texts[1].String()))
	writeFile(t, "odd/c.jsonl.gz", zipped(texts[2].String()))
	writeFile(t, "odd/d.jsonl", []byte(texts[3].String()))
	writeFile(t, "odd/empty.jsonl", nil)
	writeFile(t, "odd/no labels.jsonl", []byte(line("x", "word1 word2 word2")+line("y", "word3 other")))
	writeFile(t, "odd/no terms.jsonl", []byte(line("z", "- -", "class 1")))
}

// newsgroupsShards writes 20 Newsgroups, the training part, in 16 shards.
func newsgroupsShards(t *testing.T) {
	t.Helper()
	source, err := reader.Read(t.Context(), []string{lab.Corpus(t, "20news-bydate.tar.gz")}, reader.Options{Split: "train", Charset: "latin-1"})
	if err != nil {
		t.Fatal(err)
	}
	var texts [16]bytes.Buffer
	n := 0
	for d, err := range source.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		texts[n*7%len(texts)].WriteString(line(d.ID, string(d.Text), d.Labels...))
		n++
	}
	for i := range texts {
		writeFile(t, fmt.Sprintf("news/%02d.jsonl", i), texts[i].Bytes())
	}
}

// reutersShards writes the files of Reuters, each a shard.
func reutersShards(t *testing.T) {
	t.Helper()
	file, err := os.Open(lab.Corpus(t, "reuters21578.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(unpacked)
	for {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(head.Name) == ".sgm" {
			data, err := io.ReadAll(archive)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join("reuters", filepath.Base(head.Name)), data)
		}
	}
}
