package engine

import (
	"fmt"
	"iter"
	"math"
	"slices"
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
	// Warnings say what a reader of the values should know.
	Warnings []string

	s      *Statistics
	values []float64 // by term number
	class  int       // -1 unless a class ranking
}

// An Entry is a term with its value.
type Entry struct {
	Rank  int // from 1, in Top; 0 where terms are not in order of their values
	Term  string
	Class string // of a class value
	Value float64
	DF    int
	// A, B, C, D are the documents of the class with the term, outside it with
	// the term, of the class without, outside without; only for a class value.
	A, B, C, D int
}

func (r *Ranking) warn() {
	if len(r.s.s.Classes) == 1 {
		r.Warnings = append(r.Warnings, fmt.Sprintf(
			"there is one class only (%s): nothing can tell classes apart, the values are those of independence", r.s.s.Classes[0]))
	}
	undefined := 0
	for _, v := range r.values {
		if math.IsNaN(v) {
			undefined++
		}
	}
	if undefined > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf(
			"%d terms have an undefined value (inf - inf under a signed combination); they rank last", undefined))
	}
}

// Len is the number of terms.
func (r *Ranking) Len() int { return len(r.values) }

// Top gives the k best terms, best first; all of them when there are fewer.
func (r *Ranking) Top(k int) []Entry {
	ids := topK(r.values, min(max(k, 0), len(r.values)))
	entries := make([]Entry, len(ids))
	for i, t := range ids {
		entries[i] = r.at(t)
		entries[i].Rank = i + 1
	}
	return entries
}

// All yields every term in the order of its bytes.
func (r *Ranking) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, t := range r.s.s.Terms.Sorted() {
			if !yield(r.at(int(t))) {
				return
			}
		}
	}
}

func (r *Ranking) at(t int) Entry {
	if r.class >= 0 {
		return r.s.classEntry(t, r.class, r.values[t])
	}
	return r.s.entry(t, r.values[t])
}

// rankOf is the place of a term, from 1.
func (r *Ranking) rankOf(t int) int {
	rank := 1
	for i := range r.values {
		if better(r.values, i, t) {
			rank++
		}
	}
	return rank
}

// better says whether term i stands before term j. Terms are numbered by
// document frequency and bytes, so the number decides a tie.
func better(values []float64, i, j int) bool {
	a, b := values[i], values[j]
	switch {
	case a > b:
		return true
	case a < b:
		return false
	case a == b:
		return i < j
	}
	if undefA, undefB := math.IsNaN(a), math.IsNaN(b); undefA != undefB {
		return undefB
	}
	return i < j
}

// topK gives the k best terms in order: a buffer of 2k candidates that beat
// the worst of the best k so far, cut back by quickselect when it is full.
func topK(values []float64, k int) []int {
	if k == 0 {
		return nil
	}
	buffer := make([]int, 0, 2*k)
	worst := -1 // of the best k so far, once there was a cut
	for t := range values {
		if worst >= 0 && !better(values, t, worst) {
			continue
		}
		buffer = append(buffer, t)
		if len(buffer) == 2*k {
			buffer = cutTo(values, buffer, k)
			worst = buffer[k-1]
		}
	}
	buffer = cutTo(values, buffer, k)
	slices.SortFunc(buffer, func(i, j int) int {
		if better(values, i, j) {
			return -1
		}
		return 1
	})
	return buffer
}

// cutTo keeps the k best of ids, the worst of them at the end.
func cutTo(values []float64, ids []int, k int) []int {
	if len(ids) < k {
		return ids
	}
	low, high := 0, len(ids)-1
	for low < high {
		p := partition(values, ids, low, high)
		switch {
		case p == k-1:
			return ids[:k]
		case p < k-1:
			low = p + 1
		default:
			high = p - 1
		}
	}
	return ids[:k]
}

// partition orders ids[low:high+1] around the median of three and returns the
// place of the pivot.
func partition(values []float64, ids []int, low, high int) int {
	mid := low + (high-low)/2
	for _, p := range [][2]int{{mid, low}, {high, low}, {high, mid}} {
		if better(values, ids[p[0]], ids[p[1]]) {
			ids[p[0]], ids[p[1]] = ids[p[1]], ids[p[0]]
		}
	}
	ids[mid], ids[high] = ids[high], ids[mid]
	pivot, next := ids[high], low
	for i := low; i < high; i++ {
		if better(values, ids[i], pivot) {
			ids[i], ids[next] = ids[next], ids[i]
			next++
		}
	}
	ids[next], ids[high] = ids[high], ids[next]
	return next
}
