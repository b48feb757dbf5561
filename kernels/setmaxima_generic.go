package kernels

import (
	"math"
	"math/bits"
)

// setMaximaGeneric returns false if a set has bits of beyond, or the sets have more or fewer bits
// than there are cells.
func setMaximaGeneric(dst []float64, sets []uint64, a []byte, of []uint32, sizes, weights []float64, n float64, beyond uint64, form Deviation) bool {
	classes := bits.OnesCount64(^beyond)
	for i, set := range sets {
		if bits.OnesCount64(set) > len(a) || set&beyond != 0 {
			return false
		}
		largest, expected := math.Inf(-1), float64(of[i])
		for c, size := range sizes[:classes] {
			x := byte(0)
			if set>>c&1 == 1 {
				x, a = a[0], a[1:]
			}
			if x == math.MaxUint8 {
				continue
			}
			d := float64(n*float64(x)) - float64(expected*size)
			v := float64(d * weights[c])
			switch form {
			case Squared:
				v = float64(v * d)
			case Absolute:
				v = math.Abs(v)
			}
			if v > largest { // not max, which looks for NaN and -0
				largest = v
			}
		}
		dst[i] = largest + 0
	}
	return len(a) == 0
}
