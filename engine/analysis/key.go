package analysis

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A key is a token of up to 16 bytes, followed by zeros, as two little-endian integers.
type key struct{ low, high uint64 }

// inlineBytes is the number of bytes of a key.
const inlineBytes = 16

// leading[n] keeps the first n of 16 bytes. 32 elements, so that n&31 needs no check.
var leading = func() (masks [32]key) {
	for n := range masks {
		masks[n] = key{math.MaxUint64, math.MaxUint64}
		if n < 8 {
			masks[n] = key{1<<(8*n) - 1, 0}
		} else if n < inlineBytes {
			masks[n].high = 1<<(8*(n-8)) - 1
		}
	}
	return masks
}()

// mapped is the key of tokens that have no slot. No slot has it, since no token in a slot begins
// with a NUL byte and the key of a free slot is 0.
var mapped = key{high: 1}

// isASCII reports whether the key of a token tells that all of its bytes are ASCII.
func (k key) isASCII() bool { return (k.low|k.high)&0x8080808080808080 == 0 && k.low != 0 }

// leadingKey gives the key of the first n of at least 16 bytes. If n is above 16, the key is of no use.
func leadingKey(b []byte, n int) key {
	masks := &leading[n&31]
	whole := (*[inlineBytes]byte)(b)
	return key{binary.LittleEndian.Uint64(whole[:8]) & masks.low, binary.LittleEndian.Uint64(whole[8:]) & masks.high}
}

// keyOf gives the key of up to 16 bytes.
func keyOf(b []byte) key {
	var padded [inlineBytes]byte
	copy(padded[:], b)
	return key{binary.LittleEndian.Uint64(padded[:]), binary.LittleEndian.Uint64(padded[8:])}
}

// hash folds the 128-bit product of both halves of the key, each joined with that of the seed. The
// search for the key begins in slot hash mod the number of slots.
func (k key) hash(seed key) uint64 {
	high, low := bits.Mul64(k.low^seed.low, k.high^seed.high)
	return high ^ low
}
