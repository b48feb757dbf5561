package score

import (
	"math"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// A MantelHaenszel adds up the 2x2 tables that a term and a class have in the strata of a control,
// for the test of Mantel and Haenszel and the common odds ratio. The sums are made in the order in
// which the strata are added. The zero value has none.
//
// Mantel & Haenszel, J. Natl. Cancer Inst. 22 (1959) 719-748. The variance of the logarithm of the
// odds ratio is that of Robins, Breslow & Greenland, Biometrics 42 (1986) 311-323.
type MantelHaenszel struct {
	delta         table.Pair // Σ (A - E)
	most          float64    // Σ |A - E|
	variance      float64    // Σ V
	r, s          float64    // Σ AD/n, Σ BC/n
	pr, mixed, qs float64    // Σ PR, Σ (PS + QR), Σ QS; P = (A+D)/n, Q = (B+C)/n
}

// Add adds a stratum of n documents, of which class are in the class and df have the term, a of
// them in the class. A stratum of one document tells nothing.
func (m *MantelHaenszel) Add(a, df, class, n float64) {
	if n < 2 {
		return
	}
	b, c := df-a, class-a
	d := n - df - c
	ad, bc := table.Product(a, d), table.Product(b, c)
	gap := ad.Minus(bc).Over(table.Pair{High: n})
	m.delta, m.most = m.delta.Plus(gap), m.most+math.Abs(gap.High)
	m.variance += float64(float64(df*(n-df))/n*(float64(class*(n-class))/n)) / (n - 1)
	r, s, p, q := ad.High/n, bc.High/n, (a+d)/n, (b+c)/n
	m.r, m.s = m.r+r, m.s+s
	m.pr += float64(p * r)
	m.mixed += float64(p*s) + float64(q*r)
	m.qs += float64(q * s)
}

// zeroBelow is the share of the sum of all deviations below which their sum is that of rounding.
const zeroBelow = 1e-28

// Delta returns Σ (A - E), by how many documents the class has more of the term than its strata
// make one expect, 0 where it is that exactly.
func (m *MantelHaenszel) Delta() float64 {
	if math.Abs(m.delta.High) <= float64(zeroBelow*m.most) {
		return 0
	}
	return m.delta.High
}

// Sign returns the sign of Delta.
func (m *MantelHaenszel) Sign() int { return signOf(m.Delta()) }

// ChiSquare returns Δ²/ΣV, of one degree of freedom, and 0 where nothing varies. Corrected for
// continuity it is max(0, |Δ|-½)²/ΣV.
func (m *MantelHaenszel) ChiSquare(continuity bool) float64 {
	delta := math.Abs(m.Delta())
	if continuity {
		delta = max(0, delta-.5)
	}
	if m.variance == 0 {
		return 0
	}
	return float64(delta*delta) / m.variance
}

// OddsRatio returns Σ(AD/n)/Σ(BC/n): Inf where the second sum is 0, NaN where both are.
func (m *MantelHaenszel) OddsRatio() float64 {
	switch {
	case m.r == 0 && m.s == 0:
		return math.NaN()
	case m.Delta() == 0:
		return 1
	}
	return m.r / m.s
}

// LnVariance returns the variance of the logarithm of the odds ratio, NaN where that is 0, infinite or none.
func (m *MantelHaenszel) LnVariance() float64 {
	if m.r == 0 || m.s == 0 {
		return math.NaN()
	}
	return m.pr/(2*float64(m.r*m.r)) + m.mixed/(2*float64(m.r*m.s)) + m.qs/(2*float64(m.s*m.s))
}

// normal975 is the quantile of the normal distribution that 2.5 % are above.
const normal975 = 1.959963984540054

// Interval returns the 95 % confidence interval of the odds ratio: NaN where there is no variance.
func (m *MantelHaenszel) Interval() (low, high float64) {
	distance := float64(normal975 * math.Sqrt(m.LnVariance()))
	if math.IsNaN(distance) {
		return distance, distance
	}
	ratio := m.OddsRatio()
	return ratio * kernels.Exp(-distance), ratio * kernels.Exp(distance)
}
