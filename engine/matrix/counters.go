package matrix

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/termsift/termsift/engine/matrix/ranges"
	"github.com/termsift/termsift/kernels"
)

// This file counts the elements of a group in one number for each place, which is a column
// or a class. The number holds three fields: the documents A, by how much the occurrences
// exceed them, S - A, and the squares these, Q - S, as the columns of cells do. The
// highest bit of each field stays 0: a number that gets there is moved to a list.

const (
	excessShift  = 10 // of S - A
	squaresShift = 20 // of Q - S

	docsMask    = 1<<excessShift - 1
	excessMask  = 1<<(squaresShift-excessShift) - 1
	highestBits = 1<<(excessShift-1) | 1<<(squaresShift-1) | 1<<31

	// inList is the number of a place whose counts are in the list.
	inList = 1 << 31

	// mostSmall is the largest value that adds less to each field than its highest bit.
	mostSmall = 45
)

// small has what values add to a number, by value.
var small = func() (table [256]uint32) {
	for v := uint32(1); v <= mostSmall; v++ {
		table[v] = 1 | (v-1)<<excessShift | (v*v-v)<<squaresShift
	}
	return table
}()

// A largeCell holds the counts of a place that its number does not.
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

// A cellList holds the counts of the places that have any, ascending.
type cellList struct {
	at     []uint32
	number []uint32    // by cell
	large  []largeCell // those whose number is inList, ascending
	tokens uint64      // occurrences of all places
}

// counters count one group after another. They belong to one goroutine.
type counters struct {
	number  []uint32 // by place; all 0 between groups
	large   []largeCell
	slot    []uint32 // by place: 1 + its place in large, or 0
	places  []uint32 // scratch memory
	repeats ranges.Repeats
	squares float64 // of all values above mostSmall
}

func newCounters(places int) *counters {
	return &counters{number: make([]uint32, places), slot: make([]uint32, places)}
}

// spill moves the number of a place to the list.
func (c *counters) spill(at uint32) {
	c.largeCell(at).add(c.number[at])
	c.number[at] = 0
}

// addLarge adds a document with a value above mostSmall.
func (c *counters) addLarge(at uint32, v uint64) {
	cell := c.largeCell(at)
	cell.a++
	cell.s += v
	cell.q += v * v
	c.squares += float64(float64(v) * float64(v))
}

// largeCell returns the cell of a place in the list, which it adds if it is not there.
func (c *counters) largeCell(at uint32) *largeCell {
	if c.slot[at] == 0 {
		c.large = append(c.large, largeCell{at: at})
		c.slot[at] = uint32(len(c.large))
	}
	return &c.large[c.slot[at]-1]
}

// endGroup completes the list of large cells: it adds what their numbers hold, and sorts
// them.
func (c *counters) endGroup() {
	for i := range c.large {
		cell := &c.large[i]
		cell.add(c.number[cell.at])
		c.number[cell.at], c.slot[cell.at] = inList, 0
	}
	if len(c.large) > 1 { // few: smaller code than SortFunc
		sort.Slice(c.large, func(i, j int) bool { return c.large[i].at < c.large[j].at })
	}
}

// take ends a group and returns its list. It looks at all places.
func (c *counters) take() cellList {
	c.endGroup()
	c.places = slices.Grow(c.places[:0], len(c.number))[:len(c.number)]
	return c.list(c.places[:kernels.Occupied(c.places, c.number)])
}

// takeOf is take where places are few. They are those that may have counts, each once, and
// get sorted.
func (c *counters) takeOf(places []uint32) cellList {
	c.endGroup()
	slices.Sort(places)
	return c.list(places)
}

// list returns the list of the places, ascending, all of which have counts.
func (c *counters) list(places []uint32) cellList {
	l := cellList{at: slices.Clone(places), number: make([]uint32, len(places)), large: slices.Clone(c.large)}
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

// counts returns the counts of cell i, given the large cells that are left, and those that
// are left behind it.
func (l *cellList) counts(i int, large []largeCell) (largeCell, []largeCell) {
	if l.number[i] != inList {
		cell := largeCell{at: l.at[i]}
		cell.add(l.number[i])
		return cell, large
	}
	return large[0], large[1:]
}

// mergeLists returns the sums of two lists.
func mergeLists(x, y *cellList) cellList {
	var out cellList
	out.tokens = x.tokens + y.tokens
	largeX, largeY := x.large, y.large
	for i, j := 0, 0; i < len(x.at) || j < len(y.at); {
		var cell, other largeCell
		takeX := i < len(x.at) && (j == len(y.at) || x.at[i] <= y.at[j])
		takeY := j < len(y.at) && (i == len(x.at) || y.at[j] <= x.at[i])
		if takeX {
			cell, largeX = x.counts(i, largeX)
			i++
		}
		if takeY {
			other, largeY = y.counts(j, largeY)
			cell = largeCell{other.at, cell.a + other.a, cell.s + other.s, cell.q + other.q}
			j++
		}
		out.append(cell)
	}
	return out
}

// append appends a cell to the list, but for its tokens.
func (l *cellList) append(c largeCell) {
	l.at = append(l.at, c.at)
	excess, squares := c.s-c.a, c.q-c.s
	if bits.Len64(c.a) < excessShift && bits.Len64(excess) < squaresShift-excessShift && bits.Len64(squares) < 32-squaresShift {
		l.number = append(l.number, uint32(c.a|excess<<excessShift|squares<<squaresShift))
		return
	}
	l.number = append(l.number, inList)
	l.large = append(l.large, c)
}
