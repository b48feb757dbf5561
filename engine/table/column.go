package table

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
)

// A Column holds numbers in a byte each: what they exceed a floor by, which the caller
// knows. A document rarely has a term twice, so that nearly all sums of occurrences exceed
// the numbers of documents by less than 255. The others are in a list.
type Column struct {
	low     []uint8
	at      []int // the elements of low that are Escape, ascending
	escaped []float64

	most     float64 // the largest of escaped
	fraction bool    // some of escaped are not whole, or too large to be exact
	wrong    bool    // some of escaped are not finite, or negative
}

// Escape is the byte of a number that is in the list: one that is not whole, below its
// floor, or too far above it.
const Escape = 255

// AppendEncoded appends the bytes of a column of a file, and for each that is Escape the next of the numbers,
// which are float64. It returns those that are left, and ok if there were enough.
func (c *Column) AppendEncoded(low []uint8, numbers []byte) (rest []byte, ok bool) {
	from := len(c.low)
	c.low = append(c.low, low...)
	for i := 0; ; i++ {
		next := bytes.IndexByte(low[i:], Escape)
		if next < 0 {
			return numbers, true
		}
		if len(numbers) < 8 {
			return nil, false
		}
		i += next
		c.escape(from+i, math.Float64frombits(binary.LittleEndian.Uint64(numbers)))
		numbers = numbers[8:]
	}
}

// Bytes returns the bytes of the numbers. They must not be modified.
func (c *Column) Bytes() []uint8 { return c.low }

// Escaped returns the numbers for the bytes that are [Escape], in order. They must not be
// modified.
func (c *Column) Escaped() []float64 { return c.escaped }

// Reset empties the column and keeps its memory.
func (c *Column) Reset() { *c = Column{low: c.low[:0], at: c.at[:0], escaped: c.escaped[:0]} }

// Most returns the largest of the numbers that [Column.Escaped] returns, or 0.
func (c *Column) Most() float64 { return c.most }

// Wrong reports whether a number of [Column.Escaped] is negative or not finite.
func (c *Column) Wrong() bool { return c.wrong }

// Whole reports whether all numbers are whole, and exact.
func (c *Column) Whole() bool { return !c.fraction }

func (c *Column) reserve(n int) { *c = Column{low: make([]uint8, 0, n)} }

// Append appends a number with its floor.
func (c *Column) Append(v, floor float64) {
	b := above(v, floor)
	if b == Escape {
		c.escape(len(c.low), v)
	}
	c.low = append(c.low, b)
}

// escape appends a number to the list.
func (c *Column) escape(at int, v float64) {
	c.at, c.escaped = append(c.at, at), append(c.escaped, v)
	c.most = max(c.most, v)
	c.wrong = c.wrong || !(v >= 0 && v <= math.MaxFloat64)
	c.fraction = c.fraction || v != math.Trunc(v) || v >= 1<<53
}

// above returns what v exceeds its floor by, or Escape if that does not fit.
func above(v, floor float64) uint8 {
	over := v - floor
	if b := int64(over); uint64(b) < Escape && floor+float64(b) == v {
		return uint8(b)
	}
	return Escape
}

// AppendRange appends the elements [from, to) of o.
func (c *Column) AppendRange(o *Column, from, to int) {
	moved := len(c.low) - from
	c.low = append(c.low, o.low[from:to]...)
	if len(o.at) == 0 || o.at[len(o.at)-1] < from {
		return
	}
	for i := o.place(from); i < len(o.at) && o.at[i] < to; i++ {
		c.escape(o.at[i]+moved, o.escaped[i])
	}
}

// At returns element i, whose floor is given.
func (c *Column) At(i int, floor float64) float64 {
	if b := c.low[i]; b != Escape {
		return floor + float64(b)
	}
	return c.escaped[c.place(i)]
}

// place returns the place of the first element of c.at that is at least i.
func (c *Column) place(i int) int {
	place, _ := slices.BinarySearch(c.at, i)
	return place
}

// read sets dst to the elements [from, from+len(dst)), whose floors are given; these may be dst.
func (c *Column) read(dst, floors []float64, from int) {
	low, floors := c.low[from:][:len(dst)], floors[:len(dst)]
	for i, v := range low {
		dst[i] = floors[i] + float64(v)
	}
	c.readEscaped(dst, from)
}

// readEscaped sets those of the elements [from, from+len(dst)) that are in the list.
func (c *Column) readEscaped(dst []float64, from int) {
	if bytes.IndexByte(c.low[from:][:len(dst)], Escape) < 0 {
		return
	}
	for i := c.place(from); i < len(c.at) && c.at[i] < from+len(dst); i++ {
		dst[c.at[i]-from] = c.escaped[i]
	}
}
