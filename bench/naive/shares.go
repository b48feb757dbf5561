package naive

import (
	"cmp"
	"math"
	"slices"
)

// This file has the measures of key words that compare shares: those of a class and the rest, or of a
// class and everything.

// NewMeasures lists the measures that "new" stands for.
func NewMeasures() []string {
	return []string{"jlh", "gnd", "zeta", "zetacraig", "zetaeder", "zetalog", "simplemaths", "ctfidf"}
}

// zeta is p - q of Burrows 2007, where p and q are the shares of the documents of the class and of
// the rest with the term; 0 for a class that is nothing or everything.
func zeta(x cell, _ Options) float64 {
	if x.lopsided() {
		return 0
	}
	return x.det() / (x.in() * x.out())
}

// zetaEder is (p - q)/(p + q), undefined where both are 0.
func zetaEder(x cell, o Options) float64 {
	switch {
	case x.with() == 0:
		return math.NaN()
	case x.lopsided():
		return 0
	}
	return zeta(x, o) / (x.a/x.in() + x.b/x.out())
}

// zetaLog is log2(p + c) - log2(q + c) of Schöch et al. 2018.
func zetaLog(x cell, o Options) float64 {
	if x.lopsided() {
		return 0
	}
	c := cmp.Or(o.ZetaC, 1.1)
	return lnRatio(x.a/x.in()+c, x.b/x.out()+c, zeta(x, o)) / math.Ln2
}

// simpleMaths is (10^6 S/T_c + k)/(10^6 S'/T' + k) of Kilgarriff 2009; S' and T' count what is outside
// the class.
func simpleMaths(tb *Tables, o Options) classFunc {
	k := cmp.Or(o.Smooth, 1)
	return func(t, c int) float64 {
		x := tb.tokens(t, c)
		if tb.whole(c) || x.lopsided() {
			return 1
		}
		return (1e6*x.a/x.in() + k) / (1e6*x.b/x.out() + k)
	}
}

// jlh is (g - h) g/h with the shares g of the class and h of all documents; 0 where g is not larger.
func jlh(x cell, _ Options) float64 {
	above := x.a*x.n() - x.with()*x.in()
	if above <= 0 {
		return 0
	}
	g, h := x.a/x.in(), x.with()/x.n()
	return above / (x.in() * x.n()) * g / h
}

// gnd is exp(-d), where d is the Google distance of Cilibrasi and Vitányi 2007 between the term and the
// class.
func gnd(x cell, _ Options) float64 {
	most, least := math.Max(x.with(), x.in()), math.Min(x.with(), x.in())
	switch {
	case x.a == 0:
		return 0
	case least == x.n():
		return 1
	}
	return math.Exp(-lnRatio(most, x.a, most-x.a) / lnRatio(x.n(), least, x.n()-least))
}

// ctfidf is the c-TF-IDF of Grootendorst 2022: each class is one document. cf and the mean of the tokens
// are sums over the classes.
func ctfidf(tb *Tables, o Options) classFunc {
	mean := tb.tokensOfClasses()
	return func(t, c int) float64 {
		if tb.TC[c] == 0 || tb.S[t][c] == 0 {
			return 0
		}
		cf := 0.
		for _, n := range tb.S[t] {
			cf += n
		}
		share, idf := tb.S[t][c]/tb.TC[c], math.Log1p(mean/cf)
		if o.BM25 {
			idf = lnRatio(mean+1, cf+.5, mean+.5-cf)
		}
		if o.ReduceFrequent {
			share = math.Sqrt(share)
		}
		if slices.Contains(o.Seeds, t) {
			idf *= cmp.Or(o.SeedMultiplier, 2)
		}
		return share * idf
	}
}

// tokensOfClasses is the mean of the tokens of the classes, rounded down.
func (tb *Tables) tokensOfClasses() float64 {
	tokens := 0.
	for _, n := range tb.TC {
		tokens += n
	}
	return math.Floor(tokens / float64(len(tb.TC)))
}
