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

// Sum adds up values and their squares in the shape of [Lanes], each square
// rounded once.
func Sum(values []float64) (sum, squares float64) { return SumDistances(values, 0) }

// SumDistances adds up the distances of values from a point and their squares,
//
//	sum = Σ (v - from), squares = Σ (v - from)²
//
// in the shape of [Lanes].
func SumDistances(values []float64, from float64) (sum, squares float64) {
	var s, q Lanes
	for ; len(values) >= lanes; values = values[lanes:] {
		for l, x := range values[:lanes] {
			d := x - from
			s[l] += d
			q[l] += float64(d * d)
		}
	}
	for l, x := range values {
		d := x - from
		s[l] += d
		q[l] += float64(d * d)
	}
	return s.Sum(), q.Sum()
}
