//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

const demoCorpus = "../termsift/demo/corpus.jsonl"

// A labelledText is a document of the demo corpus.
type labelledText struct {
	Text   string   `json:"text"`
	Labels []string `json:"labels"`
}

// demo returns the documents of the demo corpus. Each third has a second label.
func demo(t *testing.T) (docs []labelledText, classes []string) {
	t.Helper()
	data := testkit.Must(os.ReadFile(demoCorpus))
	known := map[string]bool{}
	for line := range bytes.Lines(data) {
		var d labelledText
		testkit.OK(json.Unmarshal(line, &d))
		docs = append(docs, d)
		for _, l := range d.Labels {
			known[l] = true
		}
	}
	for l := range known {
		classes = append(classes, l)
	}
	slices.Sort(classes)
	for i := range docs {
		if other := classes[i%len(classes)]; i%3 == 0 && !slices.Contains(docs[i].Labels, other) {
			docs[i].Labels = append(docs[i].Labels, other)
		}
	}
	if len(docs) < 50 || len(classes) < 2 {
		t.Fatalf("%d documents, %d classes", len(docs), len(classes))
	}
	return docs, classes
}

// A binaryFile is the arrays that the driver reads.
type binaryFile struct{ bytes.Buffer }

func (f *binaryFile) add(values ...any) {
	for _, v := range values {
		testkit.OK(binary.Write(f, binary.NativeEndian, v))
	}
}

func (f *binaryFile) save(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "in")
	testkit.OK(os.WriteFile(path, f.Bytes(), 0o600))
	return path
}

// labelArrays returns the labels in the form of ts_labels.
func labelArrays(docs []labelledText, classes []string) (start []int64, of []int32) {
	start = []int64{0}
	for _, d := range docs {
		for _, l := range d.Labels {
			of = append(of, int32(slices.Index(classes, l)))
		}
		start = append(start, int64(len(of)))
	}
	return start, of
}

// Features and rows are those of the command, to the last byte.
func TestSameAsTheCommand(t *testing.T) {
	b := build(t)
	docs, classes := demo(t)
	var in binaryFile
	offsets, text := []int64{0}, ""
	var lines bytes.Buffer
	for _, d := range docs {
		text += d.Text
		offsets = append(offsets, int64(len(text)))
		line := testkit.Must(json.Marshal(d))
		lines.Write(append(line, '\n'))
	}
	start, of := labelArrays(docs, classes)
	in.add([]int64{int64(len(docs)), int64(len(classes)), int64(len(of)), int64(len(text))}, offsets, start, of, []byte(text))
	path, dir := in.save(t), t.TempDir()
	corpusFile := filepath.Join(dir, "corpus.jsonl")
	testkit.OK(os.WriteFile(corpusFile, lines.Bytes(), 0o600))
	names := testkit.Must(json.Marshal(classes))
	for flags, options := range map[string]string{
		"--by chi -k 200": `"by": "chi", "k": 200`,
		"--by ig --combine sum --base 2 --percentile 7 --tokens letters":                                   `"by": "ig", "combine": "sum", "base": 2, "percentile": 7, "tokens": "letters"`,
		"--by ttest:avg -k 50 --stop smart --stem porter --threads 1":                                      `"by": "ttest:avg", "k": 50, "stop": "smart", "stem": "porter", "threads": 1`,
		"--by ocfs --weight ltc -k 100 --threads 2":                                                        `"by": "ocfs", "weight": "ltc", "k": 100, "threads": 2`,
		"--by chi --fdr 0.05 --exact --ngrams 1-2 --min-df 2":                                              `"by": "chi", "fdr": 0.05, "exact": true, "ngrams": "1-2", "min-df": 2`,
		"--by rs --rs-d 0.3 -k 10 --per-class --max-df 0.5 --headers none --normalize nfkc --markup strip": `"normalize": "nfkc", "markup": "strip", "by": "rs", "rs-d": 0.3, "k": 10, "per-class": true, "max-df": 0.5, "headers": "none"`,
		"--by mrmr -k 20": `"by": "mrmr", "k": 20`,
		"--by chi --weight tfidf-unit --energy 0.5": `"by": "chi", "weight": "tfidf-unit", "energy": 0.5`,
		"--by df --min-score 12 --weight binary":    `"by": "df", "min-score": 12, "weight": "binary"`,
		"--by g2tf -k 30 --weight tf-rf":            `"by": "g2tf", "k": 30, "weight": "tf-rf"`,
	} {
		features, rows := filepath.Join(dir, "features"), filepath.Join(dir, "rows")
		run(t, b.driver, "same", path, fmt.Sprintf(`{"classes": %s, %s}`, names, options), features, rows)
		got := testkit.Must(os.ReadFile(features))
		want := commandOutput(t, b, append(strings.Fields("select "+flags), corpusFile))
		if got, want := terms(string(got)), terms(want); got == "" || got != want {
			t.Errorf("%s: features\n%.400s\nwant\n%.400s", flags, got, want)
		}
		want = withoutLabels(commandOutput(t, b, append(strings.Fields("transform "+flags), corpusFile)))
		for i, got := range readRows(t, rows) {
			testkit.Equal(t, got, want, flags, "rows", i, "differ")
		}
	}
}

// commandOutput returns what the command writes.
func commandOutput(t *testing.T, b built, args []string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), b.command, args...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	testkit.Is(testkit.Stop(t), err, nil, strings.Join(args, " "), stderr.String())
	return string(out)
}

