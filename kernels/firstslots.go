package kernels

import "math/bits"

// A Key is 16 bytes, as two little-endian integers.
type Key struct{ Low, High uint64 }

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
