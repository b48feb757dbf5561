package rank_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
)

const documents = 60

// singleLabels is a corpus of documents with one label each, and the sizes of its classes.
func singleLabels(t *testing.T) (c *corpus.Corpus, sizes map[string]float64) {
	rng := rand.New(rand.NewPCG(3, 5))
	sizes = map[string]float64{}
	c = enginetest.CorpusFrom(t, func(int) document.Document {
		label := string("aaabbc"[rng.IntN(6)])
		sizes[label]++
		var text strings.Builder
		for term := range 30 {
			for range rng.IntN(40) * rng.IntN(2) / (8 + term) {
				text.WriteString(string(rune('a'+term%26)) + string(rune('k'+term/26)) + label[:rng.IntN(2)] + " ")
			}
		}
		return document.Document{Labels: []string{label}, Text: []byte(text.String())}
	}, documents)
	return c, sizes
}

// The ranges that the page of the measures names are those of a corpus with one label a document.
func TestRanges(t *testing.T) {
	c, _ := singleLabels(t)
	for name, bounds := range map[rank.Measure][2]float64{
		"df": {0, documents}, "dia": {0, 1}, "emi": {0, math.Ln2}, "ig": {0, math.Ln2}, "ece": {0, math.Inf(1)}, "chi": {0, documents},
		"ngl": {-math.Sqrt(documents), math.Sqrt(documents)}, "gss": {-.25, .25}, "acc2": {0, 1}, "bns": {0, 6.59}, "ndm": {0, documents},
		"or": {0, math.Inf(1)}, "rs": {-math.Log(7), math.Log(7)}, "rsw": {-math.Log(7), math.Log(7)}, "rf": {1, math.Log2(2 + documents)},
		"pr": {0, 2 * documents}, "g2": {0, 2 * documents * math.Ln2}, "gini": {0, 1}, "dfs": {1. / 3, 1}, "ttest": {0, math.Inf(1)}, "anova": {0, math.Inf(1)},
		"ocfs": {0, math.Inf(1)},
	} {
		for term, v := range enginetest.RankAll(t, c, rank.Options{Measure: name}).Values() {
			if v < bounds[0]-1e-12 || v > bounds[1]+1e-12 {
				t.Errorf("%s of term %d is %v, not from %v to %v", name, term, v, bounds[0], bounds[1])
			}
		}
	}
}

// What the page of the measures says of twins holds for every term and class of such a corpus.
func TestTwins(t *testing.T) {
	c, sizes := singleLabels(t)
	values := func(name rank.Measure, class string) []float64 {
		if class == "" {
			return enginetest.RankAll(t, c, rank.Options{Measure: name}).Values()
		}
		return enginetest.Must(rank.Class(t.Context(), c, class, rank.Options{Measure: name})).Values()
	}
	sumOfChi, sumOfT, pearson := make([]float64, c.Terms()), make([]float64, c.Terms()), make([]float64, c.Terms())
	whole := map[rank.Measure][]float64{}
	for _, name := range []rank.Measure{"df", "ig", "ece", "anova"} {
		whole[name] = values(name, "")
	}
	checked := 0
	for class, size := range sizes {
		of := map[rank.Measure][]float64{}
		for _, name := range []rank.Measure{"df", "dia", "mi", "emi", "chi", "ngl", "gss", "or", "lor", "g2", "ndm", "acc2", "rf", "pr", "ttest"} {
			of[name] = values(name, class)
		}
		for term := range c.Terms() {
			v := func(name rank.Measure) float64 { return of[name][term] }
			a, df, share := v("df"), whole["df"][term], size/documents
			sumOfChi[term] += (1 - share) * v("chi")
			if e := df * share; df < documents {
				pearson[term] += (a - e) * (a - e) * (1/e + 1/(size-e))
			}
			sumOfT[term] += (1 - share) * v("ttest") * v("ttest")
			if df == documents || a == 0 || a == df {
				continue // empty cells have their own conventions
			}
			checked++
			for what, pair := range map[string][2]float64{
				"g2 = 2N·emi":               {v("g2"), 2 * documents * v("emi")},
				"lor = ln or":               {v("lor"), math.Log(v("or"))},
				"chi = ngl²":                {v("chi"), v("ngl") * v("ngl")},
				"mi = ln dia - ln P(c)":     {v("mi"), math.Log(v("dia")) - math.Log(share)},
				"pr = odds of dia":          {v("pr"), v("dia") / (1 - v("dia")) * (1 - share) / share},
				"rf = log2(2 + odds)":       {v("rf"), math.Log2(2 + v("dia")/(1-v("dia")))},
				"ndm = max(pr, 1/pr) - 1":   {v("ndm"), max(v("pr"), 1/v("pr")) - 1},
				"acc2 = |gss|/P(c)P(not c)": {v("acc2"), math.Abs(v("gss")) / (share * (1 - share))},
				"gss = P(t,c) - P(t)P(c)":   {v("gss"), a/documents - df/documents*share},
			} {
				if math.Abs(pair[0]-pair[1]) > 1e-9*(1+math.Abs(pair[1])) {
					t.Errorf("%s, class %s, term %d: %v and %v", what, class, term, pair[0], pair[1])
				}
			}
		}
	}
	for term, f := range whole["anova"] {
		if want := sumOfT[term] / float64(len(sizes)-1); math.Abs(f-want) > 1e-9*(1+want) {
			t.Errorf("F of term %d is %v, by the t of the classes %v", term, f, want)
		}
		if math.Abs(pearson[term]-sumOfChi[term]) > 1e-9*(1+pearson[term]) {
			t.Errorf("chi-square of term %d over all classes is %v, by their values %v", term, pearson[term], sumOfChi[term])
		}
		if whole["ece"][term] > whole["ig"][term]+1e-12 {
			t.Errorf("ece of term %d is above ig", term)
		}
	}
	if checked < 50 {
		t.Errorf("%d pairs of a term and a class", checked)
	}
}
