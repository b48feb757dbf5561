package table

import "github.com/termsift/termsift/kernels"

// A Form says what the values of cells are, and what their column Q has.
//
// Counts are exact and additive: tables of parts give what one pass gives. Sums of other values, and squared distances
// Σ (x - mean)² of the documents of a cell, are float64 numbers. Their relative error is at most 1e-9 for values whose
// standard deviation is at least a millionth of their mean, in one run, of a thousand parts added in any order, and
// where a part is subtracted, if what is left has a tenth of the variance of the whole. It grows with the
// mean over the deviation. Of large counts that are counted without lists, the last digits of the distances depend on
// which worker counted which document.
type Form uint8

const (
	Counts      Form = iota // whole numbers; Q has the sums of their squares, which are exact
	LargeCounts             // whole numbers whose squares may add up to 2^53; Q has squared distances
	RealValues              // other numbers; Q has squared distances
)

// mostExact is the number from which float64 does not hold all whole numbers.
const mostExact = 1 << 53

// inexactSquares reports whether a sum of squares may be too large to be exact.
func (c *Cells) inexactSquares() bool { return c.mostSquares() >= mostExact }

// centre replaces the sums of squares of counts, some of which may be inexact, by squared distances.
func (c *Cells) centre() {
	var distances Column
	for i := range c.Len() {
		distances.Append(c.moments(i, LargeCounts).squares, 0)
	}
	c.Q, c.Form = distances, LargeCounts
}

// floorOf returns the floor of an element of Q, from the sum of its cell.
func (f Form) floorOf(sum float64) float64 {
	if f == Counts {
		return sum
	}
	return 0
}

// squaredDistances returns Σ (x - mean)² of so many values from their sum and the sum of their squares.
func squaredDistances(docs, sum, squares float64) float64 {
	if docs <= 1 {
		return 0
	}
	return max(0, kernels.DiffOfProducts(squares, docs, sum, sum)) / docs
}

// Squares returns the sum of the squares of so many values from their sum and their squared distances.
func Squares(docs, sum, distances float64) float64 {
	return distances + float64(sum*(sum/docs))
}

// moments are the documents of a cell, their sum, and what Q has of it.
type moments struct{ docs, sum, squares float64 }

// moments returns those of cell i for cells of a form.
func (c *Cells) moments(i int, form Form) moments {
	docs := c.A.At(i, 0)
	sum := c.S.At(i, docs)
	squares := c.Q.At(i, c.Form.floorOf(sum))
	if c.Form == Counts && form != Counts {
		squares = squaredDistances(docs, sum, squares)
	}
	return moments{docs, sum, squares}
}

// with returns the moments of x and y together, or those of x without y, a part of it, by the sign. Squared
// distances are joined by the formula of Chan, Golub and LeVeque, or its inverse.
func (x moments) with(y moments, sign float64, form Form) moments {
	z := moments{x.docs + float64(sign*y.docs), x.sum + float64(sign*y.sum), x.squares + float64(sign*y.squares)}
	switch {
	case form == Counts || x.docs == 0 || z.docs == 0:
	case z.docs == 1:
		z.squares = 0
	case sign > 0:
		z.squares += spread(x, y)
	default:
		z.squares -= spread(z, y)
	}
	return z
}

// spread returns what the distance between the means of x and y adds to the squared distances of both.
func spread(x, y moments) float64 {
	d := kernels.DiffOfProducts(x.sum, y.docs, y.sum, x.docs)
	return float64((d / float64(x.docs*y.docs)) * (d / (x.docs + y.docs)))
}
