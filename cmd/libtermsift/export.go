//go:build cgo && (unix || windows)

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

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
	"github.com/termsift/termsift/engine/vocabulary"
)

// This file has the functions of Go that those of public.c call. They take the caller's
// memory apart and leave the work to the other files.

func main() {}

// The structs of memory.go are those of the header.
const (
	_ = -(unsafe.Sizeof(callerError{}) ^ C.sizeof_ts_error)
	_ = -(unsafe.Sizeof(callerMatrix{}) ^ C.sizeof_ts_matrix)
	_ = -(unsafe.Sizeof(callerLabels{}) ^ C.sizeof_ts_labels)
	_ = -(unsafe.Sizeof(callerTexts{}) ^ C.sizeof_ts_texts)
)

//export ts_go_cancel_new
func ts_go_cancel_new(cancel uintptr) int32 {
	return plain(0, func() { *resultAt(cancel, "cancel") = handles.put(newCancellation()) })
}

//export ts_go_cancel
func ts_go_cancel(cancel uint64) int32 {
	return plain(0, func() { cancellationOf(cancel).stop() })
}

//export ts_go_cancel_free
func ts_go_cancel_free(cancel uint64) int32 {
	return plain(0, func() {
		if cancel != 0 {
			cancellationOf(cancel)
		}
		freeHandle(cancel)
	})
}

//export ts_go_free
func ts_go_free(handle uint64) int32 { return plain(0, func() { freeHandle(handle) }) }

//export ts_go_release_memory
func ts_go_release_memory() int32 { return plain(0, func() { runtime.GC(); debug.FreeOSMemory() }) }

//export ts_go_limits
func ts_go_limits(options, e uintptr) int32 {
	return plain(e, func() { setLimits(stringOf(options)) })
}

//export ts_go_texts_check
func ts_go_texts_check(t uintptr, cancel uint64, e uintptr) int32 {
	return onCaller(e, cancel, func(ctx context.Context) []string {
		checkUTF8(ctx, textsAt(t))
		return nil
	})
}

//export ts_go_score
func ts_go_score(m, y, options uintptr, cancel uint64, scores, df, e uintptr) int32 {
	return onCaller(e, cancel, scored(m, y, options, scores, df, false))
}

//export ts_go_score_classes
func ts_go_score_classes(m, y, options uintptr, cancel uint64, scores, df, e uintptr) int32 {
	return onCaller(e, cancel, scored(m, y, options, scores, df, true))
}

// scored is the work of ts_score, or of ts_score_classes.
func scored(m, y, options, scores, df uintptr, byClass bool) longCall {
	return func(ctx context.Context) []string {
		r := readScoreOptions(stringOf(options), byClass)
		of, x := matrixAt(m)
		l := labelsAt(y, int(of.documents), nil)
		values := resultsOf[float64](scores, elements(int64(r.rows(l.classes)), of.terms, "scores"), "scores")
		documents := outputOf[float64](df, of.terms, "df")
		return onThreads(ctx, r.threads, func(ctx context.Context) []string {
			return r.ofMatrix(ctx, x, l, int(of.terms), values, documents)
		})
	}
}

//export ts_go_measures
func ts_go_measures(to, size, e uintptr) int32 {
	return plain(e, func() { copySaved(&savedBytes{}, to, size, measures) })
}

//export ts_go_matrix_sums
func ts_go_matrix_sums(m uintptr, cancel uint64, sums, e uintptr) int32 {
	return onCaller(e, cancel, func(ctx context.Context) []string {
		of, x := matrixAt(m)
		check(x.Sums(ctx, resultsOf[float64](sums, of.terms, "sums")))
		return nil
	})
}

//export ts_go_matrix_shares
func ts_go_matrix_shares(m, weights, options uintptr, cancel uint64, values, e uintptr) int32 {
	return onCaller(e, cancel, func(ctx context.Context) []string {
		var root bool
		var threads int
		readOptions(stringOf(options), []setting{{"root", &root}, {"threads", &threads}})
		checkThreads(threads)
		of, x := matrixAt(m)
		by, to := sliceOf[float64](weights, of.terms, "weights"), resultsOf[float64](values, of.stored, "values")
		return onThreads(ctx, threads, func(ctx context.Context) []string {
			check(x.Shares(ctx, threads, by, root, to))
			return nil
		})
	})
}

