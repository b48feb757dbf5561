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
	v.indexes, err = decodeHybrid[uint32](data[1:], int(data[0]), n, uint32(dict.count()-1))
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
		v.numbers[i] = int64(bitsAt(data, i, 1))
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
	bits, err := decodeHybrid[byte](body, 1, n, 1)
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

// decodeHybrid decodes n values of width bits, none of which is above limit, from the hybrid in which levels, indexes of
// dictionaries and truth values are written: runs of one value, and groups of eight values.
func decodeHybrid[T byte | uint32](data []byte, width, n int, limit uint32) ([]T, error) {
	all := make([]T, n)
	most := min(uint64(limit), 1<<width-1)
	for at := 0; at < n; {
		head, size := binary.Uvarint(data)
		if size <= 0 {
			return nil, damaged("a run has no length")
		}
		data = data[size:]
		count, bits, step := head>>1, (width+7)/8*8, 0 // a run of one value, in whole bytes
		size = bits / 8
		if head&1 == 1 {
			groups := min(head>>1, uint64(n-at+7)/8)
			count, bits, step, size = groups*8, width, width, int(groups)*width
		}
		if size > len(data) {
			return nil, damaged("a run of %d values is cut", count)
		}
		run, largest := all[at:][:min(count, uint64(n-at))], uint64(0)
		if step == 0 {
			largest = bitsAt(data[:size], 0, bits) // also of an empty run
		}
		for i := range run {
			v := bitsAt(data[:size], i*step, bits)
			run[i], largest = T(v), max(largest, v)
		}
		if largest > most {
			return nil, damaged("there is the value %d, and %d is the largest", largest, most)
		}
		at += len(run)
		data = data[size:]
	}
	return all, nil
}

// What follows decodes DELTA_BINARY_PACKED, numbers as differences to the one before, and the
// texts that are written with it.

// mostBlock bounds the values of a block, of which writers known to us put 128 into one.
const mostBlock = 1 << 16

// unpackDeltas decodes n numbers at the front of data, and returns what is behind them. They are in blocks of some
// miniblocks, each with a width of its own.
func unpackDeltas(data []byte, n int) (numbers []int64, rest []byte, err error) {
	t := &thriftReader{data: data}
	perBlock, minis, count, first := t.uvarint(), t.uvarint(), t.uvarint(), t.varint()
	switch {
	case t.err != nil:
		return nil, nil, t.err
	case perBlock == 0 || perBlock > mostBlock || minis == 0 || minis > perBlock || perBlock%minis != 0 || perBlock/minis%8 != 0:
		return nil, nil, damaged("blocks of %d numbers and %d parts are none", perBlock, minis)
	case count != uint64(n):
		return nil, nil, damaged("%d numbers are packed, and %d should be", count, n)
	case n == 0:
		return nil, data[t.at:], nil
	}
	if blocks := uint64(len(data)-t.at) / (1 + minis); uint64(n) > 1+blocks*perBlock { // each has its least delta, and widths
		return nil, nil, damaged("%d packed numbers do not fit into %d bytes", n, len(data)-t.at)
	}
	numbers = append(make([]int64, 0, n), first)
	for len(numbers) < n {
		least, widths := t.varint(), t.take(minis)
		for i := 0; i < len(widths) && len(numbers) < n; i++ {
			width, last := int(widths[i]), numbers[len(numbers)-1]
			packed := t.take(perBlock / minis / 8 * uint64(width))
			if t.err == nil && width > 64 {
				t.err = damaged("packed numbers have %d bits", width)
			}
			if t.err != nil {
				break
			}
			for i := range min(int(perBlock/minis), n-len(numbers)) {
				last += least + int64(bitsAt(packed, i*width, width))
				numbers = append(numbers, last)
			}
		}
		if t.err != nil {
			return nil, nil, t.err
		}
	}
	return numbers, data[t.at:], nil
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
