package score

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// This file lists the standard measures with their formulas; A, B, C, D are
// the four document counts of a table, see [Table].

type entry struct {
	info    Info
	measure Measure
}

func standard(opt Options) []entry {
	perLog, d := opt.perLog(), opt.damping()
	info := func(name, title, formula, source, def string, combinable, tokens bool) Info {
		return Info{name, title, formula, source, def, combinable, tokens}
	}
	// A measure of documents, without a value of its own over all classes.
	classes := func(name, title, formula, source string, f func(*Table) float64) entry {
		return entry{info(name, title, formula, source, Max, true, false), pair{name, f, largestBySize}}
	}
	// The same, where the largest value comes from the largest deviation.
	deviates := func(name, title, formula, source string, f func(*Table) float64, of kernels.Deviation, w func(*Margins) []float64, value func(float64, *Margins, *termFactors) float64) entry {
		return entry{info(name, title, formula, source, Max, true, false), deviating{pair{name, f, largestBySize}, of, w, value}}
	}
	// A measure of tokens.
	words := func(name, title, formula, source string, absent role, f func(*Table) float64) entry {
		return entry{info(name, title, formula, source, Max, true, true), pair{name, f, absent}}
	}
	// A measure with a value of its own: its total, or none of its classes.
	total := func(name, title, formula, source string, tokens bool, f func(*Table) float64, all func(*Row) float64) entry {
		return entry{info(name, title, formula, source, "total", true, tokens), whole{pair{name, f, largestBySize}, all}}
	}
	global := func(name, title, formula, source string, all func(*Row) float64) entry {
		return entry{info(name, title, formula, source, "global", false, true), whole{pair{name, nil, largestOfAll}, all}}
	}
	// A sum over the cells; f is nil where there are no class values.
	sums := func(name, title, formula, source string, f, part func(*Table) float64, finish func(*Row, float64) float64) entry {
		return entry{info(name, title, formula, source, "global", f != nil, false), summed{pair{name, f, largestBySize}, part, finish}}
	}
	logged := func(f func(*Table) float64) func(*Table) float64 {
		if perLog == 1 {
			return f
		}
		return func(t *Table) float64 { return f(t) * perLog }
	}
	asIs := func(_ *Row, sum float64) float64 { return sum }
	roots := func(m *Margins) []float64 { return m.roots }
	inverses := func(m *Margins) []float64 { return m.inverses }
	ones := func(m *Margins) []float64 { return m.ones }
	return []entry{
		total("df", "document frequency", "A; total: documents with the term", "Yang & Pedersen 1997", false,
			func(t *Table) float64 { return t.A }, func(r *Row) float64 { return r.DF }),
		total("cf", "collection frequency", "S(t,c); total: occurrences of the term", "Manning et al. 2008, ch. 13", true,
			func(t *Table) float64 { return t.S }, func(r *Row) float64 { return r.CF }),
		classes("dia", "DIA association factor", "P(c|t) = A/(A+B)", "Fuhr et al. 1991",
			func(t *Table) float64 { return ratio(t.A, t.DF) }),
		classes("mi", "pointwise mutual information", "ln(N·A/((A+B)(A+C)))", "Yang & Pedersen 1997", logged(mutual)),
		classes("emi", "expected mutual information", "Σ over the four cells of O/N·ln(O/E)", "Manning et al. 2008, eq. 13.17",
			logged(func(t *Table) float64 { return t.divergence() / t.N })),
		sums("ig", "information gain", "Σ_c [A/N·ln(N·A/(df·n_c)) + C/N·ln(N·C/((N-df)·n_c))]", "Yang & Pedersen 1997",
			logged(gain), gain, func(r *Row, sum float64) float64 { return informationGain(r, sum) * perLog }),
		sums("ece", "expected cross entropy", "Σ_c A/N·ln(N·A/(df·n_c))", "Koller & Sahami 1997; Mladenic & Grobelnik 1999",
			logged(crossEntropy), crossEntropy, func(_ *Row, sum float64) float64 { return sum * perLog }),
		deviates("chi", "chi-square", "N(AD-BC)²/((A+B)(C+D)(A+C)(B+D))", "Yang & Pedersen 1997", (*Table).chiSquare,
			kernels.Square, inverses, func(d float64, _ *Margins, f *termFactors) float64 { return float64(d * f.scale) }),
		deviates("ngl", "NGL coefficient", "√N(AD-BC)/√((A+B)(C+D)(A+C)(B+D))", "Ng, Goh & Low 1997", nglCoefficient,
			kernels.Signed, roots, func(d float64, _ *Margins, f *termFactors) float64 { return float64(d * f.root) }),
		deviates("gss", "GSS coefficient", "(AD-BC)/N²", "Galavotti, Sebastiani & Simi 2000", gssCoefficient,
			kernels.Signed, ones, func(d float64, m *Margins, _ *termFactors) float64 { return d / float64(m.N*m.N) }),
		classes("or", "odds ratio", "(A+½)(D+½)/((B+½)(C+½))", "van Rijsbergen et al. 1981; Haldane-Anscombe ½", oddsRatio),
		classes("lor", "log odds ratio", "ln((A+½)(D+½)/((B+½)(C+½)))", "van Rijsbergen et al. 1981; Haldane-Anscombe ½", logOddsRatio),
		classes("rs", "relevancy score, Sebastiani's form", "ln((A/n_c + d)/(D/(N-n_c) + d)), d = 1/6", "Sebastiani 2002, Table 1",
			logged(func(t *Table) float64 { return relevancy(t, t.D(), d) })),
		classes("rsw", "relevancy score, Wiener's form", "ln((A/n_c + d)/(B/(N-n_c) + d)), d = 1/6", "Wiener, Pedersen & Weigend 1995",
			logged(func(t *Table) float64 { return wiener(t, d) })),
		classes("bns", "bi-normal separation", "|F⁻¹(A/n_c) - F⁻¹(B/(N-n_c))|, rates clipped to [0.0005, 0.9995]", "Forman 2003", biNormal),
		words("ttest", "t-test on term frequency", "|S/n_c - cf/N| / (√(1/n_c - 1/N)·s)", "Wang et al. 2012", largestBySize,
			func(t *Table) float64 { return studentT(t, opt.Signed) }),
		global("ocfs", "orthogonal centroid", "Σ_c (n_c/n)(mean_c - mean)²", "Yan et al. 2005",
			func(r *Row) float64 { return r.between(r.W) }),
		words("chitf", "chi-square on tokens", "chi with cf, T_c, S and T for df, n_c, A and N", "Zheng et al. 2009", largestByTokens,
			func(t *Table) float64 { return onTokens(t, (*Table).chiSquare) }),
		classes("g2", "log-likelihood ratio G² on documents", "2·Σ O·ln(O/E)", "Dunning 1993",
			func(t *Table) float64 { return 2 * t.divergence() }),
		words("g2tf", "log-likelihood ratio G² on tokens", "2·Σ O·ln(O/E) in tokens", "Dunning 1993; Rayson & Garside 2000", largestByTokens,
			func(t *Table) float64 { return onTokens(t, func(k *Table) float64 { return 2 * k.divergence() }) }),
		global("anova", "F statistic of tf", "[Σ n_k(m_k-m)²/(K-1)] / s²", "one-way analysis of variance", (*Row).anova),
		sums("gini", "Gini index", "Σ_c P(t|c)²·P(c|t)²", "Shang et al. 2007", nil, giniPart, asIs),
		sums("dfs", "distinguishing feature selector", "Σ_c P(c|t)/(P(¬t|c) + P(t|¬c) + 1)", "Uysal & Gunal 2012", nil, dfsPart, asIs),
		classes("ndm", "normalised difference", "|tpr-fpr|/min(tpr,fpr), a minimum of 0 taken as 1/N", "Rehman, Javed & Babri 2017", normalisedDifference),
		deviates("acc2", "balanced accuracy", "|tpr-fpr|", "Forman 2003", balancedAccuracy,
			kernels.Absolute, inverses, func(d float64, _ *Margins, _ *termFactors) float64 { return d }),
		classes("rf", "relevance frequency", "log2(2 + A/max(1,B))", "Lan et al. 2009", relevanceFrequency),
		classes("pr", "probability ratio", "A(N-n_c)/(B·n_c), ½ for B = 0", "Li & Sun 2007", probabilityRatio),
		words("logodds", "log odds with a Dirichlet prior", "ln((y1+α)/(n1+α0-y1-α)) - ln((y2+α)/(n2+α0-y2-α)), α = 10·cf/T", "Monroe, Colaresi & Quinn 2008", largestByTokens,
			func(t *Table) float64 { delta, _ := dirichlet(t); return delta }),
		words("logoddsz", "z score of logodds", "logodds/√(1/(y1+α) + 1/(y2+α))", "Monroe, Colaresi & Quinn 2008", largestByTokens,
			func(t *Table) float64 { delta, se := dirichlet(t); return ratio(delta, se) }),
	}
}

