package kernels

import "math"

// deviationsGeneric returns false if a class is out of range.
func deviationsGeneric(dst []int64, classes []uint32, a, of, sizes, weights []float64, n float64, form Deviation) bool {
	a, of, dst, weights = a[:len(classes)], of[:len(classes)], dst[:len(classes)], weights[:len(sizes)]
	switch form {
	case Squared:
		for i, c := range classes {
			if uint(c) >= uint(len(sizes)) {
				return false
			}
			d := float64(n*a[i]) - float64(of[i]*sizes[c])
			dst[i] = keyOf(d * float64(d*weights[c]))
		}
	case Absolute:
		for i, c := range classes {
			if uint(c) >= uint(len(sizes)) {
				return false
			}
			d := float64(n*a[i]) - float64(of[i]*sizes[c])
			dst[i] = keyOf(math.Abs(d * weights[c]))
		}
	default:
		for i, c := range classes {
			if uint(c) >= uint(len(sizes)) {
				return false
			}
			d := float64(n*a[i]) - float64(of[i]*sizes[c])
			dst[i] = keyOf(d * weights[c])
		}
	}
	return true
}

// keyOf returns the key of a number; see [Deviations].
func keyOf(x float64) int64 {
	bits := int64(math.Float64bits(x))
	return bits ^ int64(uint64(bits>>63)>>1)
}