//export ts_go_best
func ts_go_best(scores, df uintptr, terms, k int64, to, e uintptr) int32 {
	return onCaller(e, 0, func(context.Context) []string {
		if k < 0 || k > terms {
			panic(refused("k is %d: it must be in [0, terms], and terms is %d", k, terms))
		}
		values, documents, out := sliceOf[float64](scores, terms, "scores"), inputOf[float64](df, terms, "df"), resultsOf[int64](to, k, "best")
		for i, t := range best(values, documents, int(k)) {
			out[i] = int64(t)
		}
		return nil
	})
}

//export ts_go_fit
func ts_go_fit(t, y, options uintptr, cancel uint64, to, rows, e uintptr) int32 {
	clearResult(rows)
	return long(e, cancel, makes(to, "model", func(ctx context.Context) (any, []string) {
		var withRows *uint64
		if rows != 0 {
			withRows = resultAt(rows, "rows")
		}
		o := readFitOptions(stringOf(options))
		texts, labels := labelledTexts(t, y, o.classes)
		m, r, warnings := fit(ctx, texts, labels, o, withRows != nil)
		if withRows != nil {
			*withRows = handles.put(r)
		}
		return m, append(warnings, m.selection.Warnings...)
	}))
}

//export ts_go_transform
func ts_go_transform(handle uint64, t, options uintptr, cancel uint64, rows, e uintptr) int32 {
	return long(e, cancel, makes(rows, "rows", func(ctx context.Context) (any, []string) {
		m := modelOf(handle)
		o := readTransformOptions(stringOf(options), m)
		return rowsOfTexts(ctx, m, textsAt(t), o), nil
	}))
}

//export ts_go_corpus_rows
func ts_go_corpus_rows(handle, of uint64, options uintptr, cancel uint64, rows, e uintptr) int32 {
	return long(e, cancel, makes(rows, "rows", func(ctx context.Context) (any, []string) {
		m := modelOf(of)
		o := readTransformOptions(stringOf(options), m)
		return rowsOfCounted(ctx, m, handleOf[*counted](handle, "a corpus"), o), nil
	}))
}

//export ts_go_select
func ts_go_select(handle uint64, options uintptr, cancel uint64, to, e uintptr) int32 {
	return long(e, cancel, makes(to, "model", func(ctx context.Context) (any, []string) {
		c := countedOf(handle)
		s := readSelectOptions(stringOf(options))
		var m *model
		if c.corpus != nil {
			m = s.ofCorpus(ctx, c.corpus)
		} else {
			m = s.ofStatistics(ctx, c.statistics)
		}
		return m, m.selection.Warnings
	}))
}

func modelOf(handle uint64) *model { return handleOf[*model](handle, "a model") }

func countedOf(handle uint64) *counted {
	return handleOf[*counted](handle, "a corpus or statistics")
}

// countsOf returns the statistics behind a handle.
func countsOf(ctx context.Context, handle uint64) named {
	return named{countedOf(handle).counts(ctx)}
}

// putSizes writes numbers to the caller's memory.
func putSizes(to uintptr, name string, sizes ...int64) {
	copy(resultsOf[int64](to, int64(len(sizes)), name), sizes)
}

//export ts_go_model_sizes
func ts_go_model_sizes(handle uint64, three, e uintptr) int32 {
	return plain(e, func() {
		m := modelOf(handle)
		features := len(m.selection.Features)
		putSizes(three, "three", int64(features), int64(bytesOf(features, m.name)), int64(m.selection.Documents))
	})
}

//export ts_go_model_terms
func ts_go_model_terms(handle uint64, names, offsets, scores, df, e uintptr) int32 {
	return plain(e, func() {
		m := modelOf(handle)
		n := int64(len(m.selection.Features))
		copyNames(names, offsets, n, m.name)
		values, documents := outputOf[float64](scores, n, "scores"), outputOf[float64](df, n, "df")
		for i := range values {
			values[i] = m.selection.Features[i].Score
		}
		for i := range documents {
			documents[i] = float64(m.selection.Features[i].DF)
		}
	})
}

// copyNames copies n names and their offsets to the caller's memory, where it is not NULL.
func copyNames(names, offsets uintptr, n int64, name func(i int) string) {
	text, starts := outputOf[byte](names, int64(bytesOf(int(n), name)), "names"), outputOf[int64](offsets, n+1, "offsets")
	putNames(text, starts, int(n), name)
}

//export ts_go_model_class_sizes
func ts_go_model_class_sizes(handle uint64, two, e uintptr) int32 {
	return plain(e, func() {
		m := modelOf(handle)
		classes := len(m.selection.Classes)
		putSizes(two, "two", int64(classes), int64(bytesOf(classes, m.class)))
	})
}

