package rank_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
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

// Every equation of package measures holds for every term and class of such a corpus, if no cell of its table
// is empty.
func TestTwins(t *testing.T) {
	tried := map[string]int{}
	try := func(equation string, left, right float64) {
		t.Helper()
		tried[equation]++
		testkit.Close(t, left, right, 0, 1e-9*(1+math.Abs(right)), equation, "and")
	}
	twinsOfClasses(t, try)
	twinsOfWholes(t, try)
	twinsOfTwoClasses(t, try)
	twinsOfTargets(t, try)
	for _, twin := range score.Twins() {
		if tried[twin.Equation] < 5 {
			t.Errorf("%s was tried %d times", twin.Equation, tried[twin.Equation])
		}
		delete(tried, twin.Equation)
	}
	for equation := range tried {
		if equation != "gss = P(t,c) - P(t)P(c)" && equation != "chi of a term and all classes = Σ (1-P(c))·chi" {
			t.Errorf("%s is no equation of package measures", equation)
		}
	}
}

// A trial compares the two sides of an equation.
type trial func(equation string, left, right float64)

// twinValues returns the values of all terms, of a class or, for "", of all.
func twinValues(t *testing.T, c *corpus.Corpus, class string, o rank.Options) []float64 {
	t.Helper()
	if class == "" {
		return enginetest.RankAll(t, c, o).Values()
	}
	return testkit.Must(rank.Class(t.Context(), c, class, o)).Values()
}

// twinsOfClasses tries the equations of class values.
func twinsOfClasses(t *testing.T, try trial) {
	c, sizes := singleLabels(t)
	df := twinValues(t, c, "", rank.Options{Measure: "df"})
	for class, size := range sizes {
		of := map[rank.Measure][]float64{}
		for _, name := range []rank.Measure{"df", "dia", "mi", "emi", "chi", "ngl", "gss", "or", "lor", "g2", "ndm", "acc2", "rf", "pr", "rsw", "zeta", "zetacraig", "zetaeder", "zetalog"} {
			of[name] = twinValues(t, c, class, rank.Options{Measure: name, RSD: 1.1})
		}
		for term := range c.Terms() {
			v := func(name rank.Measure) float64 { return of[name][term] }
			a, share := v("df"), size/documents
			if df[term] == documents || a == 0 || a == df[term] {
				continue // empty cells have their own conventions
			}
			p, odds := df[term]/documents, v("dia")/(1-v("dia"))
			try("g2 = 2N·emi", v("g2"), 2*documents*v("emi"))
			try("lor = ln or", v("lor"), math.Log(v("or")))
			try("chi = ngl²", v("chi"), v("ngl")*v("ngl"))
			try("chi = N·gss²/(P(t)(1-P(t))P(c)(1-P(c)))", v("chi"), documents*v("gss")*v("gss")/(p*(1-p)*share*(1-share)))
			try("acc2 = |gss|/(P(c)(1-P(c)))", v("acc2"), math.Abs(v("gss"))/(share*(1-share)))
			try("acc2 = |zeta|", v("acc2"), math.Abs(v("zeta")))
			try("zetacraig = zeta + 1", v("zetacraig"), v("zeta")+1)
			try("zetaeder = (pr-1)/(pr+1)", v("zetaeder"), (v("pr")-1)/(v("pr")+1))
			try("zetalog = rsw/ln 2 for d = c", v("zetalog"), v("rsw")/math.Ln2)
			try("mi = ln dia - ln P(c)", v("mi"), math.Log(v("dia"))-math.Log(share))
			try("pr = odds of dia·(1-P(c))/P(c)", v("pr"), odds*(1-share)/share)
			try("rf = log2(2 + odds of dia)", v("rf"), math.Log2(2+odds))
			try("ndm = max(pr, 1/pr) - 1", v("ndm"), max(v("pr"), 1/v("pr"))-1)
			try("gss = P(t,c) - P(t)P(c)", v("gss"), a/documents-p*share)
		}
	}
}

// twinsOfWholes tries the equations of values over all classes.
func twinsOfWholes(t *testing.T, try trial) {
	c, sizes := singleLabels(t)
	sumOfChi, sumOfT, pearson, variance := make([]float64, c.Terms()), make([]float64, c.Terms()), make([]float64, c.Terms()), make([]float64, c.Terms())
	whole := func(name rank.Measure) []float64 { return twinValues(t, c, "", rank.Options{Measure: name}) }
	df, cf, ig, ece, anova, ocfs := whole("df"), whole("cf"), whole("ig"), whole("ece"), whole("anova"), whole("ocfs")
	for class, size := range sizes {
		of := func(name rank.Measure) []float64 { return twinValues(t, c, class, rank.Options{Measure: name}) }
		a, s, chi, ttest := of("df"), of("cf"), of("chi"), of("ttest")
		share := size / documents
		for term := range c.Terms() {
			sumOfChi[term] += (1 - share) * chi[term]
			if e := df[term] * share; df[term] < documents {
				pearson[term] += (a[term] - e) * (a[term] - e) * (1/e + 1/(size-e))
			}
			sumOfT[term] += (1 - share) * ttest[term] * ttest[term]
			if d := (s[term]/size - cf[term]/documents) / ttest[term]; ttest[term] > 0 {
				variance[term] = d * d / (1/size - 1./documents)
			}
		}
	}
	for term := range c.Terms() {
		try("anova = Σ (1-P(c))·ttest²/(K-1)", anova[term], sumOfT[term]/float64(len(sizes)-1))
		try("anova = N·ocfs/((K-1)·s²)", anova[term], documents*ocfs[term]/(float64(len(sizes)-1)*variance[term]))
		try("chi of a term and all classes = Σ (1-P(c))·chi", pearson[term], sumOfChi[term])
		if ece[term] > ig[term]+1e-12 {
			t.Errorf("ece of term %d is above ig", term)
		}
	}
}

// twinsOfTwoClasses tries the equations for two classes, whose names are numbers.
func twinsOfTwoClasses(t *testing.T, try trial) {
	c := twinNumbers(t, []string{"1", "4"})
	of := func(class string, name rank.Measure) []float64 {
		return twinValues(t, c, class, rank.Options{Measure: name})
	}
	ig, emi, trend, chi := of("", "ig"), of("1", "emi"), of("", "trend"), of("1", "chi")
	for term := range c.Terms() {
		try("ig of two classes = emi", ig[term], emi[term])
		try("trend of two numbers = √chi", trend[term], math.Sqrt(chi[term]))
	}
}

// twinsOfTargets tries the equations of measures of a target.
func twinsOfTargets(t *testing.T, try trial) {
	c := twinNumbers(t, []string{"1", "2", "2.5", "7"})
	of := func(name rank.Measure, weight table.Weighting) []float64 {
		return twinValues(t, c, "", rank.Options{Measure: name, Weight: weight})
	}
	presence, trend := of("pearson", "binary"), of("trend", "")
	for term := range c.Terms() {
		try("trend = √N·pearson of presence", trend[term], math.Sqrt(documents)*presence[term])
	}
}

// twinNumbers is a corpus whose documents have one of the labels each.
func twinNumbers(t *testing.T, labels []string) *corpus.Corpus {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 9))
	return enginetest.CorpusFrom(t, func(int) document.Document {
		var text strings.Builder
		for term := range 20 {
			for range rng.IntN(4) * rng.IntN(2) {
				text.WriteString(string(rune('a'+term)) + "x ")
			}
		}
		return document.Document{Labels: labels[rng.IntN(len(labels)):][:1], Text: []byte(text.String())}
	}, documents)
}
