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
