package bestterms

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/score"
)

// A scorer computes the values of one function for a side at a time: a class or its complement.
type scorer struct {
	function    string
	measure     score.Measure
	table       score.Table
	total, size uint64 // documents in all, and on the side
	// The least precision of a positive term. It is a fraction of integers, for equality is common
	// (two of eight documents at p = 1/4) and rounding would decide it by chance.
	numerator, denominator natural
}

// newScorer returns the scorer of a function of Functions; rsd is Options.RSD.
func newScorer(function string, rsd float64) *scorer {
	s := &scorer{function: function}
	if function == "ig" { // ig of one class alone is the expected mutual information
		function = "emi"
	}
	s.measure, _, _ = score.NewRegistry(score.Options{RSD: rsd}).Lookup(function)
	return s
}

// startSide prepares a side of size of total documents. p is the decimal number that it
// prints as: 0.1 is one tenth, not the float64 beside it. total must not be 0.
func (s *scorer) startSide(p float64, rule string, total, size int) {
	s.total, s.size = uint64(total), uint64(size)
	s.table.N, s.table.NC = float64(total), float64(size)
	s.numerator, s.denominator = decimal(p)
	if rule != RuleMax { // p + (1-p)·size/total
		s.numerator = s.numerator.times(s.total - s.size).plus(s.denominator.times(s.size))
		s.denominator = s.denominator.times(s.total)
	}
}

// value returns the value of a term that inside documents of the side and df documents in
// all have, in the form of Sebastiani's Table 1, in which df and or are not those of the registry. It
// is -Inf if the term is not positive. A positive one occurs inside and is missing in a document outside.
func (s *scorer) value(inside, df uint64) float64 {
	switch {
	case !s.isPositive(inside, df):
		return math.Inf(-1)
	case s.function == "df":
		return float64(inside) / float64(s.size)
	case s.function == "or":
		outside, without := df-inside, s.size-inside
		return float64(inside*(s.total-df-without)) / float64(outside*without)
	}
	s.table.A, s.table.DF = float64(inside), float64(df)
	return s.measure.Class(&s.table)
}

// isPositive reports whether a term is positive that inside documents of the side and df
// documents in all have, both less than 2^32: P(side|w) > P(side), and P(side|w) is at least the
// precision that the rule demands.
func (s *scorer) isPositive(inside, df uint64) bool {
	return inside*s.total > df*s.size && !s.denominator.times(inside).less(s.numerator.times(df))
}

// decimal returns the digits of the decimal number that p, from 0 to 1, prints as, and the
// power of ten that they are divided by. A p of 1e-20 or less is 0: a share of 2^32 documents that is
// larger than another one is so by more.
func decimal(p float64) (digits, scale natural) {
	text, exponent, _ := strings.Cut(strconv.FormatFloat(p, 'e', -1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	if p <= 1e-20 {
		return natural{}, natural{1}
	}
	whole, fraction, _ := strings.Cut(text, ".")
	n, _ := strconv.ParseUint(whole+fraction, 10, 64) // 17 digits at most
	digits, scale = natural{n}, natural{1}
	for range len(fraction) - power {
		scale = scale.times(10)
	}
	return digits, scale
}

// A natural is a whole number of 192 bits, its lowest 64 first. Fractions of p have 36 digits at most
// and are multiplied by two numbers of documents: 2^184.
type natural [3]uint64

// times returns x·y.
func (x natural) times(y uint64) (product natural) {
	carry := uint64(0)
	for i, word := range x {
		high, low := bits.Mul64(word, y)
		product[i], low = bits.Add64(low, carry, 0)
		carry = high + low
	}
	return product
}

// plus returns x+y.
func (x natural) plus(y natural) (sum natural) {
	carry := uint64(0)
	for i := range x {
		sum[i], carry = bits.Add64(x[i], y[i], carry)
	}
	return sum
}

// less reports whether x < y.
func (x natural) less(y natural) bool {
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return false
}
