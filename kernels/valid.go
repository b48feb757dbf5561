package kernels

import (
	"bytes"
	"math"
	"unsafe"
)

// Within reports whether all values are above 0 and at most a number, which must be above 0 and
// finite. NaN is not. The bits of positive floats are in the order of their values, so all types
// of a width are compared as integers.
func Within[T uint8 | int32 | int64 | float32 | float64](values []T, most T) bool {
	if !(most > 0) || most-most != 0 {
		panic("kernels: Within: the largest value is not above 0, or infinite")
	}
	if len(values) == 0 {
		return true
	}
	first := unsafe.Pointer(unsafe.SliceData(values))
	switch unsafe.Sizeof(most) {
	case 8:
		return within64(unsafe.Slice((*int64)(first), len(values)), bitsOf64(most))
	case 4:
		return within32(unsafe.Slice((*int32)(first), len(values)), bitsOf32(most))
	}
	return withinBytes(unsafe.Slice((*uint8)(first), len(values)), uint8(most))
}

// withinBytes is Within for bytes.
func withinBytes(values []uint8, most uint8) bool {
	if most == math.MaxUint8 {
		return bytes.IndexByte(values, 0) < 0
	}
	beyond := int32(0)
	for _, v := range values {
		beyond |= (int32(v) - 1) | (int32(most) - int32(v))
	}
	return beyond >= 0
}

// bitsOf64 returns the bits of a number of 64 bits.
func bitsOf64[T uint8 | int32 | int64 | float32 | float64](v T) int64 {
	if half := T(1) / 2; half == 0 {
		return int64(v)
	}
	return int64(math.Float64bits(float64(v)))
}

// bitsOf32 returns the bits of a number of 32 bits.
func bitsOf32[T uint8 | int32 | int64 | float32 | float64](v T) int32 {
	if half := T(1) / 2; half == 0 {
		return int32(v)
	}
	return int32(math.Float32bits(float32(v)))
}

func within64Generic(values []int64, most int64) bool { return withinGeneric(values, most) }

func within32Generic(values []int32, most int32) bool { return withinGeneric(values, most) }

// withinGeneric sets the sign of beyond for a value below 1 or above the most.
func withinGeneric[T int32 | int64](values []T, most T) bool {
	beyond := T(0)
	for _, v := range values {
		beyond |= (v - 1) | (most - v)
	}
	return beyond >= 0
}

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
