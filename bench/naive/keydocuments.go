package naive

import (
	"math"
	"math/big"
	"slices"
	"sort"
)

// This file compares how the documents of two corpora use a term, in exact fractions as far as there
// are no roots.

// Texts are the documents of a corpus as their tokens.
type Texts [][]string

// Shares are f/L of a term in each document, 0 in an empty one.
func (x Texts) Shares(term string) (shares []*big.Rat) {
	for _, tokens := range x {
		shares = append(shares, fraction(occurrences(tokens, term), max(1, int64(len(tokens)))))
	}
	return shares
}

func occurrences(tokens []string, term string) (n int64) {
	for _, token := range tokens {
		if token == term {
			n++
		}
	}
	return n
}

// Count is the occurrences of a term, and all tokens.
func (x Texts) Count(term string) (f, total int64) {
	for _, tokens := range x {
		f, total = f+occurrences(tokens, term), total+int64(len(tokens))
	}
	return f, total
}

// Range is the number of documents with a term.
func (x Texts) Range(term string) (df int64) {
	for _, tokens := range x {
		if slices.Contains(tokens, term) {
			df++
		}
	}
	return df
}

// Segments are the runs of n tokens of each document, from its start; what is left is dropped.
func (x Texts) Segments(n int) (segments Texts) {
	for _, tokens := range x {
		for ; len(tokens) >= n; tokens = tokens[n:] {
			segments = append(segments, tokens[:n])
		}
	}
	return segments
}

// Deviation is ½ Σ|f_d/a - L_d/T| over all documents, nil for a term that is absent.
func (x Texts) Deviation(term string) *big.Rat {
	f, total := x.Count(term)
	if f == 0 {
		return nil
	}
	sum := new(big.Rat)
	for _, tokens := range x {
		d := sub(fraction(occurrences(tokens, term), f), fraction(int64(len(tokens)), total))
		sum.Add(sum, d.Abs(d))
	}
	return quo(sum, fraction(2, 1))
}

// Eta is the deviation in the reference less that in the target, that of an absent term being 1.
func Eta(target, reference Texts, term string) *big.Rat {
	of := func(x Texts) *big.Rat {
		if d := x.Deviation(term); d != nil {
			return d
		}
		return fraction(1, 1)
	}
	return sub(of(reference), of(target))
}

// MeanRatio is the mean share of the target over that of the reference, to each of which much is
// added times 1000 is taken if much is positive.
func MeanRatio(target, reference Texts, term string, much *big.Rat) float64 {
	mean := func(x Texts) *big.Rat { return add(mul(meanOf(x.Shares(term)), fraction(1000, 1)), much) }
	if b := mean(reference); b.Sign() != 0 {
		return rounded(wide(quo(mean(target), b)))
	}
	return math.Inf(1)
}

func meanOf(values []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, v := range values {
		sum.Add(sum, v)
	}
	return quo(sum, fraction(int64(len(values)), 1))
}

// A RankTest compares two samples by the ranks of their values.
type RankTest struct{ First, Second []*big.Rat }

func (r RankTest) n() (first, second *big.Rat) {
	return fraction(int64(len(r.First)), 1), fraction(int64(len(r.Second)), 1)
}

// U is how many pairs the first sample wins, a draw being half.
func (r RankTest) U() *big.Rat {
	twice := int64(0)
	for _, x := range r.First {
		for _, y := range r.Second {
			twice += int64(x.Cmp(y) + 1)
		}
	}
	return fraction(twice, 2)
}

// Variance is that of U, with correction for ties.
func (r RankTest) Variance() *big.Rat {
	first, second := r.n()
	m := add(first, second)
	equal, sum := map[string]int64{}, new(big.Rat)
	for _, x := range slices.Concat(r.First, r.Second) {
		equal[x.RatString()]++
	}
	for _, t := range equal {
		sum.Add(sum, fraction(t*t*t-t, 1))
	}
	inside := sub(add(m, fraction(1, 1)), quo(sum, mul(m, sub(m, fraction(1, 1)))))
	return mul(quo(mul(first, second), fraction(12, 1)), inside)
}

// Z is (U - n1·n2/2)/σ, with ½ less for continuity, but never beyond 0.
func (r RankTest) Z() float64 {
	first, second := r.n()
	d := sub(r.U(), quo(mul(first, second), fraction(2, 1)))
	sign := d.Sign()
	d = sub(d.Abs(d), fraction(1, 2))
	variance := r.Variance()
	if d.Sign() <= 0 || variance.Sign() == 0 {
		return 0
	}
	z := new(big.Float).Quo(wide(d), new(big.Float).Sqrt(wide(variance)))
	return float64(sign) * rounded(z)
}

