package store

import (
	"math/bits"
	"slices"

	"github.com/termsift/termsift/kernels"
)

// This file counts the lists of single-label documents together with their token
// counts. Very short lists, and all lists if there are many classes, are cut into runs
// of documents of one class, which costs nothing for classes without the term. Longer
// lists are scattered over a dense row. For bitmaps, the document counts of the classes
// cut the column of frequencies into segments, which are summed.

// scatterFrom is the document frequency from which scattering is faster than runs.
const scatterFrom = 16

// moments fills the row of a term.
func (r *rowCounter) moments(t int) {
	switch {
	case r.x.multi:
		r.labelled(t)
	case r.counts == nil || r.x.df[t] < scatterFrom || t >= r.x.numDense() && (r.x.Real() || r.escapedIn(t)):
		r.listed(t)
	case t >= r.x.numDense():
		r.scatter(t)
	default:
		k := len(r.x.Classes)
		clear(r.counts[:k+1])
		if err := r.v.partition.Count(r.counts[:k], r.x.bitmapBytes(t)); err != nil {
			panic(err) // Build wrote it, or decode has parsed it
		}
		r.row.Dense = r.counts[:k]
		r.row.cells()
		r.sum(t)
	}
}

// listed fills the row from the runs of documents of one class in the list. A term
// costs its postings, however many classes there are.
func (r *rowCounter) listed(t int) {
	docs := r.x.documents(t, r.postings.buffer)
	if t < r.x.numDense() {
		r.postings.buffer = docs
	}
	r.classes = r.v.codes.lookup(docs, r.classes)
	if r.opt.Tokens && t >= r.x.numDense() && !r.x.Real() && !r.escapedIn(t) {
		r.bytesByRuns(r.x.tf.counts[r.x.start[t]:r.x.start[t+1]])
		return
	}
	r.byRuns()
	if r.opt.Tokens {
		r.sum(t)
	}
}

// byRuns fills the cells from the runs of equal classes in r.classes. It stores the
// current run at every document and advances the place when the class changes, because
// a branch there would be mispredicted half of the time.
func (r *rowCounter) byRuns() {
	row, classes := &r.row, r.classes
	row.resize(len(classes))
	class, docs, a := row.Class, row.Docs[:len(classes)], row.A[:len(classes)]
	n, last, count := 0, classes[0], uint32(0)
	for _, c := range classes {
		moved := 0
		if c != last {
			moved = 1
		}
		n += moved
		count = count&(uint32(moved)-1) + 1 // from 0 where a run begins
		class[n], docs[n], a[n] = c, count, float64(count)
		last = c
	}
	row.resize(r.withLabel(n + 1))
}

// bytesByRuns is byRuns for a short list of byte frequencies, whose sums and squares it
// computes too.
func (r *rowCounter) bytesByRuns(tf []uint8) {
	row, classes := &r.row, r.classes[:len(tf)]
	row.Class = grown(row.Class, len(classes))
	r.sums = grown(r.sums, len(classes))
	class, sums := row.Class, r.sums
	n, last, sum := 0, classes[0], uint64(0)
	for i, c := range classes {
		moved := 0
		if c != last {
			moved = 1
		}
		n += moved
		sum = sum&(uint64(moved)-1) + packed(tf[i]) // from 0 where a run begins
		class[n], sums[n] = c, sum
		last = c
	}
	cf := uint64(0)
	for _, p := range sums[:n+1] {
		cf += sumOf(p)
	}
	row.CF = float64(cf)
	row.resize(r.withLabel(n + 1))
	for i, p := range sums[:len(row.Class)] {
		row.Docs[i] = uint32(p & (1<<sumShift - 1))
		row.A[i] = float64(row.Docs[i])
		row.S[i], row.Q[i] = float64(sumOf(p)), float64(p>>squareShift)
	}
}

// withLabel returns the number of labelled runs among n: without the run of unlabelled
// documents, which is the last if there is one.
func (r *rowCounter) withLabel(n int) int {
	if int(r.row.Class[n-1]) == len(r.x.Classes) {
		return n - 1
	}
	return n
}

// escapedIn reports whether a term has an escaped count. It must be called for terms in
// ascending order.
func (r *rowCounter) escapedIn(t int) bool {
	at := r.x.tf.escapeAt
	for r.escape < len(at) && at[r.escape] < r.x.start[t] {
		r.escape++
	}
	return r.escape < len(at) && at[r.escape] < r.x.start[t+1]
}

