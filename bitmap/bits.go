package bitmap

import "math/bits"

// Bits is a set of ids as one bit each: id i is bit i%64 of word i/64. It is read
// faster than containers, for sets that are met a thousand times.
type Bits []uint64

// NewBits makes the set of ids below size.
func NewBits(ids []uint32, size int) Bits {
	b := make(Bits, (size+63)/64)
	b.Add(ids)
	return b
}

// Add adds ids, which must be below the size of the set.
func (b Bits) Add(ids []uint32) {
	for _, id := range ids {
		b[id/64] |= 1 << (id % 64)
	}
}

// CountOf returns how many of the ids are in the set. They must be below its size.
func (b Bits) CountOf(ids []uint32) int {
	n := uint64(0)
	for _, id := range ids {
		n += b[id/64] >> (id % 64) & 1
	}
	return int(n)
}

// CountAnd counts the ids in [from, to) that are in both sets, which must be of equal
// size.
func (b Bits) CountAnd(c Bits, from, to uint32) int {
	if from >= to {
		return 0
	}
	first, last := from/64, (to-1)/64
	b, c = b[first:last+1], c[first:last+1]
	head, tail := ^uint64(0)<<(from%64), ^uint64(0)>>(63-(to-1)%64)
	if first == last {
		return bits.OnesCount64(b[0] & c[0] & head & tail)
	}
	end := len(b) - 1
	n := bits.OnesCount64(b[0]&c[0]&head) + bits.OnesCount64(b[end]&c[end]&tail)
	b, c = b[1:end], c[1:end]
	for i, word := range b {
		n += bits.OnesCount64(word & c[i])
	}
	return n
}
