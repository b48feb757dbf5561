package score

import (
	"math"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file lists the standard measures with their formulas; A, B, C, D are
// the four counts of a table, a, b, c, d of [counts].

type entry struct {
	info    Info
	measure Measure
}

func standard(opt Options) []*entry {
	perLog, d := opt.perLog(), opt.damping()
	logged := func(f func(*counts) float64) func(*counts) float64 {
		if perLog == 1 {
			return f
		}
		return func(t *counts) float64 { return f(t) * perLog }
	}
	chi := deviates("chi", "chi-square", "N(AD-BC)²/((A+B)(C+D)(A+C)(B+D))", "Yang & Pedersen 1997", largestOfLargest, (*counts).chiSquare,
		deviation{form: kernels.Squared, table: inverses, factor: scaleOf})
	if opt.Yates { // no kernel finds its maximum: a deviation below ½ counts as none
		chi = classes("chi", "chi-square, corrected by Yates", "N·max(0, |AD-BC| - N/2)²/((A+B)(C+D)(A+C)(B+D))", "Yates 1934", largestOfLargest, (*counts).yates)
	}
	// A logarithm is not above its argument less 1, so no divergence is above chi-square.
	twiceChi := func(c *columns) bounds { return bounds{chiSquares(c), 2, false} }
	chiPerTotal := func(c *columns) bounds { return bounds{chiSquares(c), perLog / c.side.term.total, false} }
	g2tf := words("g2tf", "log-likelihood ratio G² on tokens", "2·Σ O·ln(O/E) over four cells, in tokens", "Dunning 1993", largestOfLargest,
		func(t *counts) float64 { return 2 * t.divergence() })
	if opt.G2Cells == 2 {
		g2tf = words("g2tf", "log-likelihood on tokens, cells of the term", "2·(A·ln(A/E_A) + B·ln(B/E_B)) in tokens", "Rayson & Garside 2000", largestOfLargest,
			func(t *counts) float64 { return 2 * t.termDivergence() })
	}
	return []*entry{
		total("df", "document frequency", "A; total: documents with the term", "Yang & Pedersen 1997", false,
			func(t *counts) float64 { return t.a }, func(t *table.Tile, i int) float64 { return float64(t.DF[i]) }),
		total("cf", "collection frequency", "S(t,c); total: occurrences of the term", "Manning et al. 2008, ch. 13", true,
			func(t *counts) float64 { return t.a }, func(t *table.Tile, i int) float64 { return t.CF[i] }),
		ordered("dia", "DIA association factor", "P(c|t) = A/(A+B)", "Fuhr et al. 1991", largestOfLargest,
			func(t *counts) float64 { return ratio(t.a, t.term.df) }, counted),
		ordered("mi", "pointwise mutual information", "ln(N·A/((A+B)(A+C)))", "Yang & Pedersen 1997", largestOfLargest, logged(mutual),
			lifts),
		bounded(classes("emi", "expected mutual information", "Σ over the four cells of O/N·ln(O/E)", "Manning et al. 2008, eq. 13.17", largestOfLargest,
			logged(func(t *counts) float64 { return t.divergence() / t.term.total })), chiPerTotal),
		{
			infoOf("ig", "information gain", "Σ_c [A/N·ln(N·A/(df·n_c)) + C/N·ln(N·C/((N-df)·n_c))]", "Yang & Pedersen 1997", "global", true, false),
			pair{name: "ig", value: logged(classGain), absent: largestOfLargest, whole: gainTile(perLog), bytes: true},
		},
		sums("ece", "expected cross entropy", "Σ_c A/N·ln(N·A/(df·n_c))", "Koller & Sahami 1997; Mladenic & Grobelnik 1999",
			logged(crossEntropy), crossEntropy, crossEntropies, func(sum float64) float64 { return sum * perLog }),
		chi,
		deviates("ngl", "NGL coefficient", "√N(AD-BC)/√((A+B)(C+D)(A+C)(B+D))", "Ng, Goh & Low 1997", largestOfSmallest, nglCoefficient,
			deviation{form: kernels.Signed, table: roots, factor: func(n, df float64) float64 { return math.Sqrt(scaleOf(n, df)) }}),
		deviates("gss", "GSS coefficient", "(AD-BC)/N²", "Galavotti, Sebastiani & Simi 2000", largestOfSmallest, gssCoefficient,
			deviation{form: kernels.Signed, table: ones, divisor: func(n, _ float64) float64 { return float64(n * n) }}),
		columnar(classes("or", "odds ratio", "(A+½)(D+½)/((B+½)(C+½))", "van Rijsbergen et al. 1981; Haldane-Anscombe ½", largestOfSmallest, oddsRatio), oddsRatios),
		ordered("lor", "log odds ratio", "ln((A+½)(D+½)/((B+½)(C+½)))", "van Rijsbergen et al. 1981; Haldane-Anscombe ½", largestOfSmallest, logOddsRatio, oddsRatios),
		ordered("rs", "relevancy score, Sebastiani's form", "ln((A/n_c + d)/(D/(N-n_c) + d)), d = 1/6", "Sebastiani 2002, Table 1", largestOfLargest,
			logged(func(t *counts) float64 { return relevancy(t, d) }), relevanceRatios(false, d)),
		negative(ordered("rsw", "relevancy score, Wiener's form", "ln((A/n_c + d)/(B/(N-n_c) + d)), d = 1/6", "Wiener, Pedersen & Weigend 1995", largestOfSmallest,
			logged(func(t *counts) float64 { return wiener(t, d) }), relevanceRatios(true, d))),
		columnar(classes("bns", "bi-normal separation", "|F⁻¹(A/n_c) - F⁻¹(B/(N-n_c))|, rates clipped to [0.0005, 0.9995]", "Forman 2003", largestOfLargest, biNormal), biNormals),
		{
			infoOf("ttest", "t-test on term frequency", "|S/n_c - cf/N| / (√(1/n_c - 1/N)·s)", "Wang et al. 2012", Max, true, true),
			student(opt.Signed),
		},
		global("ocfs", "orthogonal centroid", "Σ_c (n_c/n)(mean_c - mean)²", "Yan et al. 2005", false, orthogonalTile),
		columnar(words("chitf", "chi-square on tokens", "chi with cf, T_c, S and T for df, n_c, A and N", "Zheng et al. 2009", largestOfLargest, (*counts).chiSquare), chiSquares),
		bounded(classes("g2", "log-likelihood ratio G² on documents", "2·Σ O·ln(O/E)", "Dunning 1993", largestOfLargest,
			func(t *counts) float64 { return 2 * t.divergence() }), twiceChi),
		bounded(g2tf, twiceChi),
		global("anova", "F statistic of tf", "[Σ n_k(m_k-m)²/(K-1)] / s²", "one-way analysis of variance", true, varianceRatioTile),
		sums("gini", "Gini index", "Σ_c P(t|c)²·P(c|t)²", "Shang et al. 2007", nil, giniPart, giniParts, nil),
		sums("dfs", "distinguishing feature selector", "Σ_c P(c|t)/(P(¬t|c) + P(t|¬c) + 1)", "Uysal & Gunal 2012", nil, dfsPart, dfsParts, nil),
		columnar(classes("ndm", "normalised difference", "|tpr-fpr|/min(tpr,fpr), a minimum of 0 taken as 1/N", "Rehman, Javed & Babri 2017", largestOfLargest, normalisedDifference), normalisedDifferences),
		deviates("acc2", "balanced accuracy", "|tpr-fpr|", "Forman 2003", largestOfLargest, balancedAccuracy,
			deviation{form: kernels.Absolute, table: inverses}),
		ordered("rf", "relevance frequency", "log2(2 + A/max(1,B))", "Lan et al. 2009", largestOfLargest, relevanceFrequency,
			counted),
		columnar(classes("pr", "probability ratio", "A(N-n_c)/(B·n_c), ½ for B = 0", "Li & Sun 2007", largestOfLargest, probabilityRatio), probabilityRatios),
		negative(bounded(words("logodds", "log odds with a Dirichlet prior", "ln((y1+α)/(n1+α0-y1-α)) - ln((y2+α)/(n2+α0-y2-α)), α = 10·cf/T", "Monroe, Colaresi & Quinn 2008", largestOfSmallest,
			(*counts).logOdds), logOddsBounds)),
		negative(bounded(words("logoddsz", "z score of logodds", "logodds/√(1/(y1+α) + 1/(y2+α))", "Monroe, Colaresi & Quinn 2008", largestOfSmallest,
			logOddsZ), logOddsZBounds)),
	}
}

// The functions below make the entries. Inlined into the list, or returned by value, they would be
// 30 KB of every program and library that scores.

func infoOf(name, title, formula, source, def string, combinable, tokens bool) Info {
	return Info{name, title, formula, source, def, combinable, tokens}
}

// classes is a measure of documents, without a value of its own over all classes.
//
//go:noinline
func classes(name, title, formula, source string, absent role, f func(*counts) float64) *entry {
	return &entry{infoOf(name, title, formula, source, Max, true, false), pair{name: name, value: f, absent: absent}}
}

// ordered is classes, where something cheaper is in the order of the values.
//
//go:noinline
func ordered(name, title, formula, source string, absent role, f func(*counts) float64, order column) *entry {
	return &entry{infoOf(name, title, formula, source, Max, true, false), pair{name: name, value: f, absent: absent, columnForms: columnForms{order: order}}}
}

// columnar is a measure of which columns give the values.
//
//go:noinline
func columnar(e *entry, values column) *entry {
	m := e.measure.(pair)
	m.values = values
	return &entry{e.info, m}
}

// deviates is classes, where the largest value comes from the largest deviation.
//
//go:noinline
func deviates(name, title, formula, source string, absent role, f func(*counts) float64, of deviation) *entry {
	return &entry{infoOf(name, title, formula, source, Max, true, false), pair{name: name, value: f, absent: absent, deviation: &of}}
}

// words is a measure of tokens.
//
//go:noinline
func words(name, title, formula, source string, absent role, f func(*counts) float64) *entry {
	return &entry{infoOf(name, title, formula, source, Max, true, true), pair{name: name, tokens: true, value: f, absent: absent}}
}

// bounded is a measure whose values have a bound, for its maximum.
//
//go:noinline
func bounded(e *entry, bound func(c *columns) bounds) *entry {
	m := e.measure.(pair)
	m.bound = bound
	return &entry{e.info, m}
}

// negative is a measure whose value is not above 0 where a class does not have the term.
//
//go:noinline
func negative(e *entry) *entry {
	m := e.measure.(pair)
	m.negative = true
	return &entry{e.info, m}
}

// total is a measure with a value of its own: its total, or none of its classes.
//
//go:noinline
func total(name, title, formula, source string, tokens bool, f func(*counts) float64, column func(t *table.Tile, i int) float64) *entry {
	return &entry{infoOf(name, title, formula, source, "total", true, tokens), pair{name: name, tokens: tokens, value: f, absent: largestOfLargest, whole: totals(column)}}
}

// global is a measure of all classes alone.
//
//go:noinline
func global(name, title, formula, source string, pooled bool, all tileFunc) *entry {
	return &entry{infoOf(name, title, formula, source, "global", false, true), pair{name: name, tokens: true, pooled: pooled, whole: all, bytes: true, between: true}}
}

// sums is a sum over the cells; f is nil where there are no class values.
//
//go:noinline
func sums(name, title, formula, source string, f, part func(*counts) float64, parts column, finish func(float64) float64) *entry {
	return &entry{infoOf(name, title, formula, source, "global", f != nil, false), pair{name: name, value: f, absent: largestOfLargest, part: part, parts: parts, finish: finish}}
}

func mutual(t *counts) float64 {
	if t.degenerate {
		return 0
	}
	return t.logLift()
}

func classGain(t *counts) float64 {
	if t.term.none == 0 || t.class.n == 0 {
		return 0
	}
	return t.rowDivergence() / t.term.total
}

func crossEntropy(t *counts) float64 {
	if t.term.none == 0 || t.a == 0 {
		return 0
	}
	return float64(float64(t.a*t.logLift()) * t.term.perTotal)
}

func nglCoefficient(t *counts) float64 {
	if t.degenerate {
		return 0
	}
	return float64(float64(t.gap*t.class.root) * t.term.root)
}

func gssCoefficient(t *counts) float64 {
	if t.degenerate {
		return 0
	}
	return t.gap / float64(t.term.total*t.term.total)
}

func oddsRatio(t *counts) float64 {
	if t.class.oneSided {
		return 1
	}
	return float64((t.a+.5)*(t.d+.5)) / float64((t.b+.5)*(t.c+.5))
}

func logOddsRatio(t *counts) float64 {
	if t.class.oneSided {
		return 0
	}
	// (a+½)(d+½) - (b+½)(c+½), exact for counts.
	gap, bc := t.gap+float64(.5*((t.a-t.b)+(t.d-t.c))), float64((t.b+.5)*(t.c+.5))
	if math.Abs(gap) <= seriesBelow*bc {
		return kernels.Log1p(gap / bc)
	}
	return (t.logs.ofHalf(t.a) + t.logs.ofHalf(t.d)) - (t.logs.ofHalf(t.b) + t.logs.ofHalf(t.c))
}

// relevancy is ln((A/n_c + d)/(D/(N-n_c) + d)).
func relevancy(t *counts, d float64) float64 {
	if t.class.oneSided {
		return 0
	}
	gap := float64(DiffOfProducts(t.a, t.class.out, t.d, t.class.n) * t.class.inverse)
	return logRatio(float64(t.a*t.class.perN)+d, float64(t.d*t.class.perOut)+d, gap)
}

// wiener is ln((A/n_c + d)/(B/(N-n_c) + d)).
func wiener(t *counts, d float64) float64 {
	if t.degenerate {
		return 0
	}
	return logRatio(float64(t.a*t.class.perN)+d, float64(t.b*t.class.perOut)+d, t.rateGap())
}

func biNormal(t *counts) float64 {
	if t.degenerate {
		return 0
	}
	q, c := &t.quantiles, t.class
	return math.Abs(q.of(q.inside, c.index, t.a, c.n) - q.of(q.outside, c.index, t.b, c.out))
}

// studentT takes (S/n_c - cf/N)/√(1/n_c - 1/N) as (S·N - cf·n_c)/√(N·n_c(N-n_c)).
func studentT(t *counts, signed bool) float64 {
	c, f := t.class.documents, &t.term
	gap := DiffOfProducts(t.a, f.documents, f.df, c.n) + lowGap(t.low, f.documents, f.low, c.n)
	if c.oneSided || gap == 0 {
		return 0
	}
	if !signed {
		gap = math.Abs(gap)
	}
	return float64(gap*c.root) / float64(math.Sqrt(f.documents)*f.pooled)
}

// student is the t-test as a measure.
func student(keepSign bool) pair {
	m := pair{name: "ttest", tokens: true, value: func(t *counts) float64 { return studentT(t, keepSign) }, absent: studentAbsent(keepSign), pooled: true}
	if !keepSign {
		m.largest = studentTile
	}
	return m
}

// studentAbsent: in an absent class, t is -cf/s·√(n_c/(N(N-n_c))) or its size.
func studentAbsent(signed bool) role {
	if signed {
		return largestOfSmallestBySize
	}
	return largestOfLargestBySize
}

func giniPart(t *counts) float64 {
	p := float64(float64(t.a*t.class.perN) * float64(t.a*t.term.perDF))
	return p * p
}

func dfsPart(t *counts) float64 {
	return float64(t.a*t.term.perDF) / (float64(t.c*t.class.perN) + float64(t.b*t.class.perOut) + 1)
}

// rateGap is tpr - fpr as one fraction.
func (t *counts) rateGap() float64 { return float64(t.gap * t.class.inverse) }

func normalisedDifference(t *counts) float64 {
	if t.degenerate {
		return 0
	}
	least := float64(t.a * t.class.perN)
	if out := float64(t.b * t.class.perOut); out < least {
		least = out
	}
	if least == 0 {
		least = t.term.perTotal
	}
	return math.Abs(t.rateGap()) / least
}

func balancedAccuracy(t *counts) float64 {
	if t.degenerate {
		return 0
	}
	return math.Abs(t.rateGap())
}

// relevanceFrequency takes ln(2 + A/b) as ln(2b + A) - ln b, of integers.
func relevanceFrequency(t *counts) float64 {
	b := t.b
	if b < 1 {
		b = 1
	}
	return float64((t.logs.of(float64(2*b)+t.a) - t.logs.of(b)) * (1 / math.Ln2))
}

func probabilityRatio(t *counts) float64 {
	if t.degenerate {
		return 1
	}
	b := t.b
	if b == 0 {
		b = .5
	}
	return float64(t.a*t.class.out) / float64(b*t.class.n)
}

// dirichletWeight is the number of tokens that the prior is worth.
const dirichletWeight = 10

// logOdds gives the log odds of the term inside against outside the class,
// smoothed by a prior in proportion to the corpus. Where the term is every token
// there is no other side to compare with: 0.
func (t *counts) logOdds() float64 {
	if !t.hasDelta {
		t.hasDelta, t.delta = true, t.newLogOdds()
	}
	return t.delta
}

func (t *counts) newLogOdds() float64 {
	f := &t.term
	if t.class.documents.oneSided || f.df == 0 || f.none == 0 {
		return 0
	}
	in, out := t.a+f.prior, t.b+f.prior
	restIn, restOut := t.c+f.others, t.d+f.others
	// The difference of the products is (ad - bc)(1 + 2·α0/T), by writing it out.
	gap := float64(t.gap * (1 + float64(2*dirichletWeight*f.perTotal)))
	return logRatio(float64(in*restOut), float64(out*restIn), gap)
}

// logOddsZ divides by the standard error √(1/(y1+α) + 1/(y2+α)).
func logOddsZ(t *counts) float64 {
	f := &t.term
	if f.df == 0 {
		return 0
	}
	return float64(t.logOdds() * math.Sqrt(float64((t.a+f.prior)*(t.b+f.prior))/f.priorOfBoth))
}
