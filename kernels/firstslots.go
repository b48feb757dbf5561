package kernels

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A Key is 16 bytes, as two little-endian integers.
type Key struct{ Low, High uint64 }

// KeyBytes is the number of bytes of a key.
const KeyBytes = 16

// firstBytes[n] keeps the first n of 16 bytes. 32 elements, so that n&31 needs no check.
var firstBytes = func() (masks [32]Key) {
	for n := range masks {
		masks[n] = Key{math.MaxUint64, math.MaxUint64}
		if n < 8 {
			masks[n] = Key{1<<(8*n) - 1, 0}
		} else if n < KeyBytes {
			masks[n].High = 1<<(8*(n-8)) - 1
		}
	}
	return masks
}()

// FirstBytes gives the key of the first n of at least 16 bytes, followed by zeros. If n is above 16,
// the key is of no use.
func FirstBytes(b []byte, n int) Key {
	masks := &firstBytes[n&31]
	return Key{binary.LittleEndian.Uint64(b) & masks.Low, binary.LittleEndian.Uint64(b[8:]) & masks.High}
}

// KeyOf gives the key of up to 16 bytes, followed by zeros.
func KeyOf(b []byte) Key {
	var padded [KeyBytes]byte
	copy(padded[:], b)
	return Key{binary.LittleEndian.Uint64(padded[:]), binary.LittleEndian.Uint64(padded[8:])}
}

// A Slot is a place of a hash table: a key and its value.
type Slot struct {
	Key   Key
	Value uint32
}

// Elsewhere is what FirstSlots says of a key that is not in its first slot.
const Elsewhere = 1<<32 - 1

// Hash folds the 128-bit product of both halves of the key, each joined with that of the seed. The
// search for the key begins in slot Hash mod the number of slots.
func (k Key) Hash(seed Key) uint64 {
	high, low := bits.Mul64(k.Low^seed.Low, k.High^seed.High)
	return high ^ low
}

// FirstSlots sets each of values to that of the slot where the search for the key with its place
// begins, or to [Elsewhere] if another key is there. values must have as many elements as keys. The
// number of slots must be a power of two up to 2^32.
//
// All slots are asked for before the first is read, so that the misses of the caches overlap.
func FirstSlots(values []uint32, keys []Key, slots []Slot, seed Key) {
	switch n := uint64(len(slots)); {
	case len(values) != len(keys):
		panic("kernels: FirstSlots: slices of different lengths")
	case bits.OnesCount64(n) != 1 || n > 1<<32:
		panic("kernels: FirstSlots: the number of slots is no power of two up to 2^32")
	case len(keys) > 0:
		firstSlots(values, keys, slots, seed.Low, seed.High)
	}
}
