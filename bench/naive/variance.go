package naive

import "math"

// PooledS2 is the pooled within-class variance s^2 of each term: squared
// deviations from the class means over (document, label) pairs, by pairs less
// non-empty classes; 0 where that is 0 (Wang et al. 2012, eq. 2).
func (tb *Tables) PooledS2() []float64 {
	values := make([]float64, len(tb.DF))
	for t := range values {
		for d, labels := range tb.labels {
			for _, c := range labels {
				deviation := tb.tf[d][t] - tb.S[t][c]/tb.NC[c]
				values[t] += deviation * deviation
			}
		}
		values[t] = div(values[t], tb.Pairs-tb.nonEmpty())
	}
	return values
}

// ttest is |mean_k - mean|/(m_k s), m_k = sqrt(1/N_k - 1/N), of Wang et al. 2012
// (Wang et al. 2012, eq. 3): N and mean over all documents, infinite where s = 0 and
// the means differ, 0 where n_c is 0 or N.
func ttest(tb *Tables, opt Options) classFunc {
	s2 := tb.PooledS2()
	return func(t, c int) float64 {
		nk := tb.NC[c]
		if tb.whole(c) {
			return 0
		}
		m := math.Sqrt(1/nk - 1/tb.N)
		// The means differ by this; written with one division, it is exactly 0
		// where they agree.
		difference := (tb.S[t][c]*tb.N - tb.CF[t]*nk) / (nk * tb.N)
		value := div(difference, m*math.Sqrt(s2[t]))
		if opt.Signed {
			return value
		}
		return math.Abs(value)
	}
}

// anova is the F of the one-way analysis of variance: the mean over
// (document, label) pairs, K-1 and pairs-K degrees of freedom, K the non-empty
// classes; infinite where s^2 is 0, or 0 where the numerator is 0 too.
func (tb *Tables) anova() []float64 {
	values, s2, k := make([]float64, len(tb.DF)), tb.PooledS2(), tb.nonEmpty()
	for t := range values {
		sum, between := 0., 0.
		for c := range tb.NC {
			sum += tb.S[t][c]
		}
		for c, nk := range tb.NC {
			if nk > 0 {
				difference := (tb.S[t][c]*tb.Pairs - sum*nk) / (nk * tb.Pairs)
				between += nk * difference * difference
			}
		}
		values[t] = div(div(between, k-1), s2[t])
	}
	return values
}
