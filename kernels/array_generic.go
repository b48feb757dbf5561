package kernels

import "encoding/binary"

func countArrayGeneric(counts []uint32, values []byte, bounds []uint32) {
	below := rank(values, bounds[0])
	for i := range counts {
		next := rank(values, bounds[i+1])
		counts[i] += next - below
		below = next
	}
}

// rank is the number of values below the bound: a binary search whose steps are
// conditional moves, since no branch predictor can know them.
func rank(values []byte, bound uint32) uint32 {
	base, n := 0, len(values)/2
	if n == 0 {
		return 0
	}
	for n > 1 {
		half := n / 2
		next := base
		if uint32(binary.LittleEndian.Uint16(values[2*(base+half-1):])) < bound {
			next = base + half
		}
		base = next
		n -= half
	}
	if uint32(binary.LittleEndian.Uint16(values[2*base:])) < bound {
		base++
	}
	return uint32(base)
}
