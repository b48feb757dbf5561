package naive

// df is the number of documents of the class with the term, or as a rate
// P(t|c), the form of Sebastiani's Table 1 (section 2).
func df(tb *Tables, opt Options) classFunc {
	return func(t, c int) float64 {
		if opt.Variant == "rate" {
			return div(tb.A[t][c], tb.NC[c])
		}
		return tb.A[t][c]
	}
}

// cf is the collection frequency S(t,c) (section 2).
func cf(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 { return tb.S[t][c] }
}

// dia is the association factor P(c|t) of Fuhr et al. 1991 (section 3).
func dia(tb *Tables, _ Options) classFunc {
	return func(t, c int) float64 { return div(tb.A[t][c], tb.DF[t]) }
}

// gini is the sum of P(t|c)^2 P(c|t)^2 of Shang et al. 2007 (section 11).
func (tb *Tables) gini() []float64 {
	values := make([]float64, len(tb.DF))
	for t := range values {
		for c := range tb.NC {
			x := tb.documents(t, c)
			tc, ct := div(x.a, x.in()), div(x.a, x.with())
			values[t] += tc * tc * ct * ct
		}
	}
	return values
}

// dfs is the sum of P(c|t)/(P(not t|c) + P(t|not c) + 1), the distinguishing
// feature selector of Uysal and Gunal 2012 (section 11).
func (tb *Tables) dfs() []float64 {
	values := make([]float64, len(tb.DF))
	for t := range values {
		for c := range tb.NC {
			x := tb.documents(t, c)
			values[t] += div(x.a, x.with()) / (div(x.c, x.in()) + div(x.b, x.out()) + 1)
		}
	}
	return values
}
