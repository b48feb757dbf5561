package score

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/kernels"
)

// This family rests on logarithms of O/E, what is observed over what independence expects:
// of one cell (mi), of the cells with the term (ece) and of all four (emi, g2, g2tf). Information
// gain, which sums over classes, is in gain.go.

func mutualInformation(o Options) *definition {
	d := define("mi", "pointwise mutual information", "ln(N·A/((A+B)(A+C)))", "Yang & Pedersen 1997", o.logged(mutual))
	d.order, d.presentOnly = lifts, true
	d.declared.class = "(min(df,n_c)>0)*" + liftFormula + o.perLogFormula()
	return d
}

// Formulas of O/E. det(N,A,df,n_c) is N·(O-E) of the documents of the class with the term and of those outside it without
// it, and -N·(O-E) of the others. Sums of E·excess((O-E)/E), here times N, are those of O·ln(O/E), for the deviations
// cancel. Of real values O-E may be rounded to more than E.
const (
	liftFormula = "lnratio(N*A,df*n_c,det(N,A,df,n_c))"

	withInside     = "df*n_c*excess(max(-1,det(N,A,df,n_c)/(df*n_c)))"
	withOutside    = "df*(N-n_c)*excess(max(-1,det(df,n_c,N,A)/(df*(N-n_c))))"
	withoutInside  = "(N-df)*n_c*excess(max(-1,det(df,n_c,N,A)/((N-df)*n_c)))"
	withoutOutside = "(N-df)*(N-n_c)*excess(max(-1,det(N,A,df,n_c)/((N-df)*(N-n_c))))"

	divergenceFormula = withInside + "+" + withOutside + "+" + withoutInside + "+" + withoutOutside
)

func expectedMutualInformation(o Options) *definition {
	d := define("emi", "expected mutual information", "Σ over the four cells of O/N·ln(O/E)", "Manning et al. 2008, eq. 13.17",
		o.logged(func(t *counts) float64 { return t.divergence() / t.term.total }))
	perLog := o.perLog()
	d.bound = func(c *columns) bounds { return bounds{chiSquares(c), perLog / c.side.term.total, false} }
	d.declared.class = "(" + divergenceFormula + ")/N^2" + o.perLogFormula()
	return d
}

func expectedCrossEntropy(o Options) *definition {
	d := define("ece", "expected cross entropy", "Σ_c A/N·ln(N·A/(df·n_c))", "Koller & Sahami 1997; Mladenic & Grobelnik 1999", o.logged(crossEntropy))
	perLog := o.perLog()
	d.Default, d.part, d.parts = "global", crossEntropy, crossEntropies
	d.finish = func(sum float64) float64 { return sum * perLog }
	d.declared = summed("A/N*" + liftFormula + o.perLogFormula())
	return d
}

func logLikelihood() *definition {
	d := define("g2", "log-likelihood ratio G² on documents", "2·Σ O·ln(O/E)", "Dunning 1993", func(t *counts) float64 { return 2 * t.divergence() })
	d.bound, d.declared.class = twiceChi, "2*("+divergenceFormula+")/N"
	return d
}

func tokenLogLikelihood(o Options) *definition {
	d := define("g2tf", "log-likelihood ratio G² on tokens", "2·Σ O·ln(O/E) over four cells, in tokens", "Dunning 1993",
		func(t *counts) float64 { return 2 * t.divergence() })
	d.declared.class = ofTokens("2*(" + divergenceFormula + ")/N")
	if o.TwoCells {
		d = define("g2tf", "log-likelihood on tokens, cells of the term", "2·(A·ln(A/E_A) + B·ln(B/E_B)) in tokens", "Rayson & Garside 2000",
			func(t *counts) float64 { return 2 * t.termDivergence() })
		d.declared.class = ofTokens("2*(" + withInside + "+" + withOutside + ")/N")
	}
	d.UsesTokens, d.bound = true, twiceChi
	return d
}

// perLogFormula returns what logarithms to the base of the options are divided by.
func (o Options) perLogFormula() string {
	if o.Base == 0 {
		return ""
	}
	return fmt.Sprintf("/ln(%v)", o.Base)
}

// logged returns a measure in logarithms to the base of the options.
func (o Options) logged(f func(*counts) float64) func(*counts) float64 {
	perLog := o.perLog()
	if perLog == 1 {
		return f
	}
	return func(t *counts) float64 { return f(t) * perLog }
}

// twiceChi bounds twice the divergence: a logarithm is not above its argument less 1, so no
// divergence is above chi-square.
func twiceChi(c *columns) bounds { return bounds{chiSquares(c), 2, false} }

func mutual(t *counts) float64 {
	if t.degenerate {
		return 0
	}
	return t.logLift()
}

// logLift is ln(P(t,c)/(P(t)P(c))), -Inf where the term never meets the class.
func (t *counts) logLift() float64 {
	if !t.hasLift {
		t.hasLift, t.lift = true, t.newLogLift()
	}
	return t.lift
}

