package kernels

import "math/bits"

// sharedBitsGeneric expects one set and one word at least.
func sharedBitsGeneric(dst []uint32, sets, set []uint64) {
	for i := range dst {
		n, other := 0, sets[i*len(set):][:len(set)]
		for j, word := range set {
			n += bits.OnesCount64(word & other[j])
		}
		dst[i] = uint32(n)
	}
}
