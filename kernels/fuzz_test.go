package kernels

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// The targets of this file make arguments of any bytes and compare the forms of a
// kernel with the generic one.

// others are the forms of a function beside the generic one, by their names.
func others[F any](function func(implementation) F) iter.Seq2[string, F] {
	return func(yield func(string, F) bool) {
		for _, p := range implementations[1:] {
			if f := function(p); !reflect.ValueOf(f).IsNil() && !yield(p.name, f) {
				return
			}
		}
	}
}

// fuzzWords makes words of four bytes.
func fuzzWords(raw []byte) []uint32 {
	words := make([]uint32, len(raw)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	return words
}

// fuzzNumbers makes numbers of eight bytes.
func fuzzNumbers(raw []byte) []float64 {
	numbers := make([]float64, len(raw)/8)
	for i := range numbers {
		numbers[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return numbers
}

// fuzzCuts makes bounds of up to n, in any order.
func fuzzCuts(raw []byte, n int) []uint32 {
	bounds := []uint32{0}
	for _, b := range raw {
		bounds = append(bounds, uint32(int(b)*n/255))
	}
	return append(bounds, uint32(n))
}

func FuzzClassify(f *testing.F) {
	f.Add([]byte("Hello, Wörld_1"), true)
	f.Add(bytes.Repeat([]byte("AZ[@az`{09:/_^"), 10), false)
	f.Fuzz(func(t *testing.T, src []byte, words bool) {
		class := Letters
		if words {
			class = WordBytes
		}
		wantLower, wantMasks, wantHigh := classifyOneByOne(src, class)
		check := func(name string, classify classifier) {
			lower, masks := bytes.Repeat([]byte{0xEE}, len(src)+1), slices.Repeat([]uint64{7}, len(wantMasks)+1)
			high := classify(src, lower[:len(src)], masks[:len(wantMasks)], class)
			if high != wantHigh || !bytes.Equal(lower[:len(src)], wantLower) || !slices.Equal(masks[:len(wantMasks)], wantMasks) {
				t.Fatalf("%s: %q, class %d: %q %x %v, want %q %x %v", name, src, class, lower, masks, high, wantLower, wantMasks, wantHigh)
			}
			if lower[len(src)] != 0xEE || masks[len(wantMasks)] != 7 {
				t.Fatalf("%s: %d bytes: it wrote behind the end", name, len(src))
			}
		}
		check(Generic, classifyGeneric) // against the definition
		for name, classify := range others(classifiers) {
			check(name, classify)
		}
	})
}

func FuzzSharedBits(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"), uint8(3))
	f.Fuzz(func(t *testing.T, raw []byte, n uint8) {
		words := make([]uint64, len(raw)/8)
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(raw[8*i:])
		}
		size := len(words) / (int(n) + 2)
		if size == 0 {
			return
		}
		set, sets := words[:size], words[size:size*(int(n)+2)]
		want := make([]uint32, int(n)+1)
		sharedBitsGeneric(want, sets, set)
		for name, shared := range others(func(p implementation) sharer { return p.sharedBits }) {
			dst := make([]uint32, len(want))
			if shared(dst, sets, set); !slices.Equal(dst, want) {
				t.Fatalf("%s: %d, want %d", name, dst, want)
			}
		}
	})
}

// Sum has one form: it is compared with its definition.
func FuzzSum(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		values := fuzzNumbers(raw)
		sum, square := Sum(values)
		if wantSum, wantSquare := sumInLanes(values); !same(sum, wantSum) || !same(square, wantSquare) {
			t.Fatalf("%v: %v and %v, want %v and %v", values, sum, square, wantSum, wantSquare)
		}
	})
}

func FuzzRows(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"), []byte{1, 1, 3, 40}, int64(-5), uint8(1))
	f.Fuzz(func(t *testing.T, raw, cut []byte, least int64, long uint8) {
		log := uint64(long % 4)
		numbers := fuzzNumbers(raw)
		rows := len(numbers) >> log
		integers := make([]int64, rows<<log+RowPadding)
		for i, v := range numbers[:rows<<log] {
			integers[i] = int64(math.Float64bits(v))
		}
		var start []int
		for _, at := range fuzzCuts(cut, len(raw)) {
			start = append(start, int(at))
		}
		k := len(start) - 1
		var places []uint32
		for _, b := range raw[start[0]:start[k]] { // one may be beyond the rows
			places = append(places, uint32(b)%uint32(rows+1))
		}
		want := make([]int64, k<<log+RowPadding)
		good := rowMaximaGeneric(want, integers, places, start, least, log)
		for name, p := range others(func(p implementation) maximizer { return p.rowMaxima }) {
			got := make([]int64, len(want))
			if p(got, integers, places, start, least, log) != good || good && !slices.Equal(got[:k<<log], want[:k<<log]) {
				t.Fatalf("%s: %v of %v by %v, want %v, %v", name, got, places, start, want, good)
			}
		}
	})
}

func FuzzClassSegments(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"), uint16(5), uint8(1), uint64(3))
	f.Fuzz(func(t *testing.T, raw []byte, largest uint16, form uint8, seed uint64) {
		start := startsOf(rand.New(rand.NewPCG(seed, 1)), len(raw))
		k := len(start) - 1
		if k == 0 {
			return
		}
		classes, a, of := make([]uint32, len(raw)), make([]float64, len(raw)), make([]float64, k)
		for i, b := range raw {
			classes[i], a[i] = uint32(b), float64(raw[len(raw)-1-i])
		}
		for i := range of {
			of[i] = float64(i)
		}
		table := make([][2]float64, 1+int(largest))
		for c := range table {
			table[c] = [2]float64{float64(c), 1 / float64(c+3)}
		}
		form %= uint8(Signed) + 1
		got, want := make([]float64, k), make([]float64, k)
		good := deviationMaximaGeneric(want, start, classes, a, of, table, 300, Deviation(form))
		for name, maxima := range others(func(p implementation) deviator { return p.deviationMaxima }) {
			if maxima(got, start, classes, a, of, table, 300, Deviation(form)) != good || good && !slices.EqualFunc(got, want, same) {
				t.Fatalf("%s: maxima %v, want %v, %v", name, got, want, good)
			}
		}
	})
}

func FuzzAtLeast(f *testing.F) {
	f.Add([]byte("12345678abcdefgh"), 1.)
	f.Fuzz(func(t *testing.T, raw []byte, threshold float64) {
		values := fuzzNumbers(raw)
		if len(values) == 0 {
			return
		}
		want := make([]uint32, len(values))
		want = want[:atLeastGeneric(want, values, threshold)]
		for name, atLeast := range others(func(p implementation) func([]uint32, []float64, float64) int { return p.atLeast }) {
			got := make([]uint32, len(values))
			if got = got[:atLeast(got, values, threshold)]; !slices.Equal(got, want) {
				t.Fatalf("%s: %v >= %v: %v, want %v", name, values, threshold, got, want)
			}
		}
	})
}
