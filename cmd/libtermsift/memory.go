package main

import (
	"context"
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
	// A byte of each page is enough.
	p := pointerTo(at)
	for place := int64(0); place < n*size; place += pageSize {
		probe((*byte)(unsafe.Add(p, place)))
	}
	probe((*byte)(unsafe.Add(p, n*size-1)))
	return nil
}

// pageSize is the smallest size of a page.
const pageSize = 4096

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

// The structs of termsift.h, with addresses in place of pointers. export.go has a check of
// their sizes.
type (
	callerError struct{ text, size uintptr }

	callerMatrix struct {
		structSize, layout       uint32
		documents, terms, stored int64
		indexType, valueType     uint32
		start, indices, values   uintptr
	}

	callerLabels struct {
		structSize, reserved       uint32
		documents, classes, stored int64
		of, start                  uintptr
	}

	callerTexts struct {
		structSize, offsetType           uint32
		count                            int64
		data, offsets, pointers, lengths uintptr
	}
)

// The numbers of the header for types of elements and for layouts.
const (
	typeNone = iota
	typeInt32
	typeInt64
	typeFloat32
	typeFloat64
	typeUint8

	layoutRows    = 0
	layoutColumns = 1
)

// structAt returns a copy of a struct of the caller's.
func structAt[T any](at uintptr, name string) *T {
	if at == 0 {
		panic(refused("%s is NULL", name))
	}
	given := sliceOf[T](at, 1, name)[0]
	return &given
}

// sized refuses a struct of another size than the library's.
func sized(got uint32, want uintptr, name, kind string) {
	if got != uint32(want) {
		panic(refused("%s.struct_size is %d: set it to sizeof(%s), which is %d for this library", name, got, kind, want))
	}
}

// errorBuffer returns the memory for the text of an error, when it is asked for.
func errorBuffer(at uintptr) func() []byte {
	return func() []byte {
		if at == 0 {
			return nil
		}
		e := structAt[callerError](at, "error")
		if e.text == 0 || e.size == 0 {
			return nil
		}
		checkAddress(e.text)
		return unsafe.Slice((*byte)(pointerTo(e.text)), int(min(e.size, mostText)))
	}
}

// mostText is the length to which the text of an error is cut in any case.
const mostText = 1 << 16

// plain is runPlain with the address of a ts_error.
func plain(e uintptr, f func()) int32 { return int32(runPlain(errorBuffer(e), f)) }

// onCaller is runLong with the address of a ts_error: on the caller's thread.
func onCaller(e uintptr, cancel uint64, f longCall) int32 {
	return int32(runLong(errorBuffer(e), cancel, f))
}

// long is onCaller on a goroutine of its own.
func long(e uintptr, cancel uint64, f longCall) int32 {
	return onCaller(e, cancel, func(ctx context.Context) []string { return onThreads(ctx, 0, f) })
}

// makes is the work of a function whose result is a handle, which goes to the caller's memory. It is 0 also when
// the call is cancelled before the work begins.
func makes(to uintptr, name string, f func(ctx context.Context) (made any, warnings []string)) longCall {
	clearResult(to)
	return func(ctx context.Context) []string {
		result := resultAt(to, name)
		made, warnings := f(ctx)
		*result = handles.put(made)
		return warnings
	}
}

// clearResult sets a result to 0, if it can be written.
func clearResult(to uintptr) {
	if to != 0 {
		_ = guarded(func() { resultAt(to, "result") })
	}
}

// textsAt checks the caller's texts.
func textsAt(at uintptr) texts {
	t := structAt[callerTexts](at, "texts")
	sized(t.structSize, unsafe.Sizeof(*t), "texts", "ts_texts")
	if t.count < 0 || t.count >= 1<<31-1 {
		panic(refused("texts.count is %d: it must be in [0, 2^31-1)", t.count))
	}
	switch t.offsetType {
	case typeNone:
		return listTexts(t.pointers, t.lengths, t.count)
	case typeInt32:
		return cutTexts[int32](t.data, t.offsets, t.count)
	case typeInt64:
		return cutTexts[int64](t.data, t.offsets, t.count)
	}
	panic(refused("texts.offset_type is %d: it must be TS_INT32, TS_INT64 or TS_NONE", t.offsetType))
}

// listTexts returns n texts that are given by pointers and lengths.
func listTexts(pointers, lengths uintptr, n int64) texts {
	from, sizes := sliceOf[uintptr](pointers, n, "texts.pointers"), sliceOf[int64](lengths, n, "texts.lengths")
	list := make(listedTexts, n)
	for i := range list {
		var err error
		if list[i], err = probedSlice[byte](from[i], sizes[i], "a text of texts.pointers", readPage); err != nil {
			panic(refused("texts.pointers[%d]: %s", i, textOf(err)))
		}
	}
	return list
}

// cutTexts returns n texts that are given by their offsets in data.
func cutTexts[I int32 | int64](data, offsets uintptr, n int64) texts {
	ends := sliceOf[I](offsets, n+1, "texts.offsets")
	checkOffsets("texts.offsets", ends)
	return offsetTexts[I]{sliceOf[byte](data, int64(ends[n]), "texts.data"), ends}
}

// labelsAt checks the caller's labels of documents. names are those of the classes, nil if
// they have none.
func labelsAt(at uintptr, documents int, names []string) *labels {
	y := structAt[callerLabels](at, "labels")
	sized(y.structSize, unsafe.Sizeof(*y), "labels", "ts_labels")
	switch {
	case y.reserved != 0:
		panic(refused("labels.reserved must be 0, not %d", y.reserved))
	case y.documents != int64(documents):
		panic(refused("labels.documents is %d, and there are %d documents", y.documents, documents))
	case y.classes < 1 || y.classes > 1<<31-1:
		panic(refused("labels.classes is %d: it must be in [1, 2^31)", y.classes))
	}
	l := &labels{classes: int(y.classes), of: sliceOf[int32](y.of, y.stored, "labels.of"), start: inputOf[int64](y.start, int64(documents)+1, "labels.start")}
	l.check(documents)
	l.named(names)
	return l
}

// labelledTexts checks texts and their labels.
func labelledTexts(t, y uintptr, names []string) (texts, *labels) {
	texts := textsAt(t)
	return texts, labelsAt(y, texts.len(), names)
}
