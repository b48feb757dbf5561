package main

import (
	"context"
	"unsafe"

	"github.com/termsift/termsift/engine/usage"
)

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
func structAt[T any](at uintptr, name string) (*T, error) {
	if at == 0 {
		return nil, usage.Errorf("%s is NULL", name)
	}
	s, err := sliceOf[T](at, 1, name)
	if err != nil {
		return nil, err
	}
	given := s[0]
	return &given, nil
}

// wrongSize returns the error for a struct of another size than the library's.
func wrongSize(name, kind string, got uint32, want uintptr) error {
	return usage.Errorf("%s.struct_size is %d: set it to sizeof(%s), which is %d for this library", name, got, kind, want)
}

// errorBuffer returns the memory for the text of an error, when it is asked for.
func errorBuffer(at uintptr) func() []byte {
	return func() []byte {
		if at == 0 {
			return nil
		}
		e, err := structAt[callerError](at, "error")
		if err != nil || e.text == 0 || e.size == 0 {
			return nil
		}
		checkAddress(e.text)
		return unsafe.Slice((*byte)(pointerTo(e.text)), int(min(e.size, mostText)))
	}
}

// mostText is the length to which the text of an error is cut in any case.
const mostText = 1 << 16

// plain is runPlain with the address of a ts_error.
func plain(e uintptr, f func() error) int32 { return int32(runPlain(errorBuffer(e), f)) }

// onCaller is runLong with the address of a ts_error: on the caller's thread.
func onCaller(e uintptr, cancel uint64, f longCall) int32 {
	return int32(runLong(errorBuffer(e), cancel, f))
}

// long is onCaller on a goroutine of its own.
func long(e uintptr, cancel uint64, f longCall) int32 {
	return onCaller(e, cancel, func(ctx context.Context) ([]string, error) { return onThreads(ctx, 0, f) })
}

// textsAt checks the caller's texts.
func textsAt(at uintptr) (texts, error) {
	t, err := structAt[callerTexts](at, "texts")
	switch {
	case err != nil:
		return nil, err
	case t.structSize != uint32(unsafe.Sizeof(*t)):
		return nil, wrongSize("texts", "ts_texts", t.structSize, unsafe.Sizeof(*t))
	case t.count < 0 || t.count >= 1<<31-1:
		return nil, usage.Errorf("texts.count is %d: it must be in [0, 2^31-1)", t.count)
	}
	switch t.offsetType {
	case typeNone:
		return listTexts(t.pointers, t.lengths, t.count)
	case typeInt32:
		return cutTexts[int32](t.data, t.offsets, t.count)
	case typeInt64:
		return cutTexts[int64](t.data, t.offsets, t.count)
	}
	return nil, usage.Errorf("texts.offset_type is %d: it must be TS_INT32, TS_INT64 or TS_NONE", t.offsetType)
}

// listTexts returns n texts that are given by pointers and lengths.
func listTexts(pointers, lengths uintptr, n int64) (texts, error) {
	from, err := sliceOf[uintptr](pointers, n, "texts.pointers")
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
func cutTexts[I int32 | int64](data, offsets uintptr, n int64) (texts, error) {
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

// labelsAt checks the caller's labels of documents. names are those of the classes, nil if
// they have none.
func labelsAt(at uintptr, documents int, names []string) (*labels, error) {
	y, err := structAt[callerLabels](at, "labels")
	switch {
	case err != nil:
		return nil, err
	case y.structSize != uint32(unsafe.Sizeof(*y)):
		return nil, wrongSize("labels", "ts_labels", y.structSize, unsafe.Sizeof(*y))
	case y.reserved != 0:
		return nil, usage.Errorf("labels.reserved must be 0, not %d", y.reserved)
	case y.documents != int64(documents):
		return nil, usage.Errorf("labels.documents is %d, and there are %d documents", y.documents, documents)
	case y.classes < 1 || y.classes > 1<<31-1:
		return nil, usage.Errorf("labels.classes is %d: it must be in [1, 2^31)", y.classes)
	}
	l := &labels{classes: int(y.classes)}
	if l.of, err = sliceOf[int32](y.of, y.stored, "labels.of"); err != nil {
		return nil, err
	}
	if y.start != 0 {
		if l.start, err = sliceOf[int64](y.start, int64(documents)+1, "labels.start"); err != nil {
			return nil, err
		}
	}
	if err := l.check(documents); err != nil {
		return nil, err
	}
	return l, l.named(names)
}

// labelledTexts checks texts and their labels.
func labelledTexts(t, y uintptr, names []string) (texts, *labels, error) {
	texts, err := textsAt(t)
	if err != nil {
		return nil, nil, err
	}
	labels, err := labelsAt(y, texts.len(), names)
	return texts, labels, err
}

// matrixAt checks the caller's matrix.
func matrixAt(at uintptr) (*callerMatrix, sparse, error) {
	m, err := structAt[callerMatrix](at, "matrix")
	if err != nil {
		return nil, nil, err
	}
	x, err := sparseOf(m)
	return m, x, err
}
