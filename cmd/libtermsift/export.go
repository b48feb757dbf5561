//go:build cgo && unix

package main

/*
#cgo CFLAGS: -O2
#include "termsift.h"
*/
import "C"

import (
	"bytes"
	"context"
	"runtime/debug"
	"unsafe"

	"github.com/termsift/termsift/engine/usage"
)

// This file has the functions of Go that those of public.c call. They take the caller's
// memory apart and leave the work to the other files.

func main() {}

// errorBuffer returns the memory of a ts_error, when it is asked for.
func errorBuffer(e *C.ts_error) func() []byte {
	return func() []byte {
		if e == nil {
			return nil
		}
		return bufferOf(unsafe.Pointer(e.text), uint64(e.size))
	}
}

// plain is runPlain in C's types.
func plain(e *C.ts_error, f func() error) C.int32_t { return C.int32_t(runPlain(errorBuffer(e), f)) }

// long is runLong in C's types.
func long(e *C.ts_error, cancel C.uint64_t, f func(ctx context.Context) ([]string, error)) C.int32_t {
	return C.int32_t(runLong(errorBuffer(e), uint64(cancel), f))
}

// textsOf checks the caller's texts.
func textsOf(t *C.ts_texts) (texts, error) {
	switch {
	case t == nil:
		return nil, usage.Errorf("texts is NULL")
	case t.struct_size != C.uint32_t(unsafe.Sizeof(*t)):
		return nil, wrongSize("texts", "ts_texts", uint32(t.struct_size), unsafe.Sizeof(*t))
	case t.count < 0 || t.count >= 1<<31-1:
		return nil, usage.Errorf("texts.count is %d: it must be in [0, 2^31-1)", t.count)
	}
	switch t.offset_type {
	case C.TS_NONE:
		return listTexts(unsafe.Pointer(t.pointers), unsafe.Pointer(t.lengths), int64(t.count))
	case C.TS_INT32:
		return cutTexts[int32](unsafe.Pointer(t.data), t.offsets, int64(t.count))
	case C.TS_INT64:
		return cutTexts[int64](unsafe.Pointer(t.data), t.offsets, int64(t.count))
	}
	return nil, usage.Errorf("texts.offset_type is %d: it must be TS_INT32, TS_INT64 or TS_NONE", t.offset_type)
}

// labelsOf checks the caller's labels of documents. names are those of the classes, nil if
// they have none.
func labelsOf(y *C.ts_labels, documents int, names []string) (*labels, error) {
	switch {
	case y == nil:
		return nil, usage.Errorf("labels is NULL")
	case y.struct_size != C.uint32_t(unsafe.Sizeof(*y)):
		return nil, wrongSize("labels", "ts_labels", uint32(y.struct_size), unsafe.Sizeof(*y))
	case y.reserved != 0:
		return nil, usage.Errorf("labels.reserved must be 0, not %d", y.reserved)
	case y.documents != C.int64_t(documents):
		return nil, usage.Errorf("labels.documents is %d, and there are %d documents", y.documents, documents)
	case y.classes < 1 || y.classes > 1<<31-1:
		return nil, usage.Errorf("labels.classes is %d: it must be in [1, 2^31)", y.classes)
	}
	l := &labels{}
	var err error
	if l.of, err = sliceOf[int32](unsafe.Pointer(y.of), int64(y.stored), "labels.of"); err != nil {
		return nil, err
	}
	if y.start != nil {
		if l.start, err = sliceOf[int64](unsafe.Pointer(y.start), int64(documents)+1, "labels.start"); err != nil {
			return nil, err
		}
	}
	if err := l.check(documents, int64(y.classes)); err != nil {
		return nil, err
	}
	return l, l.named(names, int64(y.classes))
}

//export ts_go_cancel_new
func ts_go_cancel_new(cancel *C.uint64_t) C.int32_t {
	return plain(nil, func() error {
		if err := requireOutput(cancel, "cancel"); err != nil {
			return err
		}
		*cancel = C.uint64_t(handles.put(newCancellation()))
		return nil
	})
}

