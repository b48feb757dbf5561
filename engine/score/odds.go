package score

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/kernels"
)

// This family compares odds: of documents, smoothed by ½ (or, lor), and of tokens, smoothed by a
// prior in proportion to the corpus (logodds, logoddsz).

func oddsRatio() *definition {
	d := define("or", "odds ratio", "(A+½)(D+½)/((B+½)(C+½))", "van Rijsbergen et al. 1981; Haldane-Anscombe ½", (*counts).oddsRatio)
	d.absent, d.values = largestOfSmallest, oddsRatios
	d.declared.class = "((A+.5)*(D+.5)/((B+.5)*(C+.5)))^((n_c>0)*(n_c<N))"
	return d
}

func logOddsRatio() *definition {
	d := define("lor", "log odds ratio", "ln((A+½)(D+½)/((B+½)(C+½)))", "van Rijsbergen et al. 1981; Haldane-Anscombe ½", (*counts).logOddsRatio)
	d.absent, d.order = largestOfSmallest, oddsRatios
	d.declared.class = "(n_c>0)*(n_c<N)*lnratio((A+.5)*(D+.5),(B+.5)*(C+.5),det(A,D,B,C)+(A-B+D-C)/2)"
	return d
}

func dirichletLogOdds() *definition {
	d := define("logodds", "log odds with a Dirichlet prior", "ln((y1+α)/(n1+α0-y1-α)) - ln((y2+α)/(n2+α0-y2-α)), α = 10·cf/T", "Monroe, Colaresi & Quinn 2008", (*counts).logOdds)
	d.UsesTokens, d.absent, d.negative, d.bound = true, largestOfSmallest, true, logOddsBounds
	d.declared.class = fmt.Sprintf(logOddsFormula, dirichletWeight)
	return d
}

func dirichletZ() *definition {
	d := define("logoddsz", "z score of logodds", "logodds/√(1/(y1+α) + 1/(y2+α))", "Monroe, Colaresi & Quinn 2008", logOddsZ)
	d.UsesTokens, d.absent, d.negative, d.bound = true, largestOfSmallest, true, logOddsZBounds
	d.declared.class = fmt.Sprintf(logOddsFormula+"*sqrt((S+%[1]v*cf/T)*(cf-S+%[1]v*cf/T)/(cf+2*%[1]v*cf/T))", dirichletWeight)
	return d
}

// logOddsFormula lacks the number of tokens that the prior is worth. It has the four sums of counts and the prior; the
// difference of their products is (AD - BC)(1 + 2·α0/T) in tokens.
const logOddsFormula = "lnratio((S+%[1]v*cf/T)*(T-cf-T_c+S+%[1]v*(T-cf)/T)," +
	"(cf-S+%[1]v*cf/T)*(T_c-S+%[1]v*(T-cf)/T),det(T,S,cf,T_c)*(1+2*%[1]v/T))"

func (t *counts) oddsRatio() float64 {
	if t.class.oneSided {
		return 1
	}
	return float64((t.a+.5)*(t.d+.5)) / float64((t.b+.5)*(t.c+.5))
}

// oddsRatios are [oddsRatio].
func oddsRatios(c *columns) []float64 {
	if c.hasOdds {
		return c.odds
	}
	c.hasOdds = true
	dst := c.odds
	as, bs, cs, ds := c.a[:len(dst)], c.b[:len(dst)], c.c[:len(dst)], c.d[:len(dst)]
	for k := range dst {
		dst[k] = float64((as[k]+.5)*(ds[k]+.5)) / float64((bs[k]+.5)*(cs[k]+.5))
	}
	c.ofOneSided(dst, 1)
	return dst
}

func (t *counts) logOddsRatio() float64 {
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
	return kernels.LogRatio(float64(in*restOut), float64(out*restIn), gap)
}

// logOddsBounds are not below [counts.logOdds]: (x-y)/√(xy), which is not below ln(x/y) for
// x >= y, of the two products of [counts.newLogOdds].
func logOddsBounds(c *columns) bounds {
	f, dst := &c.side.term, c.values
	scale := 1 + float64(2*dirichletWeight*f.perTotal)
	as, bs, cs, ds, gap := c.a[:len(dst)], c.b[:len(dst)], c.c[:len(dst)], c.d[:len(dst)], c.gap[:len(dst)]
	for k, g := range gap {
		product := float64(float64((as[k]+f.prior)*(bs[k]+f.prior)) * float64((cs[k]+f.others)*(ds[k]+f.others)))
		g = max(0, float64(g*scale))
		dst[k] = float64(g*g) / product
	}
	return bounds{dst, 1, true}
}

// logOddsZ divides by the standard error √(1/(y1+α) + 1/(y2+α)).
func logOddsZ(t *counts) float64 {
	f := &t.term
	if f.df == 0 {
		return 0
	}
	return float64(t.logOdds() * math.Sqrt(float64((t.a+f.prior)*(t.b+f.prior))/f.priorOfBoth))
}

// logOddsZBounds are the same for [logOddsZ]: two factors cancel.
func logOddsZBounds(c *columns) bounds {
	f, dst := &c.side.term, c.values
	scale := 1 + float64(2*dirichletWeight*f.perTotal)
	cs, ds, gap := c.c[:len(dst)], c.d[:len(dst)], c.gap[:len(dst)]
	for k, g := range gap {
		product := float64(float64((cs[k]+f.others)*(ds[k]+f.others)) * f.priorOfBoth)
		g = max(0, float64(g*scale))
		dst[k] = float64(g*g) / product
	}
	return bounds{dst, 1, true}
}
