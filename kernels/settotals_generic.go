package kernels

import "math/bits"

// setTotalsGeneric returns false if a set has bits of beyond, or the sets have more or fewer bits
// than there are cells. Then the totals are of no use.
func setTotalsGeneric(totals *[SetClasses]uint32, sets []uint64, a, s []byte, beyond uint64) bool {
	for _, set := range sets {
		length := bits.OnesCount64(set)
		if length > len(a) || set&beyond != 0 {
			return false
		}
		for j, x := range a[:length] {
			totals[bits.TrailingZeros64(set)] += uint32(x) + uint32(s[j])
			set &= set - 1
		}
		a, s = a[length:], s[length:]
	}
	return len(a) == 0
}
