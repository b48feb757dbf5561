package bestterms

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// A positiveTest decides which terms w are positive for a side, a class or its
// complement: those with P(side|w) > P(side) and P(side|w) at least the precision that
// the rule demands. It decides in integers, for equality is common (two of eight
// documents at p = 1/4) and rounding would decide it by chance.
type positiveTest struct {
	total, size uint64 // documents in all, and on the side
	// The least precision: as a fraction if both numbers fit, else denominator is 0; as
	// it is; and as the nearest float64.
	numerator, denominator uint64
	exact                  *big.Rat
	approximate            float64
}

// newPositiveTest makes the test for size of total documents. p is the decimal number
// that it prints as: 0.1 is one tenth, not the float64 beside it. total must not be 0.
func newPositiveTest(p float64, rule string, total, size int) *positiveTest {
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(p, 'g', -1, 64))
	if !ok {
		panic("bestterms: p is not a number; Validate should have refused it")
	}
	if rule != RuleMax { // p + (1-p)·size/total
		rest := new(big.Rat).Sub(big.NewRat(1, 1), exact)
		exact.Add(exact, rest.Mul(rest, big.NewRat(int64(size), int64(total))))
	}
	q := &positiveTest{total: uint64(total), size: uint64(size), exact: exact}
	q.approximate, _ = exact.Float64()
	if exact.Num().IsUint64() && exact.Denom().IsUint64() {
		q.numerator, q.denominator = exact.Num().Uint64(), exact.Denom().Uint64()
	}
	return q
}

// isPositive reports whether a term is positive that inside documents of the side and df
// documents in all have. Both are less than 2^32.
func (q *positiveTest) isPositive(inside, df uint64) bool {
	if inside*q.total <= df*q.size {
		return false
	}
	if q.denominator > 0 {
		left, low := bits.Mul64(inside, q.denominator)
		right, least := bits.Mul64(df, q.numerator)
		return left > right || left == right && low >= least
	}
	// p has many digits. float64 decides unless the two are near each other.
	if gap := float64(inside)/float64(df) - q.approximate; math.Abs(gap) > 1e-9 {
		return gap > 0
	}
	return new(big.Rat).SetFrac64(int64(inside), int64(df)).Cmp(q.exact) >= 0
}
