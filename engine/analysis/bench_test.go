package analysis

import (
	"fmt"
	"runtime"
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
	docs := needNewsgroups(b)
	terms := map[string]int{"words": 130_107, "zh-bigrams": 459_444}
	for _, tokens := range Tokenizers() {
		set := "20news"
		if tokens == "zh-bigrams" {
			set = "fudan"
		}
		b.Run(fmt.Sprintf("impl=%s/tokens=%s/set=%s", kernels.Path(), tokens, set), func(b *testing.B) {
			if set == "fudan" {
				docs = needFudan(b)
			}
			a := must(Options{Tokens: tokens})
			want := terms[tokens]
			b.SetBytes(sizeOf(docs))
			b.ReportAllocs()
			for b.Loop() {
				c := a.NewCounter()
				for _, doc := range docs {
					c.scan(doc)
				}
				if want != 0 && c.Len() != want {
					b.Fatal(c.Len())
				}
			}
		})
	}
}

// BenchmarkNGrams measures text to (n-gram, count) lists, with a new counter for
// every run. B/term is what the counter holds in the end.
func BenchmarkNGrams(b *testing.B) {
	docs := needNewsgroups(b)
	for _, o := range []Options{{NGrams: "1"}, {NGrams: "2"}, {NGrams: "1-2"}, {NGrams: "1-3"}, {NGrams: "1-2", HashBits: 20}} {
		b.Run(fmt.Sprintf("impl=%s/ngrams=%s/bits=%d/set=20news", kernels.Path(), o.NGrams, o.HashBits), func(b *testing.B) {
			a := must(o)
			b.SetBytes(sizeOf(docs))
			b.ReportAllocs()
			before := liveBytes()
			var c *Counter
			var found []TermCount
			for b.Loop() {
				c = a.NewCounter()
				for _, doc := range docs {
					found = c.Count(doc, found[:0])
				}
			}
			b.ReportMetric(float64(liveBytes()-before)/float64(c.Len()), "B/term")
			runtime.KeepAlive(c)
		})
	}
}

// BenchmarkCharacters measures text to (n-gram of characters, count) lists of a quarter of the
// documents, with a new counter for every run.
func BenchmarkCharacters(b *testing.B) {
	docs := needNewsgroups(b)
	docs = docs[:len(docs)/4]
	for _, o := range []Options{{Tokens: "char_wb", NGrams: "3-5"}, {Tokens: "char", NGrams: "3-5"}, {Tokens: "char", NGrams: "1-2"}} {
		b.Run(fmt.Sprintf("tokens=%s/ngrams=%s/set=20news", o.Tokens, o.NGrams), func(b *testing.B) {
			a := must(o)
			b.SetBytes(sizeOf(docs))
			b.ReportAllocs()
			grams := 0
			for b.Loop() {
				grams = 0
				c := a.NewCounter()
				var found []TermCount
				for _, doc := range docs {
					found = c.Count(doc, found[:0])
					for _, f := range found {
						grams += int(f.Count)
					}
				}
			}
			b.ReportMetric(float64(grams)/1e6/(b.Elapsed().Seconds()/float64(b.N)), "Mgrams/s")
		})
	}
}

func liveBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
