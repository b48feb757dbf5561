package engine_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/store"
)

func summaryBytes(t *testing.T, s *engine.Summary) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := s.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Summaries of shards, through their files, add up to the file of one build.
func TestSummariesAddUp(t *testing.T) {
	for name, v := range variants() {
		if name == "real" {
			continue // below
		}
		whole := must(must(engine.Build(t.Context(), each(v.docs), v.opt)).Summary(t.Context(), 2))
		var sum *engine.Summary
		for from := 0; from < len(v.docs); from += 77 {
			shard := must(engine.Build(t.Context(), each(v.docs[from:min(from+77, len(v.docs))]), v.opt))
			s := must(engine.DecodeSummary(summaryBytes(t, must(shard.Summary(t.Context(), 1)))))
			if sum == nil {
				sum = s
			} else {
				sum = must(sum.Add(s))
			}
		}
		if !bytes.Equal(summaryBytes(t, sum), summaryBytes(t, whole)) {
			t.Errorf("%s: the shards give another file", name)
		}
	}
}

// A summary ranks as its corpus does.
func TestSummaryRanks(t *testing.T) {
	for name, v := range variants() {
		corpus := must(engine.Build(t.Context(), each(v.docs), v.opt))
		path := filepath.Join(t.TempDir(), "statistics")
		if err := os.WriteFile(path, summaryBytes(t, must(corpus.Summary(t.Context(), 1))), 0o644); err != nil {
			t.Fatal(err)
		}
		s := must(engine.OpenSummary(path))
		if s.Provenance().InputHash != corpus.Provenance().InputHash {
			t.Fatalf("%s: provenance %+v", name, s.Provenance())
		}
		for _, m := range engine.Measures() {
			own := must(s.Rank(t.Context(), engine.Scoring{By: m.Name}))
			of := must(corpus.Rank(t.Context(), engine.Scoring{By: m.Name}))[0]
			var left, right []engine.Entry
			for e := range own.All() {
				left = append(left, e)
			}
			for e := range of.All() {
				right = append(right, e)
			}
			if len(left) != len(right) {
				t.Fatalf("%s: %d and %d entries", name, len(left), len(right))
			}
			for i := range left {
				if left[i].Term != right[i].Term || left[i].Value != right[i].Value || left[i].DF != right[i].DF {
					t.Fatalf("%s, %s: %+v, the corpus has %+v", name, m.Name, left[i], right[i])
				}
			}
		}
	}
}

// A bit that is flipped, or bytes that are missing or too many, are found.
func TestBrokenSummaries(t *testing.T) {
	corpus := must(engine.Build(t.Context(), each(manyTexts(20)), engine.Options{}))
	data := summaryBytes(t, must(corpus.Summary(t.Context(), 1)))
	typed := func(err error) bool {
		return errors.Is(err, store.ErrFormat) || errors.Is(err, store.ErrVersion) || errors.Is(err, store.ErrChecksum) || errors.Is(err, store.ErrTruncated)
	}
	for i := range data {
		for bit := range 8 {
			data[i] ^= 1 << bit
			if _, err := engine.DecodeSummary(data); !typed(err) {
				t.Fatalf("bit %d of byte %d: %v", bit, i, err)
			}
			data[i] ^= 1 << bit
		}
		if _, err := engine.DecodeSummary(data[:i]); !typed(err) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	if _, err := engine.DecodeSummary(append(data[:len(data):len(data)], 0)); !errors.Is(err, store.ErrFormat) {
		t.Fatal(err)
	}
}

func TestSummariesThatDoNotAddUp(t *testing.T) {
	summary := func(o engine.Options) *engine.Summary {
		return must(must(engine.Build(t.Context(), each(manyTexts(100)), o)).Summary(t.Context(), 1))
	}
	plain := summary(engine.Options{})
	if _, err := plain.Add(summary(engine.Options{Analysis: analysis.Options{Tokens: "letters"}})); !errors.Is(err, engine.ErrContradiction) {
		t.Error(err)
	}
	pruned := must(engine.DecodeSummary(summaryBytes(t, summary(engine.Options{MinDF: 2}))))
	if _, err := pruned.Add(plain); !errors.Is(err, store.ErrPruned) {
		t.Error(err)
	}
}
