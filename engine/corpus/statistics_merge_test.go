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

// sameButDistances compares statistics but for squared distances, whose relative error is 1e-9 at most, or 1e-14 of a
// size: they depend on the order in which parts are added.
func sameButDistances(t *testing.T, what string, got, want *table.Table, size float64) {
	t.Helper()
	var x, y table.Tile
	got.Cells.Read(&x, 0, got.Cells.Terms(), true)
	want.Cells.Read(&y, 0, want.Cells.Terms(), true)
	testkit.Same(testkit.Stop(t), x.DF, y.DF, what)
	testkit.Same(testkit.Stop(t), [][]float64{x.CF, x.A, x.S}, [][]float64{y.CF, y.A, y.S}, what)
	testkit.Same(t, got.Cells.Margins, want.Cells.Margins, what)
	distances := func(x *table.Tile, i int) float64 {
		if x.M2 != nil {
			return x.M2[i]
		}
		return x.Q[i] - float64(x.S[i]*x.S[i])/x.A[i]
	}
	for i, q := range y.Q {
		if !testkit.Near(x.Q[i], q, 1e-15, 1e-14*size) || !testkit.Near(distances(&x, i), distances(&y, i), 1e-9, 1e-15*q+1e-14*size) {
			t.Errorf("%s: squares %v and distances %v, want %v and %v", what, x.Q[i], distances(&x, i), q, distances(&y, i))
		}
	}
}

// Statistics of counts whose squares no float64 holds are merged, in any grouping, to those of one build but for the
// last digits of squared distances, and so are those of a subset that is left. An index and its file have the same
// bytes.
func TestMergedStatisticsOfLargeCountsAreThoseOfOneBuild(t *testing.T) {
	large := 0
	for round := range 60 {
		r := rand.New(rand.NewPCG(53, uint64(round)))
		docs := largeCounts(r, []int{24, 26, 27, 31}[round%4])
		paths, want := statisticsFiles(t, r, docs, 1+round%3)
		merge := func(paths ...string) string {
			var b bytes.Buffer
			testkit.Must(corpus.MergeStatistics(t.Context(), &b, paths, corpus.StatisticsMergeOptions{AllowRepeats: true}))
			return testkit.Write(filepath.Join(t.TempDir(), "merged.stats"), b.Bytes())
		}
		whole := testkit.Must(corpus.DecodeStatistics(want))
		if whole.Cells.Form == table.LargeCounts {
			large++
		}
		a, b, c, d := paths[0], paths[1], paths[2], paths[3]
		for grouping, path := range map[string]string{
			"abcd": merge(a, b, c, d), "(ab)(cd)": merge(merge(a, b), merge(c, d)), "((ab)c)d": merge(merge(merge(a, b), c), d),
			"a(b(cd))": merge(a, merge(b, merge(c, d))), "a(bc)d": merge(a, merge(b, c), d),
		} {
			sameButDistances(t, fmt.Sprint("round ", round, grouping), testkit.Must(corpus.OpenStatistics(path)), whole, 0)
		}
		part, rest := testkit.Must(corpus.OpenStatistics(a)), testkit.Must(corpus.OpenStatistics(merge(b, c, d)))
		sum, left := testkit.Must(part.Add(rest)), testkit.Must(whole.Sub(rest))
		sameButDistances(t, fmt.Sprint("round ", round, "added"), sum, whole, 0)
		if slices.Equal(left.ClassNames, part.ClassNames) { // a class that is left without documents stays
			var all table.Tile // whose error what is left has
			whole.Cells.Read(&all, 0, whole.Cells.Terms(), true)
			sameButDistances(t, fmt.Sprint("round ", round, "subtracted"), left, part, slices.Max(append(all.M2, 0)))
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
	t.Logf("%d of 60 have squares beyond 2^53", large)
	if large < 10 || large > 50 {
		t.Errorf("%d of 60 have squares beyond 2^53", large)
	}
}
