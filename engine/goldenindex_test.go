package engine_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/engine"
)

// The golden index files give the numbers that they gave when they were made, mapped
// and read.
func TestGoldenIndexesGiveWhatTheyDid(t *testing.T) {
	for _, golden := range []struct{ file, digest string }{
		{"index-v2.idx", "11abee32e803829fcf80eb28b317eff199951ca10f62c5ecc22b28d8cbb4ebd6"},
		{"index-v2-real.idx", "694dda536c60233cfbfed53f65340f528f98c059c270bab8e45412e3dcfc3adc"},
	} {
		for _, opt := range []engine.OpenOptions{{}, {Read: true}, {Verify: true}} {
			c, err := engine.Open(filepath.Join("..", "testdata", golden.file), opt)
			if err != nil {
				t.Fatal(err)
			}
			digest := sha256.New()
			digestStatistics(t, c, digest)
			digestRankings(t, c, digest)
			if got := hex.EncodeToString(digest.Sum(nil)); got != golden.digest {
				t.Errorf("%s, %+v: its numbers have the digest %s, not %s", golden.file, opt, got, golden.digest)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// digestStatistics writes the tables of all terms and classes.
func digestStatistics(t *testing.T, c *engine.Corpus, to hash.Hash) {
	t.Helper()
	s, err := c.Statistics(t.Context(), engine.StatisticsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(to, s.Documents(), s.Classes(), s.Terms())
	for entry, err := range s.Cells(t.Context(), engine.Scoring{By: "ttest"}) {
		if err != nil {
			t.Fatal(err)
		}
		digestEntry(entry, to)
	}
	for term := range c.Terms() {
		list, err := c.Postings(term)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(to, c.Term(term), c.DF(term), list.ToArray())
	}
}

func digestRankings(t *testing.T, c *engine.Corpus, to hash.Hash) {
	t.Helper()
	rankings, err := c.Rank(t.Context(),
		engine.Scoring{By: "chi"}, engine.Scoring{By: "ig"}, engine.Scoring{By: "chitf", Combine: "avg"}, engine.Scoring{By: "ocfs", Weight: "ltc"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rankings {
		fmt.Fprintln(to, r.Measure, r.Combine)
		for entry := range r.Best(r.Len()) {
			digestEntry(entry, to)
		}
	}
}

func digestEntry(e engine.Entry, to hash.Hash) {
	fmt.Fprintf(to, "%q %q %d %d %x\n", e.Term, e.Class, e.DF, e.A, math.Float64bits(e.Value))
}