//export ts_go_cancel
func ts_go_cancel(cancel C.uint64_t) C.int32_t {
	return plain(nil, func() error {
		c, err := handleOf[*cancellation](uint64(cancel), "a handle of ts_cancel_new")
		if err == nil {
			c.stop()
		}
		return err
	})
}

//export ts_go_cancel_free
func ts_go_cancel_free(cancel C.uint64_t) C.int32_t {
	return plain(nil, func() error {
		if _, err := handleOf[*cancellation](uint64(cancel), "a handle of ts_cancel_new"); err != nil && cancel != 0 {
			return err
		}
		return freeHandle(uint64(cancel))
	})
}

//export ts_go_free
func ts_go_free(handle C.uint64_t) C.int32_t {
	return plain(nil, func() error { return freeHandle(uint64(handle)) })
}

//export ts_go_release_memory
func ts_go_release_memory() C.int32_t {
	return plain(nil, func() error { debug.FreeOSMemory(); return nil })
}

//export ts_go_limits
func ts_go_limits(options *C.char, e *C.ts_error) C.int32_t {
	return plain(e, func() error { return setLimits(stringOf(unsafe.Pointer(options))) })
}

//export ts_go_best
func ts_go_best(scores, df *C.double, terms, k C.int64_t, to *C.int64_t, e *C.ts_error) C.int32_t {
	return long(e, 0, func(context.Context) ([]string, error) {
		if k < 0 || k > terms {
			return nil, usage.Errorf("k is %d: it must be in [0, terms], and terms is %d", k, terms)
		}
		values, err := sliceOf[float64](unsafe.Pointer(scores), int64(terms), "scores")
		if err != nil {
			return nil, err
		}
		documents, err := outputOf[float64](unsafe.Pointer(df), int64(terms), "df")
		if err != nil {
			return nil, err
		}
		out, err := sliceOf[int64](unsafe.Pointer(to), int64(k), "best")
		if err != nil {
			return nil, err
		}
		for i, t := range best(values, documents, int(k)) {
			out[i] = int64(t)
		}
		return nil, nil
	})
}

//export ts_go_fit
func ts_go_fit(t *C.ts_texts, y *C.ts_labels, options *C.char, cancel C.uint64_t, model, rows *C.uint64_t, e *C.ts_error) C.int32_t {
	return long(e, cancel, func(ctx context.Context) ([]string, error) {
		if err := requireOutput(model, "model"); err != nil {
			return nil, err
		}
		if rows != nil {
			*rows = 0
		}
		o, err := readFitOptions(stringOf(unsafe.Pointer(options)))
		if err != nil {
			return nil, err
		}
		texts, labels, err := labelledTexts(t, y, o.classes)
		if err != nil {
			return nil, err
		}
		m, r, err := fit(ctx, texts, labels, o, rows != nil)
		if err != nil {
			return nil, err
		}
		*model = C.uint64_t(handles.put(m))
		if rows != nil {
			*rows = C.uint64_t(handles.put(r))
		}
		return m.selection.Warnings, nil
	})
}

// labelledTexts checks texts and their labels.
func labelledTexts(t *C.ts_texts, y *C.ts_labels, names []string) (texts, *labels, error) {
	texts, err := textsOf(t)
	if err != nil {
		return nil, nil, err
	}
	labels, err := labelsOf(y, texts.len(), names)
	return texts, labels, err
}

//export ts_go_transform
func ts_go_transform(handle C.uint64_t, t *C.ts_texts, options *C.char, cancel C.uint64_t, rows *C.uint64_t, e *C.ts_error) C.int32_t {
	return long(e, cancel, func(ctx context.Context) ([]string, error) {
		m, o, err := transformation(handle, options, rows)
		if err != nil {
			return nil, err
		}
		texts, err := textsOf(t)
		if err != nil {
			return nil, err
		}
		r, err := rowsOfTexts(ctx, m, texts, o)
		if err == nil {
			*rows = C.uint64_t(handles.put(r))
		}
		return nil, err
	})
}

