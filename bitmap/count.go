package bitmap

import "math/bits"

// This file counts the ids of a container between bounds that ascend.

// countBits adds to counts[i] the bits in [bounds[i], bounds[i+1]) of a bitmap container, in which
// bit b is bit b%8 of byte b/8.
func countBits(counts []uint32, bitmap []byte, bounds []uint32) {
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
		n += bits.OnesCount64(le.Uint64(middle)) +
			bits.OnesCount64(le.Uint64(middle[8:])) +
			bits.OnesCount64(le.Uint64(middle[16:])) +
			bits.OnesCount64(le.Uint64(middle[24:]))
	}
	for ; len(middle) >= 8; middle = middle[8:] {
		n += bits.OnesCount64(le.Uint64(middle))
	}
	return uint32(n)
}

func word(bitmap []byte, i uint32) uint64 {
	return le.Uint64(bitmap[8*i:])
}

// countValues adds to counts[i] the values in [bounds[i], bounds[i+1]) of an array container:
// ascending 16-bit values. Values that do not ascend give wrong counts, nothing worse.
func countValues(counts []uint32, values []byte, bounds []uint32) {
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
		if uint32(le.Uint16(values[2*(base+half-1):])) < bound {
			next = base + half
		}
		base = next
		n -= half
	}
	if uint32(le.Uint16(values[2*base:])) < bound {
		base++
	}
	return uint32(base)
}

// countRuns adds the parts of the runs that lie in each range.
func countRuns(counts []uint32, payload []byte, bounds []uint32) {
	i := 0
	for ; len(payload) >= 4; payload = payload[4:] {
		from := uint32(le.Uint16(payload))
		to := from + uint32(le.Uint16(payload[2:])) + 1
		for i < len(counts) && bounds[i+1] <= from {
			i++
		}
		for j := i; j < len(counts) && bounds[j] < to; j++ {
			if low, high := max(from, bounds[j]), min(to, bounds[j+1]); low < high {
				counts[j] += high - low
			}
		}
	}
}
