package store

import (
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/kernels"
)

// This file makes the row of one term. Which way depends on the length of its
// list, as measured (BENCHMARKS.md, Counts by length):
//
//	one document    its class is looked up, whole blocks of terms at a time
//	short lists     counts[class]++, a tile of terms at a time
//	middle lists    ends[class] = i+1, a store without a load: documents of one
//	                class follow each other, and incrementing the same counter
//	                waits for the store before
//	long lists      range popcount and boundary search on Roaring containers
//
// Documents with several labels are scattered over their slots; more classes
// than a dense row holds are counted as runs of the list.

// incrementsBelow is the document frequency up to which increments beat storing
// ends and scanning the row.
const incrementsBelow = 8

// rowCounter is the memory of one worker. It lives on the heap: arguments of
// kernels must not make it escape again and again.
type rowCounter struct {
	x *Index
	v *view
	*counting
	row Row

	postings Postings
	counts   []uint32 // dense row, width long
	ends     []uint32 // all 0 between terms
	packed   []uint64 // sums and squares of a class in one number; all 0 between terms
	bounds   []uint32 // of the segments of a list
	sums     []uint64
	squares  []uint64
	weights  []float64
	classes  []uint32 // of the documents of a list
	sparse   []cell   // a row for scattering; all 0 between terms
	tile     []uint32 // rows of short lists; nil where they are counted otherwise
	stride   int      // of the tile
	escape   int      // first escaped value at or behind the current term
}

func newRowCounter(x *Index, c *counting) *rowCounter {
	v := x.view()
	r := &rowCounter{x: x, v: v, counting: c}
	if v.width > 0 {
		r.counts, r.ends, r.packed = make([]uint32, v.width), make([]uint32, v.width), make([]uint64, v.width)
		r.row.Class = make([]uint32, v.width)
	}
	if v.codes.bytes != nil && v.width > 0 && c.keep == nil && c.weigher == nil && !c.opt.Tokens && !x.Real() {
		r.stride = (len(x.Classes) + 1 + 15) &^ 15
		r.tile = make([]uint32, tileRows*r.stride)
	}
	if x.multi && (v.width == 0 || c.opt.Tokens || c.weigher != nil || c.keep != nil || x.Real()) {
		r.sparse = make([]cell, len(x.Classes))
	}
	return r
}

// terms visits a range.
func (r *rowCounter) terms(terms pool.Range, visitor Visitor) {
	r.escape, _ = slices.BinarySearch(r.x.tf.escapeAt, r.x.start[terms.From])
	t := terms.From
	for t < terms.To {
		switch {
		case r.x.df[t] == 1 && r.plainFrom(t):
			r.singles(t, terms.To, visitor)
			return
		case r.tile != nil && 1 < r.x.df[t] && r.x.df[t] < incrementsBelow && t >= r.x.numDense():
			t = r.tiled(t, terms.To, visitor)
		default:
			if r.term(t) {
				visitor.Row(&r.row)
			}
			t++
		}
	}
}

// tileRows is the number of short lists that are counted before the first of them
// is looked at. A vector load right behind the increments of its counts has to
// wait until they have left the store buffer: 18 ns a term for the maximum of
// chi-square instead of 8.
const tileRows = 16

// tiled visits up to tileRows short lists from t on, and returns the next term.
func (r *rowCounter) tiled(t, to int, visitor Visitor) int {
	to = min(to, t+tileRows)
	k, codes := len(r.x.Classes), r.v.codes.bytes
	clear(r.tile)
	for i := t; i < to; i++ {
		if r.x.df[i] == 1 {
			to = i
			break
		}
		counts := r.tile[(i-t)*r.stride:][:k+1]
		for _, d := range r.x.short(i) {
			counts[codes[d]]++
		}
	}
	row := &r.row
	for i := t; i < to; i++ {
		row.Term, row.DF, row.Dense = i, float64(r.x.df[i]), r.tile[(i-t)*r.stride:][:k]
		if r.opt.Cells {
			r.cells()
		}
		visitor.Row(row)
	}
	return to
}