// LnP is the two-sided p-value of a z.
func LnP(z float64) float64 { return lnErfc(math.Abs(z) / math.Sqrt2) }

// Superiority is U/(n1·n2).
func (r RankTest) Superiority() *big.Rat {
	first, second := r.n()
	return quo(r.U(), mul(first, second))
}

// A MeanTest is Welch's t of two samples.
type MeanTest struct{ First, Second []*big.Rat }

// squaredError is Σ(x-m)²/(n-1)/n, nil for less than two values.
func squaredError(values []*big.Rat) *big.Rat {
	n := int64(len(values))
	if n < 2 {
		return nil
	}
	m, sum := meanOf(values), new(big.Rat)
	for _, v := range values {
		d := sub(v, m)
		sum.Add(sum, mul(d, d))
	}
	return quo(sum, fraction(n*(n-1), 1))
}

// T is the statistic, t² where it is a fraction, and the degrees of freedom. What is not defined is NaN,
// or nil.
func (w MeanTest) T() (t float64, squared *big.Rat, degrees float64) {
	v1, v2 := squaredError(w.First), squaredError(w.Second)
	if v1 == nil || v2 == nil {
		return math.NaN(), nil, math.NaN()
	}
	d, v := sub(meanOf(w.First), meanOf(w.Second)), add(v1, v2)
	if v.Sign() == 0 {
		if d.Sign() == 0 {
			return 0, nil, math.NaN()
		}
		return math.Inf(d.Sign()), nil, math.NaN()
	}
	squared = quo(mul(d, d), v)
	share := func(v *big.Rat, n int) *big.Rat { return quo(mul(v, v), fraction(int64(n-1), 1)) }
	nu := quo(mul(v, v), add(share(v1, len(w.First)), share(v2, len(w.Second))))
	return float64(d.Sign()) * rounded(new(big.Float).Sqrt(wide(squared))), squared, rounded(wide(nu))
}

// LnP is the two-sided p-value, that of F = t².
func (w MeanTest) LnP() float64 {
	t, _, degrees := w.T()
	if math.IsNaN(t) {
		return t
	}
	return lnF(t*t, 1, degrees)
}

// Divide parts documents into those that are in a set and the others.
func (x Texts) Divide(in []bool) (first, second Texts) {
	for d, tokens := range x {
		if in[d] {
			first = append(first, tokens)
		} else {
			second = append(second, tokens)
		}
	}
	return first, second
}

// Reaches reports whether a value is at least as extreme as another, within a relative 1e-12.
func Reaches(value, other float64) bool {
	return math.Abs(value) >= math.Abs(other)*(1-1e-12)
}

// LLOf is the log-likelihood of a term.
func LLOf(target, reference Texts, term string) float64 {
	a, t1 := target.Count(term)
	b, t2 := reference.Count(term)
	if a+b == 0 {
		return 0
	}
	return Keyness{A: a, B: b, T1: t1, T2: t2}.LL()
}

// MeanDifference is the difference of the mean shares.
func MeanDifference(target, reference Texts, term string) float64 {
	return rounded(wide(sub(meanOf(target.Shares(term)), meanOf(reference.Shares(term)))))
}

// RankZ is [RankTest.Z] of shares in float64, with both corrections, by a sort of all of them.
func RankZ(first, second []float64) float64 {
	type share struct {
		value float64
		own   bool
	}
	var all []share
	for _, v := range first {
		all = append(all, share{v, true})
	}
	for _, v := range second {
		all = append(all, share{v, false})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].value < all[j].value })
	n, m := float64(len(first)), float64(len(second))
	ranks, ties := 0., 0.
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].value == all[from].value {
			to++
		}
		for _, s := range all[from:to] {
			if s.own {
				ranks += float64(from+1+to) / 2
			}
		}
		t := float64(to - from)
		ties += t*t*t - t
		from = to
	}
	d := ranks - n*(n+1)/2 - n*m/2
	variance := n * m / 12 * (n + m + 1 - ties/((n+m)*(n+m-1)))
	if math.Abs(d) <= .5 || variance <= 0 {
		return 0
	}
	return (d - math.Copysign(.5, d)) / math.Sqrt(variance)
}
