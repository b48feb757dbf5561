package store

import (
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// This file counts the terms of a range for one worker. The way depends on what is
// asked for: bare counts and cells are made in count_tiles.go, token counts in
// count_moments.go and, for several labels, count_slots.go, and lists read value by
// value in count_runs.go.

// rowCounter is the state of one worker. It is allocated once on the heap, because its
// fields are arguments of kernels, for which the compiler would otherwise allocate them
// again for every term.
type rowCounter struct {
	x *Index
	v *view
	*counting
	row  Row
	tile *tile // nil where terms are counted one by one

	postings  Postings
	counts    []uint32 // dense row of view.width counts
	packed    []uint64 // by class, see packed; all zero between terms
	bounds    []uint32 // bounds of the segments of a list
	sums      []uint64
	squares   []uint64
	carries   map[int]float64 // by place in squares: overflows, see addSquare; nil for most terms
	labelSums []labelSum      // all zero between terms
	weights   []float64
	classes   []uint32 // of the documents of a list
	sparse    []cell   // a row for scattering; all zero between terms
	escape    int      // index of the first escaped count of the current term or a later one
	whole     bool     // whether lists are counted as a whole, not value by value
	centring  bool     // whether what sums lose is computed
	apart     []apart  // by class, if documents have several labels
	// labelSquares are the squares of counts by class, if documents have several labels; all zero
	// between terms.
	labelSquares []table.Pair
}

func newRowCounter(x *Index, c *counting) *rowCounter {
	v := x.view()
	r := &rowCounter{x: x, v: v, counting: c}
	if v.width > 0 {
		r.row.Class = make([]uint32, v.width)
	}
	all := c.keep == nil && c.weigher == nil
	byValue := c.opt.Tokens && (len(x.tf.double) > 0 || x.Real() && x.multi)
	r.centring = c.opt.Tokens && x.centring()
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

// terms passes the terms of a range to the visitor.
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

// isFew reports whether a term may be passed to [Visitor.Few]: all of its documents are
// counted, have one class at most, and frequencies that fit into bytes.
func (r *rowCounter) isFew(t int) bool {
	if int(r.x.df[t]) > r.opt.Few || r.keep != nil || r.weigher != nil || r.x.multi || t < r.x.numDense() {
		return false
	}
	at := r.x.tf.escapeAt
	return !r.opt.Tokens || !r.x.Real() && (len(at) == 0 || at[len(at)-1] < r.x.start[t])
}

// few passes the terms from t on that have the same document frequency to
// [Visitor.Few]. It returns the term after them.
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

// term fills the row of term t. It reports whether any of its documents is counted.
func (r *rowCounter) term(t int) bool {
	row := &r.row
	row.Term, row.DF, row.CF, row.Dense = t, float64(r.x.df[t]), 0, nil
	if r.whole {
		r.moments(t)
		if r.centring {
			r.setLost(t)
		}
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
	if r.centring {
		r.setLost(t)
	}
	return true
}

// restrict removes the documents of a list that are not counted.
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

// resize sets the length of the cells to n. Their contents are kept if the capacity
// suffices.
func (r *Row) resize(n int) {
	r.Class, r.Docs = grown(r.Class, n), grown(r.Docs, n)
	r.A, r.S, r.Q, r.W = grown(r.A, n), grown(r.S, n), grown(r.Q, n), grown(r.W, n)
}

// grown returns s with length n, or a new slice of length n if the capacity of s is
// smaller.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, n+n/2+16)
	}
	return s[:n]
}