// plainFrom says that the terms from t on, of one document each, are counts
// below the escape, all wanted, and have one class each.
func (r *rowCounter) plainFrom(t int) bool {
	at := r.x.tf.escapeAt
	return r.keep == nil && r.weigher == nil && !r.x.multi && !r.x.Real() && t >= r.x.numDense() &&
		(len(at) == 0 || at[len(at)-1] < r.x.start[t])
}

func (r *rowCounter) singles(from, to int, visitor Visitor) {
	x := r.x
	base := x.start[x.numDense()]
	docs := x.flat[x.start[from]-base : x.start[to]-base]
	r.classes = r.v.codes.lookup(docs, r.classes)
	var tf []uint8
	if r.opt.Tokens {
		tf = x.tf.counts[x.start[from]:x.start[to]]
	}
	visitor.Singles(from, r.classes, tf)
}

// term fills the row of term t; false if none of its documents is counted.
func (r *rowCounter) term(t int) bool {
	row := &r.row
	row.Term, row.DF, row.CF, row.Dense = t, float64(r.x.df[t]), 0, nil
	switch {
	case r.keep != nil || r.weigher != nil || r.x.Real():
		r.x.Read(t, &r.postings)
		if r.keep != nil {
			r.restrict(&r.postings)
		}
		row.DF = float64(len(r.postings.Docs))
		if row.DF == 0 {
			return false
		}
		r.weighted()
	case r.v.width == 0 || r.sparse != nil:
		r.x.Read(t, &r.postings)
		r.weighted()
	default:
		r.dense(t)
	}
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

// dense counts a list into a row of all classes, and makes cells of it if they
// are wanted.
func (r *rowCounter) dense(t int) {
	k := len(r.x.Classes)
	short := t >= r.x.numDense()
	switch {
	case r.x.multi:
		clear(r.counts)
		r.x.ReadDocs(t, &r.postings)
		r.v.slots.count(r.counts, r.postings.Docs, r.x)
	case short && r.opt.Tokens && !r.escapedIn(t):
		r.scatter(t)
		return
	case short:
		r.countShort(r.x.short(t))
	default:
		clear(r.counts[:k+1])
		if err := r.v.partition.Count(r.counts[:k], r.x.bitmapBytes(t)); err != nil {
			panic(err) // Build wrote it, or decode has parsed it
		}
	}
	r.row.Dense = r.counts[:k]
	if r.opt.Cells || r.opt.Tokens {
		r.cells()
	}
	if r.opt.Tokens {
		r.moments(t)
	}
}

func (r *rowCounter) countShort(docs []uint32) {
	c := &r.v.codes
	switch {
	case c.bytes != nil:
		ends := (*[256]uint32)(r.ends)
		for i, d := range docs {
			ends[c.bytes[d]] = uint32(i + 1)
		}
		kernels.CountEnds(r.counts[:len(r.x.Classes)+1], r.ends[:len(r.x.Classes)+1])
	default:
		for i, d := range docs {
			r.ends[c.shorts[d]] = uint32(i + 1)
		}
		kernels.CountEnds(r.counts[:len(r.x.Classes)+1], r.ends[:len(r.x.Classes)+1])
	}
}

// cells lists the classes of the dense row that have documents.
func (r *rowCounter) cells() {
	row := &r.row
	n := kernels.Occupied(row.Class[:cap(row.Class)], row.Dense)
	row.resize(n)
	for i, c := range row.Class {
		row.Docs[i] = row.Dense[c]
		row.A[i] = float64(row.Dense[c])
	}
}

// resize gives the cells n elements, with the classes kept.
func (r *Row) resize(n int) {
	if cap(r.A) < n {
		m := n + n/2 + 16
		r.Docs = make([]uint32, m)
		r.A, r.S, r.Q, r.W = make([]float64, m), make([]float64, m), make([]float64, m), make([]float64, m)
	}
	r.Class = r.Class[:n]
	r.Docs, r.A, r.S, r.Q, r.W = r.Docs[:n], r.A[:n], r.S[:n], r.Q[:n], r.W[:n]
}

// escapedIn says whether a term has a value that its byte cannot hold. Terms
// come in ascending order.
func (r *rowCounter) escapedIn(t int) bool {
	at := r.x.tf.escapeAt
	for r.escape < len(at) && at[r.escape] < r.x.start[t] {
		r.escape++
	}
	return r.escape < len(at) && at[r.escape] < r.x.start[t+1]
}

// scatter counts documents, tokens and squares of a short list at once. Tokens
// and squares share one number: with at most 512 documents and values below 255
// the sum stays below 2^17 and the squares below 2^25.
func (r *rowCounter) scatter(t int) {
	k := len(r.x.Classes)
	clear(r.counts[:k+1])
	docs, tf := r.x.short(t), r.x.tf.counts[r.x.start[t]:r.x.start[t+1]]
	if c := r.v.codes.bytes; c != nil {
		counts, packed := (*[256]uint32)(r.counts), (*[256]uint64)(r.packed)
		for i, d := range docs {
			v := uint64(tf[i])
			counts[c[d]]++
			packed[c[d]] += v | v*v<<32
		}
	} else {
		for i, d := range docs {
			v := uint64(tf[i])
			r.counts[r.v.codes.shorts[d]]++
			r.packed[r.v.codes.shorts[d]] += v | v*v<<32
		}
	}
	row := &r.row
	row.Dense = r.counts[:k]
	r.cells()
	cf := uint64(0)
	for i, c := range row.Class {
		p := r.packed[c]
		r.packed[c] = 0
		cf += p & (1<<32 - 1)
		row.S[i], row.Q[i] = float64(p&(1<<32-1)), float64(p>>32)
	}
	cf += r.packed[k] & (1<<32 - 1)
	r.packed[k] = 0
	row.CF = float64(cf)
}

// moments adds up the byte column over the segments that the counts make of it,
// the last one for the unlabelled documents.
func (r *rowCounter) moments(t int) {
	row := &r.row
	n := len(row.Class)
	from, to := r.x.start[t], r.x.start[t+1]
	r.bounds = append(r.bounds[:0], 0)
	at := uint32(0)
	for _, docs := range row.Docs {
		at += docs
		r.bounds = append(r.bounds, at)
	}
	r.bounds = append(r.bounds, uint32(to-from))
	if cap(r.sums) < n+1 {
		r.sums, r.squares = make([]uint64, n+len(r.x.Classes)+1), make([]uint64, n+len(r.x.Classes)+1)
	}
	r.sums, r.squares = r.sums[:n+1], r.squares[:n+1]
	kernels.SumByteSegments(r.sums, r.squares, r.x.tf.counts[from:to], r.bounds)
	r.addEscaped(from, to)
	cf := r.sums[n]
	for i := range row.Class {
		row.S[i], row.Q[i] = float64(r.sums[i]), float64(r.squares[i])
		cf += r.sums[i]
	}
	row.CF = float64(cf)
}

// addEscaped puts the true values in the place of the escapes.
func (r *rowCounter) addEscaped(from, to uint64) {
	at := r.x.tf.escapeAt
	i, _ := slices.BinarySearch(at, from)
	for ; i < len(at) && at[i] < to; i++ {
		v := uint64(r.x.tf.escaped[i])
		segment, found := slices.BinarySearch(r.bounds, uint32(at[i]-from))
		if !found {
			segment--
		}
		for r.bounds[segment+1] == r.bounds[segment] { // an empty one in front
			segment++
		}
		r.sums[segment] += v - escape
		r.squares[segment] += v*v - escape*escape
	}
}
