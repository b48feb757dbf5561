package reader

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
)

// This file measures JSON lines and svmlight text in memory, on one goroutine and
// without analysis, beside the plainest way to read them.

// newsgroups gives the training documents of 20 Newsgroups.
func newsgroups(b *testing.B) (docs []document.Document) {
	b.Helper()
	s := testkit.Must(Read(b.Context(), []string{testkit.Corpus(b, "20news-bydate.tar.gz")}, Options{Split: "train"}))
	for d := range testkit.All(s.Documents()) {
		d.Text, d.Labels = slices.Clone(d.Text), slices.Clone(d.Labels)
		docs = append(docs, d)
	}
	return docs
}

// readOnce reads a text and counts its documents and what they hold.
func readOnce(b *testing.B, text []byte, format string) (documents, size int) {
	s := testkit.Must(Read(b.Context(), []string{"-"}, Options{Format: format, Stdin: bytes.NewReader(text)}))
	for d := range testkit.All(s.Documents()) {
		documents++
		size += len(d.Text) + len(d.Features)
	}
	return documents, size
}

func BenchmarkJSONL(b *testing.B) {
	docs := newsgroups(b)
	b.Run("job=text", func(b *testing.B) { benchmarkJSON(b, textLines(b, docs)) })
	b.Run("job=counts", func(b *testing.B) { benchmarkJSON(b, countLines(b, docs)) })
}

func benchmarkJSON(b *testing.B, text []byte) {
	documents, size := plainJSON(text)
	for _, impl := range []struct {
		name string
		read func() (int, int)
	}{
		{"scanner", func() (int, int) { return readOnce(b, text, JSONL) }},
		{"naive", func() (int, int) { return plainJSON(text) }},
	} {
		b.Run("impl="+impl.name+"/set=20news", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if d, n := impl.read(); d != documents || n != size {
					b.Fatalf("%d documents that hold %d, want %d and %d", d, n, documents, size)
				}
			}
		})
	}
}

type plainLine struct {
	ID     string         `json:"id"`
	Labels []string       `json:"labels"`
	Text   string         `json:"text,omitempty"`
	Counts map[string]int `json:"counts,omitempty"`
}

// plainJSON reads lines by encoding/json.
func plainJSON(text []byte) (documents, size int) {
	for line := range bytes.Lines(text) {
		var d plainLine
		testkit.OK(json.Unmarshal(line, &d))
		documents++
		size += len(d.Text) + len(d.Counts)
	}
	return documents, size
}

func textLines(b *testing.B, docs []document.Document) []byte {
	return jsonLines(docs, func(d document.Document, line *plainLine) { line.Text = string(d.Text) })
}

func countLines(b *testing.B, docs []document.Document) []byte {
	return jsonLines(docs, func(d document.Document, line *plainLine) { line.Counts = wordCounts(d.Text) })
}

func jsonLines(docs []document.Document, fill func(document.Document, *plainLine)) []byte {
	var out bytes.Buffer
	w := json.NewEncoder(&out)
	w.SetEscapeHTML(false)
	for _, d := range docs {
		line := plainLine{ID: d.ID, Labels: d.Labels}
		fill(d, &line)
		testkit.OK(w.Encode(line))
	}
	return out.Bytes()
}

func wordCounts(text []byte) map[string]int {
	counts := map[string]int{}
	isWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }
	for _, w := range strings.FieldsFunc(strings.ToLower(string(text)), func(r rune) bool { return !isWord(r) }) {
		if len(w) > 1 {
			counts[w]++
		}
	}
	return counts
}

func BenchmarkSVMLight(b *testing.B) {
	text := svmlightText(newsgroups(b))
	documents, size := naiveSVMLight(text)
	for _, impl := range []struct {
		name string
		read func() (int, int)
	}{
		{"bytes", func() (int, int) { return readOnce(b, text, SVMLight) }},
		{"naive", func() (int, int) { return naiveSVMLight(text) }},
	} {
		b.Run("job=read/impl="+impl.name+"/set=20news", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if d, n := impl.read(); d != documents || n != size {
					b.Fatalf("%d documents that hold %d, want %d and %d", d, n, documents, size)
				}
			}
		})
	}
}

// naiveSVMLight reads a text by the reference.
func naiveSVMLight(text []byte) (documents, size int) {
	for line := range bytes.Lines(text) {
		d := testkit.Must(plainSVMLight(strings.TrimRight(string(line), "\r\n"), document.Position{}))
		documents++
		size += len(d.Features)
	}
	return documents, size
}

// svmlightText writes the counts of words, whose indices are places in the order
// of their bytes.
func svmlightText(docs []document.Document) []byte {
	var counts []map[string]int
	index := map[string]int{}
	for _, d := range docs {
		counts = append(counts, wordCounts(d.Text))
		for word := range counts[len(counts)-1] {
			index[word] = 0
		}
	}
	for i, word := range slices.Sorted(maps.Keys(index)) {
		index[word] = i + 1
	}
	var out bytes.Buffer
	for i := range docs {
		fmt.Fprintf(&out, "%d", i%20)
		for _, word := range slices.Sorted(maps.Keys(counts[i])) {
			fmt.Fprintf(&out, " %d:%d", index[word], counts[i][word])
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}