//export ts_go_model_classes
func ts_go_model_classes(handle uint64, names, offsets, of, numbers, e uintptr) int32 {
	return plain(e, func() {
		m := modelOf(handle)
		n := int64(len(m.selection.Features))
		copyNames(names, offsets, int64(len(m.selection.Classes)), m.class)
		m.copyClasses(outputOf[int32](of, n, "of"), outputOf[float64](numbers, n*classColumns, "numbers"))
	})
}

//export ts_go_model_save
func ts_go_model_save(handle uint64, to, size, e uintptr) int32 {
	return onCaller(e, 0, func(context.Context) []string {
		m := modelOf(handle)
		return copySaved(&m.saved, to, size, m.save)
	})
}

// copySaved copies saved bytes, or sets size to their number if to is NULL.
func copySaved(saved *savedBytes, to, size uintptr, save func() []byte) []string {
	n := resultsOf[int64](size, 1, "size")
	saved.copyTo(outputOf[byte](to, n[0], "bytes"), &n[0], save)
	return nil
}

//export ts_go_model_load
func ts_go_model_load(from uintptr, size int64, to, e uintptr) int32 {
	return onCaller(e, 0, makes(to, "model", func(context.Context) (any, []string) {
		// a features file has no weighting of rows
		s := need(selection.Read(bytes.NewReader(sliceOf[byte](from, size, "bytes")), "model"))
		return &model{selection: s, weight: vectors.TF}, s.Warnings
	}))
}

//export ts_go_rows_sizes
func ts_go_rows_sizes(handle uint64, two, e uintptr) int32 {
	return plain(e, func() {
		r := rowsHeld(handle)
		putSizes(two, "two", int64(r.Len()), r.Stored())
	})
}

//export ts_go_rows_copy
func ts_go_rows_copy(handle uint64, start, indices, values, e uintptr) int32 {
	return plain(e, func() {
		r := rowsHeld(handle)
		copyPlaces[int64](r, start, 0)
		copyRowsAs(r, typeInt32, typeFloat32, 0, indices, values)
	})
}

//export ts_go_rows_copy_as
func ts_go_rows_copy_as(handle uint64, indexType, valueType uint32, start, indices, values, e uintptr) int32 {
	return plain(e, func() { copyRowsAs(rowsHeld(handle), indexType, valueType, start, indices, values) })
}

//export ts_go_bag_fit
func ts_go_bag_fit(t, options uintptr, cancel uint64, bag, rows, e uintptr) int32 {
	clearResult(rows)
	return onCaller(e, cancel, makes(bag, "vocabulary", func(ctx context.Context) (made any, warnings []string) {
		to, o, texts := resultAt(rows, "rows"), readBagFitOptions(stringOf(options)), textsAt(t)
		o.Threads = bagThreads(texts, o.Threads)
		onThreads(ctx, o.Threads, func(ctx context.Context) []string {
			v, r, err := vocabulary.Fit(ctx, bagTexts{texts}, o)
			check(err)
			made, *to = v, handles.put(r)
			return nil
		})
		return made, nil
	}))
}

//export ts_go_bag_vocabulary
func ts_go_bag_vocabulary(terms, options uintptr, cancel uint64, bag, e uintptr) int32 {
	return onCaller(e, cancel, makes(bag, "vocabulary", func(context.Context) (any, []string) {
		o := readBagOptions(stringOf(options), func(*bagOptions) []setting { return nil })
		return vocabularyOf(textsAt(terms), o.Options), nil
	}))
}

func bagOf(handle uint64) *vocabulary.Vocabulary {
	return handleOf[*vocabulary.Vocabulary](handle, "a vocabulary")
}

//export ts_go_bag_transform
func ts_go_bag_transform(handle uint64, t, options uintptr, cancel uint64, rows, e uintptr) int32 {
	return onCaller(e, cancel, makes(rows, "rows", func(ctx context.Context) (made any, warnings []string) {
		v, threads := bagOf(handle), 0
		readOptions(stringOf(options), []setting{{"threads", &threads}})
		checkThreads(threads)
		texts := textsAt(t)
		threads = bagThreads(texts, threads)
		onThreads(ctx, threads, func(ctx context.Context) []string {
			made = need(v.Transform(ctx, bagTexts{texts}, threads))
			return nil
		})
		return made, nil
	}))
}

//export ts_go_bag_sizes
func ts_go_bag_sizes(handle uint64, three, e uintptr) int32 {
	return plain(e, func() {
		v := bagOf(handle)
		putSizes(three, "three", int64(v.Len()), v.Bytes(), int64(v.LeftOut()))
	})
}

