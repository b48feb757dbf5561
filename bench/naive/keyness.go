package naive

import (
	"math"
	"math/big"
)

// A Keyness is a term in two corpora: A of T1 tokens are the term, and B of T2. Its methods
// compute the measures from exact fractions, with logarithms and roots of 160 bits, and
// round once, at the end.
type Keyness struct{ A, B, T1, T2 int64 }

// keynessBits is the precision of logarithms and roots.
const keynessBits = 160

// Sign is that of A/T1 - B/T2.
func (k Keyness) Sign() int { return fraction(k.A, k.T1).Cmp(fraction(k.B, k.T2)) }

// LL is 2(a ln(a/E1) + b ln(b/E2)), signed (Rayson and Garside 2000).
func (k Keyness) LL() float64 { return rounded(k.signed(k.ll())) }

// G2 is the same over the four cells (Dunning 1993).
func (k Keyness) G2() float64 {
	return k.table().likelihood(k.Sign())
}

// table has the four cells; the positions are the term and the target.
func (k Keyness) table() Collocation {
	return Collocation{N: k.T1 + k.T2, Marginals: []int64{k.A + k.B, k.T1}, Cells: []int64{k.T2 - k.B, k.B, k.T1 - k.A, k.A}}
}

// Chi is chi-square of the four cells, signed; with Yates's correction each |O-E| is less
// by 1/2, or 0.
func (k Keyness) Chi(yates bool) float64 {
	less := new(big.Rat)
	if yates {
		less.SetFrac64(1, 2)
	}
	v := k.table().chiSquare(less)
	if k.Sign() < 0 {
		return -v
	}
	return v
}

// Z is the z score of log odds with the prior α = 10(a+b)/N (Monroe, Colaresi and Quinn 2008),
// 0 if there is no other term.
func (k Keyness) Z() float64 {
	if k.A+k.B == k.T1+k.T2 {
		return 0
	}
	alpha := fraction(10*(k.A+k.B), k.T1+k.T2)
	odds := func(y, n int64) (of, inverse *big.Rat) {
		yes := add(fraction(y, 1), alpha)
		return quo(yes, sub(fraction(n+10, 1), yes)), new(big.Rat).Inv(yes)
	}
	first, variance := odds(k.A, k.T1)
	second, more := odds(k.B, k.T2)
	delta := lnWide(quo(first, second))
	return rounded(delta.Quo(delta, new(big.Float).Sqrt(wide(add(variance, more)))))
}

// LogRatio is log2((a/T1)/(b/T2)), with 1/2 for 0 (Hardie 2014).
func (k Keyness) LogRatio() float64 {
	half := func(n, of int64) *big.Rat {
		if n == 0 {
			return fraction(1, 2*of)
		}
		return fraction(n, of)
	}
	return rounded(logTwo(quo(half(k.A, k.T1), half(k.B, k.T2))))
}

// Diff is 100(a/T1 - b/T2)/(b/T2) (Gabrielatos and Marchi 2012), inf for b = 0.
func (k Keyness) Diff() float64 {
	if k.B == 0 {
		return math.Inf(1)
	}
	b := fraction(k.B, k.T2)
	return rounded(wide(mul(quo(sub(fraction(k.A, k.T1), b), b), fraction(100, 1))))
}

// ELL is LL/(N ln(min(E1, E2))) (Johnston, Berry and Mielke 2006), NaN where the
// expectation is at most 1.
func (k Keyness) ELL() float64 {
	least := mul(fraction(k.A+k.B, k.T1+k.T2), fraction(min(k.T1, k.T2), 1))
	if least.Cmp(fraction(1, 1)) <= 0 {
		return math.NaN()
	}
	below, l := lnWide(least), k.ll()
	below.Mul(below, wide(fraction(k.T1+k.T2, 1)))
	return rounded(l.Quo(l, below))
}

// OddsRatio is a(T2-b)/(b(T1-a)), 1 for 0/0.
func (k Keyness) OddsRatio() float64 {
	with, without := mul(fraction(k.A, 1), fraction(k.T2-k.B, 1)), mul(fraction(k.B, 1), fraction(k.T1-k.A, 1))
	switch {
	case without.Sign() != 0:
		return rounded(wide(quo(with, without)))
	case with.Sign() == 0:
		return 1
	}
	return math.Inf(1)
}

// BIC is LL - ln N (Wilson 2013).
func (k Keyness) BIC() float64 {
	l := k.ll()
	return rounded(l.Sub(l, lnWide(fraction(k.T1+k.T2, 1))))
}

// PMI is ln(a/E1), -inf for a = 0.
func (k Keyness) PMI() float64 {
	if k.A == 0 {
		return math.Inf(-1)
	}
	return rounded(lnWide(quo(fraction(k.A, k.A+k.B), fraction(k.T1, k.T1+k.T2))))
}

