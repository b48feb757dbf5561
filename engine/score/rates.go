package score

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/kernels"
)

// This family compares the true positive rate A/n_c with the false positive rate B/(N-n_c). To students
// of style their difference is zeta.

func biNormalSeparation() *definition {
	d := define("bns", "bi-normal separation", "|F⁻¹(A/n_c) - F⁻¹(B/(N-n_c))|, rates clipped to [0.0005, 0.9995]", "Forman 2003", biNormal)
	d.values, d.quantiles = biNormals, true
	d.declared.class = fmt.Sprintf("(n_c>0)*(n_c<N)*abs(probit(max(%[1]v,min(A/n_c,1-%[1]v)))-probit(max(%[1]v,min(B/(N-n_c),1-%[1]v))))", bnsClip)
	return d
}

func normalisedDifferenceMeasure() *definition {
	d := define("ndm", "normalised difference", "|tpr-fpr|/min(tpr,fpr), a minimum of 0 taken as 1/N", "Rehman, Javed & Babri 2017", normalisedDifference)
	d.values = normalisedDifferences
	d.declared.class = "abs(det(A,D,B,C))/(n_c*(N-n_c))/max(min(A/n_c,B/(N-n_c)),(A*B==0)/N)"
	return d
}

func probabilityRatioMeasure() *definition {
	d := define("pr", "probability ratio", "A(N-n_c)/(B·n_c), ½ for B = 0", "Li & Sun 2007", probabilityRatio)
	d.values = probabilityRatios
	d.declared.class = "(A*(N-n_c)/(max(B,.5)*n_c))^(min(n_c,N-n_c,df,N-df)>0)"
	return d
}

func zeta() *definition {
	d := define("zeta", "Burrows's zeta", "tpr - fpr", "Burrows 2007", (*counts).rateGap)
	d.declared.class = "det(A,D,B,C)/(n_c*(N-n_c))"
	d.deviation = &deviation{form: kernels.Signed, table: inverses}
	return d
}

func craigsZeta() *definition {
	d := define("zetacraig", "Craig's zeta", "tpr + (1 - fpr)", "Craig & Kinney 2009", func(t *counts) float64 { return t.rateGap() + 1 })
	d.declared.class = "det(A,D,B,C)/(n_c*(N-n_c))+1"
	d.deviation = &deviation{form: kernels.Signed, table: inverses, plus: 1}
	return d
}

func edersZeta() *definition {
	d := define("zetaeder", "Eder's zeta", "(tpr - fpr)/(tpr + fpr)", "Eder, Rybicki & Kestemont 2016", ratesApart)
	d.negative, d.values = true, ratesApartOf
	d.declared.class = "det(A,D,B,C)/(n_c*(N-n_c))/(A/n_c+B/(N-n_c))"
	return d
}

// rateGap is tpr - fpr as one fraction, 0 where the class has no rest.
func (t *counts) rateGap() float64 { return float64(t.gap * t.class.inverse) }

func biNormal(t *counts) float64 {
	if t.degenerate {
		return 0
	}
	q, c := &t.quantiles, t.class
	return math.Abs(q.of(q.inside, c.index, t.a, c.n) - q.of(q.outside, c.index, t.b, c.out))
}

// biNormals are [biNormal].
func biNormals(c *columns) []float64 {
	if c.marginless() {
		return c.constant(0)
	}
	dst, q := c.values, &c.side.quantiles
	for k, class := range c.classes {
		i := int(class)
		dst[k] = math.Abs(q.of(q.inside, i, c.a[k], c.n[k]) - q.of(q.outside, i, c.b[k], c.out[k]))
	}
	c.ofOneSided(dst, 0)
	return dst
}

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

// normalisedDifferences are [normalisedDifference].
func normalisedDifferences(c *columns) []float64 {
	if c.marginless() {
		return c.constant(0)
	}
	dst, perTotal := c.values, c.side.term.perTotal
	a, b, gap := c.a[:len(dst)], c.b[:len(dst)], c.gap[:len(dst)]
	perN, perOut, inverse := c.perN[:len(dst)], c.perOut[:len(dst)], c.inverse[:len(dst)]
	for k := range dst {
		least := min(float64(a[k]*perN[k]), float64(b[k]*perOut[k]))
		if least == 0 {
			least = perTotal
		}
		dst[k] = math.Abs(float64(gap[k]*inverse[k])) / least
	}
	c.ofOneSided(dst, 0)
	return dst
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

// probabilityRatios are [probabilityRatio].
func probabilityRatios(c *columns) []float64 {
	if c.marginless() {
		return c.constant(1)
	}
	dst := c.values
	as, bs, out, n := c.a[:len(dst)], c.b[:len(dst)], c.out[:len(dst)], c.n[:len(dst)]
	for k, b := range bs {
		if b == 0 {
			b = .5
		}
		dst[k] = float64(as[k]*out[k]) / float64(b*n[k])
	}
	c.ofOneSided(dst, 1)
	return dst
}

// ratesApart is (tpr - fpr)/(tpr + fpr), undefined for a term that no document has.
func ratesApart(t *counts) float64 {
	switch {
	case t.term.df == 0:
		return math.NaN()
	case t.class.oneSided:
		return 0
	}
	return t.rateGap() / (float64(t.a*t.class.perN) + float64(t.b*t.class.perOut))
}

// ratesApartOf are [ratesApart].
func ratesApartOf(c *columns) []float64 {
	dst := c.values
	a, b, gap := c.a[:len(dst)], c.b[:len(dst)], c.gap[:len(dst)]
	perN, perOut, inverse := c.perN[:len(dst)], c.perOut[:len(dst)], c.inverse[:len(dst)]
	for k := range dst {
		dst[k] = float64(gap[k]*inverse[k]) / (float64(a[k]*perN[k]) + float64(b[k]*perOut[k]))
	}
	c.ofOneSided(dst, 0)
	return dst
}

// quantiles keep normal quantiles of rates count/n by class and count, for counts
// up to a limit: a quantile takes 40 ns.
type quantiles struct {
	limit           int
	inside, outside []float64 // 0 = not computed
}

// quantilesMax bounds each table to 512 KiB.
const quantilesMax = 1 << 16

func newQuantiles(classes int, documents float64) quantiles {
	limit := int(min(documents+1, float64(quantilesMax/max(1, classes))))
	return quantiles{limit, make([]float64, classes*limit), make([]float64, classes*limit)}
}

// of gives the quantile of the rate count/n, clipped.
func (q *quantiles) of(table []float64, class int, count, n float64) float64 {
	i := int(count)
	if i >= q.limit || float64(i) != count {
		return clippedQuantile(count / n)
	}
	kept := &table[class*q.limit+i]
	if *kept == 0 {
		*kept = clippedQuantile(count / n)
	}
	return *kept
}

// Rates of exactly 0 and 1 have no finite quantile. Clipping, not replacing,
// keeps one occurrence in a large class above none.
const bnsClip = 0.0005

func clippedQuantile(p float64) float64 { return kernels.Probit(min(max(p, bnsClip), 1-bnsClip)) }
