package tablefile

import (
	"context"
	"fmt"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A mergePart is a file that is merged, at one of its terms.
type mergePart struct {
	f     *File
	class []uint32 // of the file -> of the sum
	alike bool     // classes have the same bytes in the sum

	reader blockReader
	names  nameReader
	term   int // in the block
	cell   int // the first of the term
}

// reset goes to the beginning of the file.
func (p *mergePart) reset() {
	p.reader, p.names, p.term = blockReader{f: p.f}, nameReader{}, -1
}

// next goes to the next term and returns the key of its name, or noKey if there is none.
func (p *mergePart) next(ctx context.Context) (key uint64, err error) {
	b := &p.reader.block
	if p.term >= 0 {
		p.cell += int(b.length[p.term])
	}
	if p.term++; p.term == b.terms || p.reader.read == 0 {
		if ctx.Err() != nil {
			return noKey, usage.Cause(ctx)
		}
		more, err := p.reader.next()
		if err != nil || !more {
			return noKey, p.f.named(err)
		}
		p.term, p.cell = 0, 0
	}
	if !p.names.next(b, p.term) {
		return noKey, p.f.named(b.fail("the names are not in the order of their bytes"))
	}
	return p.names.key(), nil
}

// named returns an error with the name of the file.
func (f *File) named(err error) error {
	if err == nil || f.Name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", f.Name, err)
}

// copyTerm completes a term of the result with the cells that the part alone has.
func (p *mergePart) copyTerm(to *blockBuilder) {
	b, width := &p.reader.block, table.ClassWidth(len(p.f.Classes))
	n := int(b.length[p.term])
	from, end := p.cell, p.cell+n
	if p.alike {
		to.classes = table.AppendShort(to.classes, b.classes, from*width, n*width)
	} else {
		for i := from; i < end; i++ {
			to.class(p.class[b.classOf(i, width)])
		}
	}
	if !p.copyNarrow(to, from, n) {
		next := cellsOf(&b.columns, p.f.form)
		for i := from; i < end; i++ {
			to.cell(next.at(i))
		}
	}
	df, length, tokens := b.columns[dfNumbers].low[p.term], b.columns[lengthNumbers].low[p.term], b.columns[tokenNumbers].low[p.term]
	if df != table.Escape && length != table.Escape && tokens != table.Escape {
		to.columns[dfNumbers].AppendByte(df)
		to.columns[lengthNumbers].AppendByte(length)
		to.columns[tokenNumbers].AppendByte(tokens)
		to.cells += n
	} else {
		to.margins(float64(b.df[p.term]), b.cf[p.term], n)
	}
}

// copyNarrow appends the documents and sums of n cells to those of the result, if no byte of them
// stands for a number in a list, and reports whether that is so.
func (p *mergePart) copyNarrow(to *blockBuilder, from, n int) bool {
	b, end := &p.reader.block, from+n
	docs, sums, squares := b.columns[docNumbers].low, b.columns[sumNumbers].low, b.columns[squareNumbers].low
	if n <= 8 && from+8 <= b.cells {
		x, y, z := le.Uint64(docs[from:]), le.Uint64(sums[from:]), le.Uint64(squares[from:])
		if table.HasEscape(x, n) || table.HasEscape(y, n) || table.HasEscape(z, n) {
			return false
		}
		to.columns[docNumbers].AppendWord(x, n)
		to.columns[sumNumbers].AppendWord(y, n)
		to.columns[squareNumbers].AppendWord(z, n)
		return true
	}
	docs, sums, squares = docs[from:end], sums[from:end], squares[from:end]
	if !narrow(docs) || !narrow(sums) || !narrow(squares) {
		return false
	}
	to.columns[docNumbers].AppendNarrow(docs)
	to.columns[sumNumbers].AppendNarrow(sums)
	to.columns[squareNumbers].AppendNarrow(squares)
	return true
}

// addTo adds the cells of the part's term to a sum.
func (p *mergePart) addTo(sum *table.ClassSums) {
	b, width := &p.reader.block, table.ClassWidth(len(p.f.Classes))
	next := cellsOf(&b.columns, p.f.form)
	docs, sums, squares := next.narrow(p.cell, p.cell+int(b.length[p.term]))
	for i, x := range docs {
		y, z := sums[i], squares[i]
		c := table.ClassSum{A: float64(x), S: float64(int(x) + int(y)), Q: float64(int(x) + int(y) + int(z))}
		if x == table.Escape || y == table.Escape || z == table.Escape {
			c.A, c.S, c.Q = next.at(p.cell + i)
		}
		sum.Meet(p.class[b.classOf(p.cell+i, width)]).Add(c)
	}
}

// cells returns the cells of the part's term.
func (p *mergePart) cells() *table.Cells {
	b, width := &p.reader.block, table.ClassWidth(len(p.f.Classes))
	c, next := &table.Cells{Form: p.f.form}, cellsOf(&b.columns, p.f.form)
	for i := p.cell; i < p.cell+int(b.length[p.term]); i++ {
		a, s, q := next.at(i)
		c.Append(b.classOf(i, width), a, s, q)
	}
	c.EndTerm(float64(b.df[p.term]), b.cf[p.term])
	return c
}
