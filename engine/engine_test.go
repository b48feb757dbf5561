package engine_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/corpora"
	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
)

// texts streams documents given as "labels: text", labels joined by commas.
func texts(lines ...string) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for i, line := range lines {
			labels, text, _ := strings.Cut(line, ":")
			d := document.Document{ID: fmt.Sprint("d", i), Text: []byte(text)}
			if labels != "" {
				d.Labels = strings.Split(labels, ",")
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}

func build(t testing.TB, lines ...string) *engine.Corpus {
	t.Helper()
	c, err := engine.Build(t.Context(), texts(lines...), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// iris is the flowers' numbers as documents with real values.
func iris(t *testing.T) *engine.Corpus {
	t.Helper()
	file, err := os.Open(corpora.Path(t, "iris.data"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	c, err := engine.Build(t.Context(), func(yield func(document.Document, error) bool) {
		for i, row := range rows {
			d := document.Document{ID: strconv.Itoa(i), Labels: row[4:]}
			for f, text := range row[:4] {
				v, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				d.Features = append(d.Features, document.Feature{Term: strconv.Itoa(f + 1), Value: v})
			}
			if !yield(d, nil) {
				return
			}
		}
	}, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The paper prints that features 3 and 1 are kept; its own formula keeps 3 and 4.
func TestIrisByOrthogonalCentroids(t *testing.T) {
	r, err := statisticsOf(t, iris(t), "").Rank(t.Context(), engine.Scoring{By: "ocfs"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"1": 0.42141422222222222, "2": 0.073184, "3": 2.9109582222222222, "4": 0.53736088888888889}
	var order []string
	for _, e := range r.Top(4) {
		order = append(order, e.Term)
		if !near(e.Value, want[e.Term], 1e-12, 0) {
			t.Errorf("feature %s: %v, want %v", e.Term, e.Value, want[e.Term])
		}
	}
	if !slices.Equal(order, []string{"3", "4", "1", "2"}) {
		t.Errorf("order %v", order)
	}
}

func TestSelectionSurvivesItsFile(t *testing.T) {
	c := build(t, "a:x y\tz back\\slash", "b:y w", "c\t1:q", "a,b:x q")
	for _, o := range []engine.Selecting{
		{K: 4},
		{K: 2, PerClass: true},
		{K: 3, RoundRobin: true},
		{Percentile: 50, Scoring: engine.Scoring{By: "mi"}},
		{K: 2, Keep: []string{"qq", "zz"}, Drop: []string{"xx"}},
	} {
		s, err := c.Select(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var first, second bytes.Buffer
		if err := s.WriteTSV(&first); err != nil {
			t.Fatal(err)
		}
		back, err := engine.ReadSelection(bytes.NewReader(first.Bytes()), "features.tsv")
		if err != nil {
			t.Fatal(err)
		}
		if err := back.WriteTSV(&second); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("%s\n%s", first.Bytes(), second.Bytes())
		}
	}
}

func TestBadSelectionFiles(t *testing.T) {
	var good bytes.Buffer
	s, err := build(t, "a:one two", "b:three").Select(t.Context(), engine.Selecting{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.WriteTSV(&good); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		"#termsift": "#somebody", "#documents 2\n": "", "rank\tterm": "place\tterm", "1\tone": "7\tone", "\n2\tthree\t": "\n2\tone\t",
		"\t1\n": "\t-1\n", "{\"version\"": "{version",
	} {
		text := strings.Replace(good.String(), from, to, 1)
		if text == good.String() {
			t.Fatalf("%q is not in\n%s", from, text)
		}
		_, err := engine.ReadSelection(strings.NewReader(text), "f.tsv")
		if !errors.Is(err, engine.ErrBadSelection) || !strings.HasPrefix(err.Error(), "f.tsv:") {
			t.Errorf("%q: %v", to, err)
		}
	}
}

// Raw text and the counted corpus of the same text give the same rows.
func TestTransformOfTextAndOfCorpusAgree(t *testing.T) {
	lines := []string{"a:the cat sat on the mat", "b:the dog", "a,b:cat and dog and cat", ":nothing known", "a:"}
	c := build(t, lines...)
	s, err := c.Select(t.Context(), engine.Selecting{K: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, weight := range []string{"tf", "binary", "tfidf", "tfidf-unit", "ltc"} {
		var outs [2]bytes.Buffer
		tr, err := engine.NewTransformer(s, weight)
		if err != nil {
			t.Fatal(err)
		}
		for i, rows := range []func(func(engine.Row, error) bool){tr.Documents(t.Context(), texts(lines...)), tr.Corpus(t.Context(), c)} {
			w := engine.NewSVMLightWriter(&outs[i])
			for row, err := range rows {
				if err != nil {
					t.Fatal(err)
				}
				if err := w.Write(row); err != nil {
					t.Fatal(err)
				}
				checkLength(t, weight, row)
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		if outs[0].String() != outs[1].String() {
			t.Fatalf("%s:\n%s\n%s", weight, outs[0].String(), outs[1].String())
		}
	}
}

func checkLength(t *testing.T, weight string, row engine.Row) {
	t.Helper()
	sum := 0.0
	for _, v := range row.Value {
		sum += float64(v) * float64(v)
	}
	if (weight == "ltc" || weight == "tfidf-unit") && len(row.Value) > 0 && math.Abs(sum-1) > 1e-6 {
		t.Errorf("%s: length² %v", weight, sum)
	}
}

func TestTransformRefusesAnotherAnalysis(t *testing.T) {
	s, err := build(t, "a:one two", "b:three").Select(t.Context(), engine.Selecting{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	other, err := engine.Build(t.Context(), texts("a:one", "b:two"), engine.Options{Analysis: analysis.Options{Stem: "porter"}})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := engine.NewTransformer(s, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range tr.Corpus(t.Context(), other) {
		if !errors.Is(err, engine.ErrContradiction) {
			t.Fatalf("got %v", err)
		}
	}
}

func TestRefusals(t *testing.T) {
	c := build(t, "a:one two", "b:three")
	s := statisticsOf(t, c, "")
	rank := func(o engine.Scoring) error { _, err := s.Rank(t.Context(), o); return err }
	choose := func(o engine.Selecting) error { _, err := c.Select(t.Context(), o); return err }
	least := 1e9
	for name, c := range map[string]struct {
		err  error
		want error
		text string
	}{
		"measure":        {rank(engine.Scoring{By: "chy"}), engine.ErrUsage, "did you mean chi"},
		"combination":    {rank(engine.Scoring{Combine: "maximum"}), engine.ErrUsage, "Known: max avg sum mean class"},
		"weighting":      {rank(engine.Scoring{Weight: "bm25"}), engine.ErrUsage, "unknown weighting"},
		"not counted":    {rank(engine.Scoring{By: "ocfs", Weight: "ltc"}), engine.ErrUsage, "without the sums"},
		"class of gini":  {rank(engine.Scoring{By: "gini", Combine: "class"}), engine.ErrUsage, "one value for a term"},
		"base":           {rank(engine.Scoring{Base: -1}), engine.ErrUsage, "base"},
		"no criterion":   {choose(engine.Selecting{}), engine.ErrUsage, "exactly one"},
		"two criteria":   {choose(engine.Selecting{K: 1, Percentile: 5}), engine.ErrUsage, "exactly one"},
		"negative k":     {choose(engine.Selecting{K: -1}), engine.ErrUsage, "positive"},
		"percentile":     {choose(engine.Selecting{Percentile: 101}), engine.ErrUsage, "at most 100"},
		"nothing passes": {choose(engine.Selecting{MinScore: &least}), engine.ErrNothingSelected, "none of the 3"},
	} {
		if !errors.Is(c.err, c.want) || !strings.Contains(c.err.Error(), c.text) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	_, err := s.Lookup("thre")
	var unknown *engine.UnknownError
	if !errors.As(err, &unknown) || !slices.Contains(unknown.Near, "three") || errors.Is(err, engine.ErrUsage) {
		t.Errorf("an unknown term: %v", err)
	}
	for want, docs := range map[error]document.Stream{
		engine.ErrEmpty: texts(), engine.ErrNoLabels: texts(":one", ":two"),
	} {
		if _, err := engine.Build(t.Context(), docs, engine.Options{}); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	if _, err := engine.Build(t.Context(), texts("a:!", "b:?"), engine.Options{}); !errors.Is(err, engine.ErrEmpty) {
		t.Errorf("no terms: %v", err)
	}
}

func TestWarnings(t *testing.T) {
	c := build(t, "a:one two", "a:three")
	s, err := c.Select(t.Context(), engine.Selecting{K: 50})
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(s.Warnings, "\n"); !strings.Contains(text, "one class only") || !strings.Contains(text, "more than the 3 terms") {
		t.Errorf("warnings: %s", text)
	}
}

func TestTopIsTheSortedFront(t *testing.T) {
	c := newsgroupsCorpus(t, "test")
	r, err := statisticsOf(t, c, "").Rank(t.Context(), engine.Scoring{By: "chi"})
	if err != nil {
		t.Fatal(err)
	}
	all := r.Top(r.Len())
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		if a.Value < b.Value || a.Value == b.Value && (a.DF < b.DF || a.DF == b.DF && a.Term >= b.Term) {
			t.Fatalf("%+v stands before %+v", a, b)
		}
	}
	for _, k := range []int{0, 1, 7, 1000, 30000} {
		if top := r.Top(k); !slices.Equal(top, all[:k]) {
			t.Fatalf("the top %d differ from the front of all", k)
		}
	}
}

func TestThreadsGiveTheSameBits(t *testing.T) {
	c := newsgroupsCorpus(t, "test")
	for _, o := range []engine.Scoring{{By: "ig"}, {By: "ttest", Combine: "avg"}, {By: "ocfs", Weight: "ltc"}} {
		var want []engine.Entry
		for _, threads := range []int{1, 2, 3, 8} {
			s, err := c.Statistics(t.Context(), engine.StatisticsOptions{Weight: o.Weight, Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			o.Threads = threads
			r, err := s.Rank(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Collect(r.All()); want == nil {
				want = got
			} else if !slices.Equal(got, want) {
				t.Fatalf("%s: %d threads give other values", o.By, threads)
			}
		}
	}
}

func TestCancelledBuild(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := engine.Build(ctx, texts("a:one"), engine.Options{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

func TestIndexFileGivesTheSameScores(t *testing.T) {
	c := newsgroupsCorpus(t, "test")
	var file bytes.Buffer
	if _, err := c.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	back, err := engine.Decode(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []string{"chi", "logoddsz"} {
		a, b := rank(t, statisticsOf(t, c, ""), engine.Scoring{By: by}), rank(t, statisticsOf(t, back, ""), engine.Scoring{By: by})
		for term, v := range a {
			if b[term] != v {
				t.Fatalf("%s of %q: %v, %v", by, term, v, b[term])
			}
		}
	}
}

// The README's table of measures is that of the registry.
func TestReadmeListsTheMeasures(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range engine.Measures() {
		line := fmt.Sprintf("| `%s` | %s | %s | %s | %s |", m.Name, m.Title, strings.ReplaceAll(m.Formula, "|", "\\|"), m.Default, m.Source)
		if !strings.Contains(string(readme), line) {
			t.Errorf("README.md lacks the line\n%s", line)
		}
	}
}

// The pass that stores nothing gives the bits of the stored counts, for every
// measure and combination, alone and together, and for any number of workers.
func TestRankOfCorpusIsRankOfStatistics(t *testing.T) {
	for name, c := range shapedCorpora(t) {
		t.Run(name, func(t *testing.T) {
			var all []engine.Scoring
			for _, m := range engine.Measures() {
				for _, combine := range append(engine.Combinations(), "") {
					if combine == "class" || combine != "" && !m.Combinable {
						continue
					}
					all = append(all, engine.Scoring{By: m.Name, Combine: combine, Signed: true})
					if m.Name == "chi" {
						all = append(all, engine.Scoring{By: m.Name, Combine: combine, Yates: true})
					}
				}
			}
			for _, weight := range []string{"tf", "binary", "ltc", "tfidf"} {
				all = append(all, engine.Scoring{By: "ocfs", Weight: weight})
			}
			together, err := c.Rank(t.Context(), all...)
			if err != nil {
				t.Fatal(err)
			}
			for i, o := range all {
				stored, err := statisticsOf(t, c, o.Weight).Rank(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				sameRanking(t, fmt.Sprintf("%+v together", o), together[i], stored)
				for _, o.Threads = range []int{1, 3} {
					alone, err := c.Rank(t.Context(), o)
					if err != nil {
						t.Fatal(err)
					}
					sameRanking(t, fmt.Sprintf("%+v alone", o), alone[0], stored)
				}
			}
			for _, class := range c.Classes()[:min(3, len(c.Classes()))] {
				for _, by := range []string{"chi", "ttest", "g2tf"} {
					got, err := c.RankClass(t.Context(), class, engine.Scoring{By: by})
					if err != nil {
						t.Fatal(err)
					}
					want, err := statisticsOf(t, c, "").RankClass(t.Context(), class, engine.Scoring{By: by})
					if err != nil {
						t.Fatal(err)
					}
					sameRanking(t, by+" of "+class, got, want)
				}
			}
		})
	}
}

func sameRanking(t *testing.T, what string, got, want *engine.Ranking) {
	t.Helper()
	a, b := slices.Collect(got.All()), slices.Collect(want.All())
	if len(a) != len(b) {
		t.Fatalf("%s: %d terms, want %d", what, len(a), len(b))
	}
	for i := range a {
		same := math.Float64bits(a[i].Value) == math.Float64bits(b[i].Value)
		a[i].Value, b[i].Value = 0, 0
		if !same || a[i] != b[i] {
			t.Fatalf("%s: %+v differs from %+v", what, got.Top(len(a))[:3], want.Top(len(b))[:3])
		}
	}
}

// shapedCorpora covers the ways of counting: few and many classes, one label and
// several, documents without one, counts, large counts and real values.
func shapedCorpora(t *testing.T) map[string]*engine.Corpus {
	t.Helper()
	r := rand.New(rand.NewPCG(21, 22))
	out := map[string]*engine.Corpus{}
	for _, shape := range []struct {
		name                     string
		docs, terms, classes     int
		labels                   int
		unlabelled, large, reals bool
	}{
		{"few classes", 900, 400, 5, 1, false, false, false},
		{"unlabelled", 700, 300, 7, 1, true, true, false},
		{"more than a byte of classes", 900, 200, 300, 1, true, false, false},
		{"more classes than a dense row", 1500, 200, 700, 1, true, false, false},
		{"several labels", 800, 300, 12, 11, true, true, false},
		{"several labels of many", 900, 150, 600, 5, false, false, false},
		{"real values", 600, 200, 6, 1, true, false, true},
		{"real values, several labels", 400, 150, 6, 4, false, false, true},
	} {
		b, err := engine.NewBuilder(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for d := range shape.docs {
			doc := document.Document{ID: strconv.Itoa(d)}
			for range r.IntN(shape.labels) + 1 {
				doc.Labels = append(doc.Labels, fmt.Sprintf("c%03d", r.IntN(shape.classes)))
			}
			if shape.unlabelled && d%9 == 0 {
				doc.Labels = nil
			}
			seen := map[int]bool{}
			for range 1 + r.IntN(60) {
				term := int(float64(shape.terms) * r.Float64() * r.Float64() * r.Float64())
				value := float64(1 + r.IntN(3))
				if shape.large && r.IntN(20) == 0 {
					value = float64(200 + r.IntN(5000))
				}
				if shape.reals {
					value = r.Float64() + .01
				}
				if !seen[term] {
					seen[term] = true
					doc.Features = append(doc.Features, document.Feature{Term: fmt.Sprintf("t%04d", term), Value: value})
				}
			}
			if err := b.Add(doc); err != nil {
				t.Fatal(err)
			}
		}
		if out[shape.name], err = b.Build(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
