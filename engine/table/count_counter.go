package table

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/termsift/termsift/kernels"
)

// This file counts the documents of a group in one number for each place. The number holds
// three fields: the documents A, by how much the occurrences exceed them, S - A, and the squares
// these, Q - S, as the columns of cells do. The highest bit of each field stays 0: a number that
// gets there is moved to a list.

const (
	excessShift  = 10 // of S - A
	squaresShift = 20 // of Q - S

	docsMask   = 1<<excessShift - 1
	excessMask = 1<<(squaresShift-excessShift) - 1

	// highestBits are those of the fields of a number: when one of them is set, the number is
	// to be moved by [Counter.spill].
	highestBits = 1<<(excessShift-1) | 1<<(squaresShift-1) | 1<<31

	// inList is the number of a term whose counts are in the list.
	inList = 1 << 31

	// mostSmall is the largest value that adds less to each field than its highest bit.
	mostSmall = 45
)

// small has what values add to a number, by value; 0 from mostSmall+1 on.
var small = func() (table [256]uint32) {
	for v := uint32(1); v <= mostSmall; v++ {
		table[v] = 1 | (v-1)<<excessShift | (v*v-v)<<squaresShift
	}
	return table
}()

// A largeCell holds the counts of a term that its number does not.
type largeCell struct {
	at      uint32
	a, s, q uint64
}

// add adds the counts of a number.
func (c *largeCell) add(number uint32) {
	a, excess, squares := uint64(number&docsMask), uint64(number>>excessShift&excessMask), uint64(number>>squaresShift)
	c.a += a
	c.s += a + excess
	c.q += a + excess + squares
}

// A Counter counts documents of one class after another. It belongs to one goroutine.
type Counter struct {
	number  []uint32 // by term, of the class; all 0 between classes
	large   []largeCell
	slot    []uint32 // by term: 1 + its place in large, or 0
	places  []uint32 // scratch memory
	squares float64  // of all values above mostSmall
}

// grow makes room for so many terms.
func (c *Counter) grow(terms int) {
	if more := terms - len(c.number); more > 0 {
		c.number, c.slot = append(c.number, make([]uint32, more)...), append(c.slot, make([]uint32, more)...)
	}
}

// Add adds a document: its terms, each once, with their counts. A count of 0 is none.
func (c *Counter) Add(terms, counts []uint32) {
	number := c.number
	counts = counts[:len(terms)]
	for i, at := range terms {
		v := counts[i]
		if v > mostSmall {
			c.addLarge(at, uint64(v))
			continue
		}
		sum := number[at] + small[uint8(v)]
		number[at] = sum
		if sum&highestBits != 0 {
			c.spill(at)
		}
	}
}

// AddRow is [Counter.Add] for a row of a matrix that nobody has checked; values are nil if all are 1. It
// reports whether all are counts of terms in range, and whether the terms are in order. It is
// compiled for each pair of types.
func AddRow[I int32 | int64, V uint8 | int32 | int64 | float32 | float64](c *Counter, index []I, values []V) (ok, ascending bool) {
	number, last, disorder, v := c.number, I(-1), I(0), int64(1)
	for i, at := range index {
		if uint64(at) >= uint64(len(number)) {
			return false, false
		}
		disorder |= at - last - 1
		last = at
		if values != nil {
			if v = int64(values[i]); V(v) != values[i] || uint64(v) > mostSmall {
				if V(v) != values[i] || uint64(v) > math.MaxUint32 {
					return false, false
				}
				c.addLarge(uint32(at), uint64(v))
				continue
			}
		}
		sum := number[at] + small[uint8(v)]
		number[at] = sum
		if sum&highestBits != 0 {
			c.spill(uint32(at))
		}
	}
	return true, disorder >= 0
}

// addList adds a list of the same class.
func (c *Counter) addList(l *list) {
	number := c.number
	for i, at := range l.at {
		if l.number[i] == inList {
			continue
		}
		sum := number[at] + l.number[i]
		number[at] = sum
		if sum&highestBits != 0 {
			c.spill(at)
		}
	}
	for _, large := range l.large {
		cell := c.largeCell(large.at)
		cell.a, cell.s, cell.q = cell.a+large.a, cell.s+large.s, cell.q+large.q
	}
}

// join returns the sum of lists of the same class.
func (c *Counter) join(lists []list) list {
	cells := 0
	for i := range lists {
		c.addList(&lists[i])
		cells += len(lists[i].at)
	}
	return c.end(cells, func() {
		for i := range lists {
			c.meet(lists[i].at)
		}
	})
}

// spill moves the number of a term to the list.
func (c *Counter) spill(at uint32) {
	c.largeCell(at).add(c.number[at])
	c.number[at] = 0
}

