package pvalue

import (
	"math"
	"math/bits"

	"github.com/termsift/termsift/kernels"
)

// A Table counts documents (or tokens) with the term in the class and outside, then
// without it in the class and outside. Its counts must not be negative and their sum
// at most 2^53; of any other table all p-values are 1. The time of a test grows with
// the standard deviation of A: less than a microsecond for most terms, half a
// millisecond where all counts are 2^30, a second at the very limit.
type Table struct{ A, B, C, D int64 }

// tied is how much more probable than the observed one a table may be to count as
// equally probable, ln(1 + 1e-7): R's fisher.test allows for rounding errors so, and
// so do we, to have its p-values.
const tied = 9.999999500000033e-08

// TwoSided returns Fisher's exact test, of attraction or avoidance: ln of the sum of all tables with
// these margins that are not more probable than this one, by more than one part in
// 10 million.
func (t Table) TwoSided() float64 {
	if !t.possible() {
		return 0
	}
	m := newMargins(t)
	mode, most := m.mode(), m.probability(t.A)+tied
	if m.probability(mode) <= most {
		return 0
	}
	left, right := m.notAbove(most, t.A, mode)
	if p := logSum(m.lower(left), m.upper(right)); p < -math.Ln2 {
		return p
	}
	return complement(m.between(left, mode, right))
}

// possible reports whether the counts are valid.
func (t Table) possible() bool {
	const most = 1 << 53
	for _, n := range [...]int64{t.A, t.B, t.C, t.D} {
		if n < 0 || n > most {
			return false
		}
	}
	return t.A+t.B+t.C+t.D <= most
}

// margins are those of a table: what all tables of one test share. A table is known
// by its count a.
type margins struct {
	row, rest, column, others, total int64
	least, largest                   int64 // that a can be
	expected                         [4]float64
	constant, product                float64 // the margins' part of a probability
}

func newMargins(t Table) *margins {
	m := &margins{row: t.A + t.B, rest: t.C + t.D, column: t.A + t.C, others: t.B + t.D}
	m.total = m.row + m.rest
	m.least, m.largest = max(0, m.column-m.rest), min(m.row, m.column)
	row, rest, column, others, total := float64(m.row), float64(m.rest), float64(m.column), float64(m.others), float64(m.total)
	if m.least == m.largest {
		return m // a margin of 0, where quotients have no value
	}
	m.expected = [4]float64{float64(row*column) / total, float64(row*others) / total, float64(rest*column) / total, float64(rest*others) / total}
	m.constant = (stirling(row) + stirling(rest)) + (stirling(column) + stirling(others)) - stirling(total)
	m.product = float64(float64(row*rest)*(float64(column*others)/total)) * (8 * math.Pi * math.Pi * math.Pi)
	return m
}

// cells are those of the table with this a. All are exact.
func (m *margins) cells(a int64) (float64, float64, float64, float64) {
	return float64(a), float64(m.row - a), float64(m.column - a), float64(m.rest - m.column + a)
}

// gap is ad - bc, of which the products have 106 bits, rounded once or twice.
func (m *margins) gap(a int64) float64 {
	adHi, adLo := bits.Mul64(uint64(a), uint64(m.rest-m.column+a))
	bcHi, bcLo := bits.Mul64(uint64(m.row-a), uint64(m.column-a))
	lo, borrow := bits.Sub64(adLo, bcLo, 0)
	hi, negative := bits.Sub64(adHi, bcHi, borrow)
	if negative != 0 {
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
		return -wide(hi, lo)
	}
	return wide(hi, lo)
}

// wide returns hi·2^64 + lo.
func wide(hi, lo uint64) float64 { return float64(float64(hi)*(1<<64)) + float64(lo) }

// mode returns the most probable a, which is ⌊(row+1)(column+1)/(total+2)⌋.
func (m *margins) mode() int64 {
	hi, lo := bits.Mul64(uint64(m.row+1), uint64(m.column+1))
	quotient, _ := bits.Div64(hi, lo, uint64(m.total+2))
	return int64(quotient)
}

