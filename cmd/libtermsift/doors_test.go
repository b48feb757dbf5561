//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
)

// termsByPython prints the terms of texts in a file with the documents that have them: as the package counts, as the
// library does without an option, and as the vectorizer selects them.
const termsByPython = `import json, sys, warnings
warnings.simplefilter("ignore")
from termsift import Statistics, TermVectorizer, _library
from termsift._arrays import texts_of
from termsift._labels import classes_of
lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
texts, labels = [line["text"] for line in lines], [line["label"] for line in lines]
t, size = texts_of(texts, "error")
handle = _library.made("stats_texts", t, classes_of(labels).struct())
v = TermVectorizer(k="all").fit(texts, labels)
for s in (Statistics.of(texts, labels), Statistics(handle)):
    f = s.select("df")
    print(json.dumps(dict(zip(f.terms.tolist(), f.df.tolist()))))
print(json.dumps(dict(zip(v.terms_.tolist(), v.df_.tolist()))))`

// Texts decide what a term is, the same in Go, by the command, in C and in Python, for Chinese and for English.
func TestDoorsDecideAlike(t *testing.T) {
	b := build(t)
	interpreter := needPython(t, "numpy", "scipy", "sklearn")
	for name, read := range map[string]func(t *testing.T) []labelledText{"Fudan": fudan, "shop reviews": reviews, "English": func(t *testing.T) []labelledText {
		docs, _ := demo(t)
		return docs
	}} {
		docs := read(t)
		want := termsByGo(t, docs)
		if _, bigram := want["我们"]; bigram == (name == "English") || len(want) < 1000 {
			t.Errorf("%s has %d terms, with the bigram 我们: %v", name, len(want), bigram)
		}
		path := filepath.Join(t.TempDir(), "docs.jsonl")
		var lines bytes.Buffer
		for _, d := range docs {
			line := testkit.Must(json.Marshal(map[string]string{"text": d.Text, "label": d.Labels[0]}))
			lines.Write(append(line, '\n'))
		}
		testkit.OK(os.WriteFile(path, lines.Bytes(), 0o600))
		testkit.Equal(t, maps.Equal(termsByCommand(t, b, path), want), true, name, "terms by the command", len(want),
			"in Go")
		folder := testkit.Must(filepath.Abs("python"))
		c := exec.CommandContext(t.Context(), interpreter, "-c", termsByPython, path)
		c.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH="+folder, "TERMSIFT_LIBRARY="+b.shared)
		c.Stderr = os.Stderr
		out := testkit.Must(c.Output())
		ways := slices.Collect(bytes.Lines(out))
		testkit.Equal(testkit.Stop(t), len(ways), 3, name)
		for i, way := range ways {
			var got map[string]float64
			testkit.OK(json.Unmarshal(way, &got))
			testkit.Equal(t, maps.Equal(got, want), true, name, "has", len(got), "terms by way", i, "of Python and C",
				len(want), "in Go")
		}
	}
}

// termsByGo returns the terms of texts with the documents that have them, by the zero options.
func termsByGo(t *testing.T, docs []labelledText) map[string]float64 {
	t.Helper()
	c := testkit.Must(corpus.Build(t.Context(), func(yield func(document.Document, error) bool) {
		for _, d := range docs {
			if !yield(document.Document{Text: []byte(d.Text), Labels: d.Labels}, nil) {
				return
			}
		}
	}, corpus.Options{}))
	s := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{}))
	terms := map[string]float64{}
	for i := range s.Terms() {
		terms[s.Names.Term(i)] = float64(s.Cells.DF[i])
	}
	return terms
}

func termsByCommand(t *testing.T, b built, path string) map[string]float64 {
	t.Helper()
	terms := map[string]float64{}
	for line := range strings.Lines(commandOutput(t, b, []string{"score", "--by", "df", "--all", "--format", "jsonl", path})) {
		var row struct {
			Term string  `json:"term"`
			DF   float64 `json:"df"`
		}
		testkit.OK(json.Unmarshal([]byte(line), &row))
		terms[row.Term] = row.DF
	}
	return terms
}

// fudan returns documents of the Fudan corpus, the first of each ten.
func fudan(t *testing.T) (docs []labelledText) {
	t.Helper()
	file := testkit.Must(os.Open(testkit.Corpus(t, "fudan-corpus.tar.zst")))
	defer file.Close()
	unpacked := testkit.Must(zstd.NewReader(file))
	defer unpacked.Close()
	archive := tar.NewReader(unpacked)
	for place := 0; len(docs) < 200; place++ {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		testkit.OK(err)
		text := testkit.Must(io.ReadAll(archive))
		if place%10 == 0 && header.Typeflag == tar.TypeReg {
			docs = append(docs, labelledText{strings.ToValidUTF8(string(text), " "), []string{"c" + strconv.Itoa(place%20)}})
		}
	}
	return docs
}

// reviews returns shop reviews, with their categories.
func reviews(t *testing.T) (docs []labelledText) {
	t.Helper()
	file := testkit.Must(os.Open(testkit.Corpus(t, "online_shopping_10_cats.csv.gz")))
	defer file.Close()
	unzipped := testkit.Must(gzip.NewReader(file))
	rows := testkit.Must(csv.NewReader(unzipped).ReadAll())
	for i, row := range rows {
		if i%20 == 1 && row[2] != "" {
			docs = append(docs, labelledText{row[2], []string{row[0]}})
		}
	}
	return docs
}
