package table

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
	tokens := c.TokenSum().Plus(o.TokenSum().Times(o.Sign))
	c.Tokens, c.LowTokens = tokens.High, tokens.Low
	for i, class := range o.Classes {
		c.ClassDocs[class] += o.Sign * o.ClassDocs[i]
		sum := c.ClassSum(int(class)).Plus(o.ClassSum(i).Times(o.Sign))
		c.ClassTokens[class] = sum.High
		if c.LowClassTokens == nil && sum.Low != 0 {
			c.LowClassTokens = make([]float64, len(c.ClassTokens))
		}
		if c.LowClassTokens != nil {
			c.LowClassTokens[class] = sum.Low
		}
	}
}

// TokenSum returns the tokens of all classes, with what they lack.
func (m *Margins) TokenSum() Pair { return Pair{m.Tokens, m.LowTokens} }

// ClassSum returns the tokens of a class, with what they lack.
func (m *Margins) ClassSum(class int) Pair {
	sum := Pair{High: m.ClassTokens[class]}
	if m.LowClassTokens != nil {
		sum.Low = m.LowClassTokens[class]
	}
	return sum
}

// AppendSum appends the cells of one term: the sum of those of its two operands, where its
// term numbers are inA and inB, or -1 if the operand does not have the term. It drops
// cells that are left without a document. The classes of both operands must have the same
// order in the result as in the operand.
func (c *Cells) AppendSum(a, b *Operand, inA, inB int) {
	x, y := a.read(inA), b.read(inB)
	centred, wide := c.sumForm(a, b)
	c.lowS, c.m2 = c.lowS[:0], c.m2[:0]
	i, j := 0, 0
	for i < len(x.Class) || j < len(y.Class) {
		takeA := i < len(x.Class) && (j == len(y.Class) || a.Classes[x.Class[i]] <= b.Classes[y.Class[j]])
		takeB := j < len(y.Class) && (i == len(x.Class) || b.Classes[y.Class[j]] <= a.Classes[x.Class[i]])
		var class uint32
		var docs, sum, squares, lowQ float64
		var m moments
		if takeA {
			class, docs, sum, squares = a.Classes[x.Class[i]], a.Sign*x.A[i], a.Sign*x.S[i], a.Sign*x.Q[i]
			if wide {
				lowQ = a.Sign * x.lowQ(i)
			}
			if centred {
				m = m.with(x.moments(i), a.Sign)
			}
			i++
		}
		if takeB {
			class = b.Classes[y.Class[j]]
			docs += b.Sign * y.A[j]
			sum += b.Sign * y.S[j]
			if wide {
				q := Pair{squares, lowQ}.Plus(Pair{b.Sign * y.Q[j], b.Sign * y.lowQ(j)})
				squares, lowQ = q.High, q.Low
			} else {
				squares += b.Sign * y.Q[j]
			}
			if centred {
				m = m.with(y.moments(j), b.Sign)
			}
			j++
		}
		if docs == 0 {
			continue
		}
		if centred {
			sum = c.appendMoments(m)
		}
		c.Append(class, docs, c.settled(sum), c.settled(squares))
		if wide {
			c.appendLowQ(lowQ)
		}
	}
	df, cf := 0.0, Pair{}
	for _, o := range []*Operand{a, b} {
		if len(o.tile.DF) > 0 {
			df += o.Sign * float64(o.tile.DF[0])
			cf = cf.Plus(o.occurrences().Times(o.Sign))
		}
	}
	if centred {
		c.EndCentredTerm(df, c.settled(cf.High), lowOf(cf), c.lowS, c.m2)
	} else {
		c.EndTerm(df, c.settled(cf.High))
	}
}

// CountsWith reports whether the sum of c and o is one of plain counts, whose squares are exact.
func (c *Cells) countsWith(o *Cells) bool {
	return c.isPlain() && o.isPlain() && c.mostSquares()+o.mostSquares() < mostExact
}

// sumForm reports whether the sum of two operands needs what [Centred] holds, or else, of counts, what
// the sums of squares lack.
func (c *Cells) sumForm(a, b *Operand) (centred, wide bool) {
	centred = a.Centred != nil || b.Centred != nil
	return centred, !centred && (a.LowQ != nil || b.LowQ != nil || a.mostSquares()+b.mostSquares() >= mostExact)
}

// lowQ returns what the sum of squares of a cell of a tile lacks.
func (t *Tile) lowQ(i int) float64 {
	if t.LowQ == nil {
		return 0
	}
	return t.LowQ[i]
}

// appendMoments keeps what [Centred] holds of a cell, and returns its sum.
func (c *Cells) appendMoments(m moments) (sum float64) {
	c.lowS, c.m2 = append(c.lowS, lowOf(m.sum)), append(c.m2, c.settled(m.m2))
	return m.sum.High
}

// lowOf returns what rounding has cut off a sum, 0 if that will be settled.
func lowOf(sum Pair) float64 {
	if sum.High < 0 {
		return 0
	}
	return sum.Low
}

// occurrences returns those of the term that was read.
func (o *Operand) occurrences() Pair {
	if o.tile.Centred {
		return Pair{o.tile.CF[0], o.tile.LowCF[0]}
	}
	return Pair{High: o.tile.CF[0]}
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

// settled returns a sum, and 0 for a negative one. Rounding leaves such sums where real
// values are subtracted, and a file cannot hold them; [Cells.Settled] says whether it
// explains all of them.
func (c *Cells) settled(sum float64) float64 {
	c.least, c.most = min(c.least, sum), max(c.most, sum)
	return max(sum, 0)
}

// DropExact drops what sums of squares lack if none of them reaches 2^53.
func (c *Cells) DropExact() {
	if !c.InexactSquares() {
		c.LowQ = nil
	}
}

// settleBelow bounds rounding errors, as a share of the largest sum: a sum of real values
// may be at most this far below 0 after a subtraction.
const settleBelow = 1e-10

// Settled sets negative sums of the margins to 0, as AppendSum does with those of cells,
// and reports whether rounding explains all of them. It must be called when all terms have
// been added.
func (c *Cells) Settled() bool {
	c.DropExact()
	if c.Tokens < 0 {
		c.LowTokens = 0
	}
	c.Tokens = c.settled(c.Tokens)
	for i, v := range c.ClassTokens {
		if v < 0 && c.LowClassTokens != nil {
			c.LowClassTokens[i] = 0
		}
		c.ClassTokens[i] = c.settled(v)
	}
	return -c.least <= float64(settleBelow*c.most)
}