// probability is ln P(a) of the hypergeometric distribution, the product of the
// margins' factorials over those of the total and the cells. Tables that mirror each
// other have the same bits: their terms are the same and are added in pairs.
func (m *margins) probability(a int64) float64 {
	if m.least == m.largest {
		return 0
	}
	v := [4]float64{}
	v[0], v[1], v[2], v[3] = m.cells(a)
	difference := m.gap(a) / float64(m.total)
	roots := float64(circle(v[0])*circle(v[1])) * float64(circle(v[2])*circle(v[3]))
	return m.constant + float64(.5*kernels.Log(m.product/roots)) -
		((cell(v[0], m.expected[0], difference) + cell(v[1], m.expected[1], -difference)) +
			(cell(v[2], m.expected[2], -difference) + cell(v[3], m.expected[3], difference)))
}

func cell(observed, expected, difference float64) float64 {
	return Deviance(observed, expected, difference) + stirling(observed)
}

// circle is 2πn, whose root is in Stirling's formula; 1 for 0, whose factorial is 1.
func circle(n float64) float64 {
	if n == 0 {
		return 1
	}
	return 2 * math.Pi * n
}

// upper returns ln P(a or more).
func (m *margins) upper(a int64) float64 {
	if a > m.largest {
		return math.Inf(-1)
	}
	return m.probability(a) + kernels.Log(m.above(a, math.MaxInt64))
}

// lower returns ln P(a or fewer).
func (m *margins) lower(a int64) float64 {
	if a < m.least {
		return math.Inf(-1)
	}
	return m.probability(a) + kernels.Log(m.below(a, math.MaxInt64))
}

// between is ln P(more than left and fewer than right), the mode among them.
func (m *margins) between(left, mode, right int64) float64 {
	return m.probability(mode) + kernels.Log(m.above(mode, right-mode)+m.below(mode, mode-left)-1)
}

// above is the sum of P(a+k)/P(a), k < tables, as far as they count.
func (m *margins) above(a, tables int64) float64 {
	v, b, c, d := m.cells(a)
	return ratios(b, c, v, d, tables)
}

// below is above for P(a-k)/P(a).
func (m *margins) below(a, tables int64) float64 {
	v, b, c, d := m.cells(a)
	return ratios(v, d, b, c, tables)
}

// ratios adds up the tables from one outwards, as ratios of its probability: two
// cells fall and two rise by one with each. It ends where all the others together,
// whose ratios to the one before become ever smaller, are at most 2^-56 of the sum:
// after about nine standard deviations, which are less than the root of the counts.
// Terms of huge tables are much alike and would be rounded in the same direction
// when added to a large sum: it is made of the sums of some hundreds.
func ratios(fall1, fall2, rise1, rise2 float64, tables int64) float64 {
	sum, part, term := 0.0, 1.0, 1.0
	for ; fall1 > 0 && fall2 > 0 && tables > 1; tables-- {
		rise1++
		rise2++
		ratio := float64(fall1*fall2) / float64(rise1*rise2)
		term = float64(term * ratio)
		part += term
		if float64(term*ratio) <= float64((sum+part)*(1-ratio))/(1<<56) {
			break
		}
		if tables&511 == 0 {
			sum, part = sum+part, 0
		}
		fall1--
		fall2--
	}
	return sum + part
}

// notAbove gives the tables nearest to the mode, below and above it, whose ln P is at
// most that; one past the last where there is none. a is such a table, and next to
// those that are not unless counts are huge.
func (m *margins) notAbove(most float64, a, mode int64) (left, right int64) {
	left = mode - steps(mode-m.least, mode-a, func(k int64) bool { return m.probability(mode-k) <= most })
	right = mode + steps(m.largest-mode, a-mode, func(k int64) bool { return m.probability(mode+k) <= most })
	return left, right
}

// steps returns the least of 1, 2, ..., last for which far holds, or last+1 if there is
// none. Once far holds, it holds for all larger numbers. If known is positive, far
// holds for it.
func steps(last, known int64, far func(int64) bool) int64 {
	low, high := int64(1), last+1 // the result is among these
	switch {
	case known == 1 || known > 1 && !far(known-1):
		return known
	case known > 1:
		high = known - 1
	case last > 0 && !far(last):
		return high
	}
	for low < high {
		if middle := low + (high-low)/2; far(middle) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// FewExpected is the expected count of a cell below which chi-square's approximation
// is not to be relied on (Cochran, Biometrics 10 (1954) 417-451).
const FewExpected = 5

// LeastExpected is the smallest expected count of the four cells, 0 for no documents.
func (t Table) LeastExpected() float64 {
	if !t.possible() || t == (Table{}) {
		return 0
	}
	m := newMargins(t)
	return float64(float64(min(m.row, m.rest))*float64(min(m.column, m.others))) / float64(m.total)
}
