package naive

import (
	"math"
	"math/big"
)

// A Stratum is the 2x2 table of documents of a term and a class in one stratum: A, B, C, D.
type Stratum [4]int

// total returns the number of documents.
func (s Stratum) total() int { return s[0] + s[1] + s[2] + s[3] }

// Strata are the tables of all strata.
type Strata []Stratum

// product returns the product of numbers divided by those of under.
func product(over []int, under ...int) *big.Rat {
	r := big.NewRat(1, 1)
	for _, n := range over {
		r.Mul(r, big.NewRat(int64(n), 1))
	}
	for _, n := range under {
		r.Quo(r, big.NewRat(int64(n), 1))
	}
	return r
}

// sum adds up a number of each stratum that has more than one document.
func (all Strata) sum(of func(a, b, c, d, n int) *big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, s := range all {
		if n := s.total(); n > 1 {
			sum.Add(sum, of(s[0], s[1], s[2], s[3], n))
		}
	}
	return sum
}

// Delta is Σ(A - E).
func (all Strata) Delta() *big.Rat {
	return all.sum(func(a, b, c, d, n int) *big.Rat {
		return new(big.Rat).Sub(big.NewRat(int64(a), 1), product([]int{a + b, a + c}, n))
	})
}

// MH is the chi-square of Mantel and Haenszel.
func (all Strata) MH() *big.Rat {
	delta := all.Delta()
	return all.overVariance(delta.Mul(delta, delta))
}

// CorrectedMH is MH corrected for continuity.
func (all Strata) CorrectedMH() *big.Rat {
	delta := all.Delta()
	delta.Abs(delta).Sub(delta, big.NewRat(1, 2))
	if delta.Sign() < 0 {
		return new(big.Rat)
	}
	return all.overVariance(delta.Mul(delta, delta))
}

// overVariance divides by ΣV; it gives 0 where that is 0.
func (all Strata) overVariance(x *big.Rat) *big.Rat {
	v := all.sum(func(a, b, c, d, n int) *big.Rat {
		return product([]int{a + b, c + d, a + c, b + d}, n, n, n-1)
	})
	if v.Sign() == 0 {
		return v
	}
	return x.Quo(x, v)
}

// OddsRatio is the common odds ratio: inf for x/0, NaN for 0/0.
func (all Strata) OddsRatio() float64 {
	r, s := all.crossed()
	switch {
	case r.Sign() == 0 && s.Sign() == 0:
		return math.NaN()
	case s.Sign() == 0:
		return math.Inf(1)
	}
	ratio, _ := new(big.Rat).Quo(r, s).Float64()
	return ratio
}

// crossed returns Σ AD/n and Σ BC/n.
func (all Strata) crossed() (r, s *big.Rat) {
	return all.sum(func(a, _, _, d, n int) *big.Rat { return product([]int{a, d}, n) }),
		all.sum(func(_, b, c, _, n int) *big.Rat { return product([]int{b, c}, n) })
}

// LnVariance is the variance of the logarithm of the odds ratio, and NaN where it has none.
func (all Strata) LnVariance() float64 {
	r, s := all.crossed()
	if r.Sign() == 0 || s.Sign() == 0 {
		return math.NaN()
	}
	pr := all.sum(func(a, _, _, d, n int) *big.Rat { return product([]int{a + d, a, d}, n, n) })
	qs := all.sum(func(_, b, c, _, n int) *big.Rat { return product([]int{b + c, b, c}, n, n) })
	mixed := all.sum(func(a, b, c, d, n int) *big.Rat {
		x := product([]int{a + d, b, c}, n, n)
		return x.Add(x, product([]int{b + c, a, d}, n, n))
	})
	sum := new(big.Rat)
	for _, part := range [][3]*big.Rat{{pr, r, r}, {mixed, r, s}, {qs, s, s}} {
		x := new(big.Rat).Quo(part[0], part[1])
		sum.Add(sum, x.Quo(x, part[2]))
	}
	v, _ := sum.Quo(sum, big.NewRat(2, 1)).Float64()
	return v
}

// Strata returns the tables of a term and a class, by the stratum of each document.
func (c *Corpus) Strata(term, class int, stratum []int) (all Strata) {
	for d, h := range stratum {
		for len(all) <= h {
			all = append(all, Stratum{})
		}
		doc, place := c.Docs[d], 3
		if doc.Counts[term] > 0 {
			place -= 2
		}
		for _, l := range doc.Labels {
			if l == class {
				place--
			}
		}
		all[h][place]++
	}
	return all
}

// LnChiSquare is ln p of a chi-square of one degree of freedom.
func LnChiSquare(x float64) float64 { return lnChiSquare(x, 1) }