// addLarge adds a document with a count above mostSmall.
func (c *Counter) addLarge(at uint32, v uint64) {
	cell := c.largeCell(at)
	cell.a++
	cell.s += v
	cell.q += v * v
	c.squares += float64(float64(v) * float64(v))
}

// largeCell returns the cell of a term in the list, which it adds if it is not there.
func (c *Counter) largeCell(at uint32) *largeCell {
	if c.slot[at] == 0 {
		c.large = append(c.large, largeCell{at: at})
		c.slot[at] = uint32(len(c.large))
	}
	return &c.large[c.slot[at]-1]
}

// exact reports whether the squares of so many values that were counted, by these counters, add
// up to less than 2^53, so that all sums are exact. Counters may be nil. Where it does, so does an index of the values.
func exact(counters []*Counter, values int64) bool {
	squares := Escape * Escape * float64(values)
	for _, c := range counters {
		if c != nil {
			squares += c.squares
		}
	}
	return squares < 1<<53
}

// endLarge completes the list of large cells: it adds what their numbers hold, and sorts
// them.
func (c *Counter) endLarge() {
	for i := range c.large {
		cell := &c.large[i]
		cell.add(c.number[cell.at])
		c.number[cell.at], c.slot[cell.at] = inList, 0
	}
	if len(c.large) > 1 { // few: smaller code than SortFunc
		sort.Slice(c.large, func(i, j int) bool { return c.large[i].at < c.large[j].at })
	}
}

// fewElements is the share of the terms below which documents have few elements, one in so
// many: their cells are found by a second walk over them.
const fewElements = 8

// end ends the documents of a class, which have so many elements, and returns their list. If they
// are few, it finds the terms by meetAll, which calls [Counter.meet], and otherwise looks at all
// numbers.
func (c *Counter) end(elements int, meetAll func()) list {
	c.places = c.places[:0]
	if elements >= len(c.number)/fewElements {
		c.endLarge()
		c.places = slices.Grow(c.places, len(c.number))[:len(c.number)]
		return c.list(c.places[:kernels.Occupied(c.places, c.number)])
	}
	meetAll()
	for _, at := range c.places {
		c.number[at] &^= seen
	}
	c.endLarge()
	slices.Sort(c.places)
	return c.list(c.places)
}

// seen marks the number of a term that has been met. No number has both bits.
const seen = highestBits &^ inList

// meet marks terms as those that may have counts.
func (c *Counter) meet(terms []uint32) {
	for _, at := range terms {
		if number := c.number[at]; number&seen == 0 && (number != 0 || c.slot[at] != 0) {
			c.places = append(c.places, at)
			c.number[at] |= seen
		}
	}
}

// A list holds the counts of the terms that a class has, ascending.
type list struct {
	at     []uint32    // term
	number []uint32    // by cell
	large  []largeCell // those whose number is inList, ascending
	tokens uint64      // occurrences of all terms
}

// list returns the list of the terms, ascending, all of which have counts.
func (c *Counter) list(terms []uint32) list {
	l := list{at: slices.Clone(terms), number: make([]uint32, len(terms)), large: slices.Clone(c.large)}
	c.large = c.large[:0]
	for i, at := range l.at {
		number := c.number[at]
		c.number[at] = 0
		l.number[i] = number
		if number != inList {
			l.tokens += uint64(number&docsMask + number>>excessShift&excessMask)
		}
	}
	for _, cell := range l.large {
		l.tokens += cell.s
	}
	return l
}

// keep leaves out the terms that are not to be kept.
func (l *list) keep(kept []bool) {
	all, large := *l, l.large
	*l = list{}
	for i, at := range all.at {
		var cell largeCell
		cell, large = all.counts(i, large)
		if kept[at] {
			l.tokens += cell.s
			l.at, l.number = append(l.at, at), append(l.number, l.numberOf(cell))
		}
	}
}

// counts returns the counts of cell i, given the large cells that are left, and those that
// are left behind it.
func (l *list) counts(i int, large []largeCell) (largeCell, []largeCell) {
	if l.number[i] != inList {
		cell := largeCell{at: l.at[i]}
		cell.add(l.number[i])
		return cell, large
	}
	return large[0], large[1:]
}

// numberOf returns the number of a cell that comes next, which it appends to the large ones if it has to
// be there.
func (l *list) numberOf(c largeCell) uint32 {
	excess, squares := c.s-c.a, c.q-c.s
	if bits.Len64(c.a) < excessShift && bits.Len64(excess) < squaresShift-excessShift && bits.Len64(squares) < 32-squaresShift {
		return uint32(c.a | excess<<excessShift | squares<<squaresShift)
	}
	l.large = append(l.large, c)
	return inList
}
