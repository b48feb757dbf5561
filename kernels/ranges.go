package kernels

import "fmt"

// BitmapBytes is the size of a Roaring bitmap container: 65,536 bits.
const BitmapBytes = 8192

// containerBits is the number of values that a container can hold.
const containerBits = 8 * BitmapBytes

// Bounds cut the 65,536 values of a container into ranges: range i is [at[i],
// at[i+1]). They are checked once, when made, since the same ones serve the
// containers of every term.
type Bounds struct{ at []uint32 }

// NewBounds makes bounds of ascending values of at most 65,536. It keeps the
// slice, which must not be modified afterwards. Two neighbours may be equal.
func NewBounds(at []uint32) (Bounds, error) {
	last := uint32(0)
	for i, b := range at {
		if b < last || b > containerBits {
			return Bounds{}, fmt.Errorf("kernels: bound %d of a container is %d, after %d", i, b, last)
		}
		last = b
	}
	return Bounds{at}, nil
}

// Ranges is the number of ranges that the bounds make.
func (b Bounds) Ranges() int { return max(len(b.at)-1, 0) }

// At gives the values that the bounds were made of; they must not be modified.
func (b Bounds) At() []uint32 { return b.at }

// CountBitmap adds to counts[i] the bits set in range i of a bitmap container,
// that is BitmapBytes bytes in which bit b is bit b%8 of byte b/8. There is one
// count a range.
func CountBitmap(counts []uint32, bitmap []byte, bounds Bounds) {
	if len(bitmap) != BitmapBytes || len(counts) != bounds.Ranges() {
		panic(fmt.Sprintf("kernels: CountBitmap: a bitmap of %d bytes, %d counts of %d ranges",
			len(bitmap), len(counts), bounds.Ranges()))
	}
	if len(counts) > 0 {
		countBitmap(counts, bitmap, bounds.at)
	}
}

// CountArray adds to counts[i] the values in range i of an array container:
// ascending 16-bit values, little endian, at most 65,536 of them. Values that do
// not ascend give wrong counts, nothing worse. There is one count a range.
func CountArray(counts []uint32, values []byte, bounds Bounds) {
	if len(values)%2 != 0 || len(values) > 2*containerBits || len(counts) != bounds.Ranges() {
		panic(fmt.Sprintf("kernels: CountArray: values of %d bytes, %d counts of %d ranges",
			len(values), len(counts), bounds.Ranges()))
	}
	if len(counts) > 0 {
		countArray(counts, values, bounds.at)
	}
}
