package naive

import (
	"fmt"
	"math"
	"slices"
)

// A measure gives the values of a term and a class.
type (
	measure   func(*Tables, Options) classFunc
	classFunc func(t, c int) float64
)

// perClass holds the measures with a value for a term and a class.
var perClass = map[string]measure{
	"df":    func(tb *Tables, _ Options) classFunc { return func(t, c int) float64 { return tb.A[t][c] } },
	"cf":    func(tb *Tables, _ Options) classFunc { return func(t, c int) float64 { return tb.S[t][c] } },
	"ttest": ttest,
	// the association factor P(c|t) of Fuhr et al. 1991, and p + (1 - q) of Craig and Kinney 2009
	"dia":       inDocuments(func(x cell, _ Options) float64 { return div(x.a, x.with()) }),
	"zetacraig": inDocuments(func(x cell, o Options) float64 { return 1 + zeta(x, o) }),
	"mi":        inDocuments(mi), "or": inDocuments(or), "lor": inDocuments(lor), "rs": inDocuments(rs), "pr": inDocuments(pr), "rf": inDocuments(rf),
	"emi": inDocuments(margins(emi)), "ig": inDocuments(igPart), "ece": inDocuments(ecePart), "g2": inDocuments(margins(plain(g2))),
	"chi": inDocuments(margins(chi)), "ngl": inDocuments(margins(ngl)), "gss": inDocuments(gss), "rsw": inDocuments(margins(rsw)),
	"acc2": inDocuments(margins(acc2)), "ndm": inDocuments(margins(ndm)), "bns": inDocuments(margins(bns)),
	"chitf": inTokens(margins(plain(chi))), "g2tf": inTokens(margins(g2)), "logodds": inTokens(margins(logodds)), "logoddsz": inTokens(margins(logoddsz)),
	"zeta": inDocuments(zeta), "zetaeder": inDocuments(zetaEder), "zetalog": inDocuments(zetaLog),
	"jlh": inDocuments(jlh), "gnd": inDocuments(gnd), "simplemaths": simpleMaths, "ctfidf": ctfidf,
}

// perTerm holds the measures with a default value of their own. The last four
// have no other.
var perTerm = map[string]func(*Tables, Options) []float64{
	"df":    func(tb *Tables, _ Options) []float64 { return tb.DF },
	"cf":    func(tb *Tables, _ Options) []float64 { return tb.CF },
	"ig":    func(tb *Tables, o Options) []float64 { return tb.combined("ig", "sum", o) },
	"ece":   func(tb *Tables, o Options) []float64 { return tb.combined("ece", "sum", o) },
	"anova": func(tb *Tables, _ Options) []float64 { return tb.anova() },
	"gini":  func(tb *Tables, _ Options) []float64 { return tb.sums(gini) },
	"dfs":   func(tb *Tables, _ Options) []float64 { return tb.sums(dfs) },
	"ocfs":  func(tb *Tables, o Options) []float64 { return tb.OCFS(o.Weight) },
}

// sums adds up the parts of the classes in documents.
func (tb *Tables) sums(part func(x cell) float64) []float64 {
	values := make([]float64, len(tb.DF))
	for t := range values {
		for c := range tb.NC {
			values[t] += part(tb.documents(t, c))
		}
	}
	return values
}

// gini has the parts P(t|c)^2 P(c|t)^2 of Shang et al. 2007.
func gini(x cell) float64 {
	tc, ct := div(x.a, x.in()), div(x.a, x.with())
	return tc * tc * ct * ct
}

// dfs has the parts P(c|t)/(P(not t|c) + P(t|not c) + 1) of the distinguishing
// feature selector of Uysal and Gunal 2012.
func dfs(x cell) float64 {
	return div(x.a, x.with()) / (div(x.c, x.in()) + div(x.b, x.out()) + 1)
}

// Measures lists the measures, but for [NewMeasures].
func Measures() []string {
	return []string{
		"df", "cf", "dia", "mi", "emi", "ig", "ece", "chi", "ngl", "gss", "or", "lor", "rs", "rsw", "bns", "ttest", "ocfs", "chitf",
		"g2", "g2tf", "anova", "gini", "dfs", "ndm", "acc2", "rf", "pr", "logodds", "logoddsz",
	}
}

// GlobalOnly says that a measure has no value for a class.
func GlobalOnly(measure string) bool {
	_, whole := perTerm[measure]
	_, class := perClass[measure]
	return whole && !class
}

// Class gives the values of a measure by term and class. It panics for a
// measure that has none and for unknown names.
func (tb *Tables) Class(measure string, opt Options) [][]float64 {
	measureOf, ok := perClass[measure]
	if !ok {
		panic(fmt.Sprintf("naive: no class values of %q", measure))
	}
	value, m := measureOf(tb, opt), matrix(len(tb.DF), len(tb.NC))
	for t := range m {
		for c := range m[t] {
			m[t][c] = value(t, c)
		}
	}
	return m
}

// Global gives one value for each term: of a combination of the
// class values, max, avg (weighted by P(c)), sum or mean; or for "" the default
// of the measure, which is the maximum where it has no value of its
// own.
func (tb *Tables) Global(measure, combine string, opt Options) []float64 {
	if own, ok := perTerm[measure]; ok && (GlobalOnly(measure) || combine == "") {
		return slices.Clone(own(tb, opt))
	}
	if combine == "" {
		combine = "max"
	}
	opt.zero = opt.zero || combine != "max"
	return tb.combined(measure, combine, opt)
}

func (tb *Tables) combined(measure, combine string, opt Options) []float64 {
	return tb.Combined(tb.Class(measure, opt), combine)
}

// combine makes one value of the class values of a term: the largest that is defined; or a sum, in which a weight of 0
// leaves a class out, and of which NaN and inf - inf make NaN.
func (tb *Tables) combine(how string, values []float64) float64 {
	largest, sum, weighted := math.NaN(), 0., 0.
	for c, v := range values {
		if !math.IsNaN(v) && !(largest >= v) {
			largest = v
		}
		sum += v
		if tb.NC[c] > 0 {
			weighted += tb.NC[c] / tb.N * v
		}
	}
	switch how {
	case "max":
		return largest
	case "avg":
		return weighted
	case "sum":
		return sum
	case "mean":
		return sum / float64(len(values))
	}
	panic(fmt.Sprintf("naive: unknown combination %q", how))
}
