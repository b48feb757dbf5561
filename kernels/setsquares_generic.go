package kernels

import "math/bits"

// setSquaresGeneric returns false if a set has bits of beyond, or the sets have more or fewer bits
// than there are cells.
func setSquaresGeneric(squares, totals []float64, sets []uint64, a, s []byte, inverses []float64, beyond uint64) bool {
	for i, set := range sets {
		length := bits.OnesCount64(set)
		if length > len(a) || set&beyond != 0 {
			return false
		}
		total, sum := 0.0, Lanes{}
		for j, x := range a[:length] {
			class := bits.TrailingZeros64(set)
			set &= set - 1
			tokens := float64(x) + float64(s[j])
			total += tokens
			sum.Add(class, float64(float64(tokens*tokens)*inverses[class]))
		}
		squares[i], totals[i] = sum.Sum(), total
		a, s = a[length:], s[length:]
	}
	return len(a) == 0
}
