package naive

import (
	"math"
	"math/big"
)

// This file compares the values of a term in all documents, x, with a number of each document, y:
// by exact fractions, pair by pair.

// A Target is a term and a number, both by document.
type Target struct{ X, Y []*big.Rat }

// Presence returns the target with 1 for every x that is not 0.
func (t Target) Presence() Target {
	p := Target{Y: t.Y}
	for _, x := range t.X {
		p.X = append(p.X, big.NewRat(int64(x.Sign()), 1))
	}
	return p
}

// Ranks returns the target with the mid-ranks of x and of y.
func (t Target) Ranks() Target { return Target{midRanks(t.X), midRanks(t.Y)} }

func midRanks(x []*big.Rat) (ranks []*big.Rat) {
	for _, v := range x {
		below, equal := int64(0), int64(0)
		for _, o := range x {
			switch v.Cmp(o) {
			case 1:
				below++
			case 0:
				equal++
			}
		}
		ranks = append(ranks, big.NewRat(2*below+equal+1, 2))
	}
	return ranks
}

// moment is NΣxy - ΣxΣy.
func moment(x, y []*big.Rat) *big.Rat {
	n, sx, sy, sxy := big.NewRat(int64(len(x)), 1), new(big.Rat), new(big.Rat), new(big.Rat)
	for i := range x {
		sx.Add(sx, x[i])
		sy.Add(sy, y[i])
		sxy.Add(sxy, new(big.Rat).Mul(x[i], y[i]))
	}
	return n.Sub(n.Mul(n, sxy), sx.Mul(sx, sy))
}

// Share is r², 0 where x or y is constant.
func (t Target) Share() *big.Rat {
	gap, both := moment(t.X, t.Y), moment(t.X, t.X)
	if both.Mul(both, moment(t.Y, t.Y)).Sign() == 0 {
		return both
	}
	return gap.Quo(gap.Mul(gap, gap), both)
}

// R is Pearson's coefficient.
func (t Target) R() float64 { return float64(moment(t.X, t.Y).Sign()) * root(t.Share()) }

// F is that of the regression of y on x.
func (t Target) F() float64 {
	share := t.Share()
	rest := new(big.Rat).Sub(big.NewRat(1, 1), share)
	if rest.Sign() == 0 {
		return math.Inf(1)
	}
	share.Mul(share, big.NewRat(int64(len(t.X)-2), 1))
	return rational(share.Quo(share, rest))
}

// LnF is the natural logarithm of its p-value, and that of r.
func (t Target) LnF() float64 { return lnF(t.F(), 1, len(t.X)-2) }

// ChiTrend is N·r², and Linear (N-1)·r².
func (t Target) ChiTrend() float64 {
	share := t.Share()
	return rational(share.Mul(share, big.NewRat(int64(len(t.X)), 1)))
}

func (t Target) Linear() float64 {
	share := t.Share()
	return rational(share.Mul(share, big.NewRat(int64(len(t.X)-1), 1)))
}

// LnNormal is ln of the two-sided p-value of z.
func LnNormal(z float64) float64 { return lnErfc(math.Abs(z) / math.Sqrt2) }

// Concordance is S, the concordant pairs less the discordant ones.
func (t Target) Concordance() int64 {
	s := 0
	for i := range t.X {
		for j := range i {
			s += t.X[i].Cmp(t.X[j]) * t.Y[i].Cmp(t.Y[j])
		}
	}
	return int64(s)
}

// differing is the pairs that differ, by number of documents and by the sizes of groups of equal ones.
func differing(x []*big.Rat) (pairs int64, ties []int64) {
	seen := make([]bool, len(x))
	for i := range x {
		size := int64(1)
		for j := range i {
			if x[i].Cmp(x[j]) != 0 {
				pairs++
			}
		}
		if seen[i] {
			continue
		}
		for j := i + 1; j < len(x); j++ {
			if x[i].Cmp(x[j]) == 0 {
				size, seen[j] = size+1, true
			}
		}
		ties = append(ties, size)
	}
	return pairs, ties
}

