package bestterms

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/score"
)

// A side is a class or its complement: the documents whose terms are scored, with the
// factors of the formulas that depend on its size alone.
type side struct {
	*positiveTest
	n, size          float64 // documents in all, and on the side
	inverseSizes     float64 // 1/(size(n-size)); 0 if the side has none or all
	rootInverseSizes float64 // its square root
}

// newSide returns the side of size of total documents.
func newSide(o *Options, total, size int) side {
	h := side{positiveTest: newPositiveTest(o.P, o.Rule, total, size), n: float64(total), size: float64(size)}
	if 0 < size && size < total {
		h.inverseSizes = 1 / float64(h.size*(h.n-h.size))
		h.rootInverseSizes = math.Sqrt(h.inverseSizes)
	}
	return h
}

// A tableFunction computes a function in the form of Sebastiani's Table 1 from the
// documents with a term inside the side and in all. It is called for positive terms only,
// which occur inside and are missing in a document outside: no margin is 0, and AD > BC.
type tableFunction func(h *side, inside, df uint64) float64

// tableFunctions has the functions without a logarithm. All others are the measures of
// the registry. Of these, only or has another form there.
var tableFunctions = map[string]tableFunction{
	"df":  func(h *side, inside, _ uint64) float64 { return float64(inside) / h.size },
	"dia": func(_ *side, inside, df uint64) float64 { return float64(inside) / float64(df) },
	"gss": func(h *side, inside, df uint64) float64 { return h.determinant(inside, df) / float64(h.n*h.n) },
	"chi": func(h *side, inside, df uint64) float64 {
		gap := h.determinant(inside, df)
		return float64(float64(gap*float64(gap*h.inverseSizes)) * h.inverseDF(df))
	},
	"ngl": func(h *side, inside, df uint64) float64 {
		return float64(float64(h.determinant(inside, df)*h.rootInverseSizes) * math.Sqrt(h.inverseDF(df)))
	},
	"or": func(h *side, inside, df uint64) float64 {
		outside, without := df-inside, h.positiveTest.size-inside
		return float64(inside*(h.total-df-without)) / float64(outside*without)
	},
}

// determinant returns AD - BC, rounded once.
func (h *side) determinant(inside, df uint64) float64 {
	return float64(inside*h.total - df*h.positiveTest.size)
}

// inverseDF returns N/(df(N-df)).
func (h *side) inverseDF(df uint64) float64 {
	n := float64(df)
	return h.n / float64(n*(h.n-n))
}

// A scorer computes the values of one function for a side at a time.
type scorer struct {
	side     side
	function tableFunction
	measure  score.Measure // where function is nil
	table    score.Table
}

// newScorer returns the scorer of a function of Functions; rsd is Options.RSD.
func newScorer(function string, rsd float64) *scorer {
	s := &scorer{function: tableFunctions[function]}
	if function == "ig" { // ig of one class alone is the expected mutual information
		function = "emi"
	}
	s.measure, _, _ = score.NewRegistry(score.Options{RSD: rsd}).Lookup(function)
	return s
}

// value returns the value of a term that inside documents of the side and df documents in
// all have. It is -Inf if the term is not positive.
func (s *scorer) value(inside, df uint64) float64 {
	switch {
	case !s.side.isPositive(inside, df):
		return math.Inf(-1)
	case s.function != nil:
		return s.function(&s.side, inside, df)
	}
	s.table.A, s.table.DF = float64(inside), float64(df)
	return s.measure.Class(&s.table)
}

// A positiveTest decides which terms w are positive for a side, a class or its
// complement: those with P(side|w) > P(side) and P(side|w) at least the precision that
// the rule demands. It decides in integers, for equality is common (two of eight
// documents at p = 1/4) and rounding would decide it by chance.
type positiveTest struct {
	total, size            uint64  // documents in all, and on the side
	numerator, denominator natural // of the least precision
	approximate            float64 // the least precision, rounded
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
	if gap := float64(inside)/float64(df) - q.approximate; math.Abs(gap) > 1e-9 {
		return gap > 0
	}
	return !q.denominator.times(inside).less(q.numerator.times(df))
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
