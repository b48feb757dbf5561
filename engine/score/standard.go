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
	classOnly := func(name, title, formula, source string, tokens bool, f func(*Table) float64) entry {
		return entry{Info{name, title, formula, source, "max", true, tokens}, pair{name, f}}
	}
	own := func(name, title, formula, source, def string, tokens bool, f func(*Table) float64, all func(*Row) float64) entry {
		return entry{Info{name, title, formula, source, def, f != nil, tokens}, whole{pair{name, f}, all}}
	}
	logged := func(f func(*Table) float64) func(*Table) float64 {
		return func(t *Table) float64 { return f(t) * perLog }
	}
	return []entry{
		own("df", "document frequency", "A; total: documents with the term", "Yang & Pedersen 1997", "total", false,
			func(t *Table) float64 { return t.A }, func(r *Row) float64 { return r.DF }),
		own("cf", "collection frequency", "S(t,c); total: occurrences of the term", "Manning et al. 2008, ch. 13", "total", true,
			func(t *Table) float64 { return t.S }, func(r *Row) float64 { return r.CF }),
		classOnly("dia", "DIA association factor", "P(c|t) = A/(A+B)", "Fuhr et al. 1991", false,
			func(t *Table) float64 { return ratio(t.A, t.DF) }),
		classOnly("mi", "pointwise mutual information", "ln(N·A/((A+B)(A+C)))", "Yang & Pedersen 1997", false, logged(mutual)),
		classOnly("emi", "expected mutual information", "Σ over the four cells of O/N·ln(O/E)", "Manning et al. 2008, eq. 13.17", false,
			logged(func(t *Table) float64 { return t.divergence() / t.N })),
		own("ig", "information gain", "Σ_c [A/N·ln(N·A/(df·n_c)) + C/N·ln(N·C/((N-df)·n_c))]", "Yang & Pedersen 1997", "global", false,
			logged(gain), func(r *Row) float64 { return informationGain(r) * perLog }),
		own("ece", "expected cross entropy", "Σ_c A/N·ln(N·A/(df·n_c))", "Koller & Sahami 1997; Mladenic & Grobelnik 1999", "global", false,
			logged(crossEntropy), func(r *Row) float64 { return r.sumCells(crossEntropy) * perLog }),
		classOnly("chi", "chi-square", "N(AD-BC)²/((A+B)(C+D)(A+C)(B+D))", "Yang & Pedersen 1997", false, (*Table).chiSquare),
		classOnly("ngl", "NGL coefficient", "√N(AD-BC)/√((A+B)(C+D)(A+C)(B+D))", "Ng, Goh & Low 1997", false, nglCoefficient),
		classOnly("gss", "GSS coefficient", "(AD-BC)/N²", "Galavotti, Sebastiani & Simi 2000", false, gssCoefficient),
		classOnly("or", "odds ratio", "(A+½)(D+½)/((B+½)(C+½))", "van Rijsbergen et al. 1981; Haldane-Anscombe ½", false, oddsRatio),
		classOnly("lor", "log odds ratio", "ln((A+½)(D+½)/((B+½)(C+½)))", "van Rijsbergen et al. 1981; Haldane-Anscombe ½", false, logOddsRatio),
		classOnly("rs", "relevancy score, Sebastiani's form", "ln((A/n_c + d)/(D/(N-n_c) + d)), d = 1/6", "Sebastiani 2002, Table 1", false,
			logged(func(t *Table) float64 { return relevancy(t, t.D(), d) })),
		classOnly("rsw", "relevancy score, Wiener's form", "ln((A/n_c + d)/(B/(N-n_c) + d)), d = 1/6", "Wiener, Pedersen & Weigend 1995", false,
			logged(func(t *Table) float64 { return wiener(t, d) })),
		classOnly("bns", "bi-normal separation", "|F⁻¹(A/n_c) - F⁻¹(B/(N-n_c))|, rates clipped to [0.0005, 0.9995]", "Forman 2003", false, biNormal),
		classOnly("ttest", "t-test on term frequency", "|S/n_c - cf/N| / (√(1/n_c - 1/N)·s)", "Wang et al. 2012", true,
			func(t *Table) float64 { return studentT(t, opt.Signed) }),
		own("ocfs", "orthogonal centroid", "Σ_c (n_c/n)(mean_c - mean)²", "Yan et al. 2005", "global", true, nil,
			func(r *Row) float64 { return r.between(r.W) }),
		classOnly("chitf", "chi-square on tokens", "chi with cf, T_c, S and T for df, n_c, A and N", "Zheng et al. 2009", true,
			func(t *Table) float64 { return onTokens(t, (*Table).chiSquare) }),
		classOnly("g2", "log-likelihood ratio G² on documents", "2·Σ O·ln(O/E)", "Dunning 1993", false,
			func(t *Table) float64 { return 2 * t.divergence() }),
		classOnly("g2tf", "log-likelihood ratio G² on tokens", "2·Σ O·ln(O/E) in tokens", "Dunning 1993; Rayson & Garside 2000", true,
			func(t *Table) float64 { return onTokens(t, func(k *Table) float64 { return 2 * k.divergence() }) }),
		own("anova", "F statistic of tf", "[Σ n_k(m_k-m)²/(K-1)] / s²", "one-way analysis of variance", "global", true, nil, (*Row).anova),
		own("gini", "Gini index", "Σ_c P(t|c)²·P(c|t)²", "Shang et al. 2007", "global", false, nil,
			func(r *Row) float64 { return r.sumCells(giniPart) }),
		own("dfs", "distinguishing feature selector", "Σ_c P(c|t)/(P(¬t|c) + P(t|¬c) + 1)", "Uysal & Gunal 2012", "global", false, nil,
			func(r *Row) float64 { return r.sumCells(dfsPart) }),
		classOnly("ndm", "normalised difference", "|tpr-fpr|/min(tpr,fpr), a minimum of 0 taken as 1/N", "Rehman, Javed & Babri 2017", false, normalisedDifference),
		classOnly("acc2", "balanced accuracy", "|tpr-fpr|", "Forman 2003", false, balancedAccuracy),
		classOnly("rf", "relevance frequency", "log2(2 + A/max(1,B))", "Lan et al. 2009", false, relevanceFrequency),
		classOnly("pr", "probability ratio", "A(N-n_c)/(B·n_c), ½ for B = 0", "Li & Sun 2007", false, probabilityRatio),
		classOnly("logodds", "log odds with a Dirichlet prior", "ln((y1+α)/(n1+α0-y1-α)) - ln((y2+α)/(n2+α0-y2-α)), α = 10·cf/T", "Monroe, Colaresi & Quinn 2008", true,
			func(t *Table) float64 { delta, _ := dirichlet(t); return delta }),
		classOnly("logoddsz", "z score of logodds", "logodds/√(1/(y1+α) + 1/(y2+α))", "Monroe, Colaresi & Quinn 2008", true,
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
	in, _ := t.rowDivergence()
	return in / t.N
}

func crossEntropy(t *Table) float64 {
	if t.everywhere() || t.A == 0 {
		return 0
	}
	return float64(t.A*t.logLift()) / t.N
}

func nglCoefficient(t *Table) float64 {
	return math.Copysign(math.Sqrt(t.chiSquare()), t.association())
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
	return logRatio(float64(a*d), float64(b*c), diffOfProducts(a, d, b, c))
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

func studentT(t *Table, signed bool) float64 {
	if t.oneSided() {
		return 0
	}
	num := diffOfProducts(t.S, t.N, t.CF, t.NC) / float64(t.NC*t.N)
	if num == 0 {
		return 0
	}
	if !signed {
		num = math.Abs(num)
	}
	m := math.Sqrt((t.N - t.NC) / float64(t.NC*t.N)) // √(1/n_c - 1/N)
	return num / float64(m*t.Pooled)
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
func rateGap(t *Table) float64 {
	return t.association() / float64(t.NC*(t.N-t.NC))
}

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

func relevanceFrequency(t *Table) float64 {
	return kernels.Log(2+t.A/max(1, t.B())) * (1 / math.Ln2)
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
