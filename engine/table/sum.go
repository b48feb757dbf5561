package table

import "slices"

// This file adds and subtracts cells. Sums do not depend on the order of the operands, so
// adding the cells of parts gives the numbers of one pass over all documents.

// An Operand is one of the two operands of a sum or difference.
type Operand struct {
	*Cells
	Classes []uint32 // by class of the operand, the class number in the result
	Sign    float64  // 1, or -1 for an operand that is subtracted
}

// NewOperand returns cells as an operand, with the numbers that their classes have among all.
func NewOperand(c *Cells, classes, all []string, sign float64) *Operand {
	o := &Operand{Cells: c, Classes: make([]uint32, len(classes)), Sign: sign}
	for i, name := range classes {
		class, _ := slices.BinarySearch(all, name)
		o.Classes[i] = uint32(class)
	}
	return o
}

// AddMargins adds the margins of an operand to those of c, whose ClassDocs and ClassTokens
// must already have an element for each class of the result.
func (c *Cells) AddMargins(o *Operand) {
	c.Documents += o.Sign * o.Documents
	c.Labelled += o.Sign * o.Labelled
	c.Tokens += o.Sign * o.Tokens
	for i, class := range o.Classes {
		c.ClassDocs[class] += o.Sign * o.ClassDocs[i]
		c.ClassTokens[class] += o.Sign * o.ClassTokens[i]
	}
}

// AppendSum appends the cells of one term: the sum of those of its two operands, where its
// term numbers are inA and inB, or -1 if the operand does not have the term; or what a has without b, by the
// sign of b. It drops cells that are left without a document. The classes of both operands must have the same
// order in the result as in the operand.
func (c *Cells) AppendSum(a, b *Operand, inA, inB int) {
	var df, cf, size float64
	i, endA := a.begin(inA, &df, &cf, &size)
	j, endB := b.begin(inB, &df, &cf, &size)
	for i < endA || j < endB {
		takeA := i < endA && (j == endB || a.class(i) <= b.class(j))
		takeB := j < endB && (i == endA || b.class(j) <= a.class(i))
		var class uint32
		var m, whole moments
		if takeA {
			class, m = a.class(i), a.moments(i, c.Form)
			whole = m
			i++
		}
		if takeB {
			class, m = b.class(j), m.with(b.moments(j, c.Form), b.Sign, c.Form)
			j++
		}
		if m.docs != 0 {
			c.Append(class, m.docs, c.settled(m.sum, whole.sum), c.settled(m.squares, whole.squares))
		}
	}
	c.EndTerm(df, c.settled(cf, size))
}

// begin returns where the cells of a term are, adds its documents and occurrences, and sees to the largest number of
// these.
func (o *Operand) begin(term int, df, cf, size *float64) (from, to int) {
	if term < 0 {
		return 0, 0
	}
	docs := float64(o.DF[term])
	occurrences := o.CF.At(term, docs)
	*df += o.Sign * docs
	*cf += o.Sign * occurrences
	*size = max(*size, occurrences)
	return o.Start[term], o.Start[term+1]
}

// class returns the class that a cell has in the result.
func (o *Operand) class(i int) uint32 { return o.Classes[o.Class.At(i)] }

// settleBelow bounds rounding errors: a sum of real values may be below 0 after a subtraction by this share of what
// it was before.
const settleBelow = 1e-10

// settled returns a sum, and 0 for a negative one. Rounding leaves such sums where real
// values are subtracted, and a file cannot hold them; impossible notes whether it explains all of them.
func (c *Cells) settled(sum, before float64) float64 {
	if c.Form == Counts {
		before = 0
	}
	c.impossible = c.impossible || -sum > float64(settleBelow*before)
	return max(sum, 0)
}
