package bestterms

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// A positiveTest decides which terms w are positive for a side, a class or its
// complement: those with P(side|w) > P(side) and P(side|w) at least the precision that
// the rule demands. It decides in integers, for equality is common (two of eight
// documents at p = 1/4) and rounding would decide it by chance.
type positiveTest struct {
	total, size uint64 // documents in all, and on the side
	// The least precision as a fraction, and about.
	numerator, denominator natural
	approximate            float64
}

// newPositiveTest makes the test for size of total documents. p is the decimal number
// that it prints as: 0.1 is one tenth, not the float64 beside it. total must not be 0.
func newPositiveTest(p float64, rule string, total, size int) *positiveTest {
	digits, scale := decimal(p)
	q := &positiveTest{total: uint64(total), size: uint64(size), numerator: digits, denominator: scale, approximate: p}
	if rule != RuleMax { // p + (1-p)·size/total
		q.numerator = digits.times(q.total - q.size).plus(scale.times(q.size))
		q.denominator = scale.times(q.total)
		q.approximate += float64((1 - p) * (float64(size) / float64(total)))
	}
	return q
}

// isPositive reports whether a term is positive that inside documents of the side and df
// documents in all have. Both are less than 2^32.
func (q *positiveTest) isPositive(inside, df uint64) bool {
	if inside*q.total <= df*q.size {
		return false
	}
	if len(q.numerator) == 1 && len(q.denominator) == 1 {
		left, low := bits.Mul64(inside, q.denominator[0])
		right, least := bits.Mul64(df, q.numerator[0])
		return left > right || left == right && low >= least
	}
	// p has many digits. float64 decides unless the two are near each other.
	if gap := float64(inside)/float64(df) - q.approximate; math.Abs(gap) > 1e-9 {
		return gap > 0
	}
	return q.denominator.times(inside).compare(q.numerator.times(df)) >= 0
}

// decimal returns the digits of the decimal number that p, from 0 to 1, prints as, and the
// power of ten that they are divided by.
func decimal(p float64) (digits, scale natural) {
	text, exponent, _ := strings.Cut(strconv.FormatFloat(p, 'e', -1, 64), "e")
	power, err := strconv.Atoi(exponent)
	if err != nil || !(p >= 0 && p <= 1) {
		panic("bestterms: p is no number from 0 to 1; Validate should have refused it")
	}
	whole, fraction, _ := strings.Cut(text, ".")
	n, _ := strconv.ParseUint(whole+fraction, 10, 64) // 17 digits at most
	digits, scale = natural{n}, natural{1}
	for range len(fraction) - power {
		scale = scale.times(10)
	}
	return digits, scale
}

// A natural is a whole number of any size from 0, its lowest 64 bits first. The last word is 0
// only if it is the single one. It is here for p of many digits, where package math/big would
// be 0.1 MB of every library that links this one.
type natural []uint64

// times returns x·y.
func (x natural) times(y uint64) natural {
	product, carry := make(natural, 0, len(x)+1), uint64(0)
	for _, word := range x {
		high, low := bits.Mul64(word, y)
		low, over := bits.Add64(low, carry, 0)
		product, carry = append(product, low), high+over
	}
	return append(product, carry).trimmed()
}

// plus returns x+y.
func (x natural) plus(y natural) natural {
	if len(x) < len(y) {
		x, y = y, x
	}
	sum, carry := make(natural, 0, len(x)+1), uint64(0)
	for i, word := range x {
		other := uint64(0)
		if i < len(y) {
			other = y[i]
		}
		word, carry = bits.Add64(word, other, carry)
		sum = append(sum, word)
	}
	return append(sum, carry).trimmed()
}

// trimmed returns x without words of 0 at its end.
func (x natural) trimmed() natural {
	for len(x) > 1 && x[len(x)-1] == 0 {
		x = x[:len(x)-1]
	}
	return x
}

// compare returns a negative number if x < y, 0 if they are equal, else a positive one.
func (x natural) compare(y natural) int {
	if len(x) != len(y) {
		return len(x) - len(y)
	}
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != y[i] {
			if x[i] < y[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}
