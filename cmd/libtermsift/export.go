//go:build cgo && unix

package main

// #cgo CFLAGS: -O2
// #include "termsift.h"
import "C"

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"unsafe"

	"github.com/termsift/termsift/engine/usage"
)

// This file has the functions of Go that those of public.c call. They take the caller's
// memory apart and leave the work to the other files.

func main() {}

// The structs of structs.go are those of the header.
const (
	_ = -(unsafe.Sizeof(callerError{}) ^ C.sizeof_ts_error)
	_ = -(unsafe.Sizeof(callerMatrix{}) ^ C.sizeof_ts_matrix)
	_ = -(unsafe.Sizeof(callerLabels{}) ^ C.sizeof_ts_labels)
	_ = -(unsafe.Sizeof(callerTexts{}) ^ C.sizeof_ts_texts)
)

//export ts_go_cancel_new
func ts_go_cancel_new(cancel uintptr) int32 {
	return plain(0, func() error {
		result, err := resultAt(cancel, "cancel")
		if err != nil {
			return err
		}
		*result = handles.put(newCancellation())
		return nil
	})
}

//export ts_go_cancel
func ts_go_cancel(cancel uint64) int32 {
	return plain(0, func() error {
		c, err := handleOf[*cancellation](cancel, "a handle of ts_cancel_new")
		if err == nil {
			c.stop()
		}
		return err
	})
}

//export ts_go_cancel_free
func ts_go_cancel_free(cancel uint64) int32 {
	return plain(0, func() error {
		if _, err := handleOf[*cancellation](cancel, "a handle of ts_cancel_new"); err != nil && cancel != 0 {
			return err
		}
		return freeHandle(cancel)
	})
}

//export ts_go_free
func ts_go_free(handle uint64) int32 {
	return plain(0, func() error { return freeHandle(handle) })
}

//export ts_go_release_memory
func ts_go_release_memory() int32 {
	return plain(0, func() error { runtime.GC(); debug.FreeOSMemory(); return nil })
}

//export ts_go_limits
func ts_go_limits(options, e uintptr) int32 {
	return plain(e, func() error { return setLimits(stringOf(options)) })
}

//export ts_go_score
func ts_go_score(m, y, options uintptr, cancel uint64, scores, df, e uintptr) int32 {
	return onCaller(e, cancel, func(ctx context.Context) ([]string, error) {
		r, err := readScoreOptions(stringOf(options))
		if err != nil {
			return nil, err
		}
		of, x, err := matrixAt(m)
		if err != nil {
			return nil, err
		}
		l, err := labelsAt(y, int(of.documents), nil)
		if err != nil {
			return nil, err
		}
		values, err := resultsOf[float64](scores, int64(len(r.columns))*of.terms, "scores")
		if err != nil {
			return nil, err
		}
		documents, err := outputOf[float64](df, of.terms, "df")
		if err != nil {
			return nil, err
		}
		return onThreads(ctx, r.threads, func(ctx context.Context) ([]string, error) {
			labels, classes := l.matrixLabels()
			return r.ofMatrix(ctx, x, labels, classes, int(of.terms), values, documents)
		})
	})
}

