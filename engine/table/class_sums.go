package table

import (
	"math/bits"
	"slices"
)

// A ClassSum holds the counts of a term in one class: documents, and the sums of their values, of
// the squares, and of the weights.
type ClassSum struct{ A, S, Q, W float64 }

// Add adds the counts of other documents of the class.
func (s *ClassSum) Add(o ClassSum) { s.A, s.S, s.Q, s.W = s.A+o.A, s.S+o.S, s.Q+o.Q, s.W+o.W }

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
