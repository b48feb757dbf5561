package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// packBits writes numbers of width bits, the lowest bit first, one after another.
func packBits(numbers []uint64, width int) []byte {
	out := make([]byte, (len(numbers)*width+7)/8)
	for i, n := range numbers {
		for bit := range width {
			if n>>bit&1 == 1 {
				at := i*width + bit
				out[at/8] |= 1 << (at % 8)
			}
		}
	}
	return out
}

// packDeltas writes numbers as DELTA_BINARY_PACKED in blocks of 64 in two parts, plainly.
func packDeltas(numbers []int64) []byte {
	const block, minis = 64, 2
	out := binary.AppendUvarint(nil, block)
	out = binary.AppendUvarint(out, minis)
	out = binary.AppendUvarint(out, uint64(len(numbers)))
	first := int64(0)
	if len(numbers) > 0 {
		first = numbers[0]
	}
	out = binary.AppendVarint(out, first)
	var deltas []int64
	for i := 1; i < len(numbers); i++ {
		deltas = append(deltas, numbers[i]-numbers[i-1])
	}
	for part := range slices.Chunk(deltas, block) {
		least := slices.Min(part)
		var widths, packed []byte
		for i := range minis {
			mini := make([]uint64, block/minis)
			most := uint64(0)
			if from := i * len(mini); from < len(part) {
				for j, delta := range part[from:min(from+len(mini), len(part))] {
					mini[j] = uint64(delta - least)
					most = max(most, mini[j])
				}
			}
			width := bits.Len64(most)
			widths = append(widths, byte(width))
			packed = append(packed, packBits(mini, width)...)
		}
		out = append(append(binary.AppendVarint(out, least), widths...), packed...)
	}
	return out
}

// Numbers of any size and number come back from deltas of any width.
func TestDeltasOfAnyWidth(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for width := range 65 {
		for _, n := range []int{0, 1, 2, 33, 64, 65, 200} {
			numbers := make([]int64, n)
			for i := range numbers {
				numbers[i] = int64(random.Uint64() >> (64 - width) << (width % 3))
				if width == 64 && i%5 == 0 {
					numbers[i] = []int64{math.MinInt64, math.MaxInt64}[i%2]
				}
			}
			data := packDeltas(numbers)
			got, rest, err := unpackDeltas(append(data, "rest"...), n)
			if err != nil || !slices.Equal(got, numbers) || string(rest) != "rest" {
				t.Fatalf("width %d, %d numbers: %v, %q, %v", width, n, got, rest, err)
			}
			for cut := range data {
				if got, _, err := unpackDeltas(data[:cut], n); err == nil && !slices.Equal(got, numbers) || err != nil && !errors.Is(err, usage.ErrData) {
					t.Fatalf("width %d, %d numbers, cut to %d bytes: %v", width, n, cut, err)
				}
			}
		}
	}
}

// Runs and packed bits of any width, mixed, give the numbers that were written.
func TestHybridOfAnyWidth(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for width := range 33 {
		for range 50 {
			var want []uint32
			var data []byte
			for range random.IntN(6) {
				if random.IntN(2) == 0 {
					n, value := random.IntN(100), uint32(random.Uint64()>>(64-width))
					data = binary.AppendUvarint(data, uint64(n)<<1)
					data = append(data, binary.LittleEndian.AppendUint32(nil, value)[:(width+7)/8]...)
					want = append(want, slices.Repeat([]uint32{value}, n)...)
					continue
				}
				group := make([]uint64, 8*random.IntN(4))
				for i := range group {
					group[i] = random.Uint64() >> (64 - width)
					want = append(want, uint32(group[i]))
				}
				data = binary.AppendUvarint(data, uint64(len(group)/8)<<1|1)
				data = append(data, packBits(group, width)...)
			}
			n := len(want)
			if n > 0 {
				n -= random.IntN(min(n, 8)) // the last values may be padding
			}
			got, err := decodeHybrid[uint32](data, width, n, math.MaxUint32)
			testkit.OK(err)
			testkit.EqualSlices(testkit.Stop(t), got, want[:n], "width", width)
			if n > 0 {
				largest := slices.Max(want[:n])
				if _, err := decodeHybrid[uint32](data, width, n, largest-1); largest > 0 && !errors.Is(err, usage.ErrData) {
					t.Fatalf("width %d: %d is above the limit: %v", width, largest, err)
				}
			}
		}
	}
}

