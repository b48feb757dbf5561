package kernels

import "fmt"

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
