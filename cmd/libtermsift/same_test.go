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

// A countedMatrix is the demo corpus as a matrix, and what the engine says of it.
type countedMatrix struct {
	documents, columns int
	start, indices     []int64
	values             []int64
}

// matrixOf returns the counts of a corpus. The last column has no document.
func matrixOf(t *testing.T, c *corpus.Corpus) (m countedMatrix) {
	t.Helper()
	m = countedMatrix{documents: c.Documents(), columns: c.Terms() + 1, start: []int64{0}}
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(c.Terms()), By: rank.Options{Measure: rank.DF}}))
	x := testkit.Must(vectors.New(s, vectors.TF))
	for row := range testkit.All(x.Corpus(t.Context(), c)) {
		for i, index := range row.Index {
			term, ok := c.Lookup(s.Features[index-1].Term)
			testkit.Equal(testkit.Stop(t), ok, true, s.Features[index-1].Term)
			m.indices, m.values = append(m.indices, int64(term)), append(m.values, int64(row.Value[i]))
		}
		m.start = append(m.start, int64(len(m.indices)))
	}
	return m
}

// transposed returns the matrix by columns.
func (m countedMatrix) transposed() countedMatrix {
	lists := make([][][2]int64, m.columns)
	for d := range m.documents {
		for i := m.start[d]; i < m.start[d+1]; i++ {
			lists[m.indices[i]] = append(lists[m.indices[i]], [2]int64{int64(d), m.values[i]})
		}
	}
	out := countedMatrix{documents: m.documents, columns: m.columns, start: []int64{0}}
	for _, list := range lists {
		for _, e := range list {
			out.indices, out.values = append(out.indices, e[0]), append(out.values, e[1])
		}
		out.start = append(out.start, int64(len(out.indices)))
	}
	return out
}

// as converts a column to a type of elements of the header.
func as(kind uint32, column []int64) any {
	switch kind {
	case typeNone:
		return []byte{}
	case typeInt32:
		return converted[int32](column)
	case typeFloat32:
		return converted[float32](column)
	case typeFloat64:
		return converted[float64](column)
	case typeUint8:
		return converted[uint8](column)
	}
	return column
}

func converted[T uint8 | int32 | float32 | float64](column []int64) []T {
	out := make([]T, len(column))
	for i, v := range column {
		out[i] = T(v)
	}
	return out
}

// The scores of a matrix are those of an index of the same documents, to the last bit:
// every measure, from rows and columns, with every type of elements, on one to three threads.
// Without values they are those of an index where every count is 1.
func TestScoresOfEveryLayout(t *testing.T) {
	b := build(t)
	texts, classes := demo(t)
	texts = texts[:200]
	start, of := labelArrays(texts, classes)
	for _, binaryCounts := range []bool{false, true} {
		c := buildDemo(t, texts, binaryCounts)
		m := matrixOf(t, c)
		if slices.Max(m.values) > 255 {
			t.Fatal("counts do not fit into uint8")
		}
		valueTypes := []uint32{typeInt32, typeInt64, typeFloat32, typeFloat64, typeUint8}
		if binaryCounts {
			valueTypes = []uint32{typeNone, typeUint8}
		}
		var in binaryFile
		in.add([]int64{int64(4 * len(valueTypes)), int64(m.documents), int64(m.columns), int64(len(classes)), int64(len(of))}, start, of)
		for layout, x := range []countedMatrix{layoutRows: m, layoutColumns: m.transposed()} {
			for _, indexType := range []uint32{typeInt32, typeInt64} {
				for _, valueType := range valueTypes {
					from, indices, values := as(indexType, x.start), as(indexType, x.indices), as(valueType, x.values)
					in.add([]int64{
						int64(layout), int64(indexType), int64(valueType), int64(len(x.indices)),
						int64(binary.Size(from)), int64(binary.Size(indices)), int64(binary.Size(values)),
					}, from, indices, values)
				}
			}
		}
		checkScores(t, b, &in, c, m.columns, 4*len(valueTypes))
	}
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

// checkScores scores the matrices of a file and compares each with the corpus.
func checkScores(t *testing.T, b built, in *binaryFile, c *corpus.Corpus, columns, matrices int) {
	t.Helper()
	var names []string
	var plans []rank.Plan
	for _, m := range rank.KnownMeasures() {
		names = append(names, m.Name)
		if m.Combinable {
			names = append(names, m.Name+":avg", m.Name+":sum")
		}
	}
	for _, name := range names {
		measure, combine, _ := strings.Cut(name, ":")
		p := testkit.Must(rank.Options{Measure: rank.Measure(measure), Combine: rank.Combination(combine)}.Resolve())
		plans = append(plans, p)
	}
	want := testkit.Must(rank.ByPlans(t.Context(), c, plans...))
	path, out := in.save(t), filepath.Join(t.TempDir(), "scores")
	for threads := 1; threads <= 3; threads++ {
		options := testkit.Must(json.Marshal(map[string]any{"by": names, "threads": threads}))
		run(t, b.driver, "score", path, string(options), fmt.Sprint(len(names)), out)
		f := testkit.Must(os.Open(out))
		scores, df := make([]float64, columns), make([]float64, columns)
		for i := range matrices {
			for j, r := range want {
				read(t, f, scores)
				for term, v := range r.Values() {
					testkit.Equal(testkit.Stop(t), math.Float64bits(scores[term]), math.Float64bits(v), threads,
						"threads, matrix", i, names[j], "of", c.Term(term), scores[term], "want", v)
				}
				testkit.Equal(testkit.Stop(t), math.IsNaN(scores[columns-1]), true,
					"a column without a document has the value", scores[columns-1])
			}
			read(t, f, df)
			for term := range c.Terms() {
				testkit.Equal(testkit.Stop(t), df[term], float64(c.DF(term)), "df of", c.Term(term), "want", c.DF(term))
			}
		}
		f.Close()
	}
}
