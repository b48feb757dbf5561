package store

// This file counts documents with several labels. Of the ways that need only the index,
// these measured fastest (BENCHMARKS.md, Several labels).

// slots holds the first labels of each document in a fixed number of places, so that
// they are counted without a branch: a loop over the labels of each document is
// mispredicted for almost every document. Unused places hold codes after those of the
// classes, whose counts are ignored.
type slots struct {
	codes [][slotCount]uint16
	many  int // the code in the last place of a document with more labels than fit
}

// slotCount is the number of places per document; four documents share a cache line.
// All places but the last hold labels.
const slotCount = 8

func newSlots(x *Index) *slots {
	k := len(x.Classes)
	s := &slots{codes: make([][slotCount]uint16, x.Documents()), many: k + slotCount}
	for d := range s.codes {
		own := x.Labels(d)
		for i := range s.codes[d] {
			s.codes[d][i] = uint16(k + i)
			if i < len(own) && i < slotCount-1 {
				s.codes[d][i] = uint16(own[i])
			}
		}
		if len(own) > slotCount-1 {
			s.codes[d][slotCount-1] = uint16(s.many)
		}
	}
	return s
}

// count adds the labels of documents to counts, which has room for the codes of unused
// places too.
func (s *slots) count(counts, docs []uint32, x *Index) {
	for _, d := range docs {
		for _, code := range s.codes[d] {
			counts[code]++
		}
	}
	if counts[s.many] == 0 {
		return
	}
	for _, d := range docs {
		if s.codes[d][slotCount-1] == uint16(s.many) {
			for _, l := range x.Labels(int(d))[slotCount-1:] {
				counts[l]++
			}
		}
	}
}

// A labelSum holds the counts of a term in one class. The sum and the sum of squares
// share one number: for the frequencies of 65,536 bytes, both stay below 2^32.
type labelSum struct {
	packed uint64 // the sum in the lower 32 bits, the sum of squares in the upper
	docs   uint64
}

// labelBlock is the number of postings after which the packed sums are unpacked and
// reset.
const labelBlock = 1 << 16

// addLabels adds the documents and their frequencies to the sums of their labels. There
// are at most labelBlock documents. With eight places per document and two additions
// for each, this took a quarter longer.
func addLabels(sums []labelSum, docs []uint32, tf []uint8, x *Index) {
	for i, d := range docs {
		v := uint64(tf[i])
		v |= v * v << 32
		for _, l := range x.Labels(int(d)) {
			sums[l].docs++
			sums[l].packed += v
		}
	}
}

// labelled fills the row of a term, token counts included, for documents with several
// labels.
func (r *rowCounter) labelled(t int) {
	x, k, row := r.x, len(r.x.Classes), &r.row
	x.readDocs(t, &r.postings)
	docs, tf := r.postings.Docs, x.tf.counts[x.start[t]:x.start[t+1]]
	clear(r.counts[:k])
	clear(r.sums[:2*k])
	sums, squares := r.sums[:k], r.sums[k:2*k]
	cf := uint64(0)
	for from := 0; from < len(docs); from += labelBlock {
		to := min(from+labelBlock, len(docs))
		addLabels(r.labelSums, docs[from:to], tf[from:to], x)
		for c := range sums {
			s := &r.labelSums[c]
			r.counts[c] += uint32(s.docs)
			sums[c] += s.packed & (1<<32 - 1)
			squares[c] += s.packed >> 32
		}
		clear(r.labelSums)
	}
	for _, v := range tf {
		cf += uint64(v)
	}
	r.carries = nil
	if r.escapedIn(t) {
		cf += r.addEscapedLabels(t, sums, squares)
	}
	row.CF = float64(cf)
	row.Dense = r.counts[:k]
	row.cells()
	for i, c := range row.Class {
		row.S[i], row.Q[i] = float64(sums[c]), r.squareOf(squares, int(c))
	}
}

// addEscapedLabels replaces the escapes in the sums and squares by the true counts. It
// returns what that adds to the tokens of the term.
func (r *rowCounter) addEscapedLabels(t int, sums, squares []uint64) (more uint64) {
	x := r.x
	for i := r.escape; i < len(x.tf.escapeAt) && x.tf.escapeAt[i] < x.start[t+1]; i++ {
		v := uint64(x.tf.escaped[i])
		more += v - escape
		for _, l := range x.Labels(int(r.postings.Docs[x.tf.escapeAt[i]-x.start[t]])) {
			sums[l] += v - escape
			r.addSquare(squares, int(l), v)
		}
	}
	return more
}
