package reader

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// This file measures JSON lines and svmlight text in memory, on one goroutine and
// without analysis, beside the plainest way to read them.

// BenchmarkJSONL measures the training documents of 20 Newsgroups as JSON lines, on one core.
func BenchmarkJSONL(b *testing.B) {
	type line struct {
		ID     string   `json:"id"`
		Labels []string `json:"labels"`
		Text   string   `json:"text"`
	}
	var text bytes.Buffer
	documents := 0
	for d := range testkit.All(testkit.Must(Read(b.Context(), []string{testkit.Corpus(b, "20news-bydate.tar.gz")}, Options{Split: "train"})).Documents()) {
		testkit.OK(json.NewEncoder(&text).Encode(line{d.ID, d.Labels, string(d.Text)}))
		documents++
	}
	for name, read := range map[string]func() int{
		"scanner": func() (n int) {
			for range testkit.All(testkit.Must(Read(b.Context(), []string{"-"}, Options{Format: JSONL, Stdin: bytes.NewReader(text.Bytes())})).Documents()) {
				n++
			}
			return n
		},
		"naive": func() (n int) {
			for in := range bytes.Lines(text.Bytes()) {
				var d line
				testkit.OK(json.Unmarshal(in, &d))
				n++
			}
			return n
		},
	} {
		b.Run("job=text/impl="+name+"/set=20news", func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				testkit.Equal(testkit.Stop(b), read(), documents, "documents")
			}
		})
	}
}
