package score

import (
	"github.com/termsift/termsift/kernels"
)

// This family compares a class with all documents, as search engines find what is significant about
// the hits of a query.

func jlhScore() *definition {
	d := define("jlh", "JLH score", "(g-h)·g/h, g = A/n_c, h = df/N; 0 for g <= h", "Elasticsearch, significant terms", jlh)
	d.negative, d.values = true, jlhs
	d.declared.class = "max(0,det(N,A,df,n_c))*A/(n_c^2*df)"
	return d
}

func normalisedGoogleDistance() *definition {
	d := define("gnd", "Google normalised distance", "exp(-ln(max(df,n_c)/A)/ln(N/min(df,n_c)))", "Cilibrasi & Vitányi 2007; Elasticsearch, significant terms", googleDistance)
	d.negative, d.bound = true, googleDistanceBounds
	d.declared.class = "(A>0)*exp(-lnratio(max(df,n_c),A,max(df,n_c)-A)/lnratio(N,max(1,min(df,n_c)),N-max(1,min(df,n_c))))"
	return d
}

// jlh is (g-h)·g/h, which is (AN - df·n_c)·A/(n_c²·df).
func jlh(t *counts) float64 {
	if t.gap <= 0 {
		return 0
	}
	return float64(float64(t.gap*t.class.perN) * float64(float64(t.a*t.class.perN)*t.term.perDF))
}

// jlhs are [jlh].
func jlhs(c *columns) []float64 {
	dst, perDF := c.values, c.side.term.perDF
	a, gap, perN := c.a[:len(dst)], c.gap[:len(dst)], c.perN[:len(dst)]
	for k, g := range gap {
		dst[k] = float64(float64(max(0, g)*perN[k]) * float64(float64(a[k]*perN[k])*perDF))
	}
	return dst
}

// googleDistance is 1 where all documents are of the class and have the term, and 0 where none of
// the class has it.
func googleDistance(t *counts) float64 {
	f, n := &t.term, t.class.n
	all, most, least := f.total, max(f.df, n), min(f.df, n)
	switch {
	case t.a == 0:
		return 0
	case least == all:
		return 1
	}
	// Logarithms are looked up where their difference has all digits.
	ofAll := t.logs.of(all)
	apart, rare := ofAll-min(ofAll-f.with, t.class.shift)-t.logs.of(t.a), max(ofAll-f.with, t.class.shift)
	if 2*t.a > most {
		apart = kernels.LogRatio(most, t.a, most-t.a)
	}
	if 2*least > all {
		rare = kernels.LogRatio(all, least, all-least)
	}
	return kernels.Exp(-apart / rare)
}

// leastLog is a logarithm that a difference of two others has with nine digits at least.
const leastLog = 1e-3

// googleDistanceBounds are not below [googleDistance]: 1/(1 + x + x²/2 + x³/6 + x⁴/24) is not below exp(-x).
func googleDistanceBounds(c *columns) bounds {
	f, dst, logs := &c.side.term, c.values, c.side.logs
	all := logs.of(f.total)
	termShift := all - f.with
	a, shift := c.a[:len(dst)], c.shift[:len(dst)]
	for k, a := range a {
		// The logarithms of N over df and over n_c: the larger is that of the smaller number.
		most, least := min(termShift, shift[k]), max(termShift, shift[k])
		if least < leastLog {
			dst[k] = 1
			continue
		}
		// x is rest/least; both sides of the quotient are multiplied by least⁴.
		rest := max(0, all-logs.of(a)-most)
		power, sum := float64(least*least), least+float64(rest*.25)
		sum = float64(power*least) + float64(float64(rest*(1./2))*(power+float64(float64(rest*(1./3))*sum)))
		power *= power
		dst[k] = power / (power + float64(rest*sum))
	}
	return bounds{values: dst, factor: 1}
}
