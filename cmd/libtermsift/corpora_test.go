//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// Every measure has the bits that the command prints, from C, on collections of one label and of
// several: from rows and columns, with indices and values of every type, on one to three
// threads. Without TERMSIFT_HEAVY one collection is tried, with three types on two threads.
//
// A count above 255 counts as 255, which uint8 holds; a second round has ones alone, as a
// matrix without values has.
func TestEveryMeasureOfCollections(t *testing.T) {
	b := build(t)
	sets := map[string][]string{"Reuters": {"reuters21578.tar.gz", "--split", "train"}}
	counts, ones, threads, scored := "145", "0", "2", 16
	if testkit.AllCases() {
		sets["20 Newsgroups"] = []string{"20news-bydate.tar.gz", "--split", "train", "--charset", "latin-1"}
		counts, ones, threads, scored = "12345", "05", "123", 3*4*7
	}
	for name, args := range sets {
		index := filepath.Join(t.TempDir(), "x.idx")
		args = append([]string{"index", testkit.Corpus(t, args[0]), "-o", index}, args[1:]...)
		commandOutput(t, b, args)
		c := testkit.Must(corpus.Open(index, corpus.OpenOptions{}))
		done := 0
		for most, types := range map[int64]string{255: counts, 1: ones} {
			in, lines := collectionOf(t, c, most)
			measures, want := commandScores(t, b, lines, c.Terms())
			path := filepath.Join(t.TempDir(), "want")
			var expected binaryFile
			expected.add(want)
			testkit.OK(os.WriteFile(path, expected.Bytes(), 0o600))
			by := testkit.Must(json.Marshal(measures))
			out := run(t, b.driver, "layouts", in.save(t), string(by), fmt.Sprint(len(measures)), path, types, threads)
			n := testkit.Must(strconv.Atoi(strings.TrimSpace(out)))
			testkit.Equal(testkit.Stop(t), len(measures), len(rank.KnownMeasures()), name, out)
			done += n
		}
		testkit.OK(c.Close())
		testkit.Equal(t, done, scored, name, "matrices were scored")
		t.Logf("%s: %d documents, %d terms, %d matrices", name, c.Documents(), c.Terms(), done)
	}
}

// collectionOf returns a corpus as the driver reads it and as svmlight, with no count above
// most. Names of classes there are numbers of four digits, whose order by bytes is that of the numbers.
func collectionOf(t *testing.T, c *corpus.Corpus, most int64) (in *binaryFile, svmlight string) {
	t.Helper()
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(c.Terms()), By: rank.Options{Measure: rank.DF}}))
	x := testkit.Must(vectors.New(s, vectors.TF))
	svmlight = filepath.Join(t.TempDir(), "counts.svm")
	f := testkit.Must(os.Create(svmlight))
	w := bufio.NewWriter(f)
	start, labelStart := []int64{0}, []int64{0}
	var indices, values []int64
	var of []int32
	for row := range testkit.All(x.Corpus(t.Context(), c)) {
		var names []string
		for _, class := range row.Labels {
			names, of = append(names, strconv.Itoa(1000+int(class))), append(of, int32(class))
		}
		fmt.Fprint(w, strings.Join(names, ","))
		for i, index := range row.Index {
			indices, values = append(indices, int64(index)-1), append(values, min(int64(row.Value[i]), most))
			fmt.Fprintf(w, " %d:%d", index, values[len(values)-1])
		}
		fmt.Fprintln(w)
		start, labelStart = append(start, int64(len(indices))), append(labelStart, int64(len(of)))
	}
	testkit.OK(w.Flush())
	testkit.OK(f.Close())
	in = &binaryFile{}
	in.add([]int64{int64(len(start) - 1), int64(c.Terms()), int64(len(c.Classes())), int64(len(of)), int64(len(indices))}, labelStart, of, start, indices, values)
	return in, svmlight
}

// commandScores returns the names of all measures and their values as the command prints
// them, which is with all their bits: a row a measure, and df behind them.
func commandScores(t *testing.T, b built, input string, terms int) (measures []string, rows []float64) {
	t.Helper()
	c := exec.CommandContext(t.Context(), b.command, "score", "--by", "all,new", "--all", "--format", "jsonl", input)
	out := testkit.Must(c.StdoutPipe())
	testkit.OK(c.Start())
	df := newRow(terms)
	lines := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			break // the end, or the command's failure, which Wait returns
		}
		measure, term := field(line, `"measure":`), number64(t, field(line, `"term":`))
		if len(measures) == 0 || string(measure) != measures[len(measures)-1] {
			measures, rows = append(measures, string(measure)), append(rows, newRow(terms)...)
		}
		rows[(len(measures)-1)*terms+int(term)-1] = number64(t, field(line, `"value":`))
		df[int(term)-1] = number64(t, field(line, `"df":`))
	}
	testkit.OK(c.Wait())
	return measures, append(rows, df...)
}

func newRow(terms int) []float64 {
	row := make([]float64, terms)
	fill(row, math.Float64frombits(0x7ff80000deadbeef)) // no value has the bits of this NaN
	return row
}

// field returns the value behind a name in a line of JSON, without its quotation marks.
func field(line []byte, name string) []byte {
	_, value, _ := bytes.Cut(line, []byte(name))
	value = bytes.TrimPrefix(value, []byte(`"`))
	end := bytes.IndexAny(value, `",}`)
	return value[:max(end, 0)]
}

func number64(t *testing.T, text []byte) float64 {
	return testkit.Must(strconv.ParseFloat(string(text), 64))
}
