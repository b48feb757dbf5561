package engine_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/document"
)

// goldenKeys maps measures to keys of golden_small.json (DESIGN.md 4). The
// naive reference is held against that file in its own package; here the engine
// is held against the file, and on random corpora against the reference.
var goldenKeys = map[string]string{
	"df": "df_count", "cf": "cf", "dia": "dia", "mi": "mi_nats", "emi": "emi_nats", "ig": "ig_part_nats", "ece": "ece_nats",
	"chi": "chi", "ngl": "ngl", "gss": "gss", "or": "or_half", "lor": "ln_or_half", "rs": "rs_sebastiani_d1_6",
	"rsw": "rs_wiener_d1_6", "bns": "bns_0_0005", "ttest": "t_abs", "chitf": "chi_tf", "g2": "g2_doc", "g2tf": "g2_token",
	"ndm": "ndm_eps_1_over_N", "acc2": "acc2", "rf": "rf", "pr": "pr_half_if_B0", "logodds": "logodds_dirichlet_a0_10",
	"logoddsz": "logodds_dirichlet_z_a0_10",
}

// wholeKeys are those of the measures with a value of their own.
var wholeKeys = map[string]string{"ig": "ig_nats", "ece": "ece_nats", "gini": "gini", "dfs": "dfs", "anova": "anova_f"}

// options are further keys that an option of the engine gives.
var options = map[string]engine.Scoring{
	"mi_bits": {By: "mi", Base: 2}, "emi_bits": {By: "emi", Base: 2}, "t_signed": {By: "ttest", Signed: true},
	"rs_sebastiani_d0_001": {By: "rs", RSD: .001},
}

// referenceOnly are the keys of golden scores that no name or option of the
// engine gives; the naive reference is held against them.
var referenceOnly = []string{
	"df_p_t_given_c", "mi_nats_zero_if_A0", "mi_half_nats", "kl_part_nats", "or_raw", "or_mladenic", "pr_raw", "t_abs_no_root_in_m",
}

// everyKeyIsKnown fails for a golden score that is in none of the lists.
func everyKeyIsKnown(t *testing.T, part goldenPart) {
	t.Helper()
	known := slices.Clone(referenceOnly)
	for _, key := range goldenKeys {
		known = append(known, key)
	}
	for key := range options {
		known = append(known, key)
	}
	for key := range part.Scores {
		if !slices.Contains(known, strings.TrimSuffix(key, "_exact")) {
			t.Errorf("nothing checks the golden score %q", key)
		}
	}
}

// corpusOf counts a naive corpus by the engine.
func corpusOf(t testing.TB, c naive.Corpus) *engine.Corpus {
	t.Helper()
	corpus, err := engine.Build(t.Context(), streamOf(c), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return corpus
}

func streamOf(c naive.Corpus) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for d, counted := range c.Docs {
			doc := document.Document{ID: fmt.Sprint(d), Features: []document.Feature{}}
			for _, l := range counted.Labels {
				doc.Labels = append(doc.Labels, c.Classes[l])
			}
			for t, term := range c.Terms {
				if tf := counted.Counts[t]; tf > 0 {
					doc.Features = append(doc.Features, document.Feature{Term: term, Value: tf})
				}
			}
			if !yield(doc, nil) {
				return
			}
		}
	}
}

