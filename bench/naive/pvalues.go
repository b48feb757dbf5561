package naive

import (
	"math"
	"math/big"
)

// This file has the p-values of measures, as natural logarithms, by sums and integrals
// that converge slowly but need no thought.

// PValue is ln P(at least a value) of a measure where terms and classes are
// independent, of a class value or of the measure's own. It panics for those without.
func (tb *Tables) PValue(measure string, value float64) float64 {
	k := tb.nonEmpty()
	switch measure {
	case "chi", "g2", "chitf", "g2tf":
		return lnChiSquare(value, 1)
	case "ngl", "logoddsz":
		return lnChiSquare(value*value, 1)
	case "emi":
		return lnChiSquare(2*tb.N*value, 1)
	case "ig":
		return lnChiSquare(2*tb.N*value, int(k)-1)
	case "ttest":
		return lnF(value*value, 1, tb.Pairs-k)
	case "anova":
		return lnF(value, k-1, tb.Pairs-k)
	}
	panic("naive: no p-values of " + measure)
}

// lnChiSquare is the tail of chi-square: e^-y Σ y^j/Γ(j+1) over j = d/2-1, d/2-2, ...
// down to 0 or 1/2, y = x/2, and for odd degrees what is left at 1/2, erfc(√y).
func lnChiSquare(x float64, degrees int) float64 {
	if degrees < 1 || x <= 0 {
		return 0
	}
	if math.IsInf(x, 1) {
		return math.Inf(-1)
	}
	y := x / 2
	var logs []float64
	for j := float64(degrees)/2 - 1; j >= 0; j-- {
		rest, _ := math.Lgamma(j + 1)
		logs = append(logs, -y+j*math.Log(y)-rest)
	}
	if degrees%2 == 1 {
		logs = append(logs, lnErfc(math.Sqrt(y)))
	}
	return math.Min(0, logSum(logs))
}

// lnErfc takes the asymptotic series where erfc itself underflows.
func lnErfc(y float64) float64 {
	if y < 20 {
		return math.Log(math.Erfc(y))
	}
	z := 1 / (2 * y * y)
	return -y*y - math.Log(y*math.Sqrt(math.Pi)) + math.Log(1-z+3*z*z-15*z*z*z)
}

func logSum(logs []float64) float64 {
	largest := math.Inf(-1)
	for _, l := range logs {
		largest = math.Max(largest, l)
	}
	sum := 0.
	for _, l := range logs {
		sum += math.Exp(l - largest)
	}
	return largest + math.Log(sum)
}

// lnF is the tail of F: the integral of 2 sin^(d2-1) cos^(d1-1)/B(d2/2, d1/2) from 0 to the angle whose tangent is
// √(d2/(d1 f)), by tanh-sinh quadrature, which bears the root at 0 that d2 below 1 has.
func lnF(f, d1, d2 float64) float64 {
	if d1 < 1 || d2 <= 0 || f <= 0 {
		return 0
	}
	if math.IsInf(f, 1) {
		return math.Inf(-1)
	}
	const step = 1. / 256
	end := math.Atan(math.Sqrt(d2 / d1 / f))
	var logs []float64
	for i := -1600; i <= 1600; i++ {
		x := float64(i) * step
		s := math.Pi / 2 * math.Sinh(x)
		angle, weight := end/(1+math.Exp(-2*s)), math.Pi/2*math.Cosh(x)/(math.Cosh(s)*math.Cosh(s))
		if angle > 0 && weight > 0 {
			logs = append(logs, math.Log(weight)+(d2-1)*math.Log(math.Sin(angle))+(d1-1)*math.Log(math.Cos(angle)))
		}
	}
	a, _ := math.Lgamma(d2 / 2)
	b, _ := math.Lgamma(d1 / 2)
	both, _ := math.Lgamma((d1 + d2) / 2)
	return math.Min(0, logSum(logs)+math.Log(end*step)-(a+b-both))
}

// Fisher is the two-sided exact test of a term and a class: the share of the tables
// with these margins that are not more probable than this one, by more than 1e-7.
func (tb *Tables) Fisher(t, c int) float64 {
	x := tb.documents(t, c)
	with, in, n := int64(x.with()), int64(x.in()), int64(x.n())
	ways := func(a int64) *big.Int {
		inside := new(big.Int).Binomial(in, a)
		return inside.Mul(inside, new(big.Int).Binomial(n-in, with-a))
	}
	most := new(big.Int).Mul(ways(int64(x.a)), big.NewInt(10_000_001))
	all, far := new(big.Int), new(big.Int)
	for a := max(0, with+in-n); a <= min(with, in); a++ {
		w := ways(a)
		all.Add(all, w)
		if new(big.Int).Mul(w, big.NewInt(10_000_000)).Cmp(most) <= 0 {
			far.Add(far, w)
		}
	}
	p, _ := new(big.Rat).SetFrac(far, all).Float64()
	return math.Log(p)
}
