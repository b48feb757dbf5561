package pvalue

import "math"

// FewExpected is the expected count of a cell below which chi-square's approximation
// is not to be relied on (Cochran, Biometrics 10 (1954) 417-451).
const FewExpected = 5

// An Approximation compares the p-values of a table.
type Approximation struct {
	Exact         float64 // [Table.TwoSided]
	ChiSquare     float64 // of the table's chi-square, with one degree of freedom
	LeastExpected float64 // of the four cells, see [FewExpected]
}

// Approximation gives the exact p-value, its approximation, and how many documents
// are expected in the smallest cell.
func (t Table) Approximation() Approximation {
	if !t.possible() {
		return Approximation{}
	}
	return Approximation{t.TwoSided(), ChiSquare(t.chiSquare(), 1), t.LeastExpected()}
}

// LeastExpected is the smallest expected count of the four cells, 0 for no documents.
func (t Table) LeastExpected() float64 {
	if !t.possible() || t == (Table{}) {
		return 0
	}
	m := newMargins(t)
	return float64(float64(min(m.row, m.rest))*float64(min(m.column, m.others))) / float64(m.total)
}

// chiSquare is N(ad-bc)²/((a+b)(c+d)(a+c)(b+d)), 0 on a zero margin.
func (t Table) chiSquare() float64 {
	m := newMargins(t)
	if m.least == m.largest {
		return 0
	}
	gap := math.Abs(m.gap(t.A))
	return float64(float64(gap/float64(float64(m.row)*float64(m.rest)))*(gap/float64(float64(m.column)*float64(m.others)))) * float64(m.total)
}
