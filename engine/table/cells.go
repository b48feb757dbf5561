package table

// Margins are the totals that the cells of all terms share.
type Margins struct {
	Documents float64 // unlabelled ones included
	Labelled  float64
	Tokens    float64 // of all terms in all documents

	ClassDocs   []float64 // documents of each class
	ClassTokens []float64
}

// Cells are the counts of terms in classes, as columns. There is a cell for each pair of a
// term and a class that has a document with the term. [Cells.Read] gives the columns in
// the form that formulas need.
//
// Counts are exact as long as the values are counts and stay below 2^53.
type Cells struct {
	Margins

	DF []uint32 // documents with the term, each once
	CF Column   // occurrences in all documents; its floor is DF

	// The cells of term t are the elements [Start[t], Start[t+1]) of the columns
	// below, in ascending order of their class.
	Start []int
	Class ClassColumn
	A     Column    // documents; its floor is 0
	S     Column    // occurrences; its floor is A
	Q     Column    // sums of squared term frequencies, with the floor S, or squared distances, with 0: see Form
	W     []float64 // sums of weights; nil unless they were counted

	Form Form

	impossible bool // see settled
}

// OneClassEach reports whether every document is in one class, so that a term in one document has one
// cell.
func (m *Margins) oneClassEach() bool {
	docs := 0.0
	for _, n := range m.ClassDocs {
		docs += n
	}
	return m.Labelled == m.Documents && docs == m.Documents
}

// Terms returns the number of terms.
func (c *Cells) Terms() int { return len(c.DF) }

// Len returns the number of cells.
func (c *Cells) Len() int { return c.Class.Len() }

// CellOf returns the cell of a term in a class, counted from the first of the term, or -1 if there is none.
func (c *Cells) CellOf(t int, class uint32) int {
	return c.Class.index(c.Start[t], c.Start[t+1], class)
}

// Reset removes the terms, but not the margins, and keeps the memory.
func (c *Cells) Reset() {
	c.DF, c.Start, c.Class = c.DF[:0], c.Start[:0], ClassColumn{low: c.Class.low[:0]}
	for _, column := range []*Column{&c.CF, &c.A, &c.S, &c.Q} {
		column.Reset()
	}
}

// Reserve makes room for so many terms and cells.
func (c *Cells) Reserve(terms, cells int) {
	c.DF, c.Start = make([]uint32, 0, terms), make([]int, 1, terms+1)
	c.Class.reserve(cells)
	c.CF.reserve(terms)
	for _, column := range []*Column{&c.A, &c.S, &c.Q} {
		column.reserve(cells)
	}
}

// AppendSingle appends a term in one document, which has these labels, with its count
// there. It is three times as fast as [Cells.Append] for small counts.
func (c *Cells) AppendSingle(labels []uint32, count float64) {
	over := uint8(Escape)
	if count < 16 && count == float64(uint8(count)) {
		over = uint8(count) - 1
	}
	square := float64(count * count)
	if c.Form != Counts {
		over, square = Escape, 0
	}
	for _, class := range labels {
		if over == Escape {
			c.Append(class, 1, count, square)
			continue
		}
		c.Class.Append(class)
		c.A.low = append(c.A.low, 1)
		c.S.low = append(c.S.low, over)
		c.Q.low = append(c.Q.low, over*(over+1))
	}
	c.EndTerm(1, count)
}

// AddTokens adds the occurrences of the terms [from, to) by class, and returns those of all documents.
// Counts below 2^53 have exact sums in any order.
func (c *Cells) AddTokens(byClass []float64, from, to int) (total float64) {
	if c.Class.wide == nil {
		addTokens(c, c.Class.low, byClass, from, to)
	} else {
		addTokens(c, c.Class.wide, byClass, from, to)
	}
	for t := from; t < to; t++ {
		total += c.CF.At(t, float64(c.DF[t]))
	}
	return total
}

func addTokens[T uint8 | uint32](c *Cells, class []T, byClass []float64, from, to int) {
	first, end := c.Start[from], c.Start[to]
	docs, over := c.A.low[first:end], c.S.low[first:end]
	for i, of := range class[first:end] {
		a, y := docs[i], over[i]
		if a != Escape && y != Escape {
			byClass[of] += float64(int(a) + int(y))
		} else {
			byClass[of] += c.S.At(first+i, c.A.At(first+i, 0))
		}
	}
}

// Append appends a cell to the current term, which [Cells.EndTerm] completes; squares is what Q has.
func (c *Cells) Append(class uint32, docs, sum, squares float64) {
	c.Class.Append(class)
	c.A.Append(docs, 0)
	c.S.Append(sum, docs)
	c.Q.Append(squares, c.Form.floorOf(sum))
}

// AppendTile appends the terms of a tile of numbers, which has M2 if the form needs it.
func (c *Cells) AppendTile(t *Tile) {
	squares := t.Q
	if c.Form != Counts {
		squares = t.M2
	}
	for i, class := range t.Class {
		c.Append(class, t.A[i], t.S[i], squares[i])
	}
	if t.W != nil {
		c.W = append(c.W, t.W...)
	}
	if len(c.Start) == 0 {
		c.Start = append(c.Start, 0)
	}
	moved := c.Len() - len(t.Class)
	for i, df := range t.DF {
		_, end := t.Range(i)
		c.DF, c.Start = append(c.DF, df), append(c.Start, moved+end)
		c.CF.Append(t.CF[i], float64(df))
	}
}

// EndTerm completes the current term, whose cells were appended, with its document
// frequency and its occurrences.
func (c *Cells) EndTerm(df, cf float64) {
	if len(c.Start) == 0 {
		c.Start = append(c.Start, 0)
	}
	c.DF = append(c.DF, uint32(df))
	c.CF.Append(cf, df)
	c.Start = append(c.Start, c.Len())
}

// AppendTerms appends the terms [from, to) of o, which is of the same form, with their cells.
func (c *Cells) AppendTerms(o *Cells, from, to int) {
	if len(c.Start) == 0 {
		c.Start = append(c.Start, 0)
	}
	first, end := o.Start[from], o.Start[to]
	moved := c.Len() - first
	c.DF = append(c.DF, o.DF[from:to]...)
	c.CF.AppendRange(&o.CF, from, to)
	for _, at := range o.Start[from+1 : to+1] {
		c.Start = append(c.Start, at+moved)
	}
	c.Class.appendRange(&o.Class, first, end)
	c.A.AppendRange(&o.A, first, end)
	c.S.AppendRange(&o.S, first, end)
	c.Q.AppendRange(&o.Q, first, end)
	if o.W != nil {
		c.W = append(c.W, o.W[first:end]...)
	}
}
