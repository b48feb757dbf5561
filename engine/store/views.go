package store

import (
	"encoding/binary"
	"unsafe"
)

// This file looks at the bytes of a section as numbers, without a copy where the
// machine has the byte order of the file.

type element interface {
	uint8 | uint32 | uint64 | float32 | float64
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// elementsOf gives the numbers of a section: its own memory, or a copy where that is not
// aligned or in the other byte order. The length is a multiple of the elements'.
func elementsOf[T element](data []byte) []T {
	size := int(unsafe.Sizeof(T(0)))
	if len(data) == 0 {
		return nil
	}
	if littleEndian && uintptr(unsafe.Pointer(unsafe.SliceData(data)))%uintptr(size) == 0 {
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/size)
	}
	values := make([]T, len(data)/size)
	if _, err := binary.Decode(data, le, values); err != nil {
		panic(err) // the length is right
	}
	return values
}

// bytesOf gives the bytes of numbers in the order of the file, which must not be
// modified.
func bytesOf[T element](values []T) []byte {
	if !littleEndian || len(values) == 0 {
		return encode(values)
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(T(0))))
}
