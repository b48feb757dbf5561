package naive

import "math"

// This file has the measures of one 2x2 table, in documents or in tokens. Of a table with a zero margin,
// where the term or the class is everything or nothing, most are 0.

// A cellMeasure is a measure of a table.
type cellMeasure func(x cell, o Options) float64

// inDocuments is a measure of the table in documents.
func inDocuments(of cellMeasure) measure {
	return func(tb *Tables, o Options) classFunc {
		return func(t, c int) float64 { return of(tb.documents(t, c), o) }
	}
}

// inTokens is a measure of the table in tokens; 0 for a class that holds no document or
// every one.
func inTokens(of cellMeasure) measure {
	return func(tb *Tables, o Options) classFunc {
		return func(t, c int) float64 {
			if tb.whole(c) {
				return 0
			}
			return of(tb.tokens(t, c), o)
		}
	}
}

// margins is a measure that is 0 on a zero margin.
func margins(of cellMeasure) cellMeasure {
	return func(x cell, o Options) float64 {
		if x.zero() {
			return 0
		}
		return of(x, o)
	}
}

// plain is a measure without its options.
func plain(of cellMeasure) cellMeasure {
	return func(x cell, _ Options) float64 { return of(x, Options{}) }
}

// chi is chi-square, N(AD-BC)^2/((A+B)(C+D)(A+C)(B+D)), in tokens the modified chi of
// Zheng et al. 2009.
func chi(x cell, o Options) float64 {
	if o.Yates {
		return yates(x)
	}
	return x.n() * x.det() * x.det() / (x.with() * x.none() * x.in() * x.out())
}

// yates is the sum of (|O-E|-1/2)^2/E over the four cells, as far as |O-E| is above
// 1/2 (Yates 1934).
func yates(x cell) (sum float64) {
	for _, c := range []struct{ observed, row, column float64 }{
		{x.a, x.with(), x.in()}, {x.b, x.with(), x.out()}, {x.c, x.none(), x.in()}, {x.d, x.none(), x.out()},
	} {
		// |O-E| - 1/2 with one division: exact numerators.
		off := math.Max(0, math.Abs(c.observed*x.n()-c.row*c.column)-x.n()/2) / x.n()
		sum += off * off / (c.row * c.column / x.n())
	}
	return sum
}

// ngl is the signed root of chi-square of Ng, Goh and Low 1997.
func ngl(x cell, _ Options) float64 {
	return math.Sqrt(x.n()) * x.det() / math.Sqrt(x.with()*x.none()*x.in()*x.out())
}

// gss is (AD-BC)/N^2 of Galavotti, Sebastiani and Simi 2000.
func gss(x cell, _ Options) float64 { return x.det() / (x.n() * x.n()) }

// lnRatio is ln(p/q). The caller gives p-q, so that a ratio near 1 keeps its
// digits.
func lnRatio(p, q, difference float64) float64 {
	if math.Abs(difference) < q/2 {
		return math.Log1p(difference / q)
	}
	return math.Log(p / q)
}

// excess is (1+x)ln(1+x) - x, by its series near 0. An observed O and an
// expected E have O ln(O/E) = E excess((O-E)/E) + (O-E), and the O-E of a table
// or of one of its columns add up to 0, so that sums of O ln(O/E) are sums of
// E excess((O-E)/E): the same value without cancellation. O = 0 gives E.
func excess(x float64) float64 {
	if x == -1 {
		return 1
	}
	if math.Abs(x) >= .25 {
		return (1+x)*math.Log1p(x) - x
	}
	sum, power := 0., x*x
	for k := 2.; k < 40; k++ {
		sum += power / (k * (k - 1))
		power *= -x
	}
	return sum
}

// divergence is E excess((O-E)/E) for a cell of a table of n with its row and
// column sum; O-E is det/n.
func divergence(det, row, column, n float64) float64 {
	if row == 0 || column == 0 {
		return 0
	}
	return row * column / n * excess(det/(row*column))
}

// association is ln(NA/((A+B)(A+C))).
func (x cell) association() float64 { return lnRatio(x.n()*x.a, x.with()*x.in(), x.det()) }

// mi is the association; see Options.zero for A = 0.
func mi(x cell, o Options) float64 {
	if x.zero() || x.a == 0 && o.zero {
		return 0
	}
	return x.association() / o.log()
}

// g2 is the log-likelihood of Dunning 1993, twice the sum of O ln(O/E) over the four cells.
func g2(x cell, _ Options) float64 {
	det, n := x.det(), x.n()
	term := divergence(det, x.with(), x.in(), n) + divergence(-det, x.with(), x.out(), n)
	return 2 * (term + divergence(-det, x.none(), x.in(), n) + divergence(det, x.none(), x.out(), n))
}

// emi is I(U;C) of IIR 13.16: G^2/(2N).
func emi(x cell, o Options) float64 { return div(g2(x, Options{}), 2*x.n()) / o.log() }

// igPart is the part of a class in the information gain of Yang and Pedersen
// 1997, (A/N)ln(NA/(df n_c)) + (C/N)ln(NC/((N-df)n_c)).
func igPart(x cell, o Options) float64 {
	n, det := x.n(), x.det()
	return (divergence(det, x.with(), x.in(), n) + divergence(-det, x.none(), x.in(), n)) / n / o.log()
}

