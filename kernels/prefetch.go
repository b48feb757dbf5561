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
