//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	"github.com/termsift/termsift/engine/matrix"
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

// labelsOf returns the labels as a call has them.
func labelsOf(docs []labelledText, classes []string) *labels {
	l := &labels{classes: len(classes), start: []int64{0}}
	for _, d := range docs {
		for _, name := range d.Labels {
			l.of = append(l.of, int32(slices.Index(classes, name)))
		}
		l.start = append(l.start, int64(len(l.of)))
	}
	return l
}

// Features and rows are those of the command, to the last byte.
func TestSameAsTheCommand(t *testing.T) {
	b := build(t)
	docs, classes := demo(t)
	var texts [][]byte
	var lines bytes.Buffer
	for _, d := range docs {
		texts = append(texts, []byte(d.Text))
		lines.Write(append(testkit.Must(json.Marshal(d)), '\n'))
	}
	y := labelsOf(docs, classes)
	y.named(classes)
	corpusFile := filepath.Join(t.TempDir(), "corpus.jsonl")
	testkit.OK(os.WriteFile(corpusFile, lines.Bytes(), 0o600))
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
		m, fitted, _ := fit(t.Context(), texts, y, optionsOf("{"+options+"}", &fitOptions{}), true)
		transformed := rowsOfTexts(t.Context(), m, texts, transformOptions{string(m.weight), 3})
		want := commandOutput(t, b, append(strings.Fields("select "+flags), corpusFile))
		if got, want := terms(string(m.save())), terms(want); got == "" || got != want {
			t.Errorf("%s: features\n%.400s\nwant\n%.400s", flags, got, want)
		}
		want = withoutLabels(commandOutput(t, b, append(strings.Fields("transform "+flags), corpusFile)))
		for i, rows := range []*vectors.CSR{fitted, transformed} {
			testkit.Equal(t, svmLines(rows), want, flags, "rows", i, "differ")
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

// svmLines returns rows in the form of the command: svmlight without labels.
func svmLines(rows *vectors.CSR) string {
	var out bytes.Buffer
	testkit.OK(vectors.WriteSVMLight(&out, func(yield func(vectors.Row, error) bool) {
		for i := range len(rows.Start) - 1 {
			row := vectors.Row{Value: rows.Value[rows.Start[i]:rows.Start[i+1]]}
			for _, column := range rows.Index[rows.Start[i]:rows.Start[i+1]] {
				row.Index = append(row.Index, uint32(column)+1)
			}
			if !yield(row, nil) {
				return
			}
		}
	}))
	return withoutLabels(out.String())
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

// The scores of a matrix are those of an index of the same documents, to the last bit: every measure, on one to three
// threads; without values, those of an index where every count is 1. The last column has no document. Guards.c has
// columns, and the types of elements.
func TestScoresOfAMatrix(t *testing.T) {
	texts, classes := demo(t)
	for _, ones := range []bool{false, true} {
		c := buildDemo(t, texts[:200], ones)
		start, indices, values := countsOf(t, c)
		x := &matrix.Matrix[int64, int64]{Documents: c.Documents(), Terms: c.Terms() + 1, Start: start, Index: indices}
		if !ones {
			x.Values = values
		}
		names, want := engineScores(t, c)
		for threads := 1; threads <= 3; threads++ {
			text := testkit.Must(json.Marshal(map[string]any{"by": names, "threads": threads}))
			n := len(names) * x.Terms
			got := make([]float64, n+x.Terms)
			optionsOf(string(text), &scoreOptions{}).ofMatrix(t.Context(), x, labelsOf(texts[:200], classes), x.Terms, got[:n], got[n:])
			testkit.Equal(testkit.Stop(t), len(got), len(want), "values")
			for i := range got {
				testkit.Equal(testkit.Stop(t), math.Float64bits(got[i]), math.Float64bits(want[i]), names[min(i/x.Terms, len(names)-1)], "of term", i%x.Terms)
			}
		}
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
