package corpus_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/cases"
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
	testkit.OK(corpus.SaveStatistics(t.Context(), path, s))
	return path
}

func mergeStatistics(t *testing.T, o corpus.StatisticsMergeOptions, paths ...string) ([]byte, []string, error) {
	var b bytes.Buffer
	warnings, err := corpus.MergeStatistics(t.Context(), &b, paths, o)
	return b.Bytes(), warnings, err
}

// Files of statistics of shards, in groups and groups of groups, add up to that of one build.
func TestMergedStatisticsIsOneBuild(t *testing.T) {
	for _, r := range cases.Each(t, 40) {
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
			if err != nil || len(warnings) > 0 {
				t.Fatal(err, warnings)
			}
			testkit.Write(paths[from], sum)
			paths = append(paths[:from+1], paths[to:]...)
		}
		got := testkit.Must(os.ReadFile(paths[0]))
		if s := testkit.Must(corpus.OpenStatistics(paths[0])); s.Provenance().Charset == "auto" {
			want = bytes.Replace(want, []byte(`"input_hash"`), []byte(`"charset":"auto","input_hash"`), 1)
			got, want = got[40:], want[40:] // without the lengths and sums that follow from it
			if !bytes.Equal(got[:200], want[:200]) {
				t.Fatalf("%q, not %q", got[:200], want[:200])
			}
			continue
		}
		if !bytes.Equal(got, want) {
			t.Fatal("another file")
		}
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
	if s := testkit.Must(corpus.DecodeStatistics(sum)); s.Documents() != 150 {
		t.Errorf("%d documents", s.Documents())
	}
}
