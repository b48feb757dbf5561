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

// LnR is the natural logarithm of the p-value of r, that of F of the regression of y on x.
func (t Target) LnR() float64 {
	share, f := t.Share(), math.Inf(1)
	if rest := new(big.Rat).Sub(big.NewRat(1, 1), share); rest.Sign() != 0 {
		share.Mul(share, big.NewRat(int64(len(t.X)-2), 1))
		f = rational(share.Quo(share, rest))
	}
	return lnF(f, 1, float64(len(t.X)-2))
}

// ChiTrend is N·r².
func (t Target) ChiTrend() float64 {
	share := t.Share()
	return rational(share.Mul(share, big.NewRat(int64(len(t.X)), 1)))
}

func rational(r *big.Rat) float64 { return rounded(wide(r)) }

// root is the square root of a fraction.
func root(r *big.Rat) float64 { return rounded(new(big.Float).Sqrt(wide(r))) }
