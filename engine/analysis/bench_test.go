package analysis

import (
	"fmt"
	"testing"

	"github.com/termsift/termsift/kernels"
)

func sizeOf(docs [][]byte) (n int64) {
	for _, doc := range docs {
		n += int64(len(doc))
	}
	return n
}

// BenchmarkScan measures text to term numbers in order, with a counter that is
// new for every run, so that the vocabulary is built each time.
func BenchmarkScan(b *testing.B) {
	set, docs := benchmarkText()
	for _, tokens := range Tokenizers() {
		b.Run(fmt.Sprintf("impl=%s/tokens=%s/set=%s", kernels.Path(), tokens, set), func(b *testing.B) {
			a := must(b, Options{Tokens: tokens})
			b.SetBytes(sizeOf(docs))
			b.ReportAllocs()
			for b.Loop() {
				c := a.NewCounter()
				for _, doc := range docs {
					c.scan(doc)
				}
				if set == "20news" && tokens == "words" && c.Len() != 130_107 {
					b.Fatal(c.Len())
				}
			}
		})
	}
}

// BenchmarkCount measures text to (term, count) lists. warm = the counter knows
// all words already.
func BenchmarkCount(b *testing.B) {
	set, docs := benchmarkText()
	for _, test := range []struct {
		opt  Options
		warm bool
	}{
		{Options{}, false},
		{Options{}, true},
		{Options{Tokens: "letters"}, false},
		{Options{Stop: "smart", Stem: "porter2"}, false},
		{Options{Headers: "subject"}, false},
	} {
		a := must(b, test.opt)
		opt := a.Options()
		name := fmt.Sprintf("impl=%s/tokens=%s/stop=%s/stem=%s/headers=%s/warm=%v/set=%s", kernels.Path(), opt.Tokens, opt.Stop, opt.Stem, opt.Headers, test.warm, set)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(sizeOf(docs))
			b.ReportAllocs()
			c := a.NewCounter()
			var found []TermCount
			run := func() (postings int) {
				for _, doc := range docs {
					found = c.Count(doc, found[:0])
					postings += len(found)
				}
				return postings
			}
			want := run()
			for b.Loop() {
				if !test.warm {
					c = a.NewCounter()
				}
				if got := run(); got != want {
					b.Fatal(got, want)
				}
			}
		})
	}
}
