package gather

import (
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

	// HighestBits are those of the fields of a number: when one of them is set, the number is
	// to be moved by [Counter.Spill].
	HighestBits = 1<<(excessShift-1) | 1<<(squaresShift-1) | 1<<31

	// inList is the number of a place whose counts are in the list.
	inList = 1 << 31

	// MostSmall is the largest value that adds less to each field than its highest bit.
	MostSmall = 45
)

// Small has what values add to a number, by value; 0 from MostSmall+1 on.
var Small = func() (table [256]uint32) {
	for v := uint32(1); v <= MostSmall; v++ {
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

// A Counter counts one group of documents after another. It belongs to one goroutine.
type Counter struct {
	// Number has the counts of the group by place, all 0 between groups. Loops over documents
	// add [Small] there.
	Number []uint32

	large   []largeCell
	slot    []uint32 // by place: 1 + its place in large, or 0
	places  []uint32 // scratch memory
	squares float64  // of all values above MostSmall
}

// NewCounter returns a counter for so many places.
func NewCounter(places int) *Counter {
	return &Counter{Number: make([]uint32, places), slot: make([]uint32, places)}
}

// AddDocument adds a document: its places, each once, with their values.
func (c *Counter) AddDocument(places, values []uint32) {
	number := c.Number
	values = values[:len(places)]
	for i, at := range places {
		v := values[i]
		if v > MostSmall {
			c.AddLarge(at, uint64(v))
			continue
		}
		sum := number[at] + Small[uint8(v)]
		number[at] = sum
		if sum&HighestBits != 0 {
			c.Spill(at)
		}
	}
}

// AddValue adds a document with a value to a place.
func (c *Counter) AddValue(at uint32, v uint64) {
	if v > MostSmall {
		c.AddLarge(at, v)
		return
	}
	c.Number[at] += Small[uint8(v)]
	if c.Number[at]&HighestBits != 0 {
		c.Spill(at)
	}
}

// Spill moves the number of a place to the list.
func (c *Counter) Spill(at uint32) {
	c.largeCell(at).add(c.Number[at])
	c.Number[at] = 0
}

// AddLarge adds a document with a value above MostSmall.
func (c *Counter) AddLarge(at uint32, v uint64) {
	cell := c.largeCell(at)
	cell.a++
	cell.s += v
	cell.q += v * v
	c.squares += float64(float64(v) * float64(v))
}

// largeCell returns the cell of a place in the list, which it adds if it is not there.
func (c *Counter) largeCell(at uint32) *largeCell {
	if c.slot[at] == 0 {
		c.large = append(c.large, largeCell{at: at})
		c.slot[at] = uint32(len(c.large))
	}
	return &c.large[c.slot[at]-1]
}

// Exact reports whether the squares of so many values that were counted, by these counters, add
// up to less than 2^53, so that all sums are exact. Counters may be nil.
func Exact(counters []*Counter, values int64) bool {
	squares := MostSmall * MostSmall * float64(values)
	for _, c := range counters {
		if c != nil {
			squares += c.squares
		}
	}
	return squares < 1<<53
}

// endGroup completes the list of large cells: it adds what their numbers hold, and sorts
// them.
func (c *Counter) endGroup() {
	for i := range c.large {
		cell := &c.large[i]
		cell.add(c.Number[cell.at])
		c.Number[cell.at], c.slot[cell.at] = inList, 0
	}
	if len(c.large) > 1 { // few: smaller code than SortFunc
		sort.Slice(c.large, func(i, j int) bool { return c.large[i].at < c.large[j].at })
	}
}

// FewElements is the share of the places below which a group has few elements, one in so
// many: its cells are found by a second walk over them.
const FewElements = 8

// End ends a group of so many elements and returns its list. If they are few, it finds the places
// by meet, which calls [Counter.Meet] for all of them, and otherwise looks at all numbers.
func (c *Counter) End(elements int, meet func()) List { return c.list(c.occupied(elements, meet)) }

// occupied ends a group and returns the places that have counts, ascending.
func (c *Counter) occupied(elements int, meet func()) []uint32 {
	c.places = c.places[:0]
	if elements >= len(c.Number)/FewElements {
		c.endGroup()
		c.places = slices.Grow(c.places, len(c.Number))[:len(c.Number)]
		return c.places[:kernels.Occupied(c.places, c.Number)]
	}
	meet()
	for _, at := range c.places {
		c.Number[at] &^= seen
	}
	c.endGroup()
	slices.Sort(c.places)
	return c.places
}

// seen marks the number of a place that has been met. No number has both bits.
const seen = HighestBits &^ inList

// Meet marks a place as one that may have counts.
func (c *Counter) Meet(at uint32) {
	if number := c.Number[at]; number&seen == 0 && (number != 0 || c.slot[at] != 0) {
		c.places = append(c.places, at)
		c.Number[at] |= seen
	}
}

// MeetAll calls [Counter.Meet] for places.
func (c *Counter) MeetAll(places []uint32) {
	for _, at := range places {
		c.Meet(at)
	}
}

// A List holds the counts of the places that have any, ascending.
type List struct {
	at     []uint32
	number []uint32    // by cell
	large  []largeCell // those whose number is inList, ascending
	tokens uint64      // occurrences of all places
}

// list returns the list of the places, ascending, all of which have counts.
func (c *Counter) list(places []uint32) List {
	l := List{at: slices.Clone(places), number: make([]uint32, len(places)), large: slices.Clone(c.large)}
	c.large = c.large[:0]
	for i, at := range l.at {
		number := c.Number[at]
		c.Number[at] = 0
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

// Keep leaves out the places that are not to be kept.
func (l *List) Keep(kept []bool) {
	all, large := *l, l.large
	*l = List{}
	for i, at := range all.at {
		var cell largeCell
		cell, large = all.counts(i, large)
		if kept[at] {
			l.tokens += cell.s
			l.append(cell)
		}
	}
}

// counts returns the counts of cell i, given the large cells that are left, and those that
// are left behind it.
func (l *List) counts(i int, large []largeCell) (largeCell, []largeCell) {
	if l.number[i] != inList {
		cell := largeCell{at: l.at[i]}
		cell.add(l.number[i])
		return cell, large
	}
	return large[0], large[1:]
}

// merged returns the sums of two lists. It has no branch on which list comes next, which cannot be
// predicted, and takes nearly all numbers, or sums of two, as they are, for no field has its highest
// bit set: 9 ns a cell for 26 (BenchmarkJoin of two lists, Zen 3).
func merged(x, y *List) List {
	n := len(x.at) + len(y.at)
	out := List{at: make([]uint32, n), number: make([]uint32, n), tokens: x.tokens + y.tokens}
	numbersX, numbersY, largeX, largeY := x.number[:len(x.at)], y.number[:len(y.at)], x.large, y.large
	i, j, k := 0, 0, 0
	for i < len(x.at) && j < len(y.at) {
		atX, atY := uint64(x.at[i]), uint64(y.at[j])
		takeX, takeY := uint32(1-(atY-atX)>>63), uint32(1-(atX-atY)>>63) // not those that are larger
		ofX, ofY := numbersX[i]&-takeX, numbersY[j]&-takeY
		number := ofX + ofY
		if (number|ofX|ofY)&HighestBits != 0 {
			cell, other := largeCell{}, largeCell{}
			if takeX == 1 {
				cell, largeX = x.counts(i, largeX)
			}
			if takeY == 1 {
				other, largeY = y.counts(j, largeY)
			}
			number = out.numberOf(largeCell{uint32(min(atX, atY)), cell.a + other.a, cell.s + other.s, cell.q + other.q})
		}
		out.at[k], out.number[k] = uint32(min(atX, atY)), number
		i, j, k = i+int(takeX), j+int(takeY), k+1
	}
	n = k + copy(out.at[k:], x.at[i:])
	copy(out.number[k:], numbersX[i:])
	out.at, out.number = out.at[:n+copy(out.at[n:], y.at[j:])], out.number[:n+copy(out.number[n:], numbersY[j:])]
	out.large = append(append(out.large, largeX...), largeY...)
	return out
}

// append appends a cell to the list, but for its tokens.
func (l *List) append(c largeCell) {
	l.at, l.number = append(l.at, c.at), append(l.number, l.numberOf(c))
}

// numberOf returns the number of a cell that comes next, which it appends to the large ones if it has to
// be there.
func (l *List) numberOf(c largeCell) uint32 {
	excess, squares := c.s-c.a, c.q-c.s
	if bits.Len64(c.a) < excessShift && bits.Len64(excess) < squaresShift-excessShift && bits.Len64(squares) < 32-squaresShift {
		return uint32(c.a | excess<<excessShift | squares<<squaresShift)
	}
	l.large = append(l.large, c)
	return inList
}
