package table

import (
	"bytes"
	"iter"
	"slices"

	"github.com/termsift/termsift/kernels"
)

// SetsOfClasses sets dst[t] to the classes of the cells of term t as the bits of a word, for the
// terms [from, to) and [Tile.ClassSets]. There are no more classes than a word has bits.
func (c *Cells) SetsOfClasses(dst []uint64, from, to int) {
	if c.Class.wide != nil {
		setsOf(dst[from:to], c.Class.wide, c.Start[from:to+1])
	} else {
		setsOf(dst[from:to], c.Class.low, c.Start[from:to+1])
	}
}

// setsOf sets dst to the classes of terms as bits; classes has those of all cells.
func setsOf[T uint8 | uint32](dst []uint64, classes []T, start []int) {
	for t := range dst {
		first, end := start[t], start[t+1]
		set := uint64(0)
		if n := end - first; n > 0 && n <= fewClasses && first+fewClasses <= len(classes) {
			// The end of a loop over so few cells cannot be predicted. Those behind the last
			// are masked instead: 0.6 of the time on terms as those of 20 Newsgroups.
			four := classes[first : first+fewClasses : first+fewClasses]
			set = bit(four[0]) | bit(four[1])&allIf(n > 1) | bit(four[2])&allIf(n > 2) | bit(four[3])&allIf(n > 3)
		} else {
			for _, class := range classes[first:end] {
				set |= bit(class)
			}
		}
		dst[t] = set
	}
}

// fewClasses is the number of cells up to which the set of a term is made without a loop.
const fewClasses = 4

// bit is the set of a class alone.
func bit[T uint8 | uint32](class T) uint64 { return 1 << (class % kernels.SetClasses) }

// allIf is all bits or none.
func allIf(truth bool) uint64 {
	one := uint64(0)
	if truth { // no branch: the compiler sets a register
		one = 1
	}
	return -one
}

// readBytes sets t to the bytes of the terms [from, to), whose cells are [first, end).
func (c *Cells) readBytes(t *Tile, from, to, first, end int, tokens bool) {
	t.Sets, t.Class, t.A, t.S, t.Q = t.ClassSets[from:to], t.Class[:0], nil, nil, nil
	t.CF, t.ByteCF, t.ByteA, t.ByteS, t.ByteQ = t.CF[:0], nil, c.A.low[first:end], nil, nil
	t.escaped = t.escaped[:0]
	t.addEscaped(&c.A, first, end, &t.hints[1])
	if tokens {
		t.ByteCF, t.ByteS = c.CF.low[from:to], c.S.low[first:end]
		t.addEscaped(&c.S, first, end, &t.hints[2])
		if !t.NoSquares {
			t.ByteQ = c.Q.low[first:end]
		}
	}
	slices.Sort(t.escaped)
	t.escaped = slices.Compact(t.escaped)
}

// Singles returns the classes of the terms of a tile of bytes, if each of them is in one document of
// one class. They must not be modified.
func (t *Tile) Singles() (classes []uint8, ok bool) {
	n, first := len(t.DF), t.Start[0]
	low, narrow := t.of.Class.Bytes()
	if n == 0 || len(t.ByteA) != n || !narrow || t.DF[0] != 1 || t.DF[n-1] != 1 {
		return nil, false
	}
	for _, df := range t.DF {
		if df != 1 {
			return nil, false
		}
	}
	if bytes.Count(t.ByteA, []byte{1}) != n {
		return nil, false
	}
	if !t.of.oneClassEach() && slices.Contains(t.Sets, 0) { // else they have as many cells as terms
		return nil, false
	}
	return low[first : first+n], true
}

// Occurrences returns the occurrences of the terms of a tile of bytes in all documents, if tokens
// were asked for. They are valid until the next call of Read.
func (t *Tile) Occurrences() []float64 {
	t.of.readOccurrences(t)
	return t.CF
}

// addEscaped adds the terms that have an element of a column in its list.
func (t *Tile) addEscaped(c *Column, first, end int, hint *int) {
	*hint = c.place(first, *hint)
	last, term := c.place(end, *hint), 0
	t.escaped = slices.Grow(t.escaped, last-*hint)
	for ; *hint < last; *hint++ {
		for t.Start[term+1] <= c.at[*hint] {
			term++
		}
		t.escaped = append(t.escaped, term)
	}
}

// Escaped calls f for the terms [from, to) of a tile of bytes that have an element of A or S which its
// byte does not give, as a tile with the numbers of these terms. It is valid until the next call.
func (t *Tile) Escaped(f func(from, to int, numbers *Tile)) {
	for i := 0; i < len(t.escaped); {
		from := t.escaped[i]
		to := from + 1
		for i++; i < len(t.escaped) && t.escaped[i] == to; i++ {
			to++
		}
		f(from, to, t.Numbers(from, to))
	}
}

// Parts calls f for parts of the terms [from, to) of a tile of bytes, as tiles with the numbers
// of these terms, of as many cells as [Cells.Tiles] gives them otherwise.
func (t *Tile) Parts(from, to int, f func(from, to int, numbers *Tile)) {
	for from < to {
		end := t.of.end(t.First+from, t.First+to, tileCells) - t.First
		f(from, end, t.Numbers(from, end))
		from = end
	}
}

// Numbers returns the terms [from, to) of a tile of bytes as a tile with their numbers, whose
// weights are the occurrences. It is valid until the next call.
func (t *Tile) Numbers(from, to int) *Tile {
	if t.numbers == nil {
		t.numbers = &Tile{}
	}
	t.numbers.NoSquares = t.NoSquares
	t.of.Read(t.numbers, t.First+from, t.First+to, t.tokens)
	if t.tokens {
		t.numbers.W, t.numbers.ExactW = t.numbers.S, t.numbers.Exact
	}
	return t.numbers
}

// An EscapedCell is one of a tile of bytes whose number its byte does not give.
type EscapedCell struct {
	Term, Cell int // in the tile
	Class      uint32
	Number     float64
}

// EscapedDocuments yields the cells whose element of A is not in its byte, in their order.
func (t *Tile) EscapedDocuments() iter.Seq[EscapedCell] {
	return func(yield func(EscapedCell) bool) {
		if len(t.escaped) > 0 {
			t.eachEscaped(&t.of.A, yield)
		}
	}
}

// EscapedSquares is EscapedDocuments of Q.
func (t *Tile) EscapedSquares() iter.Seq[EscapedCell] {
	return func(yield func(EscapedCell) bool) { t.eachEscaped(&t.of.Q, yield) }
}

// eachEscaped calls yield for the cells of the tile that are in the list of a column, until it
// returns false.
func (t *Tile) eachEscaped(c *Column, yield func(EscapedCell) bool) {
	first, term, ends := t.Start[0], 0, t.Start[1:]
	end := first + len(t.ByteA)
	for k := c.place(first, 0); k < len(c.at) && c.at[k] < end; k++ {
		at := c.at[k]
		for ends[term] <= at {
			term++
		}
		if !yield(EscapedCell{term, at - first, t.of.Class.At(at), c.escaped[k]}) {
			return
		}
	}
}

// Repeats reports whether n terms from term i on have the same number of documents, where terms
// are in the order of these. Of a tile that no [Cells.Read] has set it reports false.
func (t *Tile) Repeats(i, n int) bool {
	if t.of == nil {
		return false
	}
	last := t.First + i + max(n, 1) - 1
	return last < len(t.of.DF) && t.of.DF[last] == t.DF[i]
}
