package naive

import (
	"fmt"
	"math"
	"slices"
)

// A classFunc is a measure of a term and a class.
type classFunc func(t, c int) float64

// perClass holds the measures with a value for a term and a class.
var perClass = map[string]func(*Tables, Options) classFunc{
	"df": df, "cf": cf, "dia": dia, "mi": mi, "emi": emi, "ig": igPart, "ece": ecePart, "chi": chi, "ngl": ngl, "gss": gss,
	"or": or, "lor": lor, "rs": rs, "rsw": rsw, "bns": bns, "ttest": ttest, "chitf": chitf, "g2": g2, "g2tf": g2tf,
	"ndm": ndm, "acc2": acc2, "rf": rf, "pr": pr, "logodds": logodds, "logoddsz": logoddsz,
}

// perTerm holds the measures with a default value of their own. The last four
// have no other.
var perTerm = map[string]func(*Tables, Options) []float64{
	"df":    func(tb *Tables, _ Options) []float64 { return tb.DF },
	"cf":    func(tb *Tables, _ Options) []float64 { return tb.CF },
	"ig":    func(tb *Tables, o Options) []float64 { return tb.combined("ig", "sum", o) },
	"ece":   func(tb *Tables, o Options) []float64 { return tb.combined("ece", "sum", o) },
	"anova": func(tb *Tables, _ Options) []float64 { return tb.anova() },
	"gini":  func(tb *Tables, _ Options) []float64 { return tb.gini() },
	"dfs":   func(tb *Tables, _ Options) []float64 { return tb.dfs() },
	"ocfs":  func(tb *Tables, o Options) []float64 { return tb.OCFS(o.Weight) },
}

// variants are the values of Options.Variant; every measure has "".
var variants = map[string][]string{
	"df": {"rate"}, "mi": {"raw", "zero", "half"}, "ece": {"kl"}, "or": {"raw", "mladenic"}, "pr": {"raw"}, "ttest": {"noroot"},
}

// Measures lists the measures in the order of DESIGN.md 4.
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
	checkVariant(measure, opt)
	value, m := measureOf(tb, opt), matrix(len(tb.DF), len(tb.NC))
	for t := range m {
		for c := range m[t] {
			m[t][c] = value(t, c)
		}
	}
	return m
}

// Global gives one value for each term: of a combination (section 1) of the
// class values, max, avg (weighted by P(c)), sum or mean; or for "" the default
// of DESIGN.md 4, which is the maximum where the measure has no value of its
// own. A variant of df has no total and takes the maximum too.
func (tb *Tables) Global(measure, combine string, opt Options) []float64 {
	if own, ok := perTerm[measure]; ok && (GlobalOnly(measure) || combine == "" && opt.Variant != "rate") {
		checkVariant(measure, opt)
		return slices.Clone(own(tb, opt))
	}
	if combine == "" {
		combine = "max"
	}
	if measure == "mi" && combine != "max" && opt.Variant == "" {
		opt.Variant = "zero" // section 1, empty cells
	}
	return tb.combined(measure, combine, opt)
}

func (tb *Tables) combined(measure, combine string, opt Options) []float64 {
	var values []float64
	for _, row := range tb.Class(measure, opt) {
		values = append(values, tb.combine(combine, row))
	}
	return values
}

func checkVariant(measure string, opt Options) {
	if opt.Variant != "" && !slices.Contains(variants[measure], opt.Variant) {
		panic(fmt.Sprintf("naive: %q has no variant %q", measure, opt.Variant))
	}
}

// combine makes one value of the class values of a term (section 1). Only
// inf - inf gives NaN.
func (tb *Tables) combine(how string, values []float64) float64 {
	largest, sum, weighted := math.Inf(-1), 0., 0.
	for c, v := range values {
		largest = math.Max(largest, v)
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
