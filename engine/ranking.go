package engine

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/store"
)

// A Ranking holds the value of every term by one measure. It is immutable and
// safe for concurrent use.
//
// The order is: value, descending, compared as exact float64; then document
// frequency, descending; then term bytes, ascending. An undefined value (NaN,
// from inf - inf under a signed combination) comes last.
type Ranking struct {
	Measure string
	Combine string // "total", "global", "max", "avg", "sum", "mean" or "class"
	Class   string // of a class ranking
	// Test says how the p-values were computed; "" where none were asked for.
	Test string
	// Warnings say what a reader of the values should know.
	Warnings []string

	of     universe
	values []float64 // by term number
	// Of a class ranking: the class, and its documents with each term.
	class   int // -1 otherwise
	inClass func(t int) int

	test    *test          // nil without p-values
	largest []largestClass // by term, where tests need them
}

// An Entry is a term with its value.
type Entry struct {
	Rank  int // from 1, in Top; 0 where terms are not in order of their values
	Term  string
	Class string // of a class value
	Value float64
	// Log10P is log10 of the p-value, at most 0; only of a ranking with a Test.
	Log10P float64
	DF     int
	// A, B, C, D are the documents of the class with the term, outside it with
	// the term, of the class without, outside without; only for a class value.
	A, B, C, D int
}

func (r *Ranking) warn(p plan) {
	if len(r.of.classes) == 1 {
		r.Warnings = append(r.Warnings, fmt.Sprintf(
			"there is one class only (%s): nothing can tell classes apart, the values are those of independence", r.of.classes[0]))
	}
	if !p.mayBeUndefined() {
		return
	}
	if undefined := countUndefined(r.values); undefined > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf(
			"%d terms have an undefined value (inf - inf under a signed combination); they rank last", undefined))
	}
}

func countUndefined(values []float64) int {
	n := 0
	for _, v := range values {
		if math.IsNaN(v) {
			n++
		}
	}
	return n
}

// Len is the number of terms.
func (r *Ranking) Len() int { return len(r.values) }

// Top gives the k best terms, best first; all of them when there are fewer.
func (r *Ranking) Top(k int) []Entry {
	return slices.AppendSeq(make([]Entry, 0, min(max(k, 0), r.Len())), r.Best(k))
}

// Best yields what Top gives, and makes no list of it.
func (r *Ranking) Best(k int) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for i, t := range topK(r.values, min(max(k, 0), r.Len())) {
			e := r.at(t)
			e.Rank = i + 1
			if !yield(e) {
				return
			}
		}
	}
}

// All yields every term in the order of its bytes.
func (r *Ranking) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, t := range r.of.terms.Sorted() {
			if !yield(r.at(int(t))) {
				return
			}
		}
	}
}

func (r *Ranking) at(t int) (e Entry) {
	if r.class >= 0 {
		e = r.of.classEntry(t, r.class, r.inClass(t), r.values[t])
	} else {
		e = r.of.entry(t, r.values[t])
	}
	if r.test != nil {
		e.Log10P = log10(r.lnP(t))
	}
	return e
}

// rankOf is the place of a term, from 1.
func (r *Ranking) rankOf(t int) int {
	rank, own := 1, newCandidate(t, r.values[t])
	for i := range r.values {
		if newCandidate(i, r.values[i]).before(own) {
			rank++
		}
	}
	return rank
}

// A universe is what a ranking knows of the terms that it ranks.
type universe struct {
	terms     *store.Dictionary
	df        func(t int) int
	documents float64
	classes   []string
	classDocs []float64
	labelled  bool // no document is without a label; known where p-values are
}

func (u *universe) entry(t int, value float64) Entry {
	return Entry{Term: u.terms.Term(t), Value: value, DF: u.df(t)}
}

// classEntry completes the 2x2 table of a term with a documents in class c.
func (u *universe) classEntry(t, c, a int, value float64) Entry {
	e := u.entry(t, value)
	e.Class = u.classes[c]
	e.A, e.B, e.C = a, e.DF-a, int(u.classDocs[c])-a
	e.D = int(u.documents) - e.A - e.B - e.C
	return e
}
