package naive

import "math"

// or is the odds ratio with 1/2 in every cell, 1 where n_c is 0 or N (sections
// 1 and 3).
func or(tb *Tables, opt Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		switch {
		case x.lopsided():
			return 1
		case opt.Variant == "raw":
			return oddsRaw(x)
		case opt.Variant == "mladenic":
			return oddsMladenic(x)
		}
		h := x.half()
		return h.a * h.d / (h.b * h.c)
	}
}

// oddsRaw is AD/(BC), the form of Table 1 (section 3).
func oddsRaw(x cell) float64 {
	if x.zero() {
		return 1
	}
	return x.a * x.d / (x.b * x.c)
}

// oddsMladenic replaces rates of 0 and 1 by 1/n^2 and 1-1/n^2, n = N (section 1).
func oddsMladenic(x cell) float64 {
	if x.zero() {
		return 1
	}
	least := 1 / (x.n() * x.n())
	in, notIn := replaced(x.a, x.c, least)
	out, notOut := replaced(x.b, x.d, least)
	return in * notOut / (notIn * out)
}

// replaced is the rate of yes among yes and no, and its complement.
func replaced(yes, no, least float64) (rate, complement float64) {
	switch {
	case yes == 0:
		return least, 1 - least
	case no == 0:
		return 1 - least, least
	}
	return yes / (yes + no), no / (yes + no)
}

// lor is the logarithm of or (section 3).
func lor(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		if x.lopsided() {
			return 0
		}
		h := x.half()
		return lnRatio(h.a*h.d, h.b*h.c, h.det())
	}
}

// rs is Sebastiani's relevancy score, ln((A/n_c + d)/(D/(N-n_c) + d)) (section 3).
func rs(tb *Tables, opt Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		if x.lopsided() {
			return 0
		}
		p, q := x.a/x.in()+opt.rsd(), x.d/x.out()+opt.rsd()
		return lnRatio(p, q, (x.a*x.out()-x.d*x.in())/(x.in()*x.out())) / opt.log()
	}
}

// rsw is the relevancy score of Wiener, Pedersen and Weigend 1995,
// ln((A/n_c + d)/(B/(N-n_c) + d)) (section 3).
func rsw(tb *Tables, opt Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		if x.zero() {
			return 0
		}
		p, q := x.a/x.in()+opt.rsd(), x.b/x.out()+opt.rsd()
		return lnRatio(p, q, x.det()/(x.in()*x.out())) / opt.log()
	}
}

// pr is P(t|c)/P(t|not c) of Li and Sun 2007, with 1/2 for B = 0 (sections 1 and
// 5.2).
func pr(tb *Tables, opt Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		if x.zero() {
			return 1
		}
		b := x.b
		if b == 0 && opt.Variant != "raw" {
			b = .5
		}
		return x.a * x.out() / (b * x.in())
	}
}

// rf is log2(2 + A/max(1,B)) of Lan et al. 2009 (section 11).
func rf(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		return math.Log2(2 + x.a/math.Max(1, x.b))
	}
}

// logodds is the log-odds with informative Dirichlet prior of Monroe, Colaresi
// and Quinn 2008, alpha = 10 S(t)/T (section 11).
func logodds(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 {
		delta, _ := tb.dirichlet(t, c)
		return delta
	}
}

// logoddsz is logodds by its standard deviation (section 11).
func logoddsz(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 {
		delta, deviation := tb.dirichlet(t, c)
		return div(delta, deviation)
	}
}

// dirichlet gives delta = ln(p1/q1) - ln(p2/q2) and its standard deviation. Of
// n1 + 10 - y1 - alpha, n1 - y1 is the cell c and 10 - alpha = 10(T - S(t))/T;
// likewise the other. The difference p1 q2 - p2 q1 is (AD-BC)(1 + 20/T), by writing it out. A class
// without tokens or with all of them has 0, and so has the only term there is.
func (tb *Tables) dirichlet(t, c int) (delta, deviation float64) {
	x := tb.tokens(t, c)
	if tb.whole(c) || x.zero() {
		return 0, 1
	}
	alpha, rest := 10*x.with()/x.n(), 10*x.none()/x.n()
	p1, q1 := x.a+alpha, x.c+rest
	p2, q2 := x.b+alpha, x.d+rest
	return lnRatio(p1*q2, p2*q1, x.det()*(1+20/x.n())), math.Sqrt(1/p1 + 1/p2)
}
