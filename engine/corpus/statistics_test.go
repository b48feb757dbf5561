package corpus_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

func statisticsBytes(s *table.Table) []byte {
	var b bytes.Buffer
	testkit.Must(corpus.WriteStatistics(&b, s))
	return b.Bytes()
}

// Summaries of shards, through their files, add up to the file of one build.
func TestSummariesAddUp(t *testing.T) {
	for name, v := range enginetest.Variants() {
		if name == "real" {
			continue // below
		}
		whole := testkit.Must(testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs), v.Opt)).Statistics(t.Context(), corpus.CountOptions{Threads: 2}))
		var sum *table.Table
		for from := 0; from < len(v.Docs); from += 77 {
			shard := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs[from:min(from+77, len(v.Docs))]), v.Opt))
			s := testkit.Must(corpus.DecodeStatistics(statisticsBytes(testkit.Must(shard.Statistics(t.Context(), corpus.CountOptions{Threads: 1})))))
			if sum == nil {
				sum = s
			} else {
				sum = testkit.Must(sum.Add(s))
			}
		}
		if !bytes.Equal(statisticsBytes(sum), statisticsBytes(whole)) {
			t.Errorf("%s: the shards give another file", name)
		}
	}
}

// A summary ranks as its corpus does.
func TestSummaryRanks(t *testing.T) {
	for name, v := range enginetest.Variants() {
		c := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs), v.Opt))
		path := filepath.Join(t.TempDir(), "statistics")
		testkit.OK(os.WriteFile(path, statisticsBytes(testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{Threads: 1}))), 0o644))
		s := testkit.Must(corpus.OpenStatistics(path))
		if s.Provenance().InputHash != c.Provenance().InputHash {
			t.Fatalf("%s: provenance %+v", name, s.Provenance())
		}
		for _, m := range rank.KnownMeasures() {
			own := testkit.Must(rank.Terms(t.Context(), s, rank.Options{Measure: rank.Measure(m.Name)}))
			of := testkit.Must(rank.Several(t.Context(), c, rank.Options{Measure: rank.Measure(m.Name)}))[0]
			var left, right []rank.Entry
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
	c := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(enginetest.ManyTexts(20)), corpus.Options{}))
	data := statisticsBytes(testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{Threads: 1})))
	typed := func(err error) bool {
		return errors.Is(err, files.ErrFormat) || errors.Is(err, files.ErrVersion) || errors.Is(err, files.ErrChecksum) || errors.Is(err, files.ErrTruncated)
	}
	for i := range data {
		data[i] ^= 1 << (i % 8) // package tablefile flips every bit
		if _, err := corpus.DecodeStatistics(data); !typed(err) {
			t.Fatalf("byte %d: %v", i, err)
		}
		data[i] ^= 1 << (i % 8)
		if _, err := corpus.DecodeStatistics(data[:i]); !typed(err) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	if _, err := corpus.DecodeStatistics(append(data[:len(data):len(data)], 0)); !errors.Is(err, files.ErrFormat) {
		t.Fatal(err)
	}
}

func TestSummariesThatDoNotAddUp(t *testing.T) {
	summary := func(o corpus.Options) *table.Table {
		return testkit.Must(testkit.Must(corpus.Build(t.Context(), enginetest.Stream(enginetest.ManyTexts(100)), o)).Statistics(t.Context(), corpus.CountOptions{Threads: 1}))
	}
	plain := summary(corpus.Options{})
	if _, err := plain.Add(summary(corpus.Options{Analysis: analysis.Options{Tokens: "letters"}})); !errors.Is(err, usage.ErrContradiction) {
		t.Error(err)
	}
	pruned := testkit.Must(corpus.DecodeStatistics(statisticsBytes(summary(corpus.Options{MinDF: 2}))))
	if _, err := pruned.Add(plain); !errors.Is(err, table.ErrPruned) {
		t.Error(err)
	}
}
