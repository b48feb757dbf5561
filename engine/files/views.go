package files

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unsafe"
)

// This file converts between the bytes of a section and numbers, without a copy if the
// machine has the byte order of the file.

// An Element is a number of a section.
type Element interface {
	uint8 | uint32 | uint64 | float32 | float64
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// ElementsOf returns the numbers of a section: the same memory, or a copy if that is
// not aligned or has the other byte order. The length is a multiple of the element
// size.
func ElementsOf[T Element](data []byte) []T {
	size := int(unsafe.Sizeof(T(0)))
	if len(data) == 0 {
		return nil
	}
	if littleEndian && uintptr(unsafe.Pointer(unsafe.SliceData(data)))%uintptr(size) == 0 {
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/size)
	}
	values := make([]T, len(data)/size)
	inFileOrder(MemoryOf(values)[:copy(MemoryOf(values), data)], size)
	return values
}

// BytesOf returns the bytes of numbers in the byte order of the file. They must not be
// modified.
func BytesOf[T Element](values []T) []byte {
	data := MemoryOf(values)
	if !littleEndian {
		data = bytes.Clone(data)
		inFileOrder(data, int(unsafe.Sizeof(T(0))))
	}
	return data
}

// MemoryOf returns the memory of numbers.
func MemoryOf[T Element](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(T(0))))
}

// inFileOrder changes the bytes of numbers from the byte order of the machine to that of the
// file, or back.
func inFileOrder(data []byte, size int) {
	if littleEndian {
		return
	}
	for i := 0; i < len(data); i += size {
		slices.Reverse(data[i : i+size])
	}
}

// StringOf returns a string that shares the memory of data.
func StringOf(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// StringBytes returns the bytes of a string, which must not be modified.
func StringBytes(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }
