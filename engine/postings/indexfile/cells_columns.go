package indexfile

import (
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
)

// This file makes the columns of cells that a file holds, at once or part by part.

// A cellStream is a column of bytes, or the escapes of one. The parts of a stream, one behind
// the other, are the stream of the whole; sections hold one stream or several, in this order.
type cellStream int

const (
	termStream cellStream = iota
	lowTokenStream
	classStream
	docStream
	sumStream
	squareStream
	lowSumStream
	distanceStream
	lowSquareStream
	escapeStreams // of as many columns as there are in cellColumns, in their order
	cellStreams   = escapeStreams + numColumns
)

// The columns of [cellColumns], in the order of their escapes. Those from lowTokenColumn on
// are what [table.Centred] holds, but for the last, which wide cells have.
const (
	lengthColumn = iota
	tokenColumn
	docColumn
	sumColumn
	squareColumn
	lowTokenColumn
	lowSumColumn
	distanceColumn
	lowSquareColumn
	numColumns
)

// section returns the section of a stream.
func (s cellStream) section() sectionKind {
	switch s {
	case termStream, lowTokenStream:
		return cellTerms
	case classStream:
		return cellClasses
	case docStream:
		return cellDocs
	case sumStream:
		return cellSums
	case squareStream, lowSumStream, distanceStream, lowSquareStream:
		return cellSquares
	default:
		return cellEscapes
	}
}

// cellColumns are cells of consecutive terms in the form of a file.
type cellColumns struct {
	width   int // bytes of a class
	classes []byte
	columns [numColumns]table.Column
}

// newCellColumns returns the columns of the first terms of c. Those of counts in classes that are bytes
// are as they are in memory, which they share.
func newCellColumns(c *table.Cells, terms, width int) *cellColumns {
	n := c.Start[terms]
	classes, bytes := c.Class.Bytes()
	if c.Form() != table.PlainCells || width > 1 || !bytes {
		k := &cellColumns{width: width, classes: make([]byte, 0, width*n)}
		c.Tiles(&table.Tile{}, 0, terms, true, k.add)
		return k
	}
	k := &cellColumns{width: width, classes: classes[:n]}
	for t, from := range c.Start[:terms] {
		k.columns[lengthColumn].Append(float64(c.Start[t+1]-from), 0)
	}
	k.columns[tokenColumn] = c.CF.First(terms)
	k.columns[docColumn], k.columns[sumColumn], k.columns[squareColumn] = c.A.First(n), c.S.First(n), c.Q.First(n)
	return k
}

// add appends the cells of a tile.
func (k *cellColumns) add(t *table.Tile) {
	for i, df := range t.DF {
		from, to := t.Range(i)
		k.columns[lengthColumn].Append(float64(to-from), 0)
		k.columns[tokenColumn].Append(t.CF[i], float64(df))
	}
	for _, class := range t.Class {
		k.classes = append(k.classes, byte(class), byte(class>>8), byte(class>>16), byte(class>>24))[:len(k.classes)+k.width]
	}
	k.columns[docColumn].AppendAll(t.A, nil)
	k.columns[sumColumn].AppendAll(t.S, t.A)
	k.columns[squareColumn].AppendAll(t.Q, t.S)
	if t.LowQ != nil { // then the others are those of sums that lack nothing
		k.columns[lowSquareColumn].AppendAll(t.LowQ, nil)
		return
	}
	k.columns[lowTokenColumn].AppendAll(t.LowCF, nil)
	k.columns[lowSumColumn].AppendAll(t.LowS, nil)
	k.columns[distanceColumn].AppendAll(t.M2, nil)
}

// stream returns the content of a stream.
func (k *cellColumns) stream(s cellStream) []byte {
	switch s {
	case termStream:
		return k.terms()
	case classStream:
		return k.classes
	case lowTokenStream:
		return k.columns[lowTokenColumn].Bytes()
	case docStream:
		return k.columns[docColumn].Bytes()
	case sumStream:
		return k.columns[sumColumn].Bytes()
	case squareStream:
		return k.columns[squareColumn].Bytes()
	case lowSumStream:
		return k.columns[lowSumColumn].Bytes()
	case distanceStream:
		return k.columns[distanceColumn].Bytes()
	case lowSquareStream:
		return k.columns[lowSquareColumn].Bytes()
	default:
		return files.BytesOf(k.columns[s-escapeStreams].Escaped())
	}
}

// terms returns the two bytes of each term.
func (k *cellColumns) terms() []byte {
	lengths, tokens := k.columns[lengthColumn].Bytes(), k.columns[tokenColumn].Bytes()
	both := make([]byte, 0, 2*len(lengths))
	for t, n := range lengths {
		both = append(both, n, tokens[t])
	}
	return both
}

// hasStream reports whether cells of a form have a stream.
func hasStream(form table.CellForm, s cellStream) bool {
	switch {
	case s == lowSquareStream || s == escapeStreams+lowSquareColumn:
		return form == table.WideCells
	case s == lowTokenStream || s == lowSumStream || s == distanceStream || s >= escapeStreams+lowTokenColumn:
		return form == table.CentredCells
	default:
		return true
	}
}