// transformation reads what functions that make rows have in common.
func transformation(handle C.uint64_t, options *C.char, rows *C.uint64_t) (m *model, o transformOptions, err error) {
	if err := requireOutput(rows, "rows"); err != nil {
		return nil, o, err
	}
	if m, err = handleOf[*model](uint64(handle), "a model"); err != nil {
		return nil, o, err
	}
	o, err = readTransformOptions(stringOf(unsafe.Pointer(options)), m)
	return m, o, err
}

//export ts_go_corpus_rows
func ts_go_corpus_rows(handle, of C.uint64_t, options *C.char, cancel C.uint64_t, rows *C.uint64_t, e *C.ts_error) C.int32_t {
	return long(e, cancel, func(ctx context.Context) ([]string, error) {
		m, o, err := transformation(of, options, rows)
		if err != nil {
			return nil, err
		}
		c, err := handleOf[*counted](uint64(handle), "a corpus")
		if err != nil {
			return nil, err
		}
		r, err := rowsOfCounted(ctx, m, c, o)
		if err == nil {
			*rows = C.uint64_t(handles.put(r))
		}
		return nil, err
	})
}

//export ts_go_select
func ts_go_select(handle C.uint64_t, options *C.char, cancel C.uint64_t, to *C.uint64_t, e *C.ts_error) C.int32_t {
	return long(e, cancel, func(ctx context.Context) ([]string, error) {
		if err := requireOutput(to, "model"); err != nil {
			return nil, err
		}
		c, err := handleOf[*counted](uint64(handle), "a corpus or statistics")
		if err != nil {
			return nil, err
		}
		o, err := readSelectOptions(stringOf(unsafe.Pointer(options)))
		if err != nil {
			return nil, err
		}
		m, err := selectTerms(ctx, c, o)
		if err != nil {
			return nil, err
		}
		*to = C.uint64_t(handles.put(m))
		return m.selection.Warnings, nil
	})
}

//export ts_go_model_sizes
func ts_go_model_sizes(handle C.uint64_t, three *C.int64_t, e *C.ts_error) C.int32_t {
	return plain(e, func() error {
		m, err := handleOf[*model](uint64(handle), "a model")
		if err != nil {
			return err
		}
		out, err := sliceOf[int64](unsafe.Pointer(three), 3, "three")
		if err != nil {
			return err
		}
		features := m.selection.Features
		out[0], out[1] = int64(len(features)), int64(bytesOf(len(features), m.name))
		out[2] = int64(m.selection.Documents)
		return nil
	})
}

//export ts_go_model_terms
func ts_go_model_terms(handle C.uint64_t, names *C.char, offsets *C.int64_t, scores, df *C.double, e *C.ts_error) C.int32_t {
	return plain(e, func() error {
		m, err := handleOf[*model](uint64(handle), "a model")
		if err != nil {
			return err
		}
		n := int64(len(m.selection.Features))
		if err := copyNames(names, offsets, n, m.name); err != nil {
			return err
		}
		values, err := outputOf[float64](unsafe.Pointer(scores), n, "scores")
		if err != nil {
			return err
		}
		documents, err := outputOf[float64](unsafe.Pointer(df), n, "df")
		if err != nil {
			return err
		}
		for i := range values {
			values[i] = m.selection.Features[i].Score
		}
		for i := range documents {
			documents[i] = float64(m.selection.Features[i].DF)
		}
		return nil
	})
}

// copyNames copies n names and their offsets to the caller's memory, where it is not NULL.
func copyNames(names *C.char, offsets *C.int64_t, n int64, name func(i int) string) error {
	text, err := outputOf[byte](unsafe.Pointer(names), int64(bytesOf(int(n), name)), "names")
	if err != nil {
		return err
	}
	starts, err := outputOf[int64](unsafe.Pointer(offsets), n+1, "offsets")
	if err != nil {
		return err
	}
	putNames(text, starts, int(n), name)
	return nil
}

