package parquet

import (
	"encoding/binary"
	"slices"
)

// This file decodes DELTA_BINARY_PACKED, numbers as differences to the one before, and the
// texts that are written with it.

// A deltaBlocks is the head of packed numbers: blocks of some miniblocks, each with a width
// of its own.
type deltaBlocks struct {
	perBlock, minis int // values of a block, miniblocks of it
	count           int
	first           int64
}

// mostBlock bounds the values of a block, of which writers known to us put 128 into one.
const mostBlock = 1 << 16

// deltaHead reads the head of n numbers.
func deltaHead(data []byte, n int) (h deltaBlocks, rest []byte, err error) {
	var fields [4]uint64
	for i := range fields {
		size := 0
		if fields[i], size = binary.Uvarint(data); size <= 0 {
			return h, nil, damaged("the head of packed numbers is cut")
		}
		data = data[size:]
	}
	perBlock, minis, count := fields[0], fields[1], fields[2]
	if perBlock == 0 || perBlock > mostBlock || minis == 0 || minis > perBlock || perBlock%minis != 0 || perBlock/minis%8 != 0 {
		return h, nil, damaged("blocks of %d numbers and %d parts are none", perBlock, minis)
	}
	if count != uint64(n) {
		return h, nil, damaged("%d numbers are packed, and %d should be", count, n)
	}
	zigzag := fields[3]
	return deltaBlocks{int(perBlock), int(minis), n, int64(zigzag>>1) ^ -int64(zigzag&1)}, data, nil
}

// unpackDeltas decodes n numbers at the front of data, and returns what is behind them.
func unpackDeltas(data []byte, n int) (numbers []int64, rest []byte, err error) {
	h, data, err := deltaHead(data, n)
	if err != nil || n == 0 {
		return nil, data, err
	}
	if blocks := int64(len(data) / (1 + h.minis)); int64(n) > 1+blocks*int64(h.perBlock) { // each has its least delta, and widths
		return nil, nil, damaged("%d packed numbers do not fit into %d bytes", n, len(data))
	}
	numbers = append(make([]int64, 0, n), h.first)
	for len(numbers) < n {
		least, size := binary.Varint(data)
		if size <= 0 || len(data)-size < h.minis {
			return nil, nil, damaged("a block of packed numbers is cut")
		}
		widths := data[size : size+h.minis]
		data = data[size+h.minis:]
		if numbers, data, err = h.block(numbers, least, widths, data); err != nil {
			return nil, nil, err
		}
	}
	return numbers, data, nil
}

// block appends the numbers of a block.
func (h *deltaBlocks) block(numbers []int64, least int64, widths, data []byte) (more []int64, rest []byte, err error) {
	per := h.perBlock / h.minis
	for _, width := range widths {
		if len(numbers) == h.count {
			break
		}
		size := per / 8 * int(width)
		if width > 64 || size > len(data) {
			return nil, nil, damaged("packed numbers of %d bits are cut", width)
		}
		last := numbers[len(numbers)-1]
		for i := range min(per, h.count-len(numbers)) {
			last += least + int64(bitsAt(data[:size], i*int(width), int(width)))
			numbers = append(numbers, last)
		}
		data = data[size:]
	}
	return numbers, data, nil
}

// bitsAt returns width bits of data from bit at on, the lowest of a byte first.
func bitsAt(data []byte, at, width int) (v uint64) {
	if width == 0 {
		return 0
	}
	first, shift := at/8, at%8
	if width+shift <= 64 && first+8 <= len(data) {
		return binary.LittleEndian.Uint64(data[first:]) >> shift & (1<<width - 1)
	}
	for have := -shift; have < width; have += 8 {
		if b := uint64(data[first]); have < 0 {
			v = b >> shift
		} else {
			v |= b << have
		}
		first++
	}
	return v & (1<<width - 1) // the shift by 64 gives 0, and so all bits
}

// deltaLengthTexts finds texts whose lengths stand in front of all of them.
func deltaLengthTexts(data []byte, n int) (v values, err error) {
	lengths, data, err := unpackDeltas(data, n)
	if err != nil {
		return v, err
	}
	v = values{data: data, ends: make([]uint32, n)}
	at := int64(0)
	for i, length := range lengths {
		if length < 0 || length > int64(len(data))-at {
			return v, damaged("text %d of %d has %d bytes, and %d are left", i+1, n, length, int64(len(data))-at)
		}
		at += length
		v.ends[i] = uint32(at)
	}
	return v, allUsed(len(data) - int(at))
}

// deltaTexts makes texts that begin as the one before, of most bytes together.
func deltaTexts(data []byte, n int, most int64) (v values, err error) {
	prefixes, data, err := unpackDeltas(data, n)
	if err != nil {
		return v, err
	}
	suffixes, err := deltaLengthTexts(data, n)
	if err != nil {
		return v, err
	}
	total := int64(len(suffixes.data))
	before := int64(0)
	for i, prefix := range prefixes {
		if prefix < 0 || prefix > before {
			return v, damaged("text %d of %d begins with %d bytes of the one before, which has %d", i+1, n, prefix, before)
		}
		before = prefix + int64(len(suffixes.text(i)))
		if total += prefix; total > most {
			return v, &Error{Problem: "the texts of a page become too long together", Remedy: "write smaller pages; --max-document raises the limit"}
		}
	}
	v = values{data: slices.Grow([]byte(nil), int(total)), ends: make([]uint32, n), made: true}
	from := 0
	for i, prefix := range prefixes {
		begin := len(v.data)
		v.data = append(v.data, v.data[from:from+int(prefix)]...)
		v.data = append(v.data, suffixes.text(i)...)
		v.ends[i] = uint32(len(v.data))
		from = begin
	}
	return v, nil
}
