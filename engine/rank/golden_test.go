package rank_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// goldenKeys maps measures to keys of golden_small.json. The
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
var options = map[string]rank.Options{
	"mi_bits": {Measure: "mi", Base: 2}, "emi_bits": {Measure: "emi", Base: 2}, "t_signed": {Measure: "ttest", Signed: true},
	"rs_sebastiani_d0_001": {Measure: "rs", RSD: .001},
}

// referenceOnly are the keys of golden scores that no name or option of the
// engine gives.
var referenceOnly = []string{
	"df_p_t_given_c", "mi_nats_zero_if_A0", "mi_half_nats", "kl_part_nats", "or_raw", "or_mladenic", "pr_raw", "t_abs_no_root_in_m",
}

// everyKeyIsKnown fails for a golden score that is in none of the lists.
func everyKeyIsKnown(t *testing.T, part enginetest.GoldenPart) {
	t.Helper()
	known := slices.Clone(referenceOnly)
	for _, key := range goldenKeys {
		known = append(known, key)
	}
	for key := range options {
		known = append(known, key)
	}
	for key := range part.Scores {
		testkit.Equal(t, slices.Contains(known, strings.TrimSuffix(key, "_exact")), true,
			"nothing checks the golden score", key)
	}
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

func TestGolden(t *testing.T) {
	c, parts := enginetest.LoadGolden(t)
	for name, part := range parts {
		t.Run(name, func(t *testing.T) {
			c := enginetest.WithLabels(c, part.Labels)
			everyKeyIsKnown(t, part)
			g := goldenCheck{t, c, part, enginetest.StatisticsOf(t, enginetest.CorpusOf(t, c), "")}
			for measure, key := range goldenKeys {
				g.measure(rank.Options{Measure: rank.Measure(measure)}, key)
			}
			for key, o := range options {
				g.measure(o, key)
			}
			g.whole()
			g.ocfs(enginetest.CorpusOf(t, c))
		})
	}
}

type goldenCheck struct {
	t    *testing.T
	c    naive.Corpus
	part enginetest.GoldenPart
	s    *table.Table
}

func (g *goldenCheck) equal(got float64, want any, what ...any) {
	g.t.Helper()
	if w := expected(g.t, want); !testkit.Near(got, w, 1e-12, 1e-15) {
		g.t.Errorf("%v = %v, want %v", what, got, w)
	}
}

func (g *goldenCheck) measure(o rank.Options, key string) {
	if g.part.Scores[key] == nil {
		g.t.Fatalf("the golden file has no %s", key)
	}
	byCell := enginetest.ClassValues(g.t, g.s, o)
	for term, want := range g.part.Scores[key] {
		for c, class := range g.c.Classes {
			g.equal(byCell[[2]string{term, class}].Value, want[c], key, term, class)
		}
	}
	for how, goldenHow := range combinations {
		o.Combine = rank.Combination(how)
		want := g.part.Global[summed(key, how)][goldenHow]
		if want == nil {
			continue
		}
		for term, v := range enginetest.Values(g.t, g.s, o) {
			g.equal(v, want[term], key, how, term)
		}
	}
}

func (g *goldenCheck) whole() {
	for measure, key := range wholeKeys {
		values := enginetest.Values(g.t, g.s, rank.Options{Measure: rank.Measure(measure)})
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
		values := enginetest.Values(g.t, g.s, rank.Options{Measure: rank.Measure(measure), Base: 2})
		for _, term := range g.c.Terms {
			var want map[string]any
			if err := json.Unmarshal(g.part.DirectGlobal[term], &want); err != nil {
				g.t.Fatal(err)
			}
			g.equal(values[term], want[base2], base2, term)
		}
	}
}

func (g *goldenCheck) ocfs(c *corpus.Corpus) {
	for golden, weight := range map[string]string{"tf": "tf", "tfidf": "tfidf", "tfidf_unit": "tfidf-unit", "ltc_unit": "ltc"} {
		values := enginetest.Values(g.t, enginetest.StatisticsOf(g.t, c, weight), rank.Options{Measure: "ocfs", Weight: table.Weighting(weight)})
		for i, term := range g.c.Terms {
			g.equal(values[term], g.part.OCFS[golden].Score[i], "ocfs", weight, term)
		}
	}
}

// Thousands of random corpora: engine == naive, for every measure, class,
// combination and weighting.
func TestRandomCorporaAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 250, Large: 8}.Each(t, func(t *testing.T, _ *rand.Rand, c naive.Corpus) { compareWithNaive(t, c) })
}

func compareWithNaive(t *testing.T, c naive.Corpus) {
	t.Helper()
	enginetest.CompareCorpusWithNaive(t, enginetest.CorpusOf(t, c), c)
}

// The float32 column is the reference's weights, rounded.
func TestWeightsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, shape := range naive.Shapes {
		c := naive.RandomCorpus(r, shape)
		corpus := enginetest.CorpusOf(t, c)
		for _, name := range []string{"tf", "binary", "tfidf", "tfidf-unit", "ltc"} {
			column := testkit.Must(corpus.Index().Weights(t.Context(), table.Weighting(name)))
			want := naive.Tabulate(c).Weights(name)
			for i, term := range c.Terms {
				id, ok := corpus.Lookup(term)
				testkit.Equal(testkit.Stop(t), ok, true, shape.Name, "no term", term)
				docs := testkit.Must(corpus.Postings(id)).ToArray()
				testkit.Equal(testkit.Stop(t), len(docs), len(column.Of(id)), shape.Name, "weights for")
				for k, v := range column.Of(id) {
					d := testkit.Must(strconv.Atoi(testkit.Must(corpus.DocumentIDs())[docs[k]]))
					testkit.Close(testkit.Stop(t), float64(v), want[d][i], 1e-7, 0, shape.Name, name, v)
				}
			}
		}
	}
}