//export ts_go_model_save
func ts_go_model_save(handle C.uint64_t, to *C.char, size *C.int64_t, e *C.ts_error) C.int32_t {
	return long(e, 0, func(context.Context) ([]string, error) {
		m, err := handleOf[*model](uint64(handle), "a model")
		if err != nil {
			return nil, err
		}
		return nil, copySaved(&m.saved, to, size, m.save)
	})
}

// copySaved copies saved bytes, or sets size to their number if to is NULL.
func copySaved(saved *savedBytes, to *C.char, size *C.int64_t, save func() ([]byte, error)) error {
	if size == nil {
		return usage.Errorf("size is NULL")
	}
	dst, err := outputOf[byte](unsafe.Pointer(to), int64(*size), "bytes")
	if err != nil {
		return err
	}
	return saved.copyTo(dst, (*int64)(unsafe.Pointer(size)), save)
}

//export ts_go_model_load
func ts_go_model_load(from *C.char, size C.int64_t, to *C.uint64_t, e *C.ts_error) C.int32_t {
	return long(e, 0, func(context.Context) ([]string, error) {
		if err := requireOutput(to, "model"); err != nil {
			return nil, err
		}
		data, err := sliceOf[byte](unsafe.Pointer(from), int64(size), "bytes")
		if err != nil {
			return nil, err
		}
		m, err := loadModel(data)
		if err != nil {
			return nil, err
		}
		*to = C.uint64_t(handles.put(m))
		return m.selection.Warnings, nil
	})
}

//export ts_go_rows_sizes
func ts_go_rows_sizes(handle C.uint64_t, two *C.int64_t, e *C.ts_error) C.int32_t {
	return plain(e, func() error {
		r, err := handleOf[*rowSet](uint64(handle), "rows")
		if err != nil {
			return err
		}
		out, err := sliceOf[int64](unsafe.Pointer(two), 2, "two")
		if err == nil {
			out[0], out[1] = int64(len(r.start)-1), int64(len(r.values))
		}
		return err
	})
}

//export ts_go_rows_copy
func ts_go_rows_copy(handle C.uint64_t, start *C.int64_t, indices *C.int32_t, values *C.float, e *C.ts_error) C.int32_t {
	return plain(e, func() error {
		r, err := handleOf[*rowSet](uint64(handle), "rows")
		if err != nil {
			return err
		}
		starts, err := outputOf[int64](unsafe.Pointer(start), int64(len(r.start)), "start")
		if err != nil {
			return err
		}
		columns, err := outputOf[int32](unsafe.Pointer(indices), int64(len(r.indices)), "indices")
		if err != nil {
			return err
		}
		weights, err := outputOf[float32](unsafe.Pointer(values), int64(len(r.values)), "values")
		if err != nil {
			return err
		}
		copy(starts, r.start)
		copy(columns, r.indices)
		copy(weights, r.values)
		return nil
	})
}

//export ts_go_open
func ts_go_open(path *C.char, to *C.uint64_t, e *C.ts_error) C.int32_t {
	return long(e, 0, func(context.Context) ([]string, error) {
		if err := requireOutput(to, "corpus"); err != nil {
			return nil, err
		}
		c, err := open(stringOf(unsafe.Pointer(path)))
		if err == nil {
			*to = C.uint64_t(handles.put(c))
		}
		return nil, err
	})
}

//export ts_go_corpus_sizes
func ts_go_corpus_sizes(handle C.uint64_t, five *C.int64_t, e *C.ts_error) C.int32_t {
	return long(e, 0, func(ctx context.Context) ([]string, error) {
		s, err := countsOf(ctx, handle)
		if err != nil {
			return nil, err
		}
		out, err := sliceOf[int64](unsafe.Pointer(five), 5, "five")
		if err == nil {
			copy(out, s.sizes())
		}
		return nil, err
	})
}

// countsOf returns the statistics behind a handle.
func countsOf(ctx context.Context, handle C.uint64_t) (named, error) {
	c, err := handleOf[*counted](uint64(handle), "a corpus or statistics")
	if err != nil {
		return named{}, err
	}
	s, err := c.counts(ctx)
	return named{s}, err
}