//export ts_go_bag_terms
func ts_go_bag_terms(handle uint64, names, offsets, columns, df, occurrences, e uintptr) int32 {
	return plain(e, func() {
		v := bagOf(handle)
		n := int64(v.Len())
		putTerms(v, outputOf[byte](names, v.Bytes(), "names"), outputOf[int64](offsets, n+1, "offsets"),
			outputOf[int32](columns, n, "columns"), outputOf[int64](df, n, "df"), outputOf[int64](occurrences, n, "occurrences"))
	})
}

//export ts_go_bag_keep
func ts_go_bag_keep(handle, rows uint64, keep, less, lessRows, e uintptr) int32 {
	clearResult(lessRows)
	return onCaller(e, 0, makes(less, "kept_vocabulary", func(context.Context) (any, []string) {
		to, v := resultAt(lessRows, "kept_rows"), bagOf(handle)
		r := handleOf[*vocabulary.Rows](rows, "rows of ts_bag_fit")
		kept, keptRows, err := v.Keep(sliceOf[uint8](keep, int64(v.Len()), "keep"), r)
		check(err)
		*to = handles.put(keptRows)
		return kept, nil
	}))
}

//export ts_go_bag_hash
func ts_go_bag_hash(t, options uintptr, cancel uint64, rows, e uintptr) int32 {
	return onCaller(e, cancel, makes(rows, "rows", func(ctx context.Context) (made any, warnings []string) {
		o, texts := readHashOptions(stringOf(options)), textsAt(t)
		o.Threads = bagThreads(texts, o.Threads)
		onThreads(ctx, o.Threads, func(ctx context.Context) []string {
			made = need(vocabulary.Hash(ctx, bagTexts{texts}, o))
			return nil
		})
		return made, nil
	}))
}

//export ts_go_open
func ts_go_open(path, to, e uintptr) int32 {
	return long(e, 0, makes(to, "corpus", func(context.Context) (any, []string) { return open(stringOf(path)), nil }))
}

//export ts_go_corpus_sizes
func ts_go_corpus_sizes(handle uint64, five, e uintptr) int32 {
	return long(e, 0, func(ctx context.Context) []string {
		putSizes(five, "five", countsOf(ctx, handle).sizes()...)
		return nil
	})
}

//export ts_go_analysis
func ts_go_analysis(handle uint64, to, size, e uintptr) int32 {
	return plain(e, func() { copySaved(&savedBytes{}, to, size, func() []byte { return analysisOf(handle) }) })
}

//export ts_go_corpus_terms
func ts_go_corpus_terms(handle uint64, names, offsets, df, e uintptr) int32 {
	return long(e, 0, func(ctx context.Context) []string {
		s := countsOf(ctx, handle)
		return copyNamed(names, offsets, df, s.Terms(), "df", s.term, s.df)
	})
}

//export ts_go_corpus_classes
func ts_go_corpus_classes(handle uint64, names, offsets, documents, e uintptr) int32 {
	return long(e, 0, func(ctx context.Context) []string {
		s := countsOf(ctx, handle)
		return copyNamed(names, offsets, documents, len(s.Classes()), "documents", s.class, s.documents)
	})
}

// copyNamed copies n names and their numbers to the caller's memory, where it is not NULL.
func copyNamed(names, offsets, numbers uintptr, n int, what string, name func(i int) string, number func(i int) float64) []string {
	copyNames(names, offsets, int64(n), name)
	out := outputOf[float64](numbers, int64(n), what)
	for i := range out {
		out[i] = number(i)
	}
	return nil
}

//export ts_go_stats_texts
func ts_go_stats_texts(t, y, options uintptr, cancel uint64, to, e uintptr) int32 {
	return long(e, cancel, makes(to, "statistics", func(ctx context.Context) (any, []string) {
		o := readStatisticsOptions(stringOf(options))
		texts, labels := labelledTexts(t, y, o.classes)
		return count(ctx, texts, labels, o)
	}))
}

//export ts_go_stats_matrix
func ts_go_stats_matrix(m, terms, y, options uintptr, cancel uint64, to, e uintptr) int32 {
	return long(e, cancel, makes(to, "statistics", func(ctx context.Context) (any, []string) {
		o := readMatrixOptions(stringOf(options))
		of, x := matrixAt(m)
		l := labelsAt(y, int(of.documents), o.Classes)
		o.Terms = columnNames(terms, of.terms)
		if o.target != "" {
			o.Classes = l.targetOfRows(o.target, int(of.documents))
		}
		return countMatrix(ctx, x, l, o), nil
	}))
}

