package indexfile

import (
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// This file writes the cells of a corpus to a file, at once or part by part, and reads them. Of counts, the cells of
// terms in one document are not stored: the document's labels and the one frequency are
// all that they say.

// storedCells are the columns of cells in a file, which may not have been verified yet.
type storedCells struct {
	present bool
	form    table.Form
	owned   bool              // classes, docs, sums and squares are memory of their own
	places  [numColumns][]int // of the escapes of a column, see [table.Escapes]; nil if they are not known
	// terms has for each stored term the number of its cells, and of its tokens above df.
	terms   []uint8
	classes []byte // in 1, 2 or 4 bytes each, see classWidth
	docs    []uint8
	sums    []uint8
	squares []uint8 // as [table.Cells] have them
	// escapes are the numbers that do not fit into their bytes, which are table.Escape: of
	// the first numbers of terms, of the second, of docs, of sums, of squares.
	escapes []float64
}

// readCells returns the cells of a file as they are there.
func readCells(f *body, present bool) storedCells {
	return storedCells{
		present: present,
		terms:   f.content(cellTerms), classes: f.content(cellClasses), docs: f.content(cellDocs),
		sums: f.content(cellSums), squares: f.content(cellSquares), escapes: files.ElementsOf[float64](f.content(cellEscapes)),
	}
}

// HasCells reports whether the file of an index has the cells.
func HasCells(x *postings.Index) bool {
	f := fileOf(x)
	return f != nil && f.cells.present
}

// alwaysStored is the number of cells up to which they are stored if they are asked for.
// More are left out where they are more than half of the postings, as with 100,000 classes:
// they would double the file, and be read no faster than they are counted.
const alwaysStored = 1 << 16

// mostCells returns the number of cells up to which they are stored.
func mostCells(postings int) int { return max(alwaysStored, postings/2) }

// countCells returns the cells that a file of the index is to have: none if they are too many.
func countCells(ctx context.Context, x *postings.Index, opt WriteOptions) (cells storedCells, err error) {
	counts := opt.Counted
	if counts == nil {
		if counts, err = x.Count(ctx, postings.CountOptions{Threads: opt.Threads}); err != nil {
			return cells, err
		}
	}
	if counts.Cells.Len() > mostCells(x.NumPostings()) {
		return cells, nil
	}
	return newStoredCells(x, &counts.Cells), nil
}

// storedTerms returns the number of terms whose cells are stored.
func storedTerms(x *postings.Index) int {
	if x.Real() {
		return len(x.DocFreq)
	}
	n, _ := slices.BinarySearchFunc(x.DocFreq, 1, func(df uint32, one int) int { return one - int(df) })
	return n
}

// newStoredCells returns the columns of cells as they are in a file.
func newStoredCells(x *postings.Index, c *table.Cells) storedCells {
	columns := newCellColumns(c, storedTerms(x), table.ClassWidth(len(x.Classes)))
	sections := map[sectionKind][]byte{}
	for s := range cellStreams {
		sections[s.section()] = append(sections[s.section()], columns.stream(s)...)
	}
	return storedCells{
		present: true, form: c.Form,
		terms: sections[cellTerms], classes: sections[cellClasses], docs: sections[cellDocs],
		sums: sections[cellSums], squares: sections[cellSquares], escapes: files.ElementsOf[float64](sections[cellEscapes]),
	}
}

// loadCells sets s.Cells but for its margins to the cells in the file, in memory of their
// own. The sums of their sections are verified.
func (x *indexFile) loadCells(s *table.Table) error {
	stored, c := storedTerms(x.Index), x.cells
	more := len(x.DocFreq) - stored
	if err := x.ownCells(&c, more); err != nil {
		return err
	}
	return c.load(&s.Cells, x.DocFreq[:stored], len(x.Classes), more)
}

// ownCells verifies the sums of the sections of cells, and makes the columns that [table.Cells]
// keep as they are copies with room for more cells.
func (x *indexFile) ownCells(c *storedCells, more int) (err error) {
	if err := x.body.verifyWhole(cellTerms, cellEscapes); err != nil {
		return err
	}
	for _, column := range []struct {
		kind  sectionKind
		bytes *[]byte
		look  func(bytes []byte, at int)
	}{
		{cellClasses, &c.classes, func([]byte, int) {}},
		{cellDocs, &c.docs, c.placesIn(docColumn)},
		{cellSums, &c.sums, c.placesIn(sumColumn)},
		{cellSquares, &c.squares, c.placesIn(squareColumn)},
	} {
		if *column.bytes, err = x.body.copyOf(column.kind, more, column.look); err != nil {
			return err
		}
	}
	c.owned = true
	return nil
}

// placesIn returns a function that takes the bytes of a column, one part after the other, and sets its
// places.
func (f *storedCells) placesIn(column int) func(bytes []byte, at int) {
	f.places[column] = []int{}
	return func(bytes []byte, at int) { f.places[column] = table.Escapes(f.places[column], bytes, at) }
}

// verifyCells verifies the sums of the sections of cells.
func (x *indexFile) verifyCells() error {
	return x.body.verifyWhole(cellTerms, cellClasses, cellDocs, cellSums, cellSquares, cellEscapes)
}

// load sets c to the stored cells of terms of the given document frequencies, with room
// for more terms of a cell each.
func (f *storedCells) load(c *table.Cells, df []uint32, classes, more int) error {
	own := func(bytes []uint8) []uint8 {
		if f.owned && cap(bytes) >= len(bytes)+more {
			return bytes
		}
		return append(make([]uint8, 0, len(bytes)+more), bytes...)
	}
	columns, err := f.parse(len(df), own)
	if err != nil {
		return err
	}
	c.CF, c.A, c.S, c.Q = columns[tokenColumn], columns[docColumn], columns[sumColumn], columns[squareColumn]
	c.Form = f.form
	c.DF = append(make([]uint32, 0, len(df)+more), df...)
	if c.Start, err = f.starts(&columns[lengthColumn], classes, more); err != nil {
		return err
	}
	if width := table.ClassWidth(classes); width == 1 {
		c.Class = table.ClassColumnOf(own(f.classes))
	} else {
		c.Class = table.NewClassColumn(0, len(f.docs)+more, classes)
		c.Class.AppendEncoded(f.classes, width)
	}
	return nil
}

// parse returns the columns of cells of so many terms, in memory that own returns for the
// bytes of a file.
func (f *storedCells) parse(terms int, own func(bytes []uint8) []uint8) (columns [numColumns]table.Column, err error) {
	var bytes [numColumns][]uint8
	bytes[lengthColumn], bytes[tokenColumn] = make([]uint8, terms), make([]uint8, terms)
	for t := range terms {
		bytes[lengthColumn][t], bytes[tokenColumn][t] = f.terms[2*t], f.terms[2*t+1]
	}
	bytes[docColumn], bytes[sumColumn], bytes[squareColumn] = f.docs, f.sums, f.squares
	escapes := f.escapes
	for i := range columns {
		places, ok := f.places[i], false
		if places == nil {
			places = table.Escapes(nil, bytes[i], 0)
		}
		if columns[i], escapes, ok = table.ColumnOf(own(bytes[i]), places, escapes); !ok {
			return columns, files.Broken("cell-escapes", 0, files.ErrFormat, "there are fewer numbers than bytes that ask for one")
		}
	}
	if len(escapes) > 0 {
		return columns, files.Broken("cell-escapes", 0, files.ErrFormat, "%d numbers more than bytes that ask for one", len(escapes))
	}
	if !columns[lengthColumn].Whole() || !columns[docColumn].Whole() {
		return columns, files.Broken("cell-escapes", 0, files.ErrFormat, "a number of cells or documents is not whole")
	}
	return columns, nil
}

// starts returns where the cells of each term begin, and the end, with room for more.
func (f *storedCells) starts(lengths *table.Column, classes, more int) ([]int, error) {
	terms := len(lengths.Bytes())
	start := make([]int, terms+1, terms+1+more)
	for t, b := range lengths.Bytes() {
		n := int(b)
		if b == table.Escape {
			n = int(min(max(lengths.At(t, 0), -1), math.MaxInt32))
		}
		if n < 0 || n > classes {
			return nil, files.Broken("cell-terms", 2*t, files.ErrFormat, "term %d is in %v of %d classes", t, lengths.At(t, 0), classes)
		}
		start[t+1] = start[t] + n
	}
	if start[terms] != len(f.docs) {
		return nil, files.Broken("cell-terms", 0, files.ErrFormat, "terms of %d cells in all, where there are %d", start[terms], len(f.docs))
	}
	return start, nil
}

// Table implements [postings.File].
func (x *indexFile) Table(ctx context.Context) (*table.Table, error) {
	if !x.cells.present {
		return nil, nil
	}
	return x.storedTable(ctx)
}

// storedTable returns the table of all documents from the cells.
func (x *indexFile) storedTable(ctx context.Context) (*table.Table, error) {
	s := x.EmptyTable()
	err := x.Guard(func() error {
		if err := x.loadCells(s); err != nil {
			return err
		}
		if err := x.addSingles(s); err != nil {
			return err
		}
		return x.addStoredTokens(ctx, s)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// addSingles appends the cells of the terms that are in one document each, which are not stored.
func (x *indexFile) addSingles(s *table.Table) error {
	from := s.Cells.Terms()
	if err := x.Ready(pool.Range{From: from, To: len(x.DocFreq)}, true); err != nil {
		return err
	}
	var p postings.List
	for t := from; t < len(x.DocFreq); t++ {
		x.Decode(t, &p)
		s.Cells.AppendSingle(x.Labels(int(p.Docs[0])), float64(x.FirstCount(t)))
	}
	return nil
}

// A cellStream is a column of bytes, or the escapes of one. The parts of a stream, one behind
// the other, are the stream of the whole; sections hold one stream or several, in this order.
type cellStream int

const (
	termStream cellStream = iota
	classStream
	docStream
	sumStream
	squareStream
	escapeStreams // of as many columns as there are in cellColumns, in their order
	cellStreams   = escapeStreams + numColumns
)

// The columns of [cellColumns], in the order of their escapes.
const (
	lengthColumn = iota
	tokenColumn
	docColumn
	sumColumn
	squareColumn
	numColumns
)

// section returns the section of a stream.
func (s cellStream) section() sectionKind {
	switch s {
	case termStream:
		return cellTerms
	case classStream:
		return cellClasses
	case docStream:
		return cellDocs
	case sumStream:
		return cellSums
	case squareStream:
		return cellSquares
	default:
		return cellEscapes
	}
}

// cellColumns are cells of consecutive terms in the form of a file.
type cellColumns struct {
	classes []byte
	columns [numColumns]table.Column
}

// newCellColumns returns the columns of the first terms of c, which are as they are in memory, and share it.
func newCellColumns(c *table.Cells, terms, width int) *cellColumns {
	n := c.Start[terms]
	k := &cellColumns{}
	if classes, bytes := c.Class.Bytes(); bytes && width == 1 {
		k.classes = classes[:n]
	} else {
		for i := range n {
			class := c.Class.At(i)
			k.classes = append(k.classes, byte(class), byte(class>>8), byte(class>>16), byte(class>>24))[:width*(i+1)]
		}
	}
	for t, from := range c.Start[:terms] {
		k.columns[lengthColumn].Append(float64(c.Start[t+1]-from), 0)
	}
	k.columns[tokenColumn] = c.CF.First(terms)
	k.columns[docColumn], k.columns[sumColumn], k.columns[squareColumn] = c.A.First(n), c.S.First(n), c.Q.First(n)
	return k
}

// stream returns the content of a stream.
func (k *cellColumns) stream(s cellStream) []byte {
	switch s {
	case termStream:
		return k.terms()
	case classStream:
		return k.classes
	case docStream:
		return k.columns[docColumn].Bytes()
	case sumStream:
		return k.columns[sumColumn].Bytes()
	case squareStream:
		return k.columns[squareColumn].Bytes()
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