//export ts_go_corpus_terms
func ts_go_corpus_terms(handle C.uint64_t, names *C.char, offsets *C.int64_t, df *C.double, e *C.ts_error) C.int32_t {
	return long(e, 0, func(ctx context.Context) ([]string, error) {
		s, err := countsOf(ctx, handle)
		if err != nil {
			return nil, err
		}
		return nil, copyNamed(names, offsets, df, s.Terms(), "df", s.term, s.df)
	})
}

//export ts_go_corpus_classes
func ts_go_corpus_classes(handle C.uint64_t, names *C.char, offsets *C.int64_t, documents *C.double, e *C.ts_error) C.int32_t {
	return long(e, 0, func(ctx context.Context) ([]string, error) {
		s, err := countsOf(ctx, handle)
		if err != nil {
			return nil, err
		}
		return nil, copyNamed(names, offsets, documents, len(s.Classes()), "documents", s.class, s.documents)
	})
}

// copyNamed copies n names and their numbers to the caller's memory, where it is not NULL.
func copyNamed(names *C.char, offsets *C.int64_t, numbers *C.double, n int, what string, name func(i int) string, number func(i int) float64) error {
	if err := copyNames(names, offsets, int64(n), name); err != nil {
		return err
	}
	out, err := outputOf[float64](unsafe.Pointer(numbers), int64(n), what)
	for i := range out {
		out[i] = number(i)
	}
	return err
}

//export ts_go_stats_texts
func ts_go_stats_texts(t *C.ts_texts, y *C.ts_labels, options *C.char, cancel C.uint64_t, to *C.uint64_t, e *C.ts_error) C.int32_t {
	return long(e, cancel, func(ctx context.Context) ([]string, error) {
		if err := requireOutput(to, "statistics"); err != nil {
			return nil, err
		}
		o, err := readStatisticsOptions(stringOf(unsafe.Pointer(options)))
		if err != nil {
			return nil, err
		}
		texts, labels, err := labelledTexts(t, y, o.classes)
		if err != nil {
			return nil, err
		}
		s, err := count(ctx, texts, labels, o)
		if err == nil {
			*to = C.uint64_t(handles.put(s))
		}
		return nil, err
	})
}

//export ts_go_stats_add
func ts_go_stats_add(a, b C.uint64_t, to *C.uint64_t, e *C.ts_error) C.int32_t {
	return long(e, 0, func(ctx context.Context) ([]string, error) {
		if err := requireOutput(to, "sum"); err != nil {
			return nil, err
		}
		left, err := handleOf[*counted](uint64(a), "statistics")
		if err != nil {
			return nil, err
		}
		right, err := handleOf[*counted](uint64(b), "statistics")
		if err != nil {
			return nil, err
		}
		sum, err := add(ctx, left, right)
		if err == nil {
			*to = C.uint64_t(handles.put(sum))
		}
		return nil, err
	})
}

//export ts_go_stats_save
func ts_go_stats_save(handle C.uint64_t, to *C.char, size *C.int64_t, e *C.ts_error) C.int32_t {
	return long(e, 0, func(context.Context) ([]string, error) {
		s, err := handleOf[*counted](uint64(handle), "statistics")
		if err != nil {
			return nil, err
		}
		return nil, copySaved(&s.saved, to, size, s.save)
	})
}

//export ts_go_stats_load
func ts_go_stats_load(from *C.char, size C.int64_t, to *C.uint64_t, e *C.ts_error) C.int32_t {
	return long(e, 0, func(context.Context) ([]string, error) {
		if err := requireOutput(to, "statistics"); err != nil {
			return nil, err
		}
		data, err := sliceOf[byte](unsafe.Pointer(from), int64(size), "bytes")
		if err != nil {
			return nil, err
		}
		s, err := loadStatistics(bytes.Clone(data))
		if err == nil {
			*to = C.uint64_t(handles.put(s))
		}
		return nil, err
	})
}
