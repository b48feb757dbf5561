package engine

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// A positivity says which terms are positive for a side of a binary problem, a class
// or its complement: those with P(side|w) > P(side) and at least a precision. It
// decides in integers, for equality is common (two of eight documents at p = 1/4)
// and rounding would decide it by chance.
type positivity struct {
	total, size uint64 // documents, those of the side
	// The least precision as a fraction where both fit; under is 0 otherwise.
	over, under uint64
	exact       *big.Rat
	near        float64
}

// newPositivity takes p as the decimal that it prints as: 0.1 is one tenth, not the
// float64 beside it. total is not 0.
func newPositivity(p float64, rule string, total, size int) *positivity {
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(p, 'g', -1, 64))
	if !ok {
		panic("engine: p has been checked")
	}
	if rule != RuleMax { // p + (1-p)·size/total
		rest := new(big.Rat).Sub(big.NewRat(1, 1), exact)
		exact.Add(exact, rest.Mul(rest, big.NewRat(int64(size), int64(total))))
	}
	q := &positivity{total: uint64(total), size: uint64(size), exact: exact}
	q.near, _ = exact.Float64()
	if exact.Num().IsUint64() && exact.Denom().IsUint64() {
		q.over, q.under = exact.Num().Uint64(), exact.Denom().Uint64()
	}
	return q
}

// admits decides for a term in so many documents of the side and of all; counts are
// less than 2^32.
func (q *positivity) admits(inside, df uint64) bool {
	if inside*q.total <= df*q.size {
		return false
	}
	if q.under > 0 {
		left, low := bits.Mul64(inside, q.under)
		right, least := bits.Mul64(df, q.over)
		return left > right || left == right && low >= least
	}
	// A p of many digits. float64 is right but for the near ones.
	if gap := float64(inside)/float64(df) - q.near; math.Abs(gap) > 1e-9 {
		return gap > 0
	}
	return new(big.Rat).SetFrac64(int64(inside), int64(df)).Cmp(q.exact) >= 0
}