func statisticsOf(t testing.TB, c *engine.Corpus, weight string) *engine.Statistics {
	t.Helper()
	s, err := c.Statistics(t.Context(), engine.StatisticsOptions{Weight: weight})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rank gives the values of a scoring by term.
func rank(t testing.TB, s *engine.Statistics, o engine.Scoring) map[string]float64 {
	t.Helper()
	r, err := s.Rank(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for e := range r.All() {
		values[e.Term] = e.Value
	}
	return values
}

// cells gives the class values of a scoring by term and class.
func cells(t testing.TB, s *engine.Statistics, o engine.Scoring) map[[2]string]engine.Entry {
	t.Helper()
	values := map[[2]string]engine.Entry{}
	for e, err := range s.Cells(t.Context(), o) {
		if err != nil {
			t.Fatal(err)
		}
		values[[2]string{e.Term, e.Class}] = e
	}
	return values
}

// combinations maps the engine's names to the golden file's.
var combinations = map[string]string{"max": "max", "avg": "wavg", "sum": "sum", "mean": "mean"}

// summed gives the key whose values are summed: a sum of mi takes 0 for an
// absent class.
func summed(key, how string) string {
	if how == "max" {
		return key
	}
	switch key {
	case "mi_nats":
		return "mi_nats_zero_if_A0"
	case "mi_bits":
		return "" // the file has no such key
	}
	return key
}

// A goldenPart is the labelled toy corpus with its expected values.
type goldenPart struct {
	Labels       [][]string
	Scores       map[string]map[string][]any
	Global       map[string]map[string]map[string]any
	DirectGlobal map[string]json.RawMessage `json:"direct_global"`
	OCFS         map[string]struct{ Score []float64 }
}

func loadGolden(t *testing.T) (c naive.Corpus, parts map[string]goldenPart) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "golden_small.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Terms, Categories []string
		Counts            [][]float64
		Single            goldenPart `json:"single_label"`
		Multi             goldenPart `json:"multi_label"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	c = naive.Corpus{Terms: file.Terms, Classes: file.Categories}
	for _, row := range file.Counts {
		counts := map[int]float64{}
		for t, tf := range row {
			if tf > 0 {
				counts[t] = tf
			}
		}
		c.Docs = append(c.Docs, naive.Doc{Counts: counts})
	}
	return c, map[string]goldenPart{"single": file.Single, "multi": file.Multi}
}

func expected(t *testing.T, v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case string:
		return map[string]float64{"inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN()}[v]
	}
	t.Fatalf("not a number: %v", v)
	return 0
}

// near compares within a relative tolerance; absolute counts near zero.
func near(got, want, relative, absolute float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return math.IsNaN(want) && math.IsNaN(got) || got == want
	}
	return math.Abs(got-want) <= math.Max(relative*math.Abs(want), absolute)
}

func TestGolden(t *testing.T) {
	c, parts := loadGolden(t)
	for name, part := range parts {
		t.Run(name, func(t *testing.T) {
			c := c
			c.Docs = slices.Clone(c.Docs)
			for d, labels := range part.Labels {
				places := []int{}
				for _, l := range labels {
					places = append(places, int(l[0]-'a'))
				}
				c.Docs[d].Labels = places
			}
			everyKeyIsKnown(t, part)
			g := goldenCheck{t, c, part, statisticsOf(t, corpusOf(t, c), "")}
			for measure, key := range goldenKeys {
				g.measure(engine.Scoring{By: measure}, key)
			}
			for key, o := range options {
				g.measure(o, key)
			}
			g.whole()
			g.ocfs(corpusOf(t, c))
		})
	}
}

type goldenCheck struct {
	t    *testing.T
	c    naive.Corpus
	part goldenPart
	s    *engine.Statistics
}

func (g *goldenCheck) equal(got float64, want any, what ...any) {
	g.t.Helper()
	if w := expected(g.t, want); !near(got, w, 1e-12, 1e-15) {
		g.t.Errorf("%v = %v, want %v", what, got, w)
	}
}

func (g *goldenCheck) measure(o engine.Scoring, key string) {
	if g.part.Scores[key] == nil {
		g.t.Fatalf("the golden file has no %s", key)
	}
	byCell := cells(g.t, g.s, o)
	for term, want := range g.part.Scores[key] {
		for c, class := range g.c.Classes {
			g.equal(byCell[[2]string{term, class}].Value, want[c], key, term, class)
		}
	}
	for how, goldenHow := range combinations {
		o.Combine = how
		want := g.part.Global[summed(key, how)][goldenHow]
		if want == nil {
			continue
		}
		for term, v := range rank(g.t, g.s, o) {
			g.equal(v, want[term], key, how, term)
		}
	}
}

func (g *goldenCheck) whole() {
	for measure, key := range wholeKeys {
		values := rank(g.t, g.s, engine.Scoring{By: measure})
		for _, term := range g.c.Terms {
			var want map[string]any
			if err := json.Unmarshal(g.part.DirectGlobal[term], &want); err != nil {
				g.t.Fatal(err)
			}
			if v, ok := want[key]; ok {
				g.equal(values[term], v, measure, term)
			}
		}
	}
	for base2, measure := range map[string]string{"ig_bits": "ig", "ece_bits": "ece"} {
		values := rank(g.t, g.s, engine.Scoring{By: measure, Base: 2})
		for _, term := range g.c.Terms {
			var want map[string]any
			if err := json.Unmarshal(g.part.DirectGlobal[term], &want); err != nil {
				g.t.Fatal(err)
			}
			g.equal(values[term], want[base2], base2, term)
		}
	}
}

func (g *goldenCheck) ocfs(c *engine.Corpus) {
	for golden, weight := range map[string]string{"tf": "tf", "tfidf": "tfidf", "tfidf_unit": "tfidf-unit", "ltc_unit": "ltc"} {
		values := rank(g.t, statisticsOf(g.t, c, weight), engine.Scoring{By: "ocfs", Weight: weight})
		for i, term := range g.c.Terms {
			g.equal(values[term], g.part.OCFS[golden].Score[i], "ocfs", weight, term)
		}
	}
}

// Thousands of random corpora: engine == naive, for every measure, class,
// combination and weighting.
func TestRandomCorporaAgainstNaive(t *testing.T) {
	rounds{seed: 7, all: 250, short: 15, large: 8}.each(t, func(t *testing.T, _ *rand.Rand, c naive.Corpus) { compareWithNaive(t, c) })
}

func compareWithNaive(t *testing.T, c naive.Corpus) {
	t.Helper()
	compareCorpusWithNaive(t, corpusOf(t, c), c)
}

func compareCorpusWithNaive(t *testing.T, corpus *engine.Corpus, c naive.Corpus) {
	t.Helper()
	tb := naive.Tabulate(c)
	s := statisticsOf(t, corpus, "")
	for _, measure := range naive.Measures() {
		if naive.GlobalOnly(measure) {
			continue
		}
		want, byCell := tb.Class(measure, naive.Options{}), cells(t, s, engine.Scoring{By: measure})
		scale := make([]float64, len(c.Terms)) // what a sum of class values is rounded to
		for i, term := range c.Terms {
			for k, class := range c.Classes {
				compareValue(t, byCell[[2]string{term, class}].Value, want[i][k], 0, measure, term, class)
				if !math.IsInf(want[i][k], 0) {
					scale[i] += math.Abs(want[i][k])
				}
			}
		}
		for _, how := range []string{"", "max", "avg", "sum", "mean"} {
			got, want := rank(t, s, engine.Scoring{By: measure, Combine: how}), tb.Global(measure, how, naive.Options{})
			for i, term := range c.Terms {
				compareValue(t, got[term], want[i], scale[i], measure, how, term)
			}
		}
	}
	for _, measure := range []string{"anova", "gini", "dfs"} {
		got, want := rank(t, s, engine.Scoring{By: measure}), tb.Global(measure, "", naive.Options{})
		for i, term := range c.Terms {
			compareValue(t, got[term], want[i], 0, measure, term)
		}
	}
	for _, weight := range []string{"tf", "binary", "tfidf", "tfidf-unit", "ltc"} {
		got, want := rank(t, statisticsOf(t, corpus, weight), engine.Scoring{By: "ocfs", Weight: weight}), tb.OCFS(weight)
		for i, term := range c.Terms {
			compareValue(t, got[term], want[i], 0, "ocfs", weight, term)
		}
	}
}

// compareValue allows 1e-12 relative, and for combinations 1e-12 of the sum of
// the absolute class values.
func compareValue(t *testing.T, got, want, scale float64, what ...any) {
	t.Helper()
	if !near(got, want, 1e-12, math.Max(1e-15, 1e-12*scale)) {
		t.Errorf("%v = %v, want %v", what, got, want)
	}
}

// The float32 column is the reference's weights, rounded.
func TestWeightsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, shape := range naive.Shapes {
		c := naive.RandomCorpus(r, shape)
		corpus := corpusOf(t, c)
		for _, name := range []string{"tf", "binary", "tfidf", "tfidf-unit", "ltc"} {
			column, err := corpus.Weights(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			want := naive.Tabulate(c).Weights(name)
			for i, term := range c.Terms {
				id, ok := corpus.Lookup(term)
				if !ok {
					t.Fatalf("%s: no term %q", shape.Name, term)
				}
				docs := must(corpus.Postings(id)).ToArray()
				if len(docs) != len(column.Of(id)) {
					t.Fatalf("%s: %d weights for %d documents", shape.Name, len(column.Of(id)), len(docs))
				}
				for k, v := range column.Of(id) {
					d, err := strconv.Atoi(must(corpus.DocumentIDs())[docs[k]])
					if err != nil {
						t.Fatal(err)
					}
					if !near(float64(v), want[d][i], 1e-7, 0) {
						t.Fatalf("%s %s: %v, want %v", shape.Name, name, v, want[d][i])
					}
				}
			}
		}
	}
}