// Metadata of a later version is passed over, and what is nested too deep is an error.
func TestThriftSkips(t *testing.T) {
	value := []byte{
		0x11,       // field 1, true
		0x13, 0xff, // field 2, a byte
		0x14, 0x03, // field 3, 16 bits
		0x17, 1, 2, 3, 4, 5, 6, 7, 8, // field 4, a double
		0x18, 0x02, 'h', 'i', // field 5, a text
		0x19, 0x21, 1, 2, // field 6, a list of two truth values
		0x1c, 0x00, // field 7, an empty structure
		0x05, 0xd0, 0x0f, 0x54, // field 1000, the number 42
		0,
	}
	r := &thriftReader{data: value}
	got := map[int64]int64{}
	r.structure(func(id int64, kind thriftKind) {
		if id == 1000 {
			var n int64
			number(r, &n)(kind)
			got[id] = n
			return
		}
		r.skip(kind)
		got[id] = 1
	})
	if r.err != nil || r.at != len(value) || len(got) != 8 || got[1000] != 42 {
		t.Errorf("%v, %d of %d bytes, %v", got, r.at, len(value), r.err)
	}
	for cut := range len(value) - 1 {
		r := &thriftReader{data: value[:cut]}
		if r.skip(thriftStruct); !errors.Is(r.err, usage.ErrData) {
			t.Errorf("cut to %d bytes: %v", cut, r.err)
		}
	}
	for _, bad := range [][]byte{slices.Repeat([]byte{0x1c}, 1000), slices.Repeat([]byte{0x19}, 1000), {0x1b, 0x00, 0}} { // deep, or a map
		r := &thriftReader{data: bad}
		if r.skip(thriftStruct); !errors.Is(r.err, usage.ErrData) {
			t.Errorf("%x: %v", bad[:3], r.err)
		}
	}
}

// Truth values of version 2 are runs behind their length.
func TestRunLengthBools(t *testing.T) {
	column := &Column{Kind: Bool}
	runs := []byte{20 << 1, 1, 2<<1 | 1, 0b10110001, 0b00000010} // twenty times true, then 16 bits
	data := append([]byte{byte(len(runs)), 0, 0, 0}, runs...)
	want := append(slices.Repeat([]int64{1}, 20), 1, 0, 0, 0, 1, 1, 0, 1, 0, 1)
	v, err := decodeValues(column, runLength, data, len(want), nil, 0)
	testkit.OK(err)
	testkit.EqualSlices(t, v.numbers, want)
	for cut := range data {
		testkit.Is(t, testkit.Err(decodeValues(column, runLength, data[:cut], len(want), nil, 0)), usage.ErrData,
			"cut to", cut, "bytes")
	}
	testkit.Is(t, testkit.Err(decodeValues(column, runLength, append(data, 0), len(want), nil, 0)), usage.ErrData,
		"a byte more")
}

// Headers of any length are read, as those of writers that put the largest text into them, among
// pages that are shorter and longer than what is read for a header.
func TestLongHeaders(t *testing.T) {
	longer := func(length, each int) change {
		n := 0
		return func(header, body []byte) ([]byte, []byte) {
			if n++; n%each > 0 {
				return header, body
			}
			header = binary.AppendUvarint(append(header[:len(header)-1:len(header)-1], 9<<4|byte(thriftBinary)), uint64(length))
			return append(append(header, strings.Repeat("y", length)...), 0), body
		}
	}
	for _, name := range []string{"long-1", "long-5", "long-all"} {
		want := testkit.Must(readAll(file(name)))
		testkit.Equal(t, want[23]["text"], any(strings.Repeat("x", 23*23*23)), name)
		for _, length := range []int{1, 100, leastHeader - 60, leastHeader, headerRoom - 100, headerRoom, 4*headerRoom - 60, 5 * headerRoom} {
			rows, err := readAll(edited(file(name), -1, longer(length, 2), nil))
			testkit.Is(testkit.Stop(t), err, nil, name, length, "bytes")
			testkit.Same(testkit.Stop(t), rows, want, name, length, "bytes, other rows")
		}
	}
	testkit.Refused(t, testkit.Err(readAll(edited(file("edited-plain"), -1, longer(2*mostHeader, 1), nil))), usage.ErrData,
		"a text is longer than what is left", "a header of", 2*mostHeader, "bytes")
}

// A shrinkingFile loses its end once it has been opened.
type shrinkingFile struct {
	*bytes.Reader
	size int64 // that it has then
	err  error // beyond it
}

func (f *shrinkingFile) ReadAt(p []byte, offset int64) (int, error) {
	if left := max(f.size-offset, 0); int64(len(p)) > left {
		n, _ := f.Reader.ReadAt(p[:left], offset)
		return n, f.err
	}
	return f.Reader.ReadAt(p, offset)
}

// A file that is cut while it is read, or cannot be read on, gives that as its error.
func TestShrinkingFile(t *testing.T) {
	data := file("long-all")
	broken := errors.New("the disk is broken")
	for _, end := range []error{io.EOF, broken} {
		for size := int64(4); size < int64(len(data))*9/10; size += 97 {
			r := &shrinkingFile{bytes.NewReader(data), int64(len(data)), end}
			opened := testkit.Must(Open(r, r.size, testLimits))
			r.size = size
			var err error
			for _, err = range opened.Batches(1, 5) {
			}
			if end == broken && err != broken || end == io.EOF && !errors.Is(err, usage.ErrData) {
				t.Fatalf("cut to %d of %d bytes: %v", size, len(data), err)
			}
		}
	}
}
