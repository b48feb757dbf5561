package corpus_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// saved writes statistics to files of a folder.
func saved(t *testing.T, dir string, all ...*table.Table) (paths []string) {
	t.Helper()
	for i, s := range all {
		path := filepath.Join(dir, fmt.Sprintf("%03d.stats", i))
		testkit.OK(corpus.SaveStatistics(t.Context(), path, s))
		paths = append(paths, path)
	}
	return paths
}

// The files of the parts of several shards, in any order, are merged to the bytes of one pass
// over all documents, whatever they have; some of them to those of JoinParts.
func TestMergedPartsAreOnePass(t *testing.T) {
	r := rand.New(rand.NewPCG(66, 18))
	for name, v := range enginetest.Variants() {
		count := func(from, to int) *table.Table {
			c := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs[from:to]), v.Opt))
			return testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{}))
		}
		const n = 5
		cut := len(v.Docs) / 3
		parts := append(testkit.Must(count(0, cut).Split(n)), testkit.Must(count(cut, len(v.Docs)).Split(n))...)
		paths := saved(t, t.TempDir(), parts...)
		order := r.Perm(n)
		var given []string
		for _, shard := range []int{0, n} { // the order of the shards is that of their documents
			for _, i := range order {
				given = append(given, paths[shard+i])
			}
		}
		var sums []*table.Table
		for i := range n {
			sums = append(sums, testkit.Must(throughFile(t, parts[i]).Add(throughFile(t, parts[n+i]))))
		}
		for _, take := range []int{n, n - 2} {
			var b bytes.Buffer
			var chosen []string
			for _, path := range given {
				for i := range take {
					if path == paths[i] || path == paths[n+i] {
						chosen = append(chosen, path)
					}
				}
			}
			missing, err := corpus.MergeParts(t.Context(), &b, chosen, corpus.StatisticsMergeOptions{Dir: t.TempDir()})
			if err != nil || (missing == nil) != (take == n) {
				t.Fatalf("%s: the result is %v: %v", name, missing, err)
			}
			if want := statisticsBytes(t, testkit.Must(table.JoinParts(sums[:take]...))); !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%s: %d parts: another file", name, take)
			}
			if want := statisticsBytes(t, count(0, len(v.Docs))); take == n && name != "real" && !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%s: another file than that of one pass", name)
			}
		}
	}
}

// What is no part of the same whole is refused, and nothing is left of temporary files.
func TestFilesThatAreNoParts(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	of := func(lines ...string) *table.Table {
		return testkit.Must(enginetest.Build(t, lines...).Statistics(t.Context(), corpus.CountOptions{}))
	}
	one, other := of("a:one two three", "b:one four five"), of("a:one two", "b:one")
	split := func(s *table.Table, n int) []*table.Table { return testkit.Must(s.Split(n)) }
	paths := saved(t, dir, split(one, 3)[0], split(one, 3)[1], split(one, 4)[1], split(other, 3)[1], one, split(other, 3)[0],
		split(of("a:one two six", "b:one four five"), 3)[1])
	broken := filepath.Join(dir, "broken.stats")
	data := testkit.Must(os.ReadFile(paths[1]))
	data[len(data)/2] ^= 1
	testkit.Write(broken, data)
	for _, c := range []struct {
		want  string
		is    error
		paths []string
	}{
		{"no files", usage.ErrUsage, nil},
		{"another split", table.ErrParts, []string{paths[0], paths[2]}},
		{"of other documents", table.ErrParts, []string{paths[1], paths[3], paths[5]}}, // two shards of part 1, one of part 0
		{"other totals", table.ErrParts, []string{paths[0], paths[3]}},
		{"one is the whole", table.ErrParts, []string{paths[0], paths[4]}},
		{"is given twice", usage.ErrData, []string{paths[0], paths[0]}},
		{"of other documents", table.ErrParts, []string{paths[0], paths[6]}},
		{"broken.stats", usage.ErrCorrupt, []string{paths[0], broken}},
	} {
		var b bytes.Buffer
		_, err := corpus.MergeParts(t.Context(), &b, c.paths, corpus.StatisticsMergeOptions{Dir: temp})
		if !errors.Is(err, c.is) || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	enginetest.NothingIn(t, temp)
}
