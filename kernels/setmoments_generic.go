package kernels

import (
	"math"
	"math/bits"
)

// setMomentsGeneric returns false if a set has bits of beyond, or the sets have more or fewer bits
// than there are cells.
func setMomentsGeneric(largest, squares, totals []float64, sets []uint64, a, s, q []byte, of, sizes, inverses, roots []float64, n float64, beyond uint64) bool {
	if !setSquaresGeneric(squares, totals, sets, a, s, inverses, beyond) {
		return false
	}
	classes := bits.OnesCount64(^beyond)
	for i, set := range sets {
		most, expected := 0.0, of[i]
		for c, size := range sizes[:classes] {
			tokens := 0.0
			if set>>c&1 == 1 {
				tokens = float64(a[0]) + float64(s[0])
				totals[i] += float64(q[0])
				a, s, q = a[1:], s[1:], q[1:]
			}
			d := float64(n*tokens) - float64(expected*size)
			most = max(most, math.Abs(float64(d*roots[c])))
		}
		largest[i] = most
	}
	return true
}
