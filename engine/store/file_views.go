package store

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unsafe"
)

// This file converts between the bytes of a section and numbers, without a copy if the
// machine has the byte order of the file.

type element interface {
	uint8 | uint32 | uint64 | float32 | float64
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// elementsOf returns the numbers of a section: the same memory, or a copy if that is
// not aligned or has the other byte order. The length is a multiple of the element
// size.
func elementsOf[T element](data []byte) []T {
	size := int(unsafe.Sizeof(T(0)))
	if len(data) == 0 {
		return nil
	}
	if littleEndian && uintptr(unsafe.Pointer(unsafe.SliceData(data)))%uintptr(size) == 0 {
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/size)
	}
	values := make([]T, len(data)/size)
	inFileOrder(memoryOf(values)[:copy(memoryOf(values), data)], size)
	return values
}

// bytesOf returns the bytes of numbers in the byte order of the file. They must not be
// modified.
func bytesOf[T element](values []T) []byte {
	data := memoryOf(values)
	if !littleEndian {
		data = bytes.Clone(data)
		inFileOrder(data, int(unsafe.Sizeof(T(0))))
	}
	return data
}

// memoryOf returns the memory of numbers.
func memoryOf[T element](values []T) []byte {
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

// stringOf returns a string that shares the memory of data.
func stringOf(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// stringBytes returns the bytes of a string, which must not be modified.
func stringBytes(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }
