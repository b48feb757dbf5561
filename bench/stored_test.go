package bench

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
)

// BenchmarkStored opens an index and takes its counts, forward view or weights, from
// a file that holds them and from one where they must be computed, on one thread.
func BenchmarkStored(b *testing.B) {
	forSets(b, "20ng,S,Labels,L", func(b *testing.B, s *set) {
		for _, file := range []struct {
			impl string
			opt  store.WriteOptions
		}{{"computed", store.WriteOptions{}}, {"stored", store.WriteOptions{Forward: true, Cells: true, Weights: table.LTC}}} {
			path := filepath.Join(b.TempDir(), "x.idx")
			size := writeIndex(b, s.index, path, file.opt)
			for _, what := range []string{"counts", "forward", "weights"} {
				b.Run("impl="+file.impl+"/what="+what+"/set="+s.name, func(b *testing.B) {
					x := openIndex(b, path)
					if !takes[what](b, x, s.index) {
						b.Fatal("it is another than that of the index that was built")
					}
					close(b, x)
					loop(b, func() {
						x := openIndex(b, path)
						takes[what](b, x, nil)
						close(b, x)
					})
					b.ReportMetric(size, "file-bytes")
				})
			}
		}
	})
}

// takes take something and hold it against that of another index, if there is one.
var takes = map[string]func(b *testing.B, x, like *store.Index) bool{
	"counts": func(b *testing.B, x, like *store.Index) bool {
		got := must(x.Count(b.Context(), store.CountOptions{Threads: 1}))
		if like == nil {
			return true
		}
		want := must(like.Count(b.Context(), store.CountOptions{}))
		return got.FirstDifference(&want.Cells) < 0 && slices.Equal(got.ClassTokens, want.ClassTokens)
	},
	"forward": func(b *testing.B, x, like *store.Index) bool {
		got := must(x.Forward(b.Context(), 1))
		if like == nil {
			return true
		}
		want := must(like.Forward(b.Context(), 0))
		for d := range want.Documents() {
			if !slices.Equal(got.Terms(d), want.Terms(d)) {
				return false
			}
		}
		return got.Documents() == want.Documents()
	},
	"weights": func(b *testing.B, x, like *store.Index) bool {
		got := must(x.Weights(b.Context(), table.LTC))
		if like == nil {
			return true
		}
		want := must(like.Weights(b.Context(), table.LTC))
		for t := range like.Terms.Len() {
			if !slices.Equal(got.Of(t), want.Of(t)) {
				return false
			}
		}
		return true
	},
}

func writeIndex(b *testing.B, x *store.Index, path string, opt store.WriteOptions) (size float64) {
	file := must(os.Create(path))
	n := must(x.Write(b.Context(), file, opt))
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	return float64(n)
}

func openIndex(b *testing.B, path string) *store.Index {
	x, err := store.Open(path, store.OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	return x
}

func close(b *testing.B, x *store.Index) {
	if err := x.Close(); err != nil {
		b.Fatal(err)
	}
}