// columnNames returns the names of the terms of a matrix, nil if they are NULL.
func columnNames(at uintptr, terms int64) []string {
	if at == 0 {
		return nil
	}
	t := textsAt(at)
	if int64(t.len()) != terms {
		panic(refused("there are %d names in terms, and matrix.terms is %d", t.len(), terms))
	}
	return namesOf(t)
}

//export ts_go_stats_add
func ts_go_stats_add(a, b uint64, to, e uintptr) int32 {
	return long(e, 0, makes(to, "sum", func(ctx context.Context) (any, []string) {
		left, right := statisticsOf(a), statisticsOf(b)
		return add(ctx, left, right)
	}))
}

func statisticsOf(handle uint64) *counted { return handleOf[*counted](handle, "statistics") }

//export ts_go_stats_save
func ts_go_stats_save(handle uint64, to, size, e uintptr) int32 {
	return long(e, 0, func(context.Context) []string {
		s := statisticsOf(handle)
		return copySaved(&s.saved, to, size, s.save)
	})
}

//export ts_go_stats_load
func ts_go_stats_load(from uintptr, size int64, to, e uintptr) int32 {
	return long(e, 0, makes(to, "statistics", func(context.Context) (any, []string) {
		return &counted{statistics: need(corpus.DecodeStatistics(bytes.Clone(sliceOf[byte](from, size, "bytes"))))}, nil
	}))
}

//export ts_go_rank
func ts_go_rank(handle uint64, options uintptr, cancel uint64, to, e uintptr) int32 {
	return long(e, cancel, makes(to, "ranking", func(ctx context.Context) (any, []string) {
		c := countedOf(handle)
		return rankTerms(ctx, c, readRankOptions(stringOf(options)))
	}))
}

func rankingOf(handle uint64) *ranking { return handleOf[*ranking](handle, "a ranking") }

//export ts_go_ranking_sizes
func ts_go_ranking_sizes(handle uint64, two, e uintptr) int32 {
	return plain(e, func() { putSizes(two, "two", rankingOf(handle).sizes()...) })
}

//export ts_go_ranking_copy
func ts_go_ranking_copy(handle uint64, measures, classes, terms, numbers, e uintptr) int32 {
	return plain(e, func() {
		r := rankingOf(handle)
		n := int64(len(r.terms))
		r.copyTo(
			outputOf[int32](measures, n, "measures"), outputOf[int32](classes, n, "classes"), outputOf[int32](terms, n, "terms"),
			outputOf[float64](numbers, n*rankingColumns, "numbers"),
		)
	})
}

//export ts_go_keyness
func ts_go_keyness(target, reference uint64, options uintptr, cancel uint64, to, e uintptr) int32 {
	return long(e, cancel, makes(to, "keys", func(ctx context.Context) (any, []string) {
		o := readKeynessOptions(stringOf(options))
		a, b := sideOf(target, "target").whole(), referenceOf(reference, o)
		keys, warnings := compareUse(ctx, a, b, o)
		return keys, warnings
	}))
}

// sideOf returns the corpus or the statistics of an argument of ts_keyness.
func sideOf(handle uint64, name string) (c *counted) {
	if err := guarded(func() { c = countedOf(handle) }); err != nil {
		check(fmt.Errorf("%s: %w", name, err))
	}
	return c
}

// referenceOf returns the reference of ts_keyness: that of its argument, or the frequency list of the
// options.
func referenceOf(handle uint64, o *keynessOptions) rank.Counted {
	if !o.referenceList.given() {
		return sideOf(handle, "reference").whole()
	}
	if handle != 0 {
		panic(refused("option \"reference-list\" is in place of the reference, whose handle must be 0"))
	}
	return need(o.referenceList.list(o.totals))
}

//export ts_go_keyness_sizes
func ts_go_keyness_sizes(handle uint64, nine, e uintptr) int32 {
	return plain(e, func() { putSizes(nine, "nine", keysOf(handle).sizes()...) })
}

func keysOf(handle uint64) *keyWords { return handleOf[*keyWords](handle, "key words") }

//export ts_go_keyness_columns
func ts_go_keyness_columns(handle uint64, names, offsets, e uintptr) int32 {
	return plain(e, func() {
		k := keysOf(handle)
		copyNames(names, offsets, int64(len(k.columns)), k.column)
	})
}

//export ts_go_keyness_copy
func ts_go_keyness_copy(handle uint64, names, offsets, lists, numbers, e uintptr) int32 {
	return plain(e, func() {
		k := keysOf(handle)
		n := int64(len(k.keys))
		copyNames(names, offsets, n, k.term)
		k.copyTo(outputOf[int32](lists, n, "lists"), outputOf[float64](numbers, n*int64(len(k.columns)), "numbers"))
	})
}
