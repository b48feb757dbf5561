package naive

import "math"

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

// mi is ln(NA/((A+B)(A+C))) (section 4.1); see Options.Variant for A = 0.
func mi(tb *Tables, opt Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		if opt.Variant == "half" {
			x = x.half()
		}
		if x.zero() || x.a == 0 && opt.Variant == "zero" {
			return 0
		}
		return lnRatio(x.n()*x.a, x.with()*x.in(), x.det()) / opt.log()
	}
}

// logLikelihood is G^2, twice the sum of O ln(O/E) over the four cells
// (section 11), 0 on a zero margin.
func logLikelihood(x cell) float64 {
	if x.zero() {
		return 0
	}
	det, n := x.det(), x.n()
	return 2 * (divergence(det, x.with(), x.in(), n) + divergence(-det, x.with(), x.out(), n) +
		divergence(-det, x.none(), x.in(), n) + divergence(det, x.none(), x.out(), n))
}

// termLikelihood is 2 Σ O ln(O/E) over the cells of the term alone, in the class and
// outside it.
func termLikelihood(x cell) float64 {
	if x.zero() {
		return 0
	}
	det, n := x.det(), x.n()
	return 2 * (divergence(det, x.with(), x.in(), n) + divergence(-det, x.with(), x.out(), n))
}

// emi is I(U;C) of IIR 13.16 (section 4.2): G^2/(2N).
func emi(tb *Tables, opt Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		return div(logLikelihood(x), 2*x.n()) / opt.log()
	}
}

// g2 is the log-likelihood of Dunning 1993 in documents (section 11).
func g2(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 { return logLikelihood(tb.documents(t, c)) }
}

// g2tf is the log-likelihood of Dunning in tokens, over four cells, or that of Rayson
// and Garside 2000 over the two of the term (section 11).
func g2tf(tb *Tables, opt Options) classFunc {
	return func(t, c int) float64 {
		x := tb.tokens(t, c)
		switch {
		case tb.whole(c):
			return 0
		case opt.G2Cells == 2:
			return termLikelihood(x)
		}
		return logLikelihood(x)
	}
}

// igPart is the part of a class in the information gain of Yang and Pedersen
// 1997, (A/N)ln(NA/(df n_c)) + (C/N)ln(NC/((N-df)n_c)) (section 4.5).
func igPart(tb *Tables, opt Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		n, det := x.n(), x.det()
		return (divergence(det, x.with(), x.in(), n) + divergence(-det, x.none(), x.in(), n)) / n / opt.log()
	}
}

// ecePart is the part of a class in the expected cross entropy of Koller and
// Sahami 1997, (A/N)ln(NA/(df n_c)), or without the factor P(t) the variant kl
// (section 4.6).
func ecePart(tb *Tables, opt Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		if x.a == 0 {
			return 0
		}
		p := x.a / x.n()
		if opt.Variant == "kl" {
			p = x.a / x.with()
		}
		return p * lnRatio(x.n()*x.a, x.with()*x.in(), x.det()) / opt.log()
	}
}
