package store

import (
	"slices"

	"github.com/termsift/termsift/engine/pool"
)

// This file counts the terms of a range for one worker. How the counts of a list
// are made depends on what is asked for: bare counts and cells in tiles.go, with
// token counts in moments.go, value by value in runs.go.

// rowCounter is the memory of one worker. It lives on the heap: arguments of
// kernels must not make it escape again and again.
type rowCounter struct {
	x *Index
	v *view
	*counting
	row  Row
	tile *tile // nil where terms are counted one by one

	postings  Postings
	counts    []uint32 // dense row, width long
	packed    []uint64 // by class, see packed; all 0 between terms
	bounds    []uint32 // of the segments of a list
	sums      []uint64
	squares   []uint64
	labelSums []labelSum // all 0 between terms
	weights   []float64
	classes   []uint32 // of the documents of a list
	sparse    []cell   // a row for scattering; all 0 between terms
	escape    int      // first escaped value at or behind the current term
	whole     bool     // lists are counted whole, not value by value
}

func newRowCounter(x *Index, c *counting) *rowCounter {
	v := x.view()
	r := &rowCounter{x: x, v: v, counting: c}
	if v.width > 0 {
		r.row.Class = make([]uint32, v.width)
	}
	all := c.keep == nil && c.weigher == nil
	byValue := c.opt.Tokens && (len(x.tf.double) > 0 || x.Real() && x.multi)
	r.whole = all && !byValue && !(x.multi && v.width == 0)
	switch {
	case v.width > 0 && all && !c.opt.Tokens:
		r.tile = newTile(x)
	case x.multi && r.whole:
		r.counts, r.sums = make([]uint32, len(x.Classes)), make([]uint64, 2*len(x.Classes))
		r.labelSums = make([]labelSum, len(x.Classes))
	case x.multi:
		r.sparse = make([]cell, len(x.Classes))
	case v.width > 0:
		r.counts, r.packed = make([]uint32, v.width), make([]uint64, v.width)
	}
	return r
}

// terms visits a range.
func (r *rowCounter) terms(terms pool.Range, visitor Visitor) {
	r.escape, _ = slices.BinarySearch(r.x.tf.escapeAt, r.x.start[terms.From])
	for t := terms.From; t < terms.To; {
		switch {
		case r.isFew(t):
			t = r.few(t, terms.To, visitor)
		case r.tile != nil:
			t = r.tiled(t, terms.To, visitor)
		default:
			if r.term(t) {
				visitor.Row(&r.row)
			}
			t++
		}
	}
}

// isFew says that a term may be handed over as the classes of its documents: all
// of them are wanted, have one class each, and frequencies that are bytes.
func (r *rowCounter) isFew(t int) bool {
	if int(r.x.df[t]) > r.opt.Few || r.keep != nil || r.weigher != nil || r.x.multi || t < r.x.numDense() {
		return false
	}
	at := r.x.tf.escapeAt
	return !r.opt.Tokens || !r.x.Real() && (len(at) == 0 || at[len(at)-1] < r.x.start[t])
}

// few visits the terms from t on that have the same document frequency, and
// returns the next one.
func (r *rowCounter) few(t, to int, visitor Visitor) int {
	x := r.x
	end := t + 1
	for end < to && x.df[end] == x.df[t] {
		end++
	}
	base := x.start[x.numDense()]
	r.classes = r.v.codes.lookup(x.flat[x.start[t]-base:x.start[end]-base], r.classes)
	var tf []uint8
	if r.opt.Tokens {
		tf = x.tf.counts[x.start[t]:x.start[end]]
	}
	visitor.Few(t, int(x.df[t]), r.classes, tf)
	return end
}

// term fills the row of term t; false if none of its documents is counted.
func (r *rowCounter) term(t int) bool {
	row := &r.row
	row.Term, row.DF, row.CF, row.Dense = t, float64(r.x.df[t]), 0, nil
	if r.whole {
		r.moments(t)
		return true
	}
	r.x.read(t, &r.postings)
	if r.keep != nil {
		r.restrict(&r.postings)
		row.DF = float64(len(r.postings.Docs))
	}
	if row.DF == 0 {
		return false
	}
	r.weighted()
	return true
}

// restrict keeps the wanted documents of a list.
func (r *rowCounter) restrict(p *Postings) {
	docs := p.buffer[:0]
	if cap(docs) < len(p.Docs) {
		docs = make([]uint32, 0, 2*len(p.Docs))
	}
	n := 0
	for i, d := range p.Docs {
		if r.keep[d] {
			docs = append(docs, d)
			p.TF[n] = p.TF[i]
			n++
		}
	}
	p.Docs, p.TF, p.buffer = docs, p.TF[:n], docs
}

// resize gives the cells n elements. What they hold stays where there is room.
func (r *Row) resize(n int) {
	r.Class, r.Docs = grown(r.Class, n), grown(r.Docs, n)
	r.A, r.S, r.Q, r.W = grown(r.A, n), grown(r.S, n), grown(r.Q, n), grown(r.W, n)
}

func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, n+n/2+16)
	}
	return s[:n]
}
