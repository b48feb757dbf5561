package naive

import (
	"math"
	"math/big"
)

// This file has measures of keyness beyond those of Keyness's first file: of occurrences, and with
// documents for occurrences those of documents.

// SimpleMaths is (10⁶a/T1 + k)/(10⁶b/T2 + k) (Kilgarriff 2009).
func (k Keyness) SimpleMaths(smooth *big.Rat) *big.Rat {
	rate := func(n, of int64) *big.Rat { return add(mul(fraction(1e6, 1), fraction(n, of)), smooth) }
	return quo(rate(k.A, k.T1), rate(k.B, k.T2))
}

// logTwo is log2 r.
func logTwo(r *big.Rat) *big.Float {
	l := lnWide(r)
	return l.Quo(l, lnWide(fraction(2, 1)))
}

// LRC is the bound nearer to 0 of the log ratio's confidence interval, 0 if the interval has 0 in
// it; the risk of m tests is shared (Evert 2022).
func (k Keyness) LRC(conf *big.Rat, m int64) float64 {
	risk := quo(sub(fraction(1, 1), conf), fraction(2*m, 1))
	if k.Sign() >= 0 {
		return max(0, k.LowerLogRatio(risk))
	}
	if k.B == 0 {
		return 0
	}
	return min(0, k.logRatioAt(k.A+1, sub(fraction(1, 1), risk))) // where a or fewer of a+b have the probability of the risk
}

// LRCPos is the lower bound alone, which has the whole risk.
func (k Keyness) LRCPos(conf *big.Rat, m int64) float64 {
	return k.LowerLogRatio(quo(sub(fraction(1, 1), conf), fraction(m, 1)))
}

// LowerLogRatio is log2(T2/T1·τ/(1-τ)) of the τ at which a or more of a+b have the probability of
// the risk.
func (k Keyness) LowerLogRatio(risk *big.Rat) float64 {
	if k.A == 0 {
		return math.Inf(-1)
	}
	return k.logRatioAt(k.A, risk)
}

// bisectionRange: odds are sought between 2^-bisectionRange and 2^bisectionRange.
const bisectionRange = 100

// logRatioAt is log2(T2/T1·q) of the odds q at which least or more of a+b successes have the
// probability.
func (k Keyness) logRatioAt(least int64, probability *big.Rat) float64 {
	want, odds := wide(probability), wide(new(big.Rat))
	low, high := -float64(bisectionRange), float64(bisectionRange) // of log2 q
	for range 62 {
		middle := (low + high) / 2
		whole := math.Floor(middle)
		odds.SetMantExp(odds.SetFloat64(math.Exp2(middle-whole)), int(whole)) // about 2^middle
		if atLeast(least, k.A+k.B, odds).Cmp(want) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	q, _ := odds.Rat(nil)
	return rounded(logTwo(mul(q, fraction(k.T2, k.T1))))
}

// atLeast is the probability of at least that many successes in n tries with the odds.
func atLeast(least, n int64, odds *big.Float) *big.Float {
	some, all, power := wide(new(big.Rat)), wide(new(big.Rat)), wide(fraction(1, 1))
	ways := big.NewInt(1)
	for i := range n + 1 {
		term := wide(new(big.Rat).SetInt(ways))
		term.Mul(term, power)
		if all.Add(all, term); i >= least {
			some.Add(some, term)
		}
		power.Mul(power, odds)
		ways.Mul(ways, big.NewInt(n-i)).Quo(ways, big.NewInt(i+1))
	}
	return some.Quo(some, all)
}

// Shares are p1 and p2, the shares of documents that have the term.
func (k Keyness) Shares() (p1, p2 *big.Rat) { return fraction(k.A, k.T1), fraction(k.B, k.T2) }

// Zeta is p1 - p2 (Burrows 2007).
func (k Keyness) Zeta() *big.Rat {
	p1, p2 := k.Shares()
	return sub(p1, p2)
}

// ZetaCraig is p1 + (1 - p2) (Craig and Kinney 2009).
func (k Keyness) ZetaCraig() *big.Rat { return add(k.Zeta(), fraction(1, 1)) }

// ZetaEder is (p1 - p2)/(p1 + p2).
func (k Keyness) ZetaEder() *big.Rat {
	p1, p2 := k.Shares()
	return quo(k.Zeta(), add(p1, p2))
}

// ZetaLog is log2(p1 + c) - log2(p2 + c) (Schöch et al. 2018).
func (k Keyness) ZetaLog(c *big.Rat) float64 {
	p1, p2 := k.Shares()
	return rounded(logTwo(quo(add(p1, c), add(p2, c))))
}

// JLH is (g-h)·g/h of g in the target against h in both corpora, 0 for g <= h.
func (k Keyness) JLH() *big.Rat {
	g, h := fraction(k.A, k.T1), fraction(k.A+k.B, k.T1+k.T2)
	if g.Cmp(h) <= 0 {
		return new(big.Rat)
	}
	return quo(mul(sub(g, h), g), h)
}

// GND is exp(-(ln max(df, n) - ln a)/(ln N - ln min(df, n))) of the target's n documents.
func (k Keyness) GND() float64 {
	df, n, all := k.A+k.B, k.T1, k.T1+k.T2
	switch {
	case k.A == 0:
		return 0
	case df == all && n == all:
		return 1
	}
	distance := lnWide(fraction(max(df, n), k.A))
	return math.Exp(-rounded(distance.Quo(distance, lnWide(fraction(all, min(df, n))))))
}
