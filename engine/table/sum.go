package table

import (
	"encoding/binary"
	"math"
)

// This file adds and subtracts cells. Sums do not depend on the order of the operands, so
// adding the cells of parts gives the numbers of one pass over all documents.

// An Operand is one of the two operands of a sum or difference.
type Operand struct {
	*Cells
	Classes []uint32 // by class of the operand, the class number in the result
	Sign    float64  // 1, or -1 for an operand that is subtracted

	tile Tile // scratch memory
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
	x, y := a.read(inA), b.read(inB)
	i, j := 0, 0
	for i < len(x.Class) || j < len(y.Class) {
		takeA := i < len(x.Class) && (j == len(y.Class) || a.Classes[x.Class[i]] <= b.Classes[y.Class[j]])
		takeB := j < len(y.Class) && (i == len(x.Class) || b.Classes[y.Class[j]] <= a.Classes[x.Class[i]])
		var class uint32
		var m, whole moments
		if takeA {
			class, m = a.Classes[x.Class[i]], x.moments(i, c.Form)
			whole = m
			i++
		}
		if takeB {
			class, m = b.Classes[y.Class[j]], m.with(y.moments(j, c.Form), b.Sign, c.Form)
			j++
		}
		if m.docs != 0 {
			c.Append(class, m.docs, c.settled(m.sum, whole.sum), c.settled(m.squares, whole.squares))
		}
	}
	df, cf, size := 0.0, 0.0, 0.0
	for _, o := range []*Operand{a, b} {
		if len(o.tile.DF) > 0 {
			df += o.Sign * float64(o.tile.DF[0])
			cf += o.Sign * o.tile.CF[0]
			size = max(size, o.tile.CF[0])
		}
	}
	c.EndTerm(df, c.settled(cf, size))
}

// read returns the tile of a term, an empty one for -1.
func (o *Operand) read(term int) *Tile {
	if term < 0 {
		o.tile.DF, o.tile.Class = nil, o.tile.Class[:0]
	} else {
		o.Read(&o.tile, term, term+1, true)
	}
	return &o.tile
}

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

// settleMargins does so with the sums of the margins.
func (c *Cells) settleMargins(before *Margins) {
	c.Tokens = c.settled(c.Tokens, before.Tokens)
	for i, v := range c.ClassTokens {
		c.ClassTokens[i] = c.settled(v, before.Tokens)
	}
}

// The cells of counts are added as bytes where they are.

// appendCountSum is [Cells.AppendSum] for operands of [Counts] that are added. It adds bytes where no number
// is in a list.
func (c *Cells) appendCountSum(a, b *Operand, inA, inB int) {
	switch {
	case inB < 0:
		c.appendTermOf(a, inA)
		return
	case inA < 0:
		c.appendTermOf(b, inB)
		return
	case c.appendNarrowSum(a, b, inA, inB):
		return
	}
	var df, cf float64
	i, endA := a.begin(inA, &df, &cf)
	j, endB := b.begin(inB, &df, &cf)
	for i < endA || j < endB {
		switch {
		case j == endB || i < endA && a.class(i) < b.class(j):
			c.appendCell(a, i)
			i++
		case i == endA || a.class(i) > b.class(j):
			c.appendCell(b, j)
			j++
		default:
			x, y := a.A.At(i, 0), b.A.At(j, 0)
			xs, ys := a.S.At(i, x), b.S.At(j, y)
			c.Append(a.class(i), x+y, xs+ys, a.Q.At(i, xs)+b.Q.At(j, ys))
			i, j = i+1, j+1
		}
	}
	c.EndTerm(df, cf)
}

// appendNarrowSum is appendCountSum for a term that both operands have. It reports whether all
// numbers and their sums fit into bytes, and the columns of classes are of one kind; it appends
// nothing if not. By how much numbers exceed their floors adds up as they do.
func (c *Cells) appendNarrowSum(a, b *Operand, inA, inB int) bool {
	df, cf := uint64(a.DF[inA])+uint64(b.DF[inB]), uint32(a.CF.low[inA])+uint32(b.CF.low[inB])
	if df > math.MaxUint32 || cf >= Escape {
		return false
	}
	fit := false
	switch {
	case c.Class.wide != nil && a.Class.wide != nil && b.Class.wide != nil:
		fit = appendNarrow(c, &c.Class.wide, narrow(a, a.Class.wide, inA), narrow(b, b.Class.wide, inB), a.Classes, b.Classes)
	case c.Class.wide == nil && a.Class.wide == nil && b.Class.wide == nil && a.narrowClasses() && b.narrowClasses():
		fit = appendNarrow(c, &c.Class.low, narrow(a, a.Class.low, inA), narrow(b, b.Class.low, inB), a.Classes, b.Classes)
	}
	if fit {
		c.DF, c.CF.low, c.Start = append(c.DF, uint32(df)), append(c.CF.low, uint8(cf)), append(c.Start, c.Len())
	}
	return fit
}

// appendNarrow appends the sum of x and y to the cells of c, whose classes are in a column of it. It
// reports whether all numbers fit into bytes, and appends nothing if not.
func appendNarrow[T uint8 | uint32](c *Cells, column *[]T, x, y narrowCells[T], classOfX, classOfY []uint32) bool {
	before, most := len(*column), len(x.class)+len(y.class)
	sum := narrowCells[T]{extended(column, most), extended(&c.A.low, most), extended(&c.S.low, most), extended(&c.Q.low, most)}
	n, fit := sum.add(x, y, classOfX, classOfY)
	if !fit {
		n = 0
	}
	end := before + n
	*column, c.A.low, c.S.low, c.Q.low = (*column)[:end], c.A.low[:end], c.S.low[:end], c.Q.low[:end]
	return fit
}