func mutual(t *Table) float64 {
	if t.degenerate() {
		return 0
	}
	return t.logLift()
}

func gain(t *Table) float64 {
	if t.everywhere() || t.NC == 0 {
		return 0
	}
	return t.rowDivergence() / t.N
}

func crossEntropy(t *Table) float64 {
	if t.everywhere() || t.A == 0 {
		return 0
	}
	return float64(t.A*t.logLift()) / t.N
}

func nglCoefficient(t *Table) float64 {
	if t.degenerate() {
		return 0
	}
	return float64(float64(t.association()*t.shared().class.root) * t.shared().term.root)
}

func gssCoefficient(t *Table) float64 {
	if t.degenerate() {
		return 0
	}
	return t.association() / float64(t.N*t.N)
}

func oddsRatio(t *Table) float64 {
	if t.oneSided() {
		return 1
	}
	return float64((t.A+.5)*(t.D()+.5)) / float64((t.B()+.5)*(t.C()+.5))
}

func logOddsRatio(t *Table) float64 {
	if t.oneSided() {
		return 0
	}
	a, b, c, d := t.A+.5, t.B()+.5, t.C()+.5, t.D()+.5
	if bc := float64(b * c); math.Abs(float64(a*d)-bc) <= seriesBelow*bc {
		return kernels.Log1p(diffOfProducts(a, d, b, c) / bc)
	}
	logs := t.shared().logs
	return (logs.ofHalf(t.A) + logs.ofHalf(t.D())) - (logs.ofHalf(t.B()) + logs.ofHalf(t.C()))
}

