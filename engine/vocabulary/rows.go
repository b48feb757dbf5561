package vocabulary

import (
	"github.com/termsift/termsift/engine/analysis"
)

// Rows are a matrix of documents and terms by rows. They never change.
type Rows struct {
	vocabulary *Vocabulary // that was fitted to their texts, nil otherwise
	parts      []*rowBlocks
	columns    []int32 // of the numbers that stand in the elements, left for those that are no columns; nil if the numbers are columns
	stored     int64
}

// Len is the number of documents.
func (r *Rows) Len() (n int) {
	for _, p := range r.parts {
		n += len(p.lengths)
	}
	return n
}

// Stored is the number of elements.
func (r *Rows) Stored() int64 { return r.stored }

// An Index is the type of columns and of places of rows.
type Index interface{ ~int32 | ~int64 }

// A Value is the type of elements.
type Value interface {
	~uint8 | ~int32 | ~int64 | ~float32 | ~float64
}

// CopyStart copies the place where each row starts, and the one where the last row ends: Len+1 numbers.
func CopyStart[I Index](r *Rows, start []I) {
	start[0] = 0
	at, i := int64(0), 1
	for _, p := range r.parts {
		for row := range p.each {
			at += int64(r.among(row))
			start[i] = I(at)
			i++
		}
	}
}

// whole reports whether all elements of the parts are elements of the matrix.
func (r *Rows) whole() bool { return r.vocabulary == nil || r.vocabulary.LeftOut() == 0 }

// among returns how many elements of a row are elements of the matrix.
func (r *Rows) among(row []analysis.TermCount) (n int) {
	if r.whole() {
		return len(row)
	}
	for _, e := range row {
		if r.columns[e.Term] != left {
			n++
		}
	}
	return n
}

// column returns the column of an element, left for one that is no element of the matrix.
func (r *Rows) column(e analysis.TermCount) int32 {
	if r.columns == nil {
		return int32(e.Term)
	}
	return r.columns[e.Term]
}

// CopyColumns copies the columns of all elements, row after row.
func CopyColumns[I Index](r *Rows, columns []I) {
	at := 0
	for _, p := range r.parts {
		for _, block := range p.blocks {
			for _, e := range block {
				if c := r.column(e); c != left {
					columns[at] = I(c)
					at++
				}
			}
		}
	}
}

// CopyValues copies the values of all elements, converted as Go does it.
func CopyValues[V Value](r *Rows, values []V) {
	whole, at := r.whole(), 0
	for _, p := range r.parts {
		for _, block := range p.blocks {
			for _, e := range block {
				if whole || r.columns[e.Term] != left {
					values[at] = V(int32(e.Count))
					at++
				}
			}
		}
	}
}

// blockEntries is the number of elements that a block of rows has room for, if no row has more.
const blockEntries = 64 << 10

// rowBlocks are rows one behind the other, in pieces of memory that are never moved.
type rowBlocks struct {
	blocks  [][]analysis.TermCount
	lengths []uint32 // of all rows
}

// add adds a row.
func (b *rowBlocks) add(row []analysis.TermCount) {
	last := len(b.blocks) - 1
	if last < 0 || cap(b.blocks[last])-len(b.blocks[last]) < len(row) {
		room := min(1<<10<<(2*len(b.blocks)), blockEntries) // few texts need a small block
		b.blocks = append(b.blocks, make([]analysis.TermCount, 0, max(room, len(row))))
		last++
	}
	b.blocks[last] = append(b.blocks[last], row...)
	b.lengths = append(b.lengths, uint32(len(row)))
}

// each yields the rows. A row lies in one block.
func (b *rowBlocks) each(yield func(row []analysis.TermCount) bool) {
	var block []analysis.TermCount
	next := 0
	for _, n := range b.lengths {
		if len(block) == 0 && n > 0 {
			block = b.blocks[next]
			next++
		}
		if !yield(block[:n]) {
			return
		}
		block = block[n:]
	}
}