// A short list's posting is packed into one number: 1 for the document, its frequency
// and the square of that. Lists are shorter than 2^9 and bytes below 2^8, so that the
// sums stay below 2^9, 2^17 and 2^25.
const (
	sumShift    = 10
	squareShift = 28
)

// packed returns the packed posting of a frequency.
func packed(tf uint8) uint64 {
	v := uint64(tf)
	return 1 | v<<sumShift | v*v<<squareShift
}

// sumOf returns the sum of the frequencies in a packed sum.
func sumOf(p uint64) uint64 { return p >> sumShift & (1<<(squareShift-sumShift) - 1) }

// scatter fills the row of a short list, adding documents, tokens and squares in one
// packed number per class.
func (r *rowCounter) scatter(t int) {
	docs, tf, c := r.x.short(t), r.x.tf.counts[r.x.start[t]:r.x.start[t+1]], &r.v.codes
	switch {
	case c.blocks != nil:
		sums := (*[byteCodes]uint64)(r.packed)
		for i, d := range docs {
			sums[inBlock(d, c.blocks, c.bytes)] += packed(tf[i])
		}
	case c.bytes != nil:
		sums, bytes := (*[byteCodes]uint64)(r.packed), c.bytes
		for i, d := range docs {
			sums[bytes[d]] += packed(tf[i])
		}
	default:
		for i, d := range docs {
			r.packed[c.shorts[d]] += packed(tf[i])
		}
	}
	row, k := &r.row, len(r.x.Classes)
	row.Dense = r.counts[:k]
	for c, p := range r.packed[:k] {
		row.Dense[c] = uint32(p & (1<<sumShift - 1))
	}
	row.cells()
	cf := sumOf(r.packed[k]) // of the unlabelled
	for i, c := range row.Class {
		p := r.packed[c]
		cf += sumOf(p)
		row.S[i], row.Q[i] = float64(sumOf(p)), float64(p>>squareShift)
	}
	row.CF = float64(cf)
	clear(r.packed[:k+1])
}

// sum computes S, Q and CF of a term from the segments that the document counts of the
// classes make of its list. The last segment is that of the unlabelled documents.
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

// sumReals is sum for real values. It adds in the order of [kernels.SumSegments], then
// segment by segment.
func (r *rowCounter) sumReals(values []float32) {
	row, n := &r.row, len(r.row.Class)
	row.S, row.Q = grown(row.S, n+1), grown(row.Q, n+1)
	kernels.SumSegments(row.S, row.Q, values, r.bounds)
	for _, s := range row.S {
		row.CF += s
	}
	row.S, row.Q = row.S[:n], row.Q[:n]
}

// sumBytes is sum for counts.
func (r *rowCounter) sumBytes(t int, from, to uint64) {
	row, n := &r.row, len(r.row.Class)
	r.sums, r.squares = grown(r.sums, n+1), grown(r.squares, n+1)
	kernels.SumByteSegments(r.sums, r.squares, r.x.tf.counts[from:to], r.bounds)
	r.carries = nil
	if r.escapedIn(t) {
		r.addEscaped(from, to)
	}
	cf := r.sums[n]
	for i := range row.Class {
		row.S[i], row.Q[i] = float64(r.sums[i]), r.squareOf(r.squares, i)
		cf += r.sums[i]
	}
	row.CF = float64(cf)
}

// addEscaped replaces the escapes in the sums and squares by the true counts.
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
		r.addSquare(r.squares, segment, v)
	}
}

// addSquare replaces the square of an escape in squares[i] by that of the true count v.
// It counts the overflows past 2^64 in r.carries: two squares of counts below 2^32 can
// overflow.
func (r *rowCounter) addSquare(squares []uint64, i int, v uint64) {
	sum, carry := bits.Add64(squares[i], v*v-escape*escape, 0)
	squares[i] = sum
	if carry == 0 {
		return
	}
	if r.carries == nil {
		r.carries = map[int]float64{}
	}
	r.carries[i]++
}

// squareOf returns the sum of squares i, including the overflows that addSquare
// counted.
func (r *rowCounter) squareOf(squares []uint64, i int) float64 {
	if r.carries == nil {
		return float64(squares[i])
	}
	return float64(squares[i]) + float64(r.carries[i]*(1<<64))
}
