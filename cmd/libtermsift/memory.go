package main

import (
	"math"
	"runtime"
	"unsafe"

	"github.com/termsift/termsift/engine/usage"
)

// sliceOf returns n elements of the caller's memory as a slice, after it has read a byte of
// each page of them: that panics here if the memory is not there, while the panic of a
// worker of package pool, which also reads it, would end the process. Errors name the
// argument.
func sliceOf[T any](p unsafe.Pointer, n int64, name string) ([]T, error) {
	var element T
	size := int64(unsafe.Sizeof(element))
	switch {
	case n < 0:
		return nil, usage.Errorf("%s has %d elements", name, n)
	case n == 0:
		return []T{}, nil
	case p == nil:
		return nil, usage.Errorf("%s is NULL, and should have %d elements", name, n)
	case uintptr(p)%unsafe.Alignof(element) != 0:
		return nil, usage.Errorf("%s is at %p, which is not a multiple of %d", name, p, unsafe.Alignof(element))
	case n > math.MaxInt/size || uintptr(n*size) > -uintptr(p):
		return nil, usage.Errorf("%s has %d elements, more than memory", name, n)
	}
	probe(p, n*size)
	return unsafe.Slice((*T)(p), n), nil
}

// pageSize is the smallest size of a page.
const pageSize = 4096

// probe reads one byte of each page of n > 0 bytes at p.
func probe(p unsafe.Pointer, n int64) {
	sum := byte(0)
	for at := int64(0); at < n; at += pageSize {
		sum |= *(*byte)(unsafe.Add(p, at))
	}
	sum |= *(*byte)(unsafe.Add(p, n-1))
	runtime.KeepAlive(sum)
}

// outputOf returns n elements of the caller's memory to write to, nil for NULL.
func outputOf[T any](p unsafe.Pointer, n int64, name string) ([]T, error) {
	if p == nil {
		return nil, nil
	}
	return sliceOf[T](p, n, name)
}

// requireOutput returns an error for a NULL pointer where a result goes, else sets it to
// the zero value.
func requireOutput[T any](to *T, name string) error {
	if to == nil {
		return usage.Errorf("%s is NULL, and a result goes there", name)
	}
	var zero T
	*to = zero
	return nil
}

// stringOf returns a text that ends with 0, "" for NULL.
func stringOf(p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(p), n))
}

// mostText is the length to which the text of an error is cut in any case.
const mostText = 1 << 16

// bufferOf returns the memory for the text of an error.
func bufferOf(p unsafe.Pointer, size uint64) []byte {
	if p == nil || size == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(p), int(min(size, mostText)))
}

// wrongSize returns the error for a struct of another size than the library's.
func wrongSize(name, kind string, got uint32, want uintptr) error {
	return usage.Errorf("%s.struct_size is %d: set it to sizeof(%s), which is %d for this library", name, got, kind, want)
}

// listTexts returns n texts that are given by pointers and lengths.
func listTexts(pointers, lengths unsafe.Pointer, n int64) (texts, error) {
	from, err := sliceOf[unsafe.Pointer](pointers, n, "texts.pointers")
	if err != nil {
		return nil, err
	}
	sizes, err := sliceOf[int64](lengths, n, "texts.lengths")
	if err != nil {
		return nil, err
	}
	list := make(listedTexts, n)
	for i := range list {
		if list[i], err = sliceOf[byte](from[i], sizes[i], "a text of texts.pointers"); err != nil {
			return nil, usage.Errorf("texts.pointers[%d]: %s", i, textOf(err))
		}
	}
	return list, nil
}

// cutTexts returns n texts that are given by their offsets in data.
func cutTexts[I int32 | int64](data, offsets unsafe.Pointer, n int64) (texts, error) {
	ends, err := sliceOf[I](offsets, n+1, "texts.offsets")
	if err != nil {
		return nil, err
	}
	if err := checkOffsets("texts.offsets", ends); err != nil {
		return nil, err
	}
	bytes, err := sliceOf[byte](data, int64(ends[n]), "texts.data")
	if err != nil {
		return nil, err
	}
	return offsetTexts[I]{bytes, ends}, nil
}
