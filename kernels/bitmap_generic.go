package kernels

import (
	"encoding/binary"
	"math/bits"
)

func countBitmapGeneric(counts []uint32, bitmap []byte, bounds []uint32) {
	for i := range counts {
		counts[i] += popcountRange(bitmap, bounds[i], bounds[i+1])
	}
}

// popcountRange counts the bits in [from, to).
func popcountRange(bitmap []byte, from, to uint32) uint32 {
	if from >= to {
		return 0
	}
	first, last := from/64, (to-1)/64
	head := ^uint64(0) << (from % 64)
	tail := ^uint64(0) >> (63 - (to-1)%64)
	if first == last {
		return uint32(bits.OnesCount64(word(bitmap, first) & head & tail))
	}
	n := bits.OnesCount64(word(bitmap, first)&head) + bits.OnesCount64(word(bitmap, last)&tail)
	middle := bitmap[8*(first+1) : 8*last]
	for ; len(middle) >= 32; middle = middle[32:] { // four chains: 1.4 times one
		n += bits.OnesCount64(binary.LittleEndian.Uint64(middle)) +
			bits.OnesCount64(binary.LittleEndian.Uint64(middle[8:])) +
			bits.OnesCount64(binary.LittleEndian.Uint64(middle[16:])) +
			bits.OnesCount64(binary.LittleEndian.Uint64(middle[24:]))
	}
	for ; len(middle) >= 8; middle = middle[8:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(middle))
	}
	return uint32(n)
}

func word(bitmap []byte, i uint32) uint64 {
	return binary.LittleEndian.Uint64(bitmap[8*i:])
}
