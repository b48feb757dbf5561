package table

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// A ClassColumn holds the classes of cells: a byte each while all are below 256, else four
// bytes. Cells of 50 classes, as most have, take a quarter of the memory so, which is what
// reading them from a file waits for.
type ClassColumn struct {
	low  []uint8
	wide []uint32 // in place of low, if it is not nil
}

// NewClassColumn returns a column of n cells, all of class 0, that holds any of so many classes, with
// room for more cells.
func NewClassColumn(n, more, classes int) ClassColumn {
	if classes > math.MaxUint8+1 {
		return ClassColumn{wide: make([]uint32, n, n+more)}
	}
	return ClassColumn{low: make([]uint8, n, n+more)}
}

// Len returns the number of cells.
func (c *ClassColumn) Len() int { return len(c.low) + len(c.wide) }

// Bytes returns the classes, and true if they are bytes. They must not be modified.
func (c *ClassColumn) Bytes() ([]uint8, bool) { return c.low, c.wide == nil }

// At returns the class of a cell.
func (c *ClassColumn) At(i int) uint32 {
	if c.wide != nil {
		return c.wide[i]
	}
	return uint32(c.low[i])
}

// set sets the class of a cell to one that the column holds.
func (c *ClassColumn) set(i int, class uint32) {
	if c.wide != nil {
		c.wide[i] = class
	} else {
		c.low[i] = uint8(class)
	}
}

// Read returns the classes of the cells [from, to), in the memory of dst if it has enough.
func (c *ClassColumn) Read(dst []uint32, from, to int) []uint32 {
	dst = slices.Grow(dst[:0], to-from)[:to-from]
	if c.wide != nil {
		copy(dst, c.wide[from:to])
	} else {
		widenBytes(dst, c.low[from:to])
	}
	return dst
}

// index returns which of the cells [from, to), whose classes ascend, has a class, or -1.
func (c *ClassColumn) index(from, to int, class uint32) int {
	if c.wide == nil {
		if class > math.MaxUint8 {
			return -1
		}
		return bytes.IndexByte(c.low[from:to], uint8(class))
	}
	if i, found := slices.BinarySearch(c.wide[from:to], class); found {
		return i
	}
	return -1
}

// Append appends a class.
func (c *ClassColumn) Append(class uint32) {
	if c.wide == nil && class <= math.MaxUint8 {
		c.low = append(c.low, uint8(class))
		return
	}
	c.widen()
	c.wide = append(c.wide, class)
}

// appendBytes appends classes that are bytes.
func (c *ClassColumn) appendBytes(classes []uint8) {
	if c.wide == nil {
		c.low = append(c.low, classes...)
	} else {
		for _, class := range classes {
			c.wide = append(c.wide, uint32(class))
		}
	}
}

func (c *ClassColumn) appendAll(classes []uint32) {
	for _, class := range classes {
		c.Append(class)
	}
}

// appendRange appends the elements [from, to) of o.
func (c *ClassColumn) appendRange(o *ClassColumn, from, to int) {
	if o.wide != nil {
		c.appendAll(o.wide[from:to])
	} else {
		c.appendBytes(o.low[from:to])
	}
}

// widenBytes sets dst to bytes, of which there are as many.
func widenBytes(dst []uint32, values []uint8) {
	dst = dst[:len(values)]
	for i, v := range values {
		dst[i] = uint32(v)
	}
}

// widen has the column hold four bytes a cell.
func (c *ClassColumn) widen() {
	if c.wide != nil {
		return
	}
	c.wide = make([]uint32, len(c.low), max(cap(c.low), 1))
	widenBytes(c.wide, c.low)
	c.low = nil
}

func (c *ClassColumn) reserve(n int) { *c = ClassColumn{low: make([]uint8, 0, n)} }

// ClassWidth returns the bytes that the number of a class takes in a file.
func ClassWidth(classes int) int {
	switch {
	case classes <= 1<<8:
		return 1
	case classes <= 1<<16:
		return 2
	default:
		return 4
	}
}

// AppendEncoded appends the classes in the bytes of a file, of so many bytes each.
func (c *ClassColumn) AppendEncoded(stored []byte, width int) {
	switch width {
	case 1:
		c.appendBytes(stored)
	case 2:
		for ; len(stored) > 0; stored = stored[2:] {
			c.Append(uint32(binary.LittleEndian.Uint16(stored)))
		}
	default:
		for ; len(stored) > 0; stored = stored[4:] {
			c.Append(binary.LittleEndian.Uint32(stored))
		}
	}
}

// A ClassSum holds the counts of a term in one class: documents, and the sums of their values, of
// the squares, or squared distances, and of the weights.
type ClassSum struct{ A, S, Q, W float64 }

// AddValue adds the value of a document that counts so many times. Where the form has squared distances in place of
// squares, they grow by Welford's step.
func (s *ClassSum) AddValue(times, v float64, form Form) {
	switch {
	case form == Counts:
		s.Q += float64(times * float64(v*v))
	case s.A > 0:
		d := v - s.S/s.A
		s.Q += float64(float64(d*d) * (float64(times*s.A) / (s.A + times)))
	}
	s.A += times
	s.S += float64(times * v)
}

// ClassSums add up the counts of a term by class. Classes with a document are marked by bits if there
// are few classes, else kept in a list.
type ClassSums struct {
	of     []ClassSum // all zero between terms
	met    []uint64
	listed []uint32
}

// ManyClasses is the number of classes from which those that have a cell are sorted: a look at a bit of
// each costs more.
const ManyClasses = 512

// NewClassSums returns sums of terms in so many classes.
func NewClassSums(classes int) *ClassSums {
	c := &ClassSums{of: make([]ClassSum, classes)}
	if classes < ManyClasses {
		c.met = make([]uint64, classes/64+1)
	}
	return c
}

// Meet returns the sum of a class, which gets a document.
func (c *ClassSums) Meet(class uint32) *ClassSum {
	sum := &c.of[class]
	if c.met != nil {
		c.met[class>>6] |= 1 << (class & 63)
	} else if sum.A == 0 {
		c.listed = append(c.listed, class)
	}
	return sum
}

// Take calls f with the sums of the classes that were met, in the order of the classes, and clears
// them.
func (c *ClassSums) Take(f func(class uint32, sum ClassSum)) {
	take := func(class uint32) {
		sum := c.of[class]
		c.of[class] = ClassSum{}
		f(class, sum)
	}
	for i, word := range c.met {
		c.met[i] = 0
		for ; word != 0; word &= word - 1 {
			take(uint32(64*i + bits.TrailingZeros64(word)))
		}
	}
	slices.Sort(c.listed)
	for _, class := range c.listed {
		take(class)
	}
	c.listed = c.listed[:0]
}
