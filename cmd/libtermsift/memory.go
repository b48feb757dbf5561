package main

import (
	"context"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
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

// The numbers of the header for layouts.
const (
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

// textsAt checks the caller's texts.
func textsAt(at uintptr) [][]byte {
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
func listTexts(pointers, lengths uintptr, n int64) [][]byte {
	from, sizes := sliceOf[uintptr](pointers, n, "texts.pointers"), sliceOf[int64](lengths, n, "texts.lengths")
	list := make([][]byte, n)
	for i := range list {
		var err error
		if list[i], err = probedSlice[byte](from[i], sizes[i], "a text of texts.pointers", readPage); err != nil {
			panic(refused("texts.pointers[%d]: %s", i, textOf(err)))
		}
	}
	return list
}

// cutTexts returns n texts that are given by their offsets in data.
func cutTexts[I int32 | int64](data, offsets uintptr, n int64) [][]byte {
	ends := sliceOf[I](offsets, n+1, "texts.offsets")
	checkOffsets("texts.offsets", ends)
	all, list := sliceOf[byte](data, int64(ends[n]), "texts.data"), make([][]byte, n)
	for i := range list {
		list[i] = all[ends[i]:ends[i+1]]
	}
	return list
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
	l := &labels{classes: int(y.classes), of: sliceOf[int32](y.of, y.stored, "labels.of")}
	if y.start != 0 {
		l.start = sliceOf[int64](y.start, int64(documents)+1, "labels.start")
	}
	l.check(documents)
	l.named(names)
	return l
}

// A buffer is a ts_buffer: count elements of a type at data. The other numbers of types are those of single structs.
type buffer struct {
	kind, reserved uint32
	count          int64
	data           uintptr
}

// The types of the header.
const (
	typeNone = iota
	typeInt32
	typeInt64
	typeFloat32
	typeFloat64
	typeUint8
	typeText
	typeHandle
	typeMatrix
	typeLabels
	typeTexts
	types
)

var typeNames = [types]string{
	"TS_NONE", "TS_INT32", "TS_INT64", "TS_FLOAT32", "TS_FLOAT64", "TS_UINT8", "TS_TEXT", "TS_HANDLE", "TS_MATRIX", "TS_LABELS", "TS_TEXTS",
}

// anyCount is the count of an output that has room for all that there is.
const anyCount = -1

// A call is what ts_call was given.
type call struct {
	operation
	options string
	in      []buffer
	out     []buffer // the caller's own, as the counts of columns are written there
	made    []any    // what the handles of the first outputs will stand for
}

// newCall reads what ts_call was given, and sets the handles that the call is to make to 0.
func newCall(name, options, in uintptr, ins int64, out uintptr, outs int64) *call {
	c := &call{out: resultsOf[buffer](out, outs, "out")}
	for _, b := range c.out {
		if b.kind == typeHandle && b.data != 0 {
			_ = guarded(func() { resultAt(b.data, "result") })
		}
	}
	asked, known := stringOf(name), false
	if c.operation, known = operations[asked]; !known {
		check(usage.Unknown("operation", usage.Cut(asked), slices.Sorted(maps.Keys(operations))))
	}
	c.options = stringOf(options)
	c.in = append(c.in, sliceOf[buffer](in, ins, "in")...)
	if len(c.in) > len(c.operation.in) || len(c.out) > len(c.operation.out) && !c.operation.columns {
		panic(refused("%s takes %d inputs and %d outputs, not %d and %d", asked, len(c.operation.in), len(c.operation.out), ins, outs))
	}
	for _, b := range append(c.in, c.out...) {
		if b.reserved != 0 {
			panic(refused("reserved of a ts_buffer must be 0, not %d", b.reserved))
		}
	}
	c.in = append(c.in, make([]buffer, len(c.operation.in)-len(c.in))...)
	if missing := len(c.operation.out) - len(c.out); missing > 0 {
		c.out = append(c.out[:len(c.out):len(c.out)], make([]buffer, missing)...)
	}
	return c
}

// run does the work, and gives the caller the handles of what it has made.
func (c *call) run(ctx context.Context) (warnings []string) {
	for i := range c.makes {
		c.mustBe(c.out[i], typeHandle, c.operation.out[i])
		resultAt(c.out[i].data, c.operation.out[i])
	}
	if c.apart {
		warnings = onThreads(ctx, 0, func(ctx context.Context) []string { return c.do(ctx, c) })
	} else {
		warnings = c.do(ctx, c)
	}
	to := make([]*uint64, len(c.made)) // all of them before any has a handle
	for i := range to {
		to[i] = resultAt(c.out[i].data, c.operation.out[i])
	}
	for i, made := range c.made {
		*to[i] = handles.put(made)
	}
	return warnings
}

// give has the call return handles of what it has made. It has no warnings.
func (c *call) give(made ...any) []string {
	c.made = made
	return nil
}

// giveWith is give for one object and warnings.
func (c *call) giveWith(made any, warnings []string) []string {
	c.made = []any{made}
	return warnings
}

// mustBe refuses a buffer of another type. NULL may be of any.
func (c *call) mustBe(b buffer, kind uint32, name string) {
	if b.data != 0 && b.kind != kind {
		panic(refused("%s.type is %d: it must be %s", name, b.kind, typeNames[kind]))
	}
}

// one returns the address of an input that is a single struct or handle.
func (c *call) one(i int, kind uint32) uintptr {
	c.mustBe(c.in[i], kind, c.operation.in[i])
	return c.in[i].data
}

// handle returns the handle that an input is.
func (c *call) handle(i int) uint64 {
	return *structAt[uint64](c.one(i, typeHandle), c.operation.in[i])
}

// text returns an input that is a text with 0 at its end.
func (c *call) text(i int) string { return stringOf(c.one(i, typeText)) }

func (c *call) texts(i int) [][]byte { return textsAt(c.one(i, typeTexts)) }

func (c *call) matrix(i int) (*callerMatrix, sparse) { return matrixAt(c.one(i, typeMatrix)) }

func (c *call) labels(i, documents int, names []string) *labels {
	return labelsAt(c.one(i, typeLabels), documents, names)
}

// An element is what arrays have.
type element interface {
	int32 | int64 | float32 | float64 | uint8
}

func typeOf[T element]() uint32 {
	switch any(T(0)).(type) {
	case int32:
		return typeInt32
	case int64:
		return typeInt64
	case float32:
		return typeFloat32
	case float64:
		return typeFloat64
	}
	return typeUint8
}

// arrayOf returns the n elements of an input.
func arrayOf[T element](c *call, i int, n int64) []T {
	b, name := c.in[i], c.operation.in[i]
	c.mustBe(b, typeOf[T](), name)
	if b.data != 0 && b.count != n {
		panic(refused("%s has %d elements, and %d are needed", name, b.count, n))
	}
	return sliceOf[T](b.data, n, name)
}

// resultOf returns the caller's memory for n elements of an output.
func resultOf[T element](c *call, i int, n int64) []T {
	b, name := c.out[i], c.operation.out[i]
	c.mustBe(b, typeOf[T](), name)
	return resultsOf[T](b.data, b.room(n, name), name)
}

// room refuses an output whose count is not n.
func (b buffer) room(n int64, name string) int64 {
	if b.data != 0 && b.count != n && b.count != anyCount {
		panic(refused("%s has room for %d elements, and there are %d", name, b.count, n))
	}
	return n
}

// A column is a part of what an object holds: so many elements of a type, which put copies.
type column struct {
	kind  uint32
	count int64
	put   func(b buffer, name string)
}

// putColumns copies columns to the outputs that have memory for them, and sets the type and the count of all
// others. It has no warnings.
func (c *call) putColumns(columns ...column) []string {
	if len(c.out) > len(columns) {
		panic(refused("there are %d columns, and %d are asked for", len(columns), len(c.out)))
	}
	for i := range c.out {
		b, name := &c.out[i], "columns["+strconv.Itoa(i)+"]"
		if b.data == 0 {
			b.kind, b.count = columns[i].kind, columns[i].count
			continue
		}
		b.room(columns[i].count, name)
		columns[i].put(*b, name)
	}
	return nil
}

// columnOf is a column of n numbers, which put stores.
func columnOf[T element](n int, put func(to []T)) column {
	kind := typeOf[T]()
	return column{kind, int64(n), func(b buffer, name string) {
		if b.kind != kind && !(b.kind == typeText && kind == typeUint8) {
			panic(refused("%s.type is %d: it must be %s", name, b.kind, typeNames[kind]))
		}
		put(resultsOf[T](b.data, int64(n), name))
	}}
}

// numbers is a column of numbers that are there.
func numbers[T element](all ...T) column { return columnOf(len(all), func(to []T) { copy(to, all) }) }

// nameColumns are the columns of n texts: their bytes, one text behind the other, and their offsets.
func nameColumns(n int, name func(i int) string) []column {
	size := 0
	for i := range n {
		size += len(name(i))
	}
	return textColumns(n, size, func(to []byte, offsets []int64) {
		at := 0
		for i := range n {
			if to != nil {
				copy(to[at:], name(i))
			}
			if at += len(name(i)); offsets != nil {
				offsets[i+1] = int64(at)
			}
		}
	})
}

// textColumns are the columns of n texts of so many bytes, which put stores; either may be nil.
func textColumns(n, size int, put func(to []byte, offsets []int64)) []column {
	offsets := columnOf(n+1, func(to []int64) {
		to[0] = 0
		put(nil, to)
	})
	names := columnOf(size, func(to []byte) { put(to, nil) })
	names.kind = typeText
	return []column{names, offsets}
}
