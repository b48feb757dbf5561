package corpus_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
)

// The golden index files give the numbers that they gave when they were made, mapped
// and read.
func TestGoldenIndexesGiveWhatTheyDid(t *testing.T) {
	for _, golden := range []struct{ file, digest string }{
		{"index-v5.idx", "6be46b9e9d025b0a16f4b9532e1c3f9b18dad121b6ba1ab66772f69e09b30894"},
		{"index-v5-real.idx", "dd263c3475e6ace37e7bd519330563923f04561d32588bd85792db016b22f118"},
	} {
		for _, opt := range []corpus.OpenOptions{{}, {Read: true}, {Verify: true}} {
			c := testkit.Must(corpus.Open(filepath.Join("..", "..", "testdata", golden.file), opt))
			digest := sha256.New()
			digestStatistics(t, c, digest)
			digestRankings(t, c, digest)
			testkit.Equal(t, hex.EncodeToString(digest.Sum(nil)), golden.digest, golden.file, opt,
				"its numbers have the digest")
			testkit.OK(c.Close())
		}
	}
}

// digestStatistics writes the tables of all terms and classes.
func digestStatistics(t *testing.T, c *corpus.Corpus, to hash.Hash) {
	s := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{}))
	fmt.Fprintln(to, s.Documents(), s.Classes(), s.Cells.Terms())
	for entry := range testkit.All(rank.Cells(t.Context(), s, rank.Options{Measure: "ttest"})) {
		digestEntry(entry, to)
	}
	for term := range c.Terms() {
		list := testkit.Must(c.Postings(term))
		fmt.Fprintln(to, c.Term(term), c.DF(term), list.ToArray())
	}
}

func digestRankings(t *testing.T, c *corpus.Corpus, to hash.Hash) {
	rankings := testkit.Must(rank.Several(t.Context(), c,
		rank.Options{Measure: "chi"}, rank.Options{Measure: "ig"}, rank.Options{Measure: "chitf", Combine: "avg"}, rank.Options{Measure: "ocfs", Weight: "ltc"}))
	for _, r := range rankings {
		fmt.Fprintln(to, r.Measure, r.Combine)
		for entry := range r.Best(r.Len()) {
			entry.Class, entry.A = "", 0 // which these digests do not have
			digestEntry(entry, to)
		}
	}
}

func digestEntry(e rank.Entry, to hash.Hash) {
	fmt.Fprintf(to, "%q %q %d %d %x\n", e.Term, e.Class, e.DF, e.A, math.Float64bits(e.Value))
}
