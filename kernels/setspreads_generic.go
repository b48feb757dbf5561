package kernels

import "math/bits"

// setSpreadsGeneric returns false if a set has bits of beyond, or the sets have more or fewer bits
// than there are cells.
func setSpreadsGeneric(dst []float64, sets []uint64, a, s []byte, classes [][2]float64, n, square float64, beyond uint64) bool {
	for i, set := range sets {
		length := bits.OnesCount64(set)
		if length > len(a) || set&beyond != 0 {
			return false
		}
		total, met := 0.0, 0.0
		for j, x := range a[:length] {
			total += float64(x) + float64(s[j])
		}
		var sum [lanes]float64
		for j, x := range a[:length] {
			c := &classes[bits.TrailingZeros64(set)]
			set &= set - 1
			d := float64(n*(float64(x)+float64(s[j]))) - float64(total*c[0])
			sum[j%lanes] += float64(float64(d*d) * c[1])
			met += c[0]
		}
		dst[i] = Spread(foldLanes(&sum), met, total, n, square)
		a, s = a[length:], s[length:]
	}
	return len(a) == 0
}
