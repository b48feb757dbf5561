package corpus_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// statisticsOf writes the statistics of documents to a file of a directory and returns its path.
func statisticsOf(t *testing.T, dir string, docs []document.Document, o corpus.Options) string {
	s := testkit.Must(testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), o)).Statistics(t.Context(), corpus.CountOptions{Threads: 1}))
	files := testkit.Must(os.ReadDir(dir))
	path := filepath.Join(dir, fmt.Sprintf("%04d.stats", len(files)))
	var data bytes.Buffer
	testkit.Must(corpus.WriteStatistics(&data, s))
	return testkit.Write(path, data.Bytes())
}

func mergeStatistics(t *testing.T, o corpus.StatisticsMergeOptions, paths ...string) ([]byte, []string, error) {
	var b bytes.Buffer
	warnings, err := corpus.MergeStatistics(t.Context(), &b, paths, o)
	return b.Bytes(), warnings, err
}

// Files of statistics of shards, in groups and groups of groups, add up to that of one build.
func TestMergedStatisticsIsOneBuild(t *testing.T) {
	for _, r := range testkit.Cases(t, 40) {
		docs := enginetest.ManyTexts(30 + r.IntN(300))
		dir := t.TempDir()
		want := testkit.Must(os.ReadFile(statisticsOf(t, t.TempDir(), docs, corpus.Options{})))
		var paths []string
		for left := docs; len(left) > 0; {
			n := min(1+r.IntN(60), len(left))
			paths = append(paths, statisticsOf(t, dir, left[:n], corpus.Options{Charset: []string{"", "auto"}[r.IntN(2)]}))
			left = left[n:]
		}
		for len(paths) > 1 {
			from := r.IntN(len(paths) - 1)
			to := from + 2 + r.IntN(len(paths)-from-1)
			sum, warnings, err := mergeStatistics(t, corpus.StatisticsMergeOptions{}, paths[from:to]...)
			testkit.OK(err)
			testkit.Equal(testkit.Stop(t), len(warnings), 0)
			testkit.Write(paths[from], sum)
			paths = append(paths[:from+1], paths[to:]...)
		}
		got := testkit.Must(os.ReadFile(paths[0]))
		if s := testkit.Must(corpus.OpenStatistics(paths[0])); s.Provenance().Charset == "auto" {
			want = bytes.Replace(want, []byte(`"input_hash"`), []byte(`"charset":"auto","input_hash"`), 1)
			got, want = got[40:], want[40:] // without the lengths and sums that follow from it
			testkit.EqualSlices(testkit.Stop(t), got[:200], want[:200])
			continue
		}
		testkit.EqualSlices(testkit.Stop(t), got, want, "another file")
	}
}

// What does not add up is refused, with the names of the files.
func TestStatisticsThatDoNotMerge(t *testing.T) {
	dir := t.TempDir()
	docs := enginetest.ManyTexts(100)
	a, b := statisticsOf(t, dir, docs[:50], corpus.Options{}), statisticsOf(t, dir, docs[50:], corpus.Options{})
	letters := statisticsOf(t, dir, docs[50:], corpus.Options{Analysis: analysis.Options{Tokens: "letters"}})
	pruned := statisticsOf(t, dir, docs[50:], corpus.Options{MinDF: 2})
	latin := statisticsOf(t, dir, docs[50:], corpus.Options{Charset: "latin-1"})
	broken := filepath.Join(dir, "broken.stats")
	data := testkit.Must(os.ReadFile(b))
	data[len(data)/2] ^= 1
	testkit.Write(broken, data)
	for _, c := range []struct {
		path string
		kind error
		text string
	}{
		{letters, usage.ErrContradiction, "tokens"},
		{latin, usage.ErrContradiction, "charset"},
		{pruned, table.ErrPruned, "without bounds"},
		{broken, usage.ErrCorrupt, "checksum"},
		{a, corpus.ErrRepeated, "--allow-repeats"},
		{filepath.Join(dir, "none"), os.ErrNotExist, ""},
	} {
		_, _, err := mergeStatistics(t, corpus.StatisticsMergeOptions{}, a, c.path)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) || !strings.Contains(err.Error(), filepath.Base(c.path)) {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	if _, _, err := mergeStatistics(t, corpus.StatisticsMergeOptions{}); !errors.Is(err, usage.ErrUsage) {
		t.Error(err)
	}
	sum, warnings, err := mergeStatistics(t, corpus.StatisticsMergeOptions{AllowRepeats: true}, a, b, a)
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], filepath.Base(a)) {
		t.Fatal(warnings, err)
	}
	testkit.Equal(t, testkit.Must(corpus.DecodeStatistics(sum)).Documents(), 150)
}

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
			testkit.EqualSlices(t, testkit.Must(os.ReadFile(path)), want, "round", round, grouping, "another file")
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
			testkit.EqualSlices(t, b.Bytes(), want, "round", round, "the index as it was", name, "has other statistics")
		}
		testkit.Is(t, opened.Verify(), nil, "round", round)
	}
	t.Logf("%d of 60 have squares beyond 2^53", wide)
	if wide < 10 || wide > 50 {
		t.Errorf("%d of 60 have squares beyond 2^53", wide)
	}
}
