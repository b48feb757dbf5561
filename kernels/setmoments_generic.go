package kernels

import (
	"math"
	"math/bits"
)

// setMomentsGeneric returns false if a set has bits of beyond, or the sets have more or fewer bits
// than there are cells.
func setMomentsGeneric(largest, within []float64, sets []uint64, a, s, q []byte, of []float64, classes [][4]float64, n float64, beyond uint64) bool {
	for i, set := range sets {
		length := bits.OnesCount64(set)
		if length > len(a) || set&beyond != 0 {
			return false
		}
		most, expected := math.Inf(-1), of[i]
		var sum [lanes]float64
		for j, x := range a[:length] {
			c := &classes[bits.TrailingZeros64(set)]
			set &= set - 1
			occurrences := float64(x) + float64(s[j])
			squares := occurrences + float64(q[j])
			sum[j%lanes] += float64((float64(c[0]*squares) - float64(occurrences*occurrences)) * c[1])
			d := float64(n*occurrences) - float64(expected*c[0])
			if v := math.Abs(float64(d * c[2])); v > most {
				most = v
			}
		}
		largest[i], within[i] = most+0, foldLanes(&sum)
		a, s, q = a[length:], s[length:], q[length:]
	}
	return len(a) == 0
}