func (t *counts) newLogLift() float64 {
	if t.a == 0 {
		return math.Inf(-1)
	}
	if u := t.gap / float64(t.term.df*t.class.n); math.Abs(u) <= seriesBelow {
		return kernels.Log1p(u)
	}
	return t.logs.of(t.a) + (t.class.shift - t.term.with)
}

// lifts are A/n_c.
func lifts(c *columns) []float64 {
	dst := c.values
	a, perN := c.a[:len(dst)], c.perN[:len(dst)]
	for k := range dst {
		dst[k] = float64(a[k] * perN[k])
	}
	return dst
}

func crossEntropy(t *counts) float64 {
	if t.term.none == 0 || t.a == 0 {
		return 0
	}
	return float64(float64(t.a*t.logLift()) * t.term.perTotal)
}

// crossEntropies are [crossEntropy].
func crossEntropies(c *columns) []float64 {
	if c.side.term.none == 0 {
		return c.constant(0)
	}
	f, dst := &c.side.term, c.values
	as, gap, n, shift := c.a[:len(dst)], c.gap[:len(dst)], c.n[:len(dst)], c.shift[:len(dst)]
	for k, a := range as {
		if a == 0 {
			dst[k] = 0
			continue
		}
		lift := 0.0
		if u := gap[k] / float64(f.df*n[k]); math.Abs(u) <= seriesBelow {
			lift = kernels.Log1p(u)
		} else {
			lift = c.side.logs.of(a) + (shift[k] - f.with)
		}
		dst[k] = float64(float64(a*lift) * f.perTotal)
	}
	return dst
}

// divergence is Σ O ln(O/E) over the four cells: N times the mutual
// information of term and class, half of G². 0 on a zero margin.
func (t *counts) divergence() float64 {
	if !t.hasDivergence {
		t.hasDivergence, t.divergenceKept = true, t.newDivergence()
	}
	return t.divergenceKept
}

func (t *counts) newDivergence() float64 {
	if t.degenerate {
		return 0
	}
	if table := t.entropies; table != nil {
		a, b, c, d := &table[int(t.a)], &table[int(t.b)], &table[int(t.c)], &table[int(t.d)]
		hi := (a.hi + b.hi) + (c.hi + d.hi) + (t.class.entropy.hi + t.term.entropy.hi)
		lo := (a.lo + b.lo) + (c.lo + d.lo) + (t.class.entropy.lo + t.term.entropy.lo)
		if v := hi + lo; v >= leastTabled {
			return v
		}
	}
	return t.rowDivergence() + t.restDivergence()
}

// rowDivergence is Σ O ln(O/E) over the class's two cells, without the table of
// n ln n. The deviations O-E of the row cancel, so that each part may be taken as
// E·excess((O-E)/E), which keeps its digits near independence.
func (t *counts) rowDivergence() float64 {
	f, c := &t.term, t.class
	return t.part(t.a, t.gap, float64(f.df*c.n), float64(f.perDF*c.perN), c.shift-f.with) +
		t.part(t.c, -t.gap, float64(f.none*c.n), float64(f.perNone*c.perN), c.shift-f.without)
}

// restDivergence is the same over the cells outside the class.
func (t *counts) restDivergence() float64 {
	f, c := &t.term, t.class
	return t.part(t.b, -t.gap, float64(f.df*c.out), float64(f.perDF*c.perOut), c.rest-f.with) +
		t.part(t.d, t.gap, float64(f.none*c.out), float64(f.perNone*c.perOut), c.rest-f.without)
}

// termDivergence is the same over the cells of the term, in the class and outside it.
func (t *counts) termDivergence() float64 {
	if t.degenerate {
		return 0
	}
	f, c := &t.term, t.class
	return t.part(t.a, t.gap, float64(f.df*c.n), float64(f.perDF*c.perN), c.shift-f.with) +
		t.part(t.b, -t.gap, float64(f.df*c.out), float64(f.perDF*c.perOut), c.rest-f.with)
}

// part is E·excess(u), u = (O-E)/E: by a series for small u, else as
// O·ln(O/E) - (O-E). E is product/N, O-E is gap/N, ln(1/E) is shift.
func (t *counts) part(observed, gap, product, perProduct, shift float64) float64 {
	u, excess := float64(gap*perProduct), float64(gap*t.term.perTotal)
	switch {
	case math.Abs(u) <= 1./8192: // what leaves E·u²(1/2 - u/6 + u²/12 - u³/20): most cells of tokens without the term
		return float64(float64(excess*u) * (.5 - float64(u*(1./6-float64(u*(1./12-float64(u*.05)))))))
	case math.Abs(u) <= seriesBelow:
		return float64(float64(product*t.term.perTotal) * kernels.Excess(u))
	}
	if observed == 0 {
		return -excess
	}
	return float64(observed*(t.logs.of(observed)+shift)) - excess
}

// seriesBelow is the relative deviation up to which a divergence is summed as a
// series. Above it the difference of logarithms loses at most two digits: the
// logarithms of counts up to 2^40 add up to an error of 1e-14, against an excess
// of at least 0.028.
const seriesBelow = 0.25
