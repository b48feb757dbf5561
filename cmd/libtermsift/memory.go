package main

import (
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/termsift/termsift/engine/usage"
)

// Addresses of the caller's are uintptr until they are known to be readable: a pointer
// below firstPage in a local variable ends the process when the stack grows.

// firstPage is the end of the page where no memory is.
const firstPage = 4096

// A badAddress is the panic for an address where no memory can be.
type badAddress uintptr

// Addr returns the address, as the error of a fault does.
func (a badAddress) Addr() uintptr { return uintptr(a) }

func checkAddress(at uintptr) {
	if at < firstPage {
		panic(badAddress(at))
	}
}

// pointerTo returns the pointer to an address. The memory is not Go's.
func pointerTo(at uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&at)) }

// sliceOf returns n elements of the caller's memory as a slice, after it has read a byte of
// each page of them: that panics here if the memory is not there, while the panic of a
// worker of package pool, which also reads it, would end the process. Refusals name the
// argument.
func sliceOf[T any](at uintptr, n int64, name string) []T {
	return need(probedSlice[T](at, n, name, readPage))
}

// resultsOf is sliceOf for memory that results are written to: it writes what is there to each page. A
// new page that is read before it is written is faulted in twice, which cost ts_score a tenth of its time for 20
// Newsgroups; and memory that cannot be written panics here, too.
func resultsOf[T any](at uintptr, n int64, name string) []T {
	return need(probedSlice[T](at, n, name, writePage))
}

// elements returns the elements of a matrix of results.
func elements(rows, columns int64, name string) int64 {
	if rows > math.MaxInt64/columns {
		panic(refused("%s has %d rows of %d elements, more than memory", name, rows, columns))
	}
	return rows * columns
}

// probedSlice returns a slice of the caller's memory after it has called probe for a byte of each page.
func probedSlice[T any](at uintptr, n int64, name string, probe func(*byte)) ([]T, error) {
	var element T
	switch err := checkMemory(at, n, int64(unsafe.Sizeof(element)), unsafe.Alignof(element), name, probe); {
	case err != nil:
		return nil, err
	case n == 0:
		return []T{}, nil
	}
	return unsafe.Slice((*T)(pointerTo(at)), n), nil
}

// checkMemory is probedSlice for the size and the alignment of an element. It is compiled once, not for
// each type.
func checkMemory(at uintptr, n, size int64, alignment uintptr, name string, probe func(*byte)) error {
	switch {
	case n < 0:
		return usage.Errorf("%s has %d elements", name, n)
	case n == 0:
		return nil
	case at == 0:
		return usage.Errorf("%s is NULL, and should have %d elements", name, n)
	case at%alignment != 0:
		return usage.Errorf("%s is at %#x, which is not a multiple of %d", name, at, alignment)
	case n > math.MaxInt/size || uintptr(n*size) > -at:
		return usage.Errorf("%s has %d elements, more than memory", name, n)
	}
	checkAddress(at)
	eachPage(pointerTo(at), n*size, probe)
	return nil
}

// pageSize is the smallest size of a page.
const pageSize = 4096

// eachPage calls probe for one byte of each page of n > 0 bytes at p.
func eachPage(p unsafe.Pointer, n int64, probe func(*byte)) {
	for at := int64(0); at < n; at += pageSize {
		probe((*byte)(unsafe.Add(p, at)))
	}
	probe((*byte)(unsafe.Add(p, n-1)))
}

// readPage reads a byte.
//
//go:noinline
func readPage(p *byte) { runtime.KeepAlive(*p) }

// writePage adds 0 to the word of a byte, which lies on its page.
func writePage(p *byte) {
	at := unsafe.Pointer(p)
	atomic.AddUint32((*uint32)(unsafe.Add(at, -int(uintptr(at)%4))), 0)
}

// inputOf is sliceOf for an argument that the caller need not give: nil for NULL.
func inputOf[T any](at uintptr, n int64, name string) []T {
	if at == 0 {
		return nil
	}
	return sliceOf[T](at, n, name)
}

// outputOf returns n elements of the caller's memory to write to, nil for NULL.
func outputOf[T any](at uintptr, n int64, name string) []T {
	if at == 0 {
		return nil
	}
	return resultsOf[T](at, n, name)
}

// resultAt returns where a handle goes that a call makes, and sets it to 0.
func resultAt(at uintptr, name string) *uint64 {
	if at == 0 {
		panic(refused("%s is NULL, and a result goes there", name))
	}
	to := resultsOf[uint64](at, 1, name)
	to[0] = 0
	return &to[0]
}

// stringOf returns a text that ends with 0, "" for NULL.
func stringOf(at uintptr) string {
	if at == 0 {
		return ""
	}
	checkAddress(at)
	n := 0
	for *(*byte)(unsafe.Add(pointerTo(at), n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(pointerTo(at)), n))
}
