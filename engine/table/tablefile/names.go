package tablefile

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// This file compares and copies short names. A name has about seven bytes: a loop over them, and a
// call that copies them, take most of their time to find out how many they are.

// prefixOf returns the first eight bytes of a name as one number, with zeros behind its last.
func prefixOf(name []byte) uint64 {
	if cap(name) >= 8 {
		return binary.BigEndian.Uint64(name[:8]) &^ (math.MaxUint64 >> (8 * len(name)))
	}
	var p uint64
	for i, b := range name {
		p |= uint64(b) << (56 - 8*i)
	}
	return p
}

// commonPrefix returns how many bytes two names have in common at their beginnings, most at most;
// each has so many.
func commonPrefix(x, y []byte, most int) int {
	n := 0
	if cap(x) >= 8 && cap(y) >= 8 {
		if differ := le.Uint64(x[:8]) ^ le.Uint64(y[:8]); differ != 0 {
			return min(bits.TrailingZeros64(differ)/8, most)
		}
		n = min(8, most)
	}
	for n < most && x[n] == y[n] {
		n++
	}
	return n
}
