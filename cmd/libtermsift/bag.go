package main

import (
	"math"

	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vocabulary"
)

// This file counts texts as scikit-learn's vectorizers do.

// bagOptions are the options of bag_fit, bag_vocabulary and bag_hash.
type bagOptions struct {
	vocabulary.Options
	hash vocabulary.HashOptions
}

func newBagOptions() *bagOptions {
	o := &bagOptions{}
	o.Analysis.MaxToken, o.Analysis.FullCase, o.Analysis.StopVerbatim = math.MaxInt, true, true
	return o
}

func (o *bagOptions) settings() []usage.Setting {
	a := &o.Analysis
	return []usage.Setting{
		{Name: "tokens", To: &a.Tokens, Help: `"words", "char", "char_wb", "pattern:REGEX"`},
		{Name: "ngrams", To: &a.NGrams, Help: `how many words or characters make a term, as "1-2"`},
		{Name: "stop", To: &a.StopWords, Help: "a list of words, taken as they are"},
		{Name: "strip-accents", To: &a.StripAccents, Help: `"unicode", "ascii"`},
		{Name: "keep-case", To: &a.KeepCase, Help: "whether capitals stay"},
		{Name: "unicode", To: &a.Unicode, Help: `the version of Unicode whose characters are known, as "14.0"`},
		{Name: "binary", To: &o.Binary, Help: "whether the elements are 1"},
		threadsSetting(&o.Threads),
	}
}

func (o *bagOptions) fitSettings() []usage.Setting {
	return append(o.settings(), []usage.Setting{
		{Name: "min-df", To: &o.MinDF, NotNegative: true, Help: "terms of fewer documents are left out"},
		{Name: "max-df", To: &o.MaxDF, NotNegative: true, Default: math.MaxInt32, Help: "terms of more documents are left out"},
		{Name: "max-features", To: &o.MaxFeatures, NotNegative: true, Help: "the most terms, the most frequent ones; 0 for no bound"},
	}...)
}

func (o *bagOptions) hashSettings() []usage.Setting {
	return append(o.settings(), []usage.Setting{
		{Name: "features", To: &o.hash.Features, Default: 1 << 20, Help: "the number of columns"},
		{Name: "alternate-sign", To: &o.hash.AlternateSign, Default: true, Help: "whether the sign of a hash is that of what its term adds"},
	}...)
}

// bagThreads returns how many threads a call over texts takes: one for few of them, which are counted before
// another thread has started.
func bagThreads(t [][]byte, threads int) int {
	const few = 64 << 10
	size := 0
	for i := 0; i < len(t) && size < few; i++ {
		size += len(t[i])
	}
	if size < few {
		return 1
	}
	return threads
}

// vocabularyOf returns a vocabulary of given terms.
func vocabularyOf(terms [][]byte, o vocabulary.Options) *vocabulary.Vocabulary {
	names := make([]string, len(terms))
	for i := range names {
		names[i] = string(terms[i])
	}
	return need(vocabulary.New(names, o))
}

// bagColumns are the columns of a vocabulary.
func bagColumns(v *vocabulary.Vocabulary) []column {
	return append(textColumns(v.Len(), int(v.Bytes()), v.CopyNames),
		termColumn(v, func(t vocabulary.Term) int32 { return int32(t.Column) }),
		termColumn(v, func(t vocabulary.Term) int64 { return t.Documents }),
		termColumn(v, func(t vocabulary.Term) int64 { return t.Occurrences }),
		numbers(int64(v.LeftOut())))
}

// termColumn is a column of a number of each term.
func termColumn[T element](v *vocabulary.Vocabulary, of func(t vocabulary.Term) T) column {
	return columnOf(v.Len(), func(to []T) {
		i := 0
		for t := range v.Terms {
			to[i] = of(t)
			i++
		}
	})
}

// bagRowColumns are the columns of rows of a bag: where each begins, the columns of their elements, and the values.
// They are copied in the types that the caller's arrays have.
func bagRowColumns(r *vocabulary.Rows) []column {
	start := placesColumn(typeInt64, int64(r.Len())+1, func(to []int32) { vocabulary.CopyStart(r, to) }, func(to []int64) { vocabulary.CopyStart(r, to) })
	put := start.put
	start.put = func(b buffer, name string) {
		if b.kind == typeInt32 && r.Stored() > math.MaxInt32 {
			panic(refused("there are %d elements, and their places need TS_INT64", r.Stored()))
		}
		put(b, name)
	}
	indices := placesColumn(typeInt32, r.Stored(), func(to []int32) { vocabulary.CopyColumns(r, to) }, func(to []int64) { vocabulary.CopyColumns(r, to) })
	return []column{start, indices, {typeFloat32, r.Stored(), func(b buffer, name string) {
		switch b.kind {
		case typeInt32:
			vocabulary.CopyValues(r, resultsOf[int32](b.data, r.Stored(), name))
		case typeInt64:
			vocabulary.CopyValues(r, resultsOf[int64](b.data, r.Stored(), name))
		case typeFloat32:
			vocabulary.CopyValues(r, resultsOf[float32](b.data, r.Stored(), name))
		case typeFloat64:
			vocabulary.CopyValues(r, resultsOf[float64](b.data, r.Stored(), name))
		default:
			panic(refused("%s.type is %d: values are TS_INT32, TS_INT64, TS_FLOAT32 or TS_FLOAT64", name, b.kind))
		}
	}}}
}

func placesColumn(kind uint32, n int64, put32 func([]int32), put64 func([]int64)) column {
	return column{kind, n, func(b buffer, name string) {
		switch b.kind {
		case typeInt32:
			put32(resultsOf[int32](b.data, n, name))
		case typeInt64:
			put64(resultsOf[int64](b.data, n, name))
		default:
			panic(refused("%s.type is %d: places are TS_INT32 or TS_INT64", name, b.kind))
		}
	}}
}
