package corpus_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/ingest"
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
		testkit.EqualSlices(t, statisticsBytes(sum), statisticsBytes(whole), name, "the shards give another file")
	}
}

// A summary ranks as its corpus does.
func TestSummaryRanks(t *testing.T) {
	for name, v := range enginetest.Variants() {
		c := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs), v.Opt))
		path := filepath.Join(t.TempDir(), "statistics")
		testkit.OK(os.WriteFile(path, statisticsBytes(testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{Threads: 1}))), 0o644))
		s := testkit.Must(corpus.OpenStatistics(path))
		testkit.Equal(testkit.Stop(t), s.Provenance().InputHash, c.Provenance().InputHash, name, "provenance",
			s.Provenance())
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
			testkit.Equal(testkit.Stop(t), len(left), len(right), name)
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
		data[i] ^= 1 << (i % 8) // package store flips every bit
		if _, err := corpus.DecodeStatistics(data); !typed(err) {
			t.Fatalf("byte %d: %v", i, err)
		}
		data[i] ^= 1 << (i % 8)
		if _, err := corpus.DecodeStatistics(data[:i]); !typed(err) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	testkit.Is(testkit.Stop(t), testkit.Err(corpus.DecodeStatistics(append(data[:len(data):len(data)], 0))),
		files.ErrFormat)
}

func TestSummariesThatDoNotAddUp(t *testing.T) {
	summary := func(o corpus.Options) *table.Table {
		return testkit.Must(testkit.Must(corpus.Build(t.Context(), enginetest.Stream(enginetest.ManyTexts(100)), o)).Statistics(t.Context(), corpus.CountOptions{Threads: 1}))
	}
	plain := summary(corpus.Options{})
	testkit.Is(t, testkit.Err(plain.Add(summary(corpus.Options{Analysis: analysis.Options{Tokens: "letters"}}))),
		usage.ErrContradiction)
	pruned := testkit.Must(corpus.DecodeStatistics(statisticsBytes(summary(corpus.Options{MinDF: 2}))))
	testkit.Is(t, testkit.Err(pruned.Add(plain)), table.ErrPruned)
}

// oddTexts returns documents with no, one and several labels, the same twice, no terms, and of the
// given share features.
func oddTexts(r *rand.Rand, n int, features float64, real bool) (docs []document.Document) {
	for i := range n {
		d := document.Document{ID: fmt.Sprint("d", i)}
		for range r.IntN(4) {
			d.Labels = append(d.Labels, fmt.Sprint("class ", r.IntN(12)))
		}
		if r.Float64() < features {
			d.Features = []document.Feature{}
			for _, t := range r.Perm(30)[:r.IntN(10)] {
				v := float64(1 + r.IntN(3))
				if real {
					v /= 4
				}
				d.Features = append(d.Features, document.Feature{Term: fmt.Sprint("word", t), Value: v})
			}
		} else {
			for range r.IntN(40) {
				d.Text = fmt.Appendf(d.Text, "word%d ", int(r.ExpFloat64()*20))
			}
		}
		docs = append(docs, d)
	}
	return docs
}

// Counting without an index gives the file that the index gives, with any number of threads
// and batches.
func TestTalliedStatisticsIsOneBuild(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	check := func(name string, docs []document.Document, o corpus.Options) {
		t.Helper()
		c := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), o))
		want := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{Threads: 1}))
		info := testkit.Must(c.Info(t.Context()))
		for _, threads := range []int{1, 2, 3} {
			o.Threads = threads
			got := testkit.Must(corpus.CountBatches(t.Context(), enginetest.InBatches(docs, 1+r.IntN(60)), o))
			testkit.EqualSlices(t, statisticsBytes(got.Table), statisticsBytes(want), name, threads,
				"threads: another file")
			testkit.Equal(t, got.EmptyDocuments, info.EmptyDocuments, name, threads, "threads", "empty documents")
		}
	}
	for name, v := range enginetest.Variants() {
		if name != "real" { // whose texts and real values are added up otherwise: below
			check(name, v.Docs, v.Opt)
		}
	}
	for i, r := range testkit.Cases(t, 40) {
		features, real := []float64{0, 0, .3, 1}[i%4], i%8 == 7
		check(fmt.Sprint("random ", i), oddTexts(r, 1+r.IntN(300), features, real), corpus.Options{Unlabelled: true})
	}
	check("auto", oddTexts(r, 200, 0, false), corpus.Options{Analysis: analysis.Options{Tokens: analysis.Auto}})
	check("pairs", oddTexts(r, 200, 0, false), corpus.Options{Analysis: analysis.Options{NGrams: "1-2"}})
	check("bounds", oddTexts(r, 200, 0, false), corpus.Options{MinDF: 3, Dedupe: true})
}

// Texts beside documents of real values give the same numbers, but for rounding.
func TestTalliedStatisticsOfRealValues(t *testing.T) {
	v := enginetest.Variants()["real"]
	want := testkit.Must(testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs), v.Opt)).Statistics(t.Context(), corpus.CountOptions{}))
	got := testkit.Must(corpus.CountBatches(t.Context(), enginetest.InBatches(v.Docs, 50), v.Opt))
	var x, y table.Tile
	if got.Cells.Terms() != want.Cells.Terms() || got.Cells.Form != table.RealValues || got.Cells.Len() != want.Cells.Len() {
		t.Fatal("other cells")
	}
	for i := range got.Cells.Terms() {
		got.Cells.Read(&x, i, i+1, true)
		want.Cells.Read(&y, i, i+1, true)
		if got.Names.Term(i) != want.Names.Term(i) || !slices.Equal(x.Class, y.Class) || !slices.Equal(x.A, y.A) || !testkit.Near(x.CF[0], y.CF[0], 1e-14, 0) {
			t.Fatalf("term %d: %+v, not %+v", i, x, y)
		}
		for j := range x.S {
			if !testkit.Near(x.S[j], y.S[j], 1e-14, 0) || !testkit.Near(x.Q[j], y.Q[j], 1e-14, 0) || !testkit.Near(x.M2[j], y.M2[j], 1e-12, 1e-12) {
				t.Fatalf("term %d: %+v, not %+v", i, x, y)
			}
		}
	}
}