// narrowCells are the cells of a term by their bytes.
type narrowCells[T uint8 | uint32] struct {
	class               []T
	docs, sums, squares []uint8
}

// narrow returns the cells of a term; class has the classes of all terms.
func narrow[T uint8 | uint32](o *Operand, class []T, term int) narrowCells[T] {
	from, to := o.Start[term], o.Start[term+1]
	return narrowCells[T]{class[from:to], o.A.low[from:to], o.S.low[from:to], o.Q.low[from:to]}
}

// class returns the class that a cell has in the result.
func (o *Operand) class(i int) uint32 { return o.Classes[o.Class.At(i)] }

// narrowClasses reports whether the classes in the result, which ascend, fit into bytes.
func (o *Operand) narrowClasses() bool {
	n := len(o.Classes)
	return n == 0 || o.Classes[n-1] <= math.MaxUint8
}

// add sets s to the sum of x and y, whose classes have other numbers in s, and returns how many
// cells it has. fit reports whether no byte is Escape, or would be above it. Whose class is the next
// is decided without a branch, which would be foreseen half of the time.
func (s *narrowCells[T]) add(x, y narrowCells[T], classOfX, classOfY []uint32) (n int, fit bool) {
	i, j, wide := 0, 0, uint32(0)
	for i < len(x.class) && j < len(y.class) {
		ofX, ofY := classOfX[x.class[i]], classOfY[y.class[j]]
		takeX, takeY := uint32(0), uint32(0)
		if ofX <= ofY {
			takeX = 1
		}
		if ofY <= ofX {
			takeY = 1
		}
		docs := takeX*uint32(x.docs[i]) + takeY*uint32(y.docs[j])
		sum := takeX*uint32(x.sums[i]) + takeY*uint32(y.sums[j])
		squares := takeX*uint32(x.squares[i]) + takeY*uint32(y.squares[j])
		s.class[n], s.docs[n], s.sums[n], s.squares[n] = T(min(ofX, ofY)), uint8(docs), uint8(sum), uint8(squares)
		wide |= (docs + 1) | (sum + 1) | (squares + 1) // 256 from Escape on
		i, j, n = i+int(takeX), j+int(takeY), n+1
	}
	fit = wide <= Escape && s.copy(n, x, i, classOfX) && s.copy(n+len(x.class)-i, y, j, classOfY)
	return n + len(x.class) - i + len(y.class) - j, fit
}

// copy sets the cells of s from n on to those of x from i on. It reports whether no byte is Escape.
func (s *narrowCells[T]) copy(n int, x narrowCells[T], i int, classOfX []uint32) bool {
	wide := uint32(0)
	for ; i < len(x.class); i, n = i+1, n+1 {
		docs, sum, squares := x.docs[i], x.sums[i], x.squares[i]
		s.class[n], s.docs[n], s.sums[n], s.squares[n] = T(classOfX[x.class[i]]), docs, sum, squares
		wide |= (uint32(docs) + 1) | (uint32(sum) + 1) | (uint32(squares) + 1)
	}
	return wide <= Escape
}

// appendTermOf appends a term that one operand alone has.
func (c *Cells) appendTermOf(o *Operand, term int) {
	from, to := o.Start[term], o.Start[term+1]
	low := o.CF.low[term]
	if low == Escape || !c.appendWords(o, from, to-from) {
		for i := from; i < to; i++ {
			c.appendCell(o, i)
		}
		c.EndTerm(float64(o.DF[term]), o.CF.At(term, float64(o.DF[term])))
		return
	}
	c.DF, c.CF.low, c.Start = append(c.DF, o.DF[term]), append(c.CF.low, low), append(c.Start, c.Len())
}

// appendWords appends n cells of an operand, if they are few and their numbers fit into bytes, and
// reports whether that is so. Eight bytes are copied at once, however many of them are cells.
func (c *Cells) appendWords(o *Operand, from, n int) bool {
	const most = 8
	if n > most || from+most > len(o.A.low) {
		return false
	}
	docs, sums, squares := wordAt(o.A.low, from), wordAt(o.S.low, from), wordAt(o.Q.low, from)
	if hasEscape(docs, n) || hasEscape(sums, n) || hasEscape(squares, n) {
		return false
	}
	c.A.appendWord(docs, n)
	c.S.appendWord(sums, n)
	c.Q.appendWord(squares, n)
	for i := from; i < from+n; i++ {
		c.Class.Append(o.class(i))
	}
	return true
}

// wordAt returns the eight bytes from i on.
func wordAt(low []uint8, i int) uint64 { return binary.LittleEndian.Uint64(low[i:]) }

// begin returns where the cells of a term are, and adds its documents and occurrences.
func (o *Operand) begin(term int, df, cf *float64) (from, to int) {
	docs := float64(o.DF[term])
	*df += docs
	*cf += o.CF.At(term, docs)
	return o.Start[term], o.Start[term+1]
}

// appendCell appends a cell of an operand to the current term.
func (c *Cells) appendCell(o *Operand, i int) {
	a, s, q := o.A.low[i], o.S.low[i], o.Q.low[i]
	if a == Escape || s == Escape || q == Escape {
		docs := o.A.At(i, 0)
		sum := o.S.At(i, docs)
		c.Append(o.class(i), docs, sum, o.Q.At(i, sum))
		return
	}
	c.Class.Append(o.class(i))
	c.A.low, c.S.low, c.Q.low = append(c.A.low, a), append(c.S.low, s), append(c.Q.low, q)
}