// TauB is Kendall's tau-b, 0 where x or y is constant.
func (t Target) TauB() float64 {
	dx, _ := differing(t.X)
	dy, _ := differing(t.Y)
	if dx == 0 || dy == 0 {
		return 0
	}
	s := t.Concordance()
	share := new(big.Rat).SetInt64(s)
	share.Mul(share, share).Quo(share, new(big.Rat).Mul(big.NewRat(dx, 1), big.NewRat(dy, 1)))
	return float64(big.NewInt(s).Sign()) * root(share)
}

// TauVariance is the variance of S with ties (Kendall 1970, ch. 5).
func (t Target) TauVariance() *big.Rat {
	n := int64(len(t.X))
	_, tx := differing(t.X)
	_, ty := differing(t.Y)
	sum := func(ties []int64, f func(t int64) int64) *big.Rat {
		s := new(big.Rat)
		for _, t := range ties {
			s.Add(s, big.NewRat(f(t), 1))
		}
		return s
	}
	fives := func(t int64) int64 { return t * (t - 1) * (2*t + 5) }
	pairs := func(t int64) int64 { return t * (t - 1) }
	triples := func(t int64) int64 { return t * (t - 1) * (t - 2) }
	v := big.NewRat(fives(n), 1)
	v.Sub(v, sum(tx, fives)).Sub(v, sum(ty, fives)).Quo(v, big.NewRat(18, 1))
	two := new(big.Rat).Mul(sum(tx, pairs), sum(ty, pairs))
	v.Add(v, two.Quo(two, big.NewRat(2*n*(n-1), 1)))
	if n > 2 {
		three := new(big.Rat).Mul(sum(tx, triples), sum(ty, triples))
		v.Add(v, three.Quo(three, big.NewRat(9*n*(n-1)*(n-2), 1)))
	}
	return v
}

// U is that of Mann and Whitney: pairs of a document with the term and one without in which the first has
// the larger y, equal ones half; and the number of all such pairs.
func (t Target) U() (u *big.Rat, pairs int64) {
	u = new(big.Rat)
	for i := range t.X {
		for j := range t.X {
			if t.X[i].Sign() != 0 && t.X[j].Sign() == 0 {
				u.Add(u, big.NewRat(int64(t.Y[i].Cmp(t.Y[j])+1), 2))
				pairs++
			}
		}
	}
	return u, pairs
}

// UVariance is the variance of U, with what ties take off it if that is asked for.
func (t Target) UVariance(ties bool) *big.Rat {
	n := int64(len(t.X))
	_, pairs := t.U()
	lost := new(big.Rat)
	if _, groups := differing(t.Y); ties {
		for _, g := range groups {
			lost.Add(lost, big.NewRat(g*g*g-g, n*(n-1)))
		}
	}
	v := big.NewRat(n+1, 1)
	return v.Sub(v, lost).Mul(v, big.NewRat(pairs, 12))
}

// UZ is the normal deviate of U, with ½ off its distance from the mean if corrected; NaN if no document or every
// one has the term.
func (t Target) UZ(corrected, ties bool) float64 {
	u, pairs := t.U()
	if pairs == 0 {
		return math.NaN()
	}
	off := new(big.Rat).Sub(u, big.NewRat(pairs, 2))
	side := float64(off.Sign())
	off.Abs(off)
	if corrected {
		off.Sub(off, big.NewRat(1, 2))
	}
	v := t.UVariance(ties)
	if off.Sign() <= 0 || v.Sign() == 0 {
		return 0
	}
	return side * root(off.Quo(off.Mul(off, off), v))
}

// Means are the mean y of the documents with the term and of those without.
func (t Target) Means() (with, without float64) {
	sums, n := [2]*big.Rat{new(big.Rat), new(big.Rat)}, [2]int64{}
	for i, x := range t.X {
		side := 1 - x.Sign()
		sums[side].Add(sums[side], t.Y[i])
		n[side]++
	}
	mean := func(side int) float64 {
		if n[side] == 0 {
			return math.NaN()
		}
		return rational(sums[side].Quo(sums[side], big.NewRat(n[side], 1)))
	}
	return mean(0), mean(1)
}

func rational(r *big.Rat) float64 { f, _ := r.Float64(); return f }

// root is the square root of a fraction.
func root(r *big.Rat) float64 {
	f, _ := new(big.Float).Sqrt(new(big.Float).SetPrec(300).SetRat(r)).Float64()
	return f
}
