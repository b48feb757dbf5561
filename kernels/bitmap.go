package kernels

import "fmt"

// BitmapBytes is the size of a Roaring bitmap container: 65,536 bits.
const BitmapBytes = 8192

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
