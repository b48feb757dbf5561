package kernels

import "unsafe"

// Prefetch asks the CPU to load values into its second-level cache while the program goes
// on. It pays where memory is gone through in runs of a few hundred bytes in no order,
// which the CPU does not foresee. Asking for the first level instead makes the program wait: that
// cache has room for fewer requests at a time. It reads nothing that a program could tell.
func Prefetch[T uint8 | int32 | int64 | uint32 | float32 | float64](values []T) {
	if len(values) > 0 {
		prefetch(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(values[0]))))
	}
}

// prefetchGeneric does nothing: Go has no such instruction.
func prefetchGeneric([]byte) {}

// PrefetchEach asks the CPU to load the elements at places into its first-level cache, each with the
// cache line behind it, where a search in a hash table goes on. It pays where a table of some megabytes
// is read in no order, a hundred or so elements at a time: on its own the CPU reads only so far ahead
// as it has room for instructions.
func PrefetchEach[T any](elements []T, places []uint32) {
	if len(elements) > 0 && len(places) > 0 {
		size := int(unsafe.Sizeof(elements[0]))
		prefetchEach(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(elements))), len(elements)*size), size, places)
	}
}

func prefetchEachGeneric([]byte, int, []uint32) {}
