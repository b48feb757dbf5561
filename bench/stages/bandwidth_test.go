package stages

import (
	"fmt"
	"testing"

	"github.com/termsift/termsift/engine/pool"
)

// numbered gives n words that differ, and their sum. Writing them also makes
// the memory real: pages never written are all one page of zeros.
func numbered(n int) (words []uint64, sum uint64) {
	words = make([]uint64, n)
	for i := range words {
		words[i] = uint64(i+1) * 0x9e3779b97f4a7c15
		sum += words[i]
	}
	return words, sum
}

func TestReadAddsEveryWordOnce(t *testing.T) {
	for n := range 40 {
		words, want := numbered(n)
		if got := readWords(words); got != want {
			t.Fatalf("%d words: got %d, want %d", n, got, want)
		}
	}
}

// The sizes lie within the first, second and third level of a cache, and beyond
// all of them.
var sizes = []struct {
	name  string
	bytes int
}{{"32KiB", 32 << 10}, {"1MiB", 1 << 20}, {"16MiB", 16 << 20}, {"512MiB", 512 << 20}}

func BenchmarkRead(b *testing.B) {
	for _, size := range sizes {
		words, want := numbered(size.bytes / 8)
		b.Run(fmt.Sprintf("impl=generic/size=%s", size.name), func(b *testing.B) {
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) { readParts(b, words, want, threads) })
			}
		})
	}
}

// readParts has each thread read its own part of the words, so often that
// starting the threads takes no part in the time.
func readParts(b *testing.B, words []uint64, want uint64, threads int) {
	part := len(words) / threads
	rounds := max(1, (64<<20)/(8*len(words)))
	sums := make([]uint64, threads)
	read := func(_, i int) error {
		sum := uint64(0)
		for range rounds {
			sum += readWords(words[i*part : (i+1)*part])
		}
		sums[i] = sum
		return nil
	}
	b.SetBytes(int64(rounds) * int64(len(words)) * 8)
	for b.Loop() {
		if err := pool.Run(b.Context(), threads, threads, read); err != nil {
			b.Fatal(err)
		}
	}
	if got := readWords(sums); got != want*uint64(rounds) {
		b.Fatalf("got the sum %d, want %d", got, want*uint64(rounds))
	}
}
