package store

import (
	"slices"

	"github.com/termsift/termsift/kernels"
)

// This file counts a list of single-label documents with its token counts: short
// lists are scattered, and the counts of long ones cut the byte column into
// segments. So do the runs of classes where these are too many for a dense row.

// moments fills the row of a term.
func (r *rowCounter) moments(t int) {
	k := len(r.x.Classes)
	short := t >= r.x.numDense()
	switch {
	case r.x.multi:
		r.slotted(t)
		return
	case r.counts == nil:
		r.wide(t)
		return
	case short && !r.x.Real() && !r.escapedIn(t):
		r.scatter(t)
		return
	case short:
		storeEnds(r.ends, r.x.short(t), &r.v.codes)
		kernels.CountEnds(r.counts[:k+1], r.ends[:k+1])
	default:
		clear(r.counts[:k+1])
		if err := r.v.partition.Count(r.counts[:k], r.x.bitmapBytes(t)); err != nil {
			panic(err) // Build wrote it, or decode has parsed it
		}
	}
	r.row.Dense = r.counts[:k]
	r.cells()
	r.sum(t)
}

// wide makes the cells of a list by the runs of its documents' classes: a term
// costs its postings, however many classes there are.
func (r *rowCounter) wide(t int) {
	row := &r.row
	docs := r.x.documents(t, r.postings.buffer)
	if t < r.x.numDense() {
		r.postings.buffer = docs
	}
	row.Class, row.Docs = grown(row.Class, len(docs)), grown(row.Docs, len(docs))
	n := r.v.codes.runs(docs, row.Class, row.Docs)
	if int(row.Class[n-1]) == len(r.x.Classes) { // the unlabelled, not a class
		n--
	}
	row.resize(n)
	before := uint32(0)
	for i, end := range row.Docs {
		row.Docs[i] = end - before
		row.A[i] = float64(end - before)
		before = end
	}
	if r.opt.Tokens {
		r.sum(t)
	}
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

// sum adds up the values of a term over the segments that the counts make of its
// list, the last one for the unlabelled documents.
func (r *rowCounter) sum(t int) {
	r.bounds = append(r.bounds[:0], 0)
	at := uint32(0)
	for _, docs := range r.row.Docs {
		at += docs
		r.bounds = append(r.bounds, at)
	}
	from, to := r.x.start[t], r.x.start[t+1]
	r.bounds = append(r.bounds, uint32(to-from))
	if r.x.Real() {
		r.sumReals(r.x.tf.single[from:to])
	} else {
		r.sumBytes(t, from, to)
	}
}

// sumReals adds in the order of [kernels.SumSegments], segment by segment.
func (r *rowCounter) sumReals(values []float32) {
	row, n := &r.row, len(r.row.Class)
	row.S, row.Q = grown(row.S, n+1), grown(row.Q, n+1)
	kernels.SumSegments(row.S, row.Q, values, r.bounds)
	for _, s := range row.S {
		row.CF += s
	}
	row.S, row.Q = row.S[:n], row.Q[:n]
}

func (r *rowCounter) sumBytes(t int, from, to uint64) {
	row, n := &r.row, len(r.row.Class)
	r.sums, r.squares = grown(r.sums, n+1), grown(r.squares, n+1)
	kernels.SumByteSegments(r.sums, r.squares, r.x.tf.counts[from:to], r.bounds)
	if r.escapedIn(t) {
		r.addEscaped(from, to)
	}
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
