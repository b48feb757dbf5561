package kernels

// lanes is the shape of every floating-point sum: element i of a segment goes to
// partial sum i%8, and the partial sums are added as
//
//	((0+4) + (2+6)) + ((1+5) + (3+7))
//
// which is what folding a vector in halves does. The shape is part of the
// contract, so that every path gives the same bits.
const lanes = 8

// Lanes is a sum of numbers in this shape.
type Lanes [lanes]float64

// Add adds number i of those that are to be added.
func (l *Lanes) Add(i int, v float64) { l[i%lanes] += v }

// Sum returns the sum.
func (l *Lanes) Sum() float64 {
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}
