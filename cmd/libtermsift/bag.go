package main

import (
	"math"

	"github.com/termsift/termsift/engine/vocabulary"
)

// This file counts texts as scikit-learn's vectorizers do.

// bagOptions are the options of ts_bag_fit, ts_bag_vocabulary and ts_bag_hash.
type bagOptions struct {
	vocabulary.Options
	hash vocabulary.HashOptions
}

// readBagOptions reads the options of an analysis, and those of one function.
func readBagOptions(text string, own func(o *bagOptions) []setting) *bagOptions {
	o := &bagOptions{}
	a := &o.Analysis
	a.MaxToken, a.FullCase, a.StopVerbatim = math.MaxInt, true, true
	settings := []setting{
		{"tokens", &a.Tokens},
		{"ngrams", &a.NGrams},
		{"stop", &a.StopWords},
		{"strip-accents", &a.StripAccents},
		{"keep-case", &a.KeepCase},
		{"unicode", &a.Unicode},
		{"binary", &o.Binary},
		{"threads", &o.Threads},
	}
	readOptions(text, append(settings, own(o)...))
	checkThreads(o.Threads)
	return o
}

// readBagFitOptions reads the options of ts_bag_fit.
func readBagFitOptions(text string) vocabulary.Options {
	o := readBagOptions(text, func(o *bagOptions) []setting {
		o.MaxDF = math.MaxInt32
		return []setting{{"min-df", &o.MinDF}, {"max-df", &o.MaxDF}, {"max-features", &o.MaxFeatures}}
	})
	checkAtLeast0("min-df", o.MinDF)
	checkAtLeast0("max-df", o.MaxDF)
	checkAtLeast0("max-features", o.MaxFeatures)
	if o.MaxDF == 0 { // which bounds nothing in Go
		o.MinDF = math.MaxInt
	}
	return o.Options
}

func checkAtLeast0(option string, n int) {
	if n < 0 {
		panic(refused("option %q must be 0 or more, not %d", option, n))
	}
}

// readHashOptions reads the options of ts_bag_hash.
func readHashOptions(text string) vocabulary.HashOptions {
	o := readBagOptions(text, func(o *bagOptions) []setting {
		o.hash = vocabulary.HashOptions{Features: 1 << 20, AlternateSign: true}
		return []setting{{"features", &o.hash.Features}, {"alternate-sign", &o.hash.AlternateSign}}
	})
	o.hash.Analysis, o.hash.Binary, o.hash.Threads = o.Analysis, o.Binary, o.Threads
	return o.hash
}

// bagTexts are the caller's texts as package vocabulary takes them.
type bagTexts struct{ texts }

func (t bagTexts) Len() int { return t.len() }

func (t bagTexts) At(i int) []byte { return t.at(i) }

// bagThreads returns how many threads a call over texts takes: one for few of them, which are counted before
// another thread has started.
func bagThreads(t texts, threads int) int {
	const few = 64 << 10
	size := 0
	for i := 0; i < t.len() && size < few; i++ {
		size += len(t.at(i))
	}
	if size < few {
		return 1
	}
	return threads
}

// vocabularyOf returns a vocabulary of given terms.
func vocabularyOf(terms texts, o vocabulary.Options) *vocabulary.Vocabulary {
	names := make([]string, terms.len())
	for i := range names {
		names[i] = string(terms.at(i))
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