// ll is 2Σ O ln(O/E) over the cells of a and b, E being both shared by the tokens.
func (k Keyness) ll() *big.Float {
	sum := wide(new(big.Rat))
	for _, cell := range [][2]int64{{k.A, k.T1}, {k.B, k.T2}} {
		if cell[0] > 0 {
			term := lnWide(quo(fraction(cell[0], 1), mul(fraction(k.A+k.B, k.T1+k.T2), fraction(cell[1], 1))))
			sum.Add(sum, term.Mul(term, wide(fraction(2*cell[0], 1))))
		}
	}
	return sum
}

func (k Keyness) signed(v *big.Float) *big.Float {
	if k.Sign() < 0 {
		return v.Neg(v)
	}
	return v
}

// Spread is how a term is spread over documents: its occurrences and the tokens of each.
type Spread struct{ Occurrences, Tokens []int64 }

// parts are the documents with tokens, and the sums.
func (s Spread) parts() (with []int, f, total int64) {
	for i, n := range s.Tokens {
		f, total = f+s.Occurrences[i], total+n
		if n > 0 {
			with = append(with, i)
		}
	}
	return with, f, total
}

// DP is half of Σ|v/f - s| (Gries 2008), NaN for fewer than two documents or no occurrence.
func (s Spread) DP() float64 {
	d, _ := s.proportions()
	return roundedOrNaN(d)
}

// DPNorm is DP/(1 - min s) (Lijffijt and Gries 2012).
func (s Spread) DPNorm() float64 {
	d, least := s.proportions()
	if d != nil {
		d = quo(d, sub(fraction(1, 1), least))
	}
	return roundedOrNaN(d)
}

func roundedOrNaN(r *big.Rat) float64 {
	if r == nil {
		return math.NaN()
	}
	return rounded(wide(r))
}

// proportions is DP, nil where it is not defined, and the least s.
func (s Spread) proportions() (dp, least *big.Rat) {
	with, f, total := s.parts()
	if len(with) < 2 || f == 0 {
		return nil, nil
	}
	sum, least := new(big.Rat), fraction(1, 1)
	for _, i := range with {
		share := fraction(s.Tokens[i], total)
		if share.Cmp(least) < 0 {
			least = share
		}
		d := sub(fraction(s.Occurrences[i], f), share)
		sum.Add(sum, d.Abs(d))
	}
	return quo(sum, fraction(2, 1)), least
}

// JuillandD is 1 - V/√(n-1), V being the standard deviation (over n) of the relative
// frequencies in the n documents over their mean.
func (s Spread) JuillandD() float64 {
	with, f, _ := s.parts()
	if len(with) < 2 || f == 0 {
		return math.NaN()
	}
	n, sum, squares := int64(len(with)), new(big.Rat), new(big.Rat)
	for _, i := range with {
		p := fraction(s.Occurrences[i], s.Tokens[i])
		sum, squares = add(sum, p), add(squares, mul(p, p))
	}
	// V² = n·Σp²/(Σp)² - 1.
	square := sub(quo(mul(fraction(n, 1), squares), mul(sum, sum)), fraction(1, 1))
	one := wide(fraction(1, 1))
	return rounded(one.Sub(one, new(big.Float).Sqrt(wide(quo(square, fraction(n-1, 1))))))
}

func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }

func fraction(a, b int64) *big.Rat { return big.NewRat(a, b) }

func wide(r *big.Rat) *big.Float { return new(big.Float).SetPrec(keynessBits).SetRat(r) }

func rounded(v *big.Float) float64 { f, _ := v.Float64(); return f }

// Ln is ln r for r > 0, to more digits than a float64 has.
func Ln(r *big.Rat) *big.Float { return lnWide(r) }

// lnWide is ln r for r > 0, by halving r until it is near 1 and the series of atanh.
func lnWide(r *big.Rat) *big.Float {
	x := wide(r)
	m := new(big.Float).SetPrec(keynessBits)
	e := x.MantExp(m) // x = m·2^e, m in [1/2, 1)
	return new(big.Float).Add(lnSeries(m), new(big.Float).Mul(ln2, wide(fraction(int64(e), 1))))
}

var ln2 = new(big.Float).Neg(lnSeries(wide(fraction(1, 2))))

// lnSeries is ln m for m in [1/2, 1]: 2(s + s³/3 + s⁵/5 + ...) with s = (m-1)/(m+1).
func lnSeries(m *big.Float) *big.Float {
	one := wide(fraction(1, 1))
	s := new(big.Float).Quo(new(big.Float).Sub(m, one), new(big.Float).Add(m, one))
	square, power := new(big.Float).Mul(s, s), new(big.Float).Set(s)
	sum := wide(new(big.Rat))
	for k := int64(1); k < 110; k += 2 { // s² <= 1/9: 55 terms are 174 bits
		sum.Add(sum, new(big.Float).Quo(power, wide(fraction(k, 1))))
		power.Mul(power, square)
	}
	return sum.Mul(sum, wide(fraction(2, 1)))
}