// terms returns the columns rank, term, score, df, class, a and b of a features file.
func terms(file string) string {
	var out strings.Builder
	for line := range strings.Lines(file) {
		if !strings.HasPrefix(line, "#") {
			columns := strings.Split(strings.TrimRight(line, "\n"), "\t")
			out.WriteString(strings.Join(columns[:min(len(columns), 7)], "\t") + "\n")
		}
	}
	return out.String()
}

// readRows reads the rows that the driver wrote, in the form of the command: svmlight without
// labels.
func readRows(t *testing.T, path string) (all []string) {
	t.Helper()
	f := testkit.Must(os.Open(path))
	defer f.Close()
	for range 2 {
		two := make([]int64, 2)
		read(t, f, two)
		start, indices, values := make([]int64, two[0]+1), make([]int32, two[1]), make([]float32, two[1])
		read(t, f, start)
		read(t, f, indices)
		read(t, f, values)
		var rows bytes.Buffer
		testkit.OK(vectors.WriteSVMLight(&rows, func(yield func(vectors.Row, error) bool) {
			for i := range two[0] {
				row := vectors.Row{Value: values[start[i]:start[i+1]]}
				for _, column := range indices[start[i]:start[i+1]] {
					row.Index = append(row.Index, uint32(column)+1)
				}
				if !yield(row, nil) {
					return
				}
			}
		}))
		all = append(all, withoutLabels(rows.String()))
	}
	return all
}

func read(t *testing.T, r io.Reader, to any) {
	testkit.OK(binary.Read(r, binary.NativeEndian, to))
}

// withoutLabels removes the labels at the beginning of the lines of svmlight.
func withoutLabels(rows string) string {
	var out strings.Builder
	for line := range strings.Lines(rows) {
		_, values, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		out.WriteString(values + "\n")
	}
	return out.String()
}

// The scores of a matrix are those of an index of the same documents, to the last bit:
// every measure, from rows and columns, with every type of elements, on one to three threads.
// Without values they are those of an index where every count is 1. The last column has no document.
func TestScoresOfEveryLayout(t *testing.T) {
	b := build(t)
	texts, classes := demo(t)
	texts = texts[:200]
	start, of := labelArrays(texts, classes)
	for types, binaryCounts := range map[string]bool{"12345": false, "05": true} {
		c := buildDemo(t, texts, binaryCounts)
		rows, indices, values := countsOf(t, c)
		if slices.Max(values) > 255 {
			t.Fatal("counts do not fit into uint8")
		}
		names, scores := engineScores(t, c)
		var in, want binaryFile
		in.add([]int64{int64(c.Documents()), int64(c.Terms()) + 1, int64(len(classes)), int64(len(of)), int64(len(indices))}, start, of, rows, indices, values)
		want.add(scores)
		by := string(testkit.Must(json.Marshal(names)))
		out := run(t, b.driver, "layouts", in.save(t), by, fmt.Sprint(len(names)), want.save(t), types, "123")
		testkit.Equal(t, strings.TrimSpace(out), fmt.Sprint(4*len(types)*3), "matrices of the types", types)
	}
}

// countsOf returns the counts of a corpus as the rows of a matrix.
func countsOf(t *testing.T, c *corpus.Corpus) (start, indices, values []int64) {
	t.Helper()
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(c.Terms()), By: rank.Options{Measure: rank.DF}}))
	x := testkit.Must(vectors.New(s, vectors.TF))
	start = []int64{0}
	for row := range testkit.All(x.Corpus(t.Context(), c)) {
		for i, index := range row.Index {
			term, ok := c.Lookup(s.Features[index-1].Term)
			testkit.Equal(testkit.Stop(t), ok, true, s.Features[index-1].Term)
			indices, values = append(indices, int64(term)), append(values, int64(row.Value[i]))
		}
		start = append(start, int64(len(indices)))
	}
	return start, indices, values
}

// engineScores returns the names of all measures, some with their combinations, and their values of a corpus: a row a
// measure, and df behind them, each with a column without a document.
func engineScores(t *testing.T, c *corpus.Corpus) (names []string, values []float64) {
	t.Helper()
	var plans []rank.Plan
	for _, m := range rank.KnownMeasures() {
		for _, combine := range []string{"", "avg", "sum"} {
			name := strings.TrimSuffix(m.Name+":"+combine, ":")
			if combine != "" && !m.Combinable {
				continue
			}
			names = append(names, name)
			plans = append(plans, testkit.Must(rank.Options{Measure: rank.Measure(m.Name), Combine: rank.Combination(combine)}.Resolve()))
		}
	}
	for _, r := range testkit.Must(rank.ByPlans(t.Context(), c, plans...)) {
		values = append(append(values, r.Values()...), math.NaN())
	}
	for term := range c.Terms() {
		values = append(values, float64(c.DF(term)))
	}
	return names, append(values, 0)
}

// buildDemo builds a corpus of the texts, or one where every count is 1.
func buildDemo(t *testing.T, texts []labelledText, binaryCounts bool) *corpus.Corpus {
	var docs []document.Document
	for i, d := range texts {
		docs = append(docs, document.Document{ID: fmt.Sprint(i), Labels: d.Labels, Text: []byte(d.Text)})
		if !binaryCounts {
			continue
		}
		known := map[string]bool{}
		for _, word := range strings.Fields(d.Text) {
			if !known[word] {
				known[word] = true
				docs[i].Features = append(docs[i].Features, document.Feature{Term: word, Value: 1})
			}
		}
	}
	return testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{}))
}
