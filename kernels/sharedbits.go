package kernels

import "math/bits"

// SharedBits sets dst[i] to the number of bits that set shares with the i-th of sets, which follow each
// other and have as many words each. Numbers are modulo 1<<32.
func SharedBits(dst []uint32, sets, set []uint64) {
	if len(set) == 0 {
		if len(sets) > 0 {
			panic("kernels: SharedBits: sets of different lengths")
		}
		clear(dst)
		return
	}
	if len(sets)/len(set) != len(dst) || len(sets)%len(set) != 0 {
		panic("kernels: SharedBits: sets of different lengths")
	}
	if len(dst) > 0 {
		sharedBits(dst, sets, set)
	}
}

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
