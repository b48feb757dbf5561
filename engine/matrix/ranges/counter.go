package ranges

import (
	"cmp"
	"slices"

	"github.com/termsift/termsift/kernels"
)

// A List has the numbers of documents of a class for the columns that have any.
// Columns are cut into ranges of equal size, and the elements of range i are those from
// start[i] to start[i+1]: at has the columns, ascending, from 0 within their range.
type List struct {
	class    uint32
	start    []uint32
	at, docs []uint32
}

// inRange returns the part of the list that is in a range.
func (l *List) inRange(i int) List {
	from, to := l.start[i], l.start[i+1]
	return List{class: l.class, at: l.at[from:to], docs: l.docs[from:to]}
}

// MostDocuments is the most documents that a class may have in a list or a plane.
const MostDocuments = 1<<16 - 1

// A Counter counts the documents of one class after another, and makes the lists of them. Its
// memory serves one goroutine, and further calls of Begin, which end the use of all lists.
type Counter struct {
	// Number is where the caller counts up to MostDocuments documents of a class, by column. It is
	// all 0 between classes.
	Number []uint16

	// stamps has, by column, the number of the last document counted by [StampDocument] that has
	// it. Rows in order need no stamps. To look for repeated elements with a second walk and 32
	// bits a column took a quarter more of the time where rows are not in order, as CountVectorizer
	// leaves them; to have the stamps in the upper half of 32 bits of Number took a tenth more.
	stamps []uint8
	stamp  uint8

	size     int      // of a range of columns
	at, docs []uint32 // of the lists of all classes
	start    []uint32 // of them
	pairs    []uint64 // scratch memory
	wide     []uint32 // scratch memory
}

// Begin prepares so many columns in ranges of a size.
func (c *Counter) Begin(columns, size int) {
	if cap(c.Number) < columns {
		c.Number = make([]uint16, columns)
	}
	c.Number = c.Number[:columns]
	c.size, c.at, c.docs, c.start = size, c.at[:0], c.docs[:0], c.start[:0]
}

// Stamps returns the stamps of columns, and that of a new document.
func (c *Counter) Stamps() (stamps []uint8, stamp uint8) {
	c.stamp++
	if c.stamp == 0 || len(c.stamps) < len(c.Number) {
		c.stamps = slices.Grow(c.stamps[:0], len(c.Number))[:len(c.Number)]
		clear(c.stamps)
		c.stamp = 1
	}
	return c.stamps, c.stamp
}

// Take ends the list of a class. It looks at all columns.
func (c *Counter) Take(class uint32) List {
	first, own := len(c.at), len(c.start)
	c.start = append(c.start, 0)
	for from := 0; from < len(c.Number); from += c.size {
		number := c.Number[from:min(from+c.size, len(c.Number))]
		before := len(c.at)
		c.at = slices.Grow(c.at, len(number))
		at := c.at[before:][:len(number)]
		at = at[:kernels.Occupied(at, c.widened(number))]
		c.at = c.at[:before+len(at)]
		c.docs = slices.Grow(c.docs, len(at))[:before+len(at)]
		docs := c.docs[before:]
		for i, place := range at {
			docs[i] = uint32(number[place])
			number[place] = 0
		}
		c.start = append(c.start, uint32(len(c.at)-first))
	}
	return List{class: class, start: c.start[own:], at: c.at[first:], docs: c.docs[first:]}
}

// widened returns numbers in 32 bits. They are valid until the next call.
func (c *Counter) widened(number []uint16) []uint32 {
	c.wide = slices.Grow(c.wide[:0], len(number))[:len(number)]
	for i, n := range number {
		c.wide[i] = uint32(n)
	}
	return c.wide
}

// TakeFew is Take where columns are few. each calls its argument for all columns that may
// have documents, possibly again and again.
func (c *Counter) TakeFew(class uint32, each func(take func(at uint32))) List {
	c.pairs = c.pairs[:0]
	each(func(at uint32) {
		if n := c.Number[at]; n > 0 {
			c.pairs = append(c.pairs, uint64(at)<<32|uint64(n))
			c.Number[at] = 0
		}
	})
	slices.Sort(c.pairs)
	first, own, from := len(c.at), len(c.start), 0
	c.start = append(c.start, 0)
	for _, p := range c.pairs {
		for at := int(p >> 32); at >= from+c.size; from += c.size {
			c.start = append(c.start, uint32(len(c.at)-first))
		}
		c.at, c.docs = append(c.at, uint32(int(p>>32)-from)), append(c.docs, uint32(p))
	}
	for ; from < len(c.Number); from += c.size {
		c.start = append(c.start, uint32(len(c.at)-first))
	}
	return List{class: class, start: c.start[own:], at: c.at[first:], docs: c.docs[first:]}
}

// sumDocuments returns the sum of two parts of lists in a range.
func sumDocuments(x, y *List) List {
	sum := List{class: x.class}
	for i, j := 0, 0; i < len(x.at) || j < len(y.at); {
		order := 0
		switch {
		case i == len(x.at):
			order = 1
		case j == len(y.at):
			order = -1
		default:
			order = cmp.Compare(x.at[i], y.at[j])
		}
		at, n := uint32(0), uint32(0)
		if order <= 0 {
			at, n = x.at[i], x.docs[i]
			i++
		}
		if order >= 0 {
			at, n = y.at[j], n+y.docs[j]
			j++
		}
		sum.at, sum.docs = append(sum.at, at), append(sum.docs, n)
	}
	return sum
}
