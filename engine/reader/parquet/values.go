package parquet

import (
	"encoding/binary"
	"slices"
)

// values are the values of a page or of a dictionary, without nulls: texts, numbers, or
// indexes of those of a dictionary.
type values struct {
	data    []byte   // the texts, one behind the other
	ends    []uint32 // of the texts in data
	gap     int      // bytes in front of each text
	numbers []int64
	indexes []uint32
	dict    *values // that indexes refers to; nil = none
	// made says that data was made by decoding, so that it may be far longer than the page.
	made bool
}

// number returns value i of a column of numbers.
func (v *values) number(i int) int64 {
	if v.dict != nil {
		return v.dict.numbers[v.indexes[i]]
	}
	return v.numbers[i]
}

// text returns value i of a column of texts.
func (v *values) text(i int) []byte {
	if v.dict != nil {
		v, i = v.dict, int(v.indexes[i])
	}
	from := v.gap
	if i > 0 {
		from += int(v.ends[i-1])
	}
	to := int(v.ends[i])
	return v.data[from:to:to]
}

// count returns the number of values.
func (v *values) count() int { return max(len(v.ends), len(v.numbers), len(v.indexes)) }

// decodeValues decodes n values of a column, of which data has nothing else. Pages of
// indexes refer to dict.
func decodeValues(c *Column, e encoding, data []byte, n int, dict *values, most int64) (v values, err error) {
	if e == plainDictionary || e == runDictionary {
		return decodeIndexes(data, n, dict)
	}
	switch {
	case c.Kind == Bytes && e == plain:
		return plainTexts(data, n)
	case c.Kind == Bytes && e == deltaLength:
		return deltaLengthTexts(data, n)
	case c.Kind == Bytes && e == deltaByteArray:
		return deltaTexts(data, n, most)
	case c.Kind == Bool && e == plain:
		return plainBools(data, n)
	case c.Kind == Bool && e == runLength:
		return runLengthBools(data, n)
	case c.Kind != Bytes && e == plain:
		v, err = plainNumbers(c, data, n)
	case (c.Kind == Int || c.Kind == Uint) && e == deltaBinary:
		if v.numbers, data, err = unpackDeltas(data, n); err == nil {
			err = allUsed(len(data))
		}
	default:
		return v, e.refused("its values")
	}
	if c.physical == typeInt32 {
		narrow(v.numbers, c.Kind == Uint)
	}
	return v, err
}

// narrow makes numbers those of 32 bits, around which deltas wrap.
func narrow(numbers []int64, unsigned bool) {
	for i, n := range numbers {
		if unsigned {
			numbers[i] = int64(uint32(n))
		} else {
			numbers[i] = int64(int32(n))
		}
	}
}

func decodeIndexes(data []byte, n int, dict *values) (v values, err error) {
	if dict == nil {
		return v, damaged("a page refers to a dictionary, and its column has none")
	}
	v.dict = dict
	if n == 0 {
		return v, allUsed(len(data) - 1) // their width may be there
	}
	if len(data) == 0 || data[0] > 32 {
		return v, damaged("a page of indexes has no width of them")
	}
	if dict.count() == 0 {
		return v, damaged("a page refers to a dictionary, and that is empty")
	}
	v.indexes, err = decodeHybrid[uint32](nil, data[1:], int(data[0]), n, uint32(dict.count()-1))
	return v, err
}

// plainTexts finds texts that each have their length in front.
func plainTexts(data []byte, n int) (v values, err error) {
	if n > len(data)/4 {
		return v, damaged("%d texts do not fit into %d bytes", n, len(data))
	}
	v = values{data: data, gap: 4, ends: make([]uint32, n)}
	at := 0
	for i := range v.ends {
		if len(data)-at < 4 {
			return v, damaged("text %d of %d is cut", i+1, n)
		}
		size := binary.LittleEndian.Uint32(data[at:])
		at += 4
		if uint64(size) > uint64(len(data)-at) {
			return v, damaged("text %d of %d has %d bytes, and %d are left", i+1, n, size, len(data)-at)
		}
		at += int(size)
		v.ends[i] = uint32(at)
	}
	return v, allUsed(len(data) - at)
}

// allUsed returns an error if bytes are left behind the values.
func allUsed(left int) error {
	if left > 0 {
		return damaged("%d bytes are left behind the values", left)
	}
	return nil
}

func plainNumbers(c *Column, data []byte, n int) (v values, err error) {
	size := 8
	if c.physical == typeInt32 || c.physical == typeFloat {
		size = 4
	}
	if len(data) != n*size {
		return v, damaged("%d numbers should have %d bytes, and there are %d", n, n*size, len(data))
	}
	v.numbers = make([]int64, n)
	for i := range v.numbers {
		if size == 4 {
			v.numbers[i] = int64(int32(binary.LittleEndian.Uint32(data[4*i:])))
		} else {
			v.numbers[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
		}
	}
	return v, nil
}

func plainBools(data []byte, n int) (v values, err error) {
	if len(data) != (n+7)/8 {
		return v, damaged("%d truth values should have %d bytes, and there are %d", n, (n+7)/8, len(data))
	}
	v.numbers = make([]int64, n)
	for i := range v.numbers {
		v.numbers[i] = int64(data[i/8] >> (i % 8) & 1)
	}
	return v, nil
}

func runLengthBools(data []byte, n int) (v values, err error) {
	if n == 0 {
		return v, nil
	}
	body, rest, err := withLength(data)
	if err != nil {
		return v, err
	}
	if err := allUsed(len(rest)); err != nil {
		return v, err
	}
	bits, err := decodeHybrid[byte](nil, body, 1, n, 1)
	v.numbers = slices.Grow(v.numbers, n)
	for _, bit := range bits {
		v.numbers = append(v.numbers, int64(bit))
	}
	return v, err
}

// withLength splits data that has the length of its first part in front.
func withLength(data []byte) (part, rest []byte, err error) {
	if len(data) < 4 {
		return nil, nil, damaged("a length is cut")
	}
	n := binary.LittleEndian.Uint32(data)
	if data = data[4:]; uint64(n) > uint64(len(data)) {
		return nil, nil, damaged("a part of %d bytes is cut to %d", n, len(data))
	}
	return data[:n], data[n:], nil
}

// What follows decodes the hybrid of run lengths and packed bits in which levels, indexes of
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

// What follows decodes DELTA_BINARY_PACKED, numbers as differences to the one before, and the
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
