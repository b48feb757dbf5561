package kernels

import (
	"unsafe"
)

// Ascending reports whether each of values is above the one before it.
func Ascending[T int32 | int64](values []T) bool {
	const few = 5 // of slices in random order, 119 of 120 are not in order here
	if !ascendingGeneric(values[:min(few, len(values))]) {
		return false
	}
	first := unsafe.Pointer(unsafe.SliceData(values))
	if unsafe.Sizeof(T(0)) == 8 {
		return ascending64(unsafe.Slice((*int64)(first), len(values)))
	}
	return ascending32(unsafe.Slice((*int32)(first), len(values)))
}

// ascendingGeneric is Ascending for a type.
func ascendingGeneric[T int32 | int64](values []T) bool {
	for i := 1; i < len(values); i++ {
		if values[i] <= values[i-1] {
			return false
		}
	}
	return true
}
