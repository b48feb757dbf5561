package naive

import "math"

// chiSquare is N(AD-BC)^2/((A+B)(C+D)(A+C)(B+D)) (section 3), 0 on a zero margin.
func chiSquare(x cell) float64 {
	if x.zero() {
		return 0
	}
	return x.n() * x.det() * x.det() / (x.with() * x.none() * x.in() * x.out())
}

// chi is chi-square in documents (sections 3 and 4.3).
func chi(tb *Tables, opt Options) classFunc {
	if opt.Yates {
		return func(t, c int) float64 { return yates(tb.documents(t, c)) }
	}
	return func(t, c int) float64 { return chiSquare(tb.documents(t, c)) }
}

// yates is the sum of (|O-E|-1/2)^2/E over the four cells, as far as |O-E| is above
// 1/2 (Yates 1934).
func yates(x cell) float64 {
	if x.zero() {
		return 0
	}
	sum := 0.
	for _, c := range []struct{ observed, row, column float64 }{
		{x.a, x.with(), x.in()}, {x.b, x.with(), x.out()}, {x.c, x.none(), x.in()}, {x.d, x.none(), x.out()},
	} {
		// |O-E| - 1/2 with one division: exact numerators.
		off := math.Max(0, math.Abs(c.observed*x.n()-c.row*c.column)-x.n()/2) / x.n()
		sum += off * off / (c.row * c.column / x.n())
	}
	return sum
}

// chitf is chi-square in tokens, the modified chi of Zheng et al. 2009
// (section 5.2).
func chitf(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 {
		if tb.whole(c) {
			return 0
		}
		return chiSquare(tb.tokens(t, c))
	}
}

// ngl is the signed root of chi-square of Ng, Goh and Low 1997 (section 3).
func ngl(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		if x.zero() {
			return 0
		}
		return math.Sqrt(x.n()) * x.det() / math.Sqrt(x.with()*x.none()*x.in()*x.out())
	}
}

// gss is (AD-BC)/N^2 of Galavotti, Sebastiani and Simi 2000 (section 3).
func gss(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 {
		x := tb.documents(t, c)
		return x.det() / (x.n() * x.n())
	}
}

// ChiTable is the statistic of the whole 2xK table of each term: the sum of
// (O-E)^2/E (section 4.3). It has a meaning only where every document has
// exactly one label.
func (tb *Tables) ChiTable() []float64 {
	values := make([]float64, len(tb.DF))
	for t := range values {
		for c := range tb.NC {
			x := tb.documents(t, c)
			present, absent := x.with()*x.in()/x.n(), x.none()*x.in()/x.n()
			values[t] += div((x.a-present)*(x.a-present), present) + div((x.c-absent)*(x.c-absent), absent)
		}
	}
	return values
}