//export ts_go_best
func ts_go_best(scores, df uintptr, terms, k int64, to, e uintptr) int32 {
	return onCaller(e, 0, func(context.Context) ([]string, error) {
		if k < 0 || k > terms {
			return nil, usage.Errorf("k is %d: it must be in [0, terms], and terms is %d", k, terms)
		}
		values, err := sliceOf[float64](scores, terms, "scores")
		if err != nil {
			return nil, err
		}
		documents, err := inputOf[float64](df, terms, "df")
		if err != nil {
			return nil, err
		}
		out, err := resultsOf[int64](to, k, "best")
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
func ts_go_fit(t, y, options uintptr, cancel uint64, model, rows, e uintptr) int32 {
	return long(e, cancel, func(ctx context.Context) ([]string, error) {
		result, err := resultAt(model, "model")
		if err != nil {
			return nil, err
		}
		withRows, err := optionalResultAt(rows, "rows")
		if err != nil {
			return nil, err
		}
		o, err := readFitOptions(stringOf(options))
		if err != nil {
			return nil, err
		}
		texts, labels, err := labelledTexts(t, y, o.classes)
		if err != nil {
			return nil, err
		}
		m, r, err := fit(ctx, texts, labels, o, withRows != nil)
		if err != nil {
			return nil, err
		}
		*result = handles.put(m)
		if withRows != nil {
			*withRows = handles.put(r)
		}
		return m.selection.Warnings, nil
	})
}

//export ts_go_transform
func ts_go_transform(handle uint64, t, options uintptr, cancel uint64, rows, e uintptr) int32 {
	return long(e, cancel, func(ctx context.Context) ([]string, error) {
		result, m, o, err := transformation(handle, options, rows)
		if err != nil {
			return nil, err
		}
		texts, err := textsAt(t)
		if err != nil {
			return nil, err
		}
		r, err := rowsOfTexts(ctx, m, texts, o)
		if err == nil {
			*result = handles.put(r)
		}
		return nil, err
	})
}

// transformation reads what functions that make rows have in common.
func transformation(handle uint64, options, rows uintptr) (result *uint64, m *model, o transformOptions, err error) {
	if result, err = resultAt(rows, "rows"); err != nil {
		return nil, nil, o, err
	}
	if m, err = handleOf[*model](handle, "a model"); err != nil {
		return nil, nil, o, err
	}
	o, err = readTransformOptions(stringOf(options), m)
	return result, m, o, err
}

//export ts_go_corpus_rows
func ts_go_corpus_rows(handle, of uint64, options uintptr, cancel uint64, rows, e uintptr) int32 {
	return long(e, cancel, func(ctx context.Context) ([]string, error) {
		result, m, o, err := transformation(of, options, rows)
		if err != nil {
			return nil, err
		}
		c, err := handleOf[*counted](handle, "a corpus")
		if err != nil {
			return nil, err
		}
		r, err := rowsOfCounted(ctx, m, c, o)
		if err == nil {
			*result = handles.put(r)
		}
		return nil, err
	})
}

//export ts_go_select
func ts_go_select(handle uint64, options uintptr, cancel uint64, to, e uintptr) int32 {
	return long(e, cancel, func(ctx context.Context) ([]string, error) {
		result, err := resultAt(to, "model")
		if err != nil {
			return nil, err
		}
		c, err := handleOf[*counted](handle, "a corpus or statistics")
		if err != nil {
			return nil, err
		}
		o, err := readSelectOptions(stringOf(options))
		if err != nil {
			return nil, err
		}
		m, err := selectTerms(ctx, c, o)
		if err != nil {
			return nil, err
		}
		*result = handles.put(m)
		return m.selection.Warnings, nil
	})
}

//export ts_go_model_sizes
func ts_go_model_sizes(handle uint64, three, e uintptr) int32 {
	return plain(e, func() error {
		m, err := handleOf[*model](handle, "a model")
		if err != nil {
			return err
		}
		out, err := resultsOf[int64](three, 3, "three")
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
func ts_go_model_terms(handle uint64, names, offsets, scores, df, e uintptr) int32 {
	return plain(e, func() error {
		m, err := handleOf[*model](handle, "a model")
		if err != nil {
			return err
		}
		n := int64(len(m.selection.Features))
		if err := copyNames(names, offsets, n, m.name); err != nil {
			return err
		}
		values, err := outputOf[float64](scores, n, "scores")
		if err != nil {
			return err
		}
		documents, err := outputOf[float64](df, n, "df")
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
func copyNames(names uintptr, offsets uintptr, n int64, name func(i int) string) error {
	text, err := outputOf[byte](names, int64(bytesOf(int(n), name)), "names")
	if err != nil {
		return err
	}
	starts, err := outputOf[int64](offsets, n+1, "offsets")
	if err != nil {
		return err
	}
	putNames(text, starts, int(n), name)
	return nil
}

//export ts_go_model_save
func ts_go_model_save(handle uint64, to, size, e uintptr) int32 {
	return onCaller(e, 0, func(context.Context) ([]string, error) {
		m, err := handleOf[*model](handle, "a model")
		if err != nil {
			return nil, err
		}
		return nil, copySaved(&m.saved, to, size, m.save)
	})
}

// copySaved copies saved bytes, or sets size to their number if to is NULL.
func copySaved(saved *savedBytes, to, size uintptr, save func() ([]byte, error)) error {
	n, err := resultsOf[int64](size, 1, "size")
	if err != nil {
		return err
	}
	dst, err := outputOf[byte](to, n[0], "bytes")
	if err != nil {
		return err
	}
	return saved.copyTo(dst, &n[0], save)
}

//export ts_go_model_load
func ts_go_model_load(from uintptr, size int64, to, e uintptr) int32 {
	return onCaller(e, 0, func(context.Context) ([]string, error) {
		result, err := resultAt(to, "model")
		if err != nil {
			return nil, err
		}
		data, err := sliceOf[byte](from, size, "bytes")
		if err != nil {
			return nil, err
		}
		m, err := loadModel(data)
		if err != nil {
			return nil, err
		}
		*result = handles.put(m)
		return m.selection.Warnings, nil
	})
}

//export ts_go_rows_sizes
func ts_go_rows_sizes(handle uint64, two, e uintptr) int32 {
	return plain(e, func() error {
		r, err := handleOf[*rowSet](handle, "rows")
		if err != nil {
			return err
		}
		out, err := resultsOf[int64](two, 2, "two")
		if err == nil {
			out[0], out[1] = int64(len(r.start)-1), int64(len(r.values))
		}
		return err
	})
}

//export ts_go_rows_copy
func ts_go_rows_copy(handle uint64, start, indices, values, e uintptr) int32 {
	return plain(e, func() error {
		r, err := handleOf[*rowSet](handle, "rows")
		if err != nil {
			return err
		}
		starts, err := outputOf[int64](start, int64(len(r.start)), "start")
		if err != nil {
			return err
		}
		columns, err := outputOf[int32](indices, int64(len(r.indices)), "indices")
		if err != nil {
			return err
		}
		weights, err := outputOf[float32](values, int64(len(r.values)), "values")
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
func ts_go_open(path, to, e uintptr) int32 {
	return long(e, 0, func(context.Context) ([]string, error) {
		result, err := resultAt(to, "corpus")
		if err != nil {
			return nil, err
		}
		c, err := open(stringOf(path))
		if err == nil {
			*result = handles.put(c)
		}
		return nil, err
	})
}

//export ts_go_corpus_sizes
func ts_go_corpus_sizes(handle uint64, five, e uintptr) int32 {
	return long(e, 0, func(ctx context.Context) ([]string, error) {
		s, err := countsOf(ctx, handle)
		if err != nil {
			return nil, err
		}
		out, err := resultsOf[int64](five, 5, "five")
		if err == nil {
			copy(out, s.sizes())
		}
		return nil, err
	})
}

// countsOf returns the statistics behind a handle.
func countsOf(ctx context.Context, handle uint64) (named, error) {
	c, err := handleOf[*counted](handle, "a corpus or statistics")
	if err != nil {
		return named{}, err
	}
	s, err := c.counts(ctx)
	return named{s}, err
}

//export ts_go_corpus_terms
func ts_go_corpus_terms(handle uint64, names, offsets, df, e uintptr) int32 {
	return long(e, 0, func(ctx context.Context) ([]string, error) {
		s, err := countsOf(ctx, handle)
		if err != nil {
			return nil, err
		}
		return nil, copyNamed(names, offsets, df, s.Terms(), "df", s.term, s.df)
	})
}

//export ts_go_corpus_classes
func ts_go_corpus_classes(handle uint64, names, offsets, documents, e uintptr) int32 {
	return long(e, 0, func(ctx context.Context) ([]string, error) {
		s, err := countsOf(ctx, handle)
		if err != nil {
			return nil, err
		}
		return nil, copyNamed(names, offsets, documents, len(s.Classes()), "documents", s.class, s.documents)
	})
}

// copyNamed copies n names and their numbers to the caller's memory, where it is not NULL.
func copyNamed(names uintptr, offsets uintptr, numbers uintptr, n int, what string, name func(i int) string, number func(i int) float64) error {
	if err := copyNames(names, offsets, int64(n), name); err != nil {
		return err
	}
	out, err := outputOf[float64](numbers, int64(n), what)
	for i := range out {
		out[i] = number(i)
	}
	return err
}

//export ts_go_stats_texts
func ts_go_stats_texts(t, y, options uintptr, cancel uint64, to, e uintptr) int32 {
	return long(e, cancel, func(ctx context.Context) ([]string, error) {
		result, err := resultAt(to, "statistics")
		if err != nil {
			return nil, err
		}
		o, err := readStatisticsOptions(stringOf(options))
		if err != nil {
			return nil, err
		}
		texts, labels, err := labelledTexts(t, y, o.classes)
		if err != nil {
			return nil, err
		}
		s, err := count(ctx, texts, labels, o)
		if err == nil {
			*result = handles.put(s)
		}
		return nil, err
	})
}

//export ts_go_stats_add
func ts_go_stats_add(a, b uint64, to, e uintptr) int32 {
	return long(e, 0, func(ctx context.Context) ([]string, error) {
		result, err := resultAt(to, "sum")
		if err != nil {
			return nil, err
		}
		left, err := handleOf[*counted](a, "statistics")
		if err != nil {
			return nil, err
		}
		right, err := handleOf[*counted](b, "statistics")
		if err != nil {
			return nil, err
		}
		sum, err := add(ctx, left, right)
		if err == nil {
			*result = handles.put(sum)
		}
		return nil, err
	})
}

//export ts_go_stats_save
func ts_go_stats_save(handle uint64, to, size, e uintptr) int32 {
	return long(e, 0, func(context.Context) ([]string, error) {
		s, err := handleOf[*counted](handle, "statistics")
		if err != nil {
			return nil, err
		}
		return nil, copySaved(&s.saved, to, size, s.save)
	})
}

//export ts_go_stats_load
func ts_go_stats_load(from uintptr, size int64, to, e uintptr) int32 {
	return long(e, 0, func(context.Context) ([]string, error) {
		result, err := resultAt(to, "statistics")
		if err != nil {
			return nil, err
		}
		data, err := sliceOf[byte](from, size, "bytes")
		if err != nil {
			return nil, err
		}
		s, err := loadStatistics(bytes.Clone(data))
		if err == nil {
			*result = handles.put(s)
		}
		return nil, err
	})
}

//export ts_go_keyness
func ts_go_keyness(target, reference uint64, options uintptr, cancel uint64, to, e uintptr) int32 {
	return long(e, cancel, func(ctx context.Context) ([]string, error) {
		result, err := resultAt(to, "keys")
		if err != nil {
			return nil, err
		}
		a, err := sideOf(target, "target")
		if err != nil {
			return nil, err
		}
		b, err := sideOf(reference, "reference")
		if err != nil {
			return nil, err
		}
		o, err := readKeynessOptions(stringOf(options))
		if err != nil {
			return nil, err
		}
		keys, warnings, err := compareUse(ctx, a, b, o)
		if err == nil {
			*result = handles.put(keys)
		}
		return warnings, err
	})
}

// sideOf returns the corpus or the statistics of an argument of ts_keyness.
func sideOf(handle uint64, name string) (*counted, error) {
	c, err := handleOf[*counted](handle, "a corpus or statistics")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

//export ts_go_keyness_sizes
func ts_go_keyness_sizes(handle uint64, nine, e uintptr) int32 {
	return plain(e, func() error {
		k, err := handleOf[*keyWords](handle, "key words")
		if err != nil {
			return err
		}
		out, err := resultsOf[int64](nine, 9, "nine")
		if err == nil {
			copy(out, k.sizes())
		}
		return err
	})
}

//export ts_go_keyness_columns
func ts_go_keyness_columns(handle uint64, names, offsets, e uintptr) int32 {
	return plain(e, func() error {
		if _, err := handleOf[*keyWords](handle, "key words"); err != nil {
			return err
		}
		return copyNames(names, offsets, int64(len(keyColumns)), columnName)
	})
}

//export ts_go_keyness_copy
func ts_go_keyness_copy(handle uint64, names, offsets, lists, numbers, e uintptr) int32 {
	return plain(e, func() error {
		k, err := handleOf[*keyWords](handle, "key words")
		if err != nil {
			return err
		}
		n := int64(len(k.keys))
		if err := copyNames(names, offsets, n, k.term); err != nil {
			return err
		}
		of, err := outputOf[int32](lists, n, "lists")
		if err != nil {
			return err
		}
		columns, err := outputOf[float64](numbers, n*int64(len(keyColumns)), "numbers")
		if err == nil {
			k.copyTo(of, columns)
		}
		return err
	})
}
