package tally

import (
	"math/bits"

	"github.com/termsift/termsift/engine/analysis"
)

// A Tally has the cells of the documents that were added, with terms and classes in the
// numbers of the caller. It belongs to one goroutine.
//
// Each class has a hash table of its own by term: documents often come class by class, and a
// table of one class fits into the caches. On 20 Newsgroups, with tables by term instead, a
// posting took 28 ns.
type Tally struct {
	classes []table
	// beside has what terms have beside their cells: of a document of n labels 1-n times its
	// counts, so that the cells of a term, with this one, add up to its documents and occurrences.
	beside table
	terms  int // all are below

	documents, labelled, empty float64
	tokens                     float64
	touched                    uint32 // of no meaning
}

// A table has the cells of a class by term, by open addressing.
type table struct {
	cells []cell // as many as a power of two
	shift uint8  // of the hash, so that it is below the number of cells
	used  int
	large map[uint32]counts // what sums exceed the bits of a cell by, by term

	docs, tokens float64
}

// A cell has what a class has of a term. The sums are modulo 2^32.
type cell struct {
	term         uint32 // plus one; 0 for a free cell
	docs         uint32
	sum, squares uint32
}

type counts struct{ sum, squares uint64 }

// New returns a tally without documents.
func New() *Tally { return &Tally{} }

// Add adds a document: its terms, each once, and its classes, each once.
func (t *Tally) Add(classes []uint32, terms []analysis.TermCount) {
	tokens := uint64(0)
	for _, term := range terms {
		tokens += uint64(term.Count)
		t.terms = max(t.terms, int(term.Term)+1)
	}
	t.documents++
	t.tokens += float64(tokens)
	if len(terms) == 0 {
		t.empty++
	}
	if len(classes) > 0 {
		t.labelled++
	}
	for _, class := range classes {
		for int(class) >= len(t.classes) {
			t.classes = append(t.classes, table{})
		}
		of := &t.classes[class]
		of.docs++
		of.tokens += float64(tokens)
		t.touched += of.touch(terms)
		of.add(terms)
	}
	if len(classes) != 1 {
		t.beside.addTimes(1-len(classes), terms)
	}
}

// touch reads the cells of terms, or those beside them, so that they are in the cache when they
// are looked up: the processor waits for many reads together where no branch depends on them.
func (t *table) touch(terms []analysis.TermCount) (read uint32) {
	cells := t.cells
	if len(cells) < manyCells {
		return 0
	}
	for _, term := range terms {
		read += cells[t.home(term.Term)&(len(cells)-1)].term
	}
	return read
}

// manyCells is the number of cells from which a table is touched: those of less are in the
// caches, if anything is.
const manyCells = 1 << 11

// home returns the place of a term's cell if no other has taken it.
func (t *table) home(term uint32) int { return int(term * hashFactor >> (t.shift & 31)) }

// add adds the terms of a document.
func (t *table) add(terms []analysis.TermCount) {
	for _, term := range terms {
		c := t.cellOf(term.Term)
		count := uint64(term.Count)
		sum, squares := uint64(c.sum)+count, uint64(c.squares)+count*count
		c.docs, c.sum, c.squares = c.docs+1, uint32(sum), uint32(squares)
		if (sum|squares)>>32 != 0 {
			t.addLarge(term.Term, sum, squares)
		}
	}
}

// addTimes adds the terms of a document n times, but for their squares.
func (t *table) addTimes(n int, terms []analysis.TermCount) {
	for _, term := range terms {
		c := t.cellOf(term.Term)
		sum := uint64(c.sum) + uint64(n)*uint64(term.Count)
		c.docs, c.sum = c.docs+uint32(n), uint32(sum)
		if sum>>32 != 0 {
			t.addLarge(term.Term, sum, 0)
		}
	}
}

// addLarge keeps the bits of sums that do not fit into a cell.
func (t *table) addLarge(term uint32, sum, squares uint64) {
	if t.large == nil {
		t.large = map[uint32]counts{}
	}
	l := t.large[term]
	t.large[term] = counts{l.sum + sum>>32<<32, l.squares + squares>>32<<32}
}

// hashFactor is 2^32 divided by the golden ratio.
const hashFactor = 0x9e3779b1

// cellOf returns the cell of a term, which is made if there is none. It is valid until the
// next call.
func (t *table) cellOf(term uint32) *cell {
	cells := t.cells
	for i := t.home(term); len(cells) > 0; i++ {
		c := &cells[i&(len(cells)-1)]
		if c.term == term+1 {
			return c
		}
		if c.term == 0 {
			break
		}
	}
	return t.newCell(term)
}

// leastCells is the number of cells of the smallest table.
const leastCells = 4

// newCell makes the cell of a term that has none.
func (t *table) newCell(term uint32) *cell {
	if t.used >= len(t.cells)-len(t.cells)/4 {
		t.grow()
	}
	t.used++
	c := t.free(term)
	c.term = term + 1
	return c
}

// free returns the cell where a term that has none belongs.
func (t *table) free(term uint32) *cell {
	for i := t.home(term); ; i++ {
		if c := &t.cells[i&(len(t.cells)-1)]; c.term == 0 {
			return c
		}
	}
}

// grow doubles the number of cells.
func (t *table) grow() {
	old := t.cells
	t.cells = make([]cell, max(leastCells, 2*len(old)))
	t.shift = uint8(33 - bits.Len(uint(len(t.cells))))
	for _, c := range old {
		if c.term != 0 {
			*t.free(c.term - 1) = c
		}
	}
}
