package parquet

import (
	"encoding/binary"
	"slices"
)

// This file decodes the hybrid of run lengths and packed bits in which levels, indexes of
// dictionaries and truth values are written: runs of one value, and groups of eight values of
// width bits each.

// A run is a part of a hybrid, and may be empty.
type run struct {
	count  int    // of values, at least
	value  uint32 // of all, if packed is nil
	packed []byte
}

// nextRun cuts the run at the front of data, of which no more than most values are wanted.
func nextRun(data []byte, width, most int) (r run, rest []byte, err error) {
	head, n := binary.Uvarint(data)
	if n <= 0 {
		return r, nil, damaged("a run has no length")
	}
	data = data[n:]
	if head&1 == 1 {
		return packedRun(data, head>>1, width, most)
	}
	size := (width + 7) / 8
	if len(data) < size {
		return r, nil, damaged("a run has no value")
	}
	for i := range size {
		r.value |= uint32(data[i]) << (8 * i)
	}
	if width < 32 && r.value>>width != 0 {
		return r, nil, damaged("the value of a run has more than %d bits", width)
	}
	r.count = int(min(head>>1, uint64(most)))
	return r, data[size:], nil
}

// packedRun cuts a run of groups of eight values.
func packedRun(data []byte, groups uint64, width, most int) (r run, rest []byte, err error) {
	groups = min(groups, uint64(most+7)/8)
	size := int(groups) * width
	if size > len(data) {
		return r, nil, damaged("a run of %d values is cut", groups*8)
	}
	r.count = min(int(groups)*8, most)
	r.packed = data[:size:size] // never nil
	return r, data[size:], nil
}

// decodeHybrid appends n values of width bits to dst, none of which is above limit.
func decodeHybrid[T byte | uint32](dst []T, data []byte, width, n int, limit uint32) ([]T, error) {
	dst = slices.Grow(dst, n)
	for n > 0 {
		r, rest, err := nextRun(data, width, n)
		if err != nil {
			return dst, err
		}
		from := len(dst)
		dst = dst[:from+r.count]
		if largest := fill(dst[from:], r, width); largest > limit {
			return dst, damaged("there is the value %d, and %d is the largest", largest, limit)
		}
		n -= r.count
		data = rest
	}
	return dst, nil
}

// fill stores the values of a run in dst and returns the largest.
func fill[T byte | uint32](dst []T, r run, width int) (largest uint32) {
	if r.packed == nil {
		for i := range dst {
			dst[i] = T(r.value)
		}
		return r.value
	}
	mask := uint64(1)<<width - 1
	var bits uint64 // not yet stored, have of them
	have, at := 0, 0
	for i := range dst {
		for have < width {
			bits |= uint64(r.packed[at]) << have
			have += 8
			at++
		}
		v := uint32(bits & mask)
		dst[i] = T(v)
		largest = max(largest, v)
		bits >>= width
		have -= width
	}
	return largest
}
