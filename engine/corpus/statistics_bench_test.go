package corpus_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
)

// BenchmarkStatisticsOfText counts 20 Newsgroups on one thread: by an index, without one, and
// the index alone.
func BenchmarkStatisticsOfText(b *testing.B) {
	source := enginetest.Newsgroups(b, "")
	var docs []document.Document
	n := int64(0)
	for d, err := range source.Documents() {
		if err != nil {
			b.Fatal(err)
		}
		d.Text, d.Labels = bytes.Clone(d.Text), slices.Clone(d.Labels)
		docs = append(docs, d)
		n += int64(len(d.Text))
	}
	opt := corpus.Options{Threads: 1}
	for name, count := range map[string]func() error{
		"way=index": func() error {
			_, err := corpus.Build(b.Context(), enginetest.Stream(docs), opt)
			return err
		},
		"way=index-and-count": func() error {
			c, err := corpus.Build(b.Context(), enginetest.Stream(docs), opt)
			if err == nil {
				_, err = c.Statistics(b.Context(), corpus.CountOptions{Threads: 1})
			}
			return err
		},
		"way=tally": func() error {
			_, err := corpus.CountBatches(b.Context(), enginetest.InBatches(docs, len(docs)), opt)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(n)
			b.ReportAllocs()
			for b.Loop() {
				if err := count(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