// relevancy is ln((A/n_c + d)/(other/(N-n_c) + d)).
func relevancy(t *Table, other, d float64) float64 {
	if t.oneSided() {
		return 0
	}
	outside := t.N - t.NC
	gap := diffOfProducts(t.A, outside, other, t.NC) / float64(t.NC*outside)
	return logRatio(t.A/t.NC+d, other/outside+d, gap)
}

func wiener(t *Table, d float64) float64 {
	if t.everywhere() {
		return 0
	}
	return relevancy(t, t.B(), d)
}

// Rates of exactly 0 and 1 have no finite quantile. Clipping, not replacing,
// keeps one occurrence in a large class above none.
const bnsClip = 0.0005

func biNormal(t *Table) float64 {
	if t.degenerate() {
		return 0
	}
	clip := func(p float64) float64 { return min(max(p, bnsClip), 1-bnsClip) }
	in, out := t.rates()
	return math.Abs(normalQuantile(clip(in)) - normalQuantile(clip(out)))
}

// studentT takes (S/n_c - cf/N)/√(1/n_c - 1/N) as (S·N - cf·n_c)/√(N·n_c(N-n_c)).
func studentT(t *Table, signed bool) float64 {
	if t.oneSided() {
		return 0
	}
	gap := diffOfProducts(t.S, t.N, t.CF, t.NC)
	if gap == 0 {
		return 0
	}
	if !signed {
		gap = math.Abs(gap)
	}
	return float64(gap*t.shared().class.root) / float64(math.Sqrt(t.N)*t.Pooled)
}

func onTokens(t *Table, f func(*Table) float64) float64 {
	if t.oneSided() {
		return 0
	}
	tokens := t.tokens()
	return f(&tokens)
}

func giniPart(t *Table) float64 {
	in, _ := t.rates()
	p := float64(in * ratio(t.A, t.DF))
	return p * p
}

func dfsPart(t *Table) float64 {
	_, out := t.rates()
	return ratio(t.A, t.DF) / (ratio(t.C(), t.NC) + out + 1)
}

// rateGap is tpr - fpr as one fraction.
func rateGap(t *Table) float64 { return float64(t.association() * t.shared().class.inverse) }

func normalisedDifference(t *Table) float64 {
	if t.degenerate() {
		return 0
	}
	in, out := t.rates()
	least := min(in, out)
	if least == 0 {
		least = 1 / t.N
	}
	return math.Abs(rateGap(t)) / least
}

func balancedAccuracy(t *Table) float64 {
	if t.degenerate() {
		return 0
	}
	return math.Abs(rateGap(t))
}

// relevanceFrequency takes ln(2 + A/b) as ln(2b + A) - ln b, of integers.
func relevanceFrequency(t *Table) float64 {
	b, logs := max(1, t.B()), t.shared().logs
	return (logs.of(2*b+t.A) - logs.of(b)) * (1 / math.Ln2)
}

func probabilityRatio(t *Table) float64 {
	if t.degenerate() {
		return 1
	}
	b := t.B()
	if b == 0 {
		b = .5
	}
	return float64(t.A*(t.N-t.NC)) / float64(b*t.NC)
}

// dirichletWeight is the number of tokens that the prior is worth.
const dirichletWeight = 10

// dirichlet gives the log odds of the term inside against outside the class,
// smoothed by a prior in proportion to the corpus, and its standard error. Where
// the term is every token there is no other side to compare with: 0.
func dirichlet(t *Table) (delta, se float64) {
	if t.oneSided() || t.CF == t.T {
		return 0, 1
	}
	prior := dirichletWeight * t.CF / t.T
	others := dirichletWeight * (t.T - t.CF) / t.T // the prior of all other terms
	in, out := t.S+prior, t.CF-t.S+prior
	restIn := t.TC - t.S + others
	restOut := t.T - t.CF - (t.TC - t.S) + others
	delta = logRatio(float64(in*restOut), float64(out*restIn), diffOfProducts(in, restOut, out, restIn))
	return delta, math.Sqrt(1/in + 1/out)
}
