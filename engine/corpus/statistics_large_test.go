package corpus_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/table"
)

// largeCounts returns documents whose counts are below 2^most.
func largeCounts(r *rand.Rand, most int) (docs []document.Document) {
	several := r.IntN(3) == 0
	for i := range 8 + r.IntN(20) {
		d := document.Document{ID: fmt.Sprint(i)}
		for range r.IntN(2) + r.IntN(2) {
			if class := string(rune('a' + r.IntN(3))); len(d.Labels) == 0 || several && !slices.Contains(d.Labels, class) {
				d.Labels = append(d.Labels, class)
			}
		}
		if i%2 == 0 && len(d.Labels) == 0 {
			d.Labels = []string{"a"}
		}
		for t := range 6 {
			if r.IntN(2) == 0 {
				d.Features = append(d.Features, document.Feature{Term: fmt.Sprint("t", t), Value: float64(1 + r.IntN(1<<r.IntN(most+1)))})
			}
		}
		docs = append(docs, d)
	}
	return docs
}

// statisticsFiles writes the statistics of four parts of documents, and returns their paths and
// the file of all.
func statisticsFiles(t *testing.T, r *rand.Rand, docs []document.Document, threads int) (paths []string, want []byte) {
	count := func(docs []document.Document) []byte {
		c := testkit.Must(corpus.CountBatches(t.Context(), document.InBatches(docs), corpus.Options{Threads: threads}))
		var b bytes.Buffer
		testkit.Must(corpus.WriteStatistics(&b, c.Table))
		return b.Bytes()
	}
	dir, from := t.TempDir(), 0
	for i := range 4 {
		to := from + (len(docs)-from)/(4-i)
		if i < 3 && to < len(docs)-1 {
			to += r.IntN(2)
		}
		path := testkit.Write(filepath.Join(dir, fmt.Sprint(i, ".stats")), count(docs[from:to]))
		paths, from = append(paths, path), to
	}
	return paths, count(docs)
}

// Statistics of counts whose squares no float64 holds are merged, in any grouping, to the bytes of one
// build, and so are those of an index, of a subset that is left, and of its file.
func TestMergedStatisticsOfLargeCountsAreThoseOfOneBuild(t *testing.T) {
	wide := 0
	for round := range 60 {
		r := rand.New(rand.NewPCG(53, uint64(round)))
		docs := largeCounts(r, []int{24, 26, 27, 31}[round%4])
		paths, want := statisticsFiles(t, r, docs, 1+round%3)
		merge := func(paths ...string) string {
			var b bytes.Buffer
			testkit.Must(corpus.MergeStatistics(t.Context(), &b, paths, corpus.StatisticsMergeOptions{AllowRepeats: true}))
			return testkit.Write(filepath.Join(t.TempDir(), "merged.stats"), b.Bytes())
		}
		a, b, c, d := paths[0], paths[1], paths[2], paths[3]
		for grouping, path := range map[string]string{
			"abcd": merge(a, b, c, d), "(ab)(cd)": merge(merge(a, b), merge(c, d)), "((ab)c)d": merge(merge(merge(a, b), c), d),
			"a(b(cd))": merge(a, merge(b, merge(c, d))), "a(bc)d": merge(a, merge(b, c), d),
		} {
			if !bytes.Equal(testkit.Must(os.ReadFile(path)), want) {
				t.Errorf("round %d, %s: another file", round, grouping)
			}
		}
		whole := testkit.Must(corpus.DecodeStatistics(want))
		if whole.Cells.LowQ != nil {
			wide++
		}
		part, rest := testkit.Must(corpus.OpenStatistics(a)), testkit.Must(corpus.OpenStatistics(merge(b, c, d)))
		sum, left := testkit.Must(part.Add(rest)), testkit.Must(whole.Sub(rest))
		for name, of := range map[string][2]*table.Table{"added": {sum, whole}, "subtracted": {left, part}} {
			got, want := of[0], of[1]
			if !slices.Equal(got.ClassNames, want.ClassNames) {
				continue // a class that is left without documents stays
			}
			if i := got.Cells.FirstDifference(&want.Cells); i >= 0 || (got.Cells.LowQ == nil) != (want.Cells.LowQ == nil) {
				t.Errorf("round %d, %s: term %d differs", round, name, i)
			}
		}
		x := testkit.Must(corpus.BuildBatches(t.Context(), document.InBatches(docs), corpus.Options{}))
		var file bytes.Buffer
		testkit.Must(x.Write(t.Context(), &file, corpus.SaveOptions{}))
		opened := testkit.Must(corpus.Decode(file.Bytes()))
		for name, c := range map[string]*corpus.Corpus{"built": x, "opened": opened} {
			s := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{}))
			var b bytes.Buffer
			testkit.Must(corpus.WriteStatistics(&b, s))
			if !bytes.Equal(b.Bytes(), want) {
				t.Errorf("round %d: the index as it was %s has other statistics", round, name)
			}
		}
		if err := opened.Verify(); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
	t.Logf("%d of 60 have squares beyond 2^53", wide)
	if wide < 10 || wide > 50 {
		t.Errorf("%d of 60 have squares beyond 2^53", wide)
	}
}
