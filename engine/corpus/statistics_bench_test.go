package corpus_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/pool"
)

// BenchmarkStatisticsOfText counts 20 Newsgroups on one thread, class by class as they come and
// mixed: by an index, without one, and the index alone.
func BenchmarkStatisticsOfText(b *testing.B) {
	source := enginetest.Newsgroups(b, "")
	var docs []document.Document
	n := int64(0)
	for d := range testkit.All(source.Documents()) {
		d.Text, d.Labels = bytes.Clone(d.Text), slices.Clone(d.Labels)
		docs = append(docs, d)
		n += int64(len(d.Text))
	}
	mixed := slices.Clone(docs)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	b.Run("order=classes", func(b *testing.B) { benchmarkCounting(b, docs, n) })
	b.Run("order=mixed", func(b *testing.B) { benchmarkCounting(b, mixed, n) })
}

func benchmarkCounting(b *testing.B, docs []document.Document, size int64) {
	opt := corpus.Options{Threads: 1}
	for _, way := range []struct {
		name  string
		count func() error
	}{
		{"index", func() error {
			_, err := corpus.Build(b.Context(), enginetest.Stream(docs), opt)
			return err
		}},
		{"index-and-count", func() error {
			c, err := corpus.Build(b.Context(), enginetest.Stream(docs), opt)
			if err == nil {
				_, err = c.Statistics(b.Context(), corpus.CountOptions{Threads: 1})
			}
			return err
		}},
		{"tally", func() error {
			_, err := corpus.CountBatches(b.Context(), enginetest.InBatches(docs, len(docs)), opt)
			return err
		}},
	} {
		b.Run("way="+way.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			start := pool.CPU()
			for b.Loop() {
				testkit.OK(way.count())
			}
			b.ReportMetric(float64((pool.CPU()-start).Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
}