// ecePart is the part of a class in the expected cross entropy of Koller and
// Sahami 1997, (A/N)ln(NA/(df n_c)).
func ecePart(x cell, o Options) float64 {
	if x.a == 0 {
		return 0
	}
	return x.a / x.n() * x.association() / o.log()
}

// or is the odds ratio with 1/2 in every cell, 1 where n_c is 0 or N; raw it is AD/(BC), the form of Table 1.
func or(x cell, o Options) float64 {
	switch {
	case x.lopsided() || o.raw && x.zero():
		return 1
	case o.raw:
		return x.a * x.d / (x.b * x.c)
	}
	h := x.half()
	return h.a * h.d / (h.b * h.c)
}

// lor is the logarithm of or.
func lor(x cell, _ Options) float64 {
	if x.lopsided() {
		return 0
	}
	h := x.half()
	return lnRatio(h.a*h.d, h.b*h.c, h.det())
}

// rs is Sebastiani's relevancy score, ln((A/n_c + d)/(D/(N-n_c) + d)).
func rs(x cell, o Options) float64 {
	if x.lopsided() {
		return 0
	}
	p, q := x.a/x.in()+o.rsd(), x.d/x.out()+o.rsd()
	return lnRatio(p, q, (x.a*x.out()-x.d*x.in())/(x.in()*x.out())) / o.log()
}

// rsw is the relevancy score of Wiener, Pedersen and Weigend 1995,
// ln((A/n_c + d)/(B/(N-n_c) + d)).
func rsw(x cell, o Options) float64 {
	p, q := x.a/x.in()+o.rsd(), x.b/x.out()+o.rsd()
	return lnRatio(p, q, x.det()/(x.in()*x.out())) / o.log()
}

// pr is P(t|c)/P(t|not c) of Li and Sun 2007, with 1/2 for B = 0.
func pr(x cell, _ Options) float64 {
	if x.zero() {
		return 1
	}
	b := x.b
	if b == 0 {
		b = .5
	}
	return x.a * x.out() / (b * x.in())
}

// rf is log2(2 + A/max(1,B)) of Lan et al. 2009.
func rf(x cell, _ Options) float64 { return math.Log2(2 + x.a/math.Max(1, x.b)) }

// logodds is the log-odds with informative Dirichlet prior of Monroe, Colaresi
// and Quinn 2008, alpha = 10 S(t)/T.
func logodds(x cell, _ Options) float64 {
	delta, _ := x.dirichlet()
	return delta
}

// logoddsz is logodds by its standard deviation.
func logoddsz(x cell, _ Options) float64 {
	delta, deviation := x.dirichlet()
	return div(delta, deviation)
}

// dirichlet gives delta = ln(p1/q1) - ln(p2/q2) and its standard deviation. Of
// n1 + 10 - y1 - alpha, n1 - y1 is the cell c and 10 - alpha = 10(T - S(t))/T;
// likewise the other. The difference p1 q2 - p2 q1 is (AD-BC)(1 + 20/T), by writing it out.
func (x cell) dirichlet() (delta, deviation float64) {
	alpha, rest := 10*x.with()/x.n(), 10*x.none()/x.n()
	p1, q1 := x.a+alpha, x.c+rest
	p2, q2 := x.b+alpha, x.d+rest
	return lnRatio(p1*q2, p2*q1, x.det()*(1+20/x.n())), math.Sqrt(1/p1 + 1/p2)
}

// acc2 is |tpr - fpr|, the balanced accuracy of Forman 2003.
func acc2(x cell, _ Options) float64 { return math.Abs(x.det()) / (x.in() * x.out()) }

// ndm is |tpr - fpr|/min(tpr, fpr) of Rehman, Javed and Babri 2017, with 1/N for
// a minimum of 0.
func ndm(x cell, o Options) float64 {
	least := math.Min(x.a/x.in(), x.b/x.out())
	if least == 0 {
		least = 1 / x.n()
	}
	return acc2(x, o) / least
}

// bns is the bi-normal separation of Forman 2003, both rates clipped to
// [0.0005, 0.9995].
func bns(x cell, _ Options) float64 {
	return math.Abs(quantile(clipped(x.a/x.in())) - quantile(clipped(x.b/x.out())))
}

func clipped(p float64) float64 { return math.Min(math.Max(p, .0005), .9995) }

// quantile inverts the standard normal distribution function for 0 < p < 1. Its
// upper half mirrors the lower one, where p is erfc(x/sqrt 2)/2 at -x; near the
// middle 1-2p = erf(x/sqrt 2) keeps the digits.
func quantile(p float64) float64 {
	if p > .5 {
		return -quantile(1 - p)
	}
	if p > .25 {
		return -math.Sqrt2 * bisect(func(x float64) bool { return math.Erf(x) < 1-2*p })
	}
	return -math.Sqrt2 * bisect(func(x float64) bool { return math.Erfc(x) > 2*p })
}

// bisect finds where below turns false between 0 and 40.
func bisect(below func(float64) bool) float64 {
	if !below(0) {
		return 0
	}
	low, high := 0., 40.
	for {
		middle := low + (high-low)/2
		switch {
		case middle == low || middle == high:
			return middle
		case below(middle):
			low = middle
		default:
			high = middle
		}
	}
}