// Shards of which some have no documents, labels or terms add up to the whole.
func TestTalliedShards(t *testing.T) {
	docs := []document.Document{
		{ID: "1", Text: []byte("- -"), Labels: []string{"c"}},
		{ID: "2", Text: []byte("one two two")},
		{ID: "3", Text: []byte("two three"), Labels: []string{"a", "b"}},
	}
	count := func(docs []document.Document, o corpus.Options) *table.Table {
		return testkit.Must(corpus.CountBatches(t.Context(), enginetest.InBatches(docs, 2), o)).Table
	}
	shard := corpus.Options{Shard: true, Analysis: analysis.Options{Tokens: analysis.Auto}}
	sum := count(nil, shard)
	testkit.Equal(testkit.Stop(t), sum.Documents(), 0, "documents and")
	testkit.Equal(testkit.Stop(t), sum.Cells.Terms(), 0, "documents and")
	for i := range docs {
		sum = testkit.Must(sum.Add(count(docs[i:i+1], shard)))
	}
	testkit.EqualSlices(t, statisticsBytes(sum), statisticsBytes(count(docs, corpus.Options{})),
		"the sum of the shards is not the whole")
}

// What an index is not made of is not counted.
func TestTalliedStatisticsErrors(t *testing.T) {
	count := func(docs []document.Document, o corpus.Options) error {
		_, err := corpus.CountBatches(t.Context(), enginetest.InBatches(docs, 2), o)
		return err
	}
	text := func(s string, labels ...string) document.Document {
		return document.Document{Text: []byte(s), Labels: labels}
	}
	for name, c := range map[string]struct {
		docs []document.Document
		want error
	}{
		"no documents":  {nil, ingest.ErrEmpty},
		"no labels":     {[]document.Document{text("a text")}, ingest.ErrNoLabels},
		"no terms":      {[]document.Document{text("- -", "a")}, ingest.ErrEmpty},
		"a wrong label": {[]document.Document{text("a text", "a"), text("a text", "\xff")}, ingest.ErrBadDocument},
		"a wrong value": {[]document.Document{text("a text", "a"), {Features: []document.Feature{{Term: "a", Value: -1}}}}, ingest.ErrBadDocument},
		"large values":  {slices.Repeat([]document.Document{{Labels: []string{"a"}, Features: []document.Feature{{Term: "a", Value: 1 << 52}}}}, 3), ingest.ErrOverflow},
	} {
		_, want := corpus.BuildBatches(t.Context(), enginetest.InBatches(c.docs, 2), corpus.Options{})
		err := count(c.docs, corpus.Options{})
		if !errors.Is(err, c.want) || want == nil || err.Error() != want.Error() {
			t.Errorf("%s: %v, of an index %v", name, err, want)
		}
	}
}

// Shards that leave out their rare terms add up to counts that lack no more than the bound says.
func TestEveryBoundOfRareTerms(t *testing.T) {
	for _, r := range testkit.Cases(t, 40) {
		docs := enginetest.ManyTexts(100 + r.IntN(400))
		whole := testkit.Must(testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{})).Statistics(t.Context(), corpus.CountOptions{}))
		var sum *table.Table
		bound := 0
		for left := docs; len(left) > 0; {
			n := min(1+r.IntN(100), len(left))
			shard := testkit.Must(testkit.Must(corpus.Build(t.Context(), enginetest.Stream(left[:n]), corpus.Options{})).Statistics(t.Context(), corpus.CountOptions{}))
			least := r.IntN(6)
			shard = testkit.Must(shard.WithoutRare(least))
			if m := int(shard.Missing); m > max(0, least-1) {
				t.Fatalf("without terms below %d documents up to %d are missing", least, m)
			}
			bound += int(shard.Missing)
			if left = left[n:]; sum == nil {
				sum = shard
			} else {
				sum = testkit.Must(sum.Add(shard))
			}
		}
		if int(sum.Missing) != bound || sum.Documents() != whole.Documents() || sum.Cells.Tokens != whole.Cells.Tokens {
			t.Fatalf("%d documents, %d missing, not %d, %d", sum.Documents(), int(sum.Missing), whole.Documents(), bound)
		}
		for i, df := range whole.Cells.DF {
			kept := 0
			if n, found := sum.Names.Lookup(whole.Names.Term(i)); found {
				kept = int(sum.Cells.DF[n])
			}
			if lost := int(df) - kept; lost < 0 || lost > bound {
				t.Fatalf("%q: %d of %d documents, where %d may be missing", whole.Names.Term(i), kept, df, bound)
			}
		}
	}
}

func TestRareTermsThatCannotBeLeftOut(t *testing.T) {
	docs := enginetest.ManyTexts(60)
	whole := testkit.Must(testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{})).Statistics(t.Context(), corpus.CountOptions{}))
	testkit.Is(t, testkit.Err(whole.WithoutRare(-1)), usage.ErrUsage)
	some := testkit.Must(whole.WithoutRare(3))
	testkit.Is(t, table.Comparable(whole, some), table.ErrRareLeftOut)
	testkit.Is(t, testkit.Err(whole.Sub(some)), table.ErrRareLeftOut)
}
