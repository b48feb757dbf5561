package store

import (
	"bytes"
	"context"
	"slices"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file has the cells of an index. Of counts, the cells of terms in one document are not stored: the
// document's labels and the one frequency are all that they say.

// HasCells reports whether the file of an index has the cells.
func HasCells(x *postings.Index) bool {
	f := fileOf(x)
	return f != nil && f.hasCells
}

// storedTerms returns the number of terms whose cells are stored.
func storedTerms(x *postings.Index) int {
	if x.Real() {
		return len(x.DocFreq)
	}
	n, _ := slices.BinarySearchFunc(x.DocFreq, 1, func(df uint32, one int) int { return one - int(df) })
	return n
}

// appendCells passes the blocks of an index's cells to f.
func appendCells(x *postings.Index, c *table.Cells, f func(block []byte) error) error {
	b := blockBuilder{layout: layout{width: table.ClassWidth(len(x.Classes)), form: c.Form}}
	return b.appendBlocks(c, 0, storedTerms(x), true, f)
}

// checkLayout verifies the form of the cells.
func (x *indexFile) checkLayout() error {
	switch {
	case !x.hasCells && x.body.sections[cellSection].length > 0:
		return files.Broken("meta", 0, files.ErrFormat, "cells without a form")
	case x.hasCells && x.layout.form != x.Form():
		return files.Broken("meta", 0, files.ErrFormat, "the cells have another form than those of its postings")
	}
	return nil
}

// Table implements [postings.File].
func (x *indexFile) Table(ctx context.Context) (*table.Table, error) {
	if !x.hasCells {
		return nil, nil
	}
	return x.storedTable(ctx)
}

// storedTable returns the table of all documents from the cells.
func (x *indexFile) storedTable(ctx context.Context) (s *table.Table, err error) {
	s = x.EmptyTable()
	err = x.Guard(func() error {
		s.Cells.ClassTokens = make([]float64, len(x.Classes))
		if err := x.readCells(ctx, &s.Cells); err != nil {
			return err
		}
		if err := x.addSingles(&s.Cells); err != nil {
			return err
		}
		return x.addTokens(ctx, s)
	})
	return s, err
}

// readCells sets the cells of the terms that are stored, with room for those that are not. It adds up the
// tokens of counts, while they are in the caches.
func (x *indexFile) readCells(ctx context.Context, c *table.Cells) error {
	m := table.Margins{Documents: c.Documents, Labelled: c.Labelled, ClassDocs: c.ClassDocs} // tokens are not known
	bounds, err := table.NewBounds(&m, x.layout.form)
	if err != nil {
		return files.Broken("labels", 0, files.ErrFormat, "%v", err)
	}
	stored, s := storedTerms(x.Index), &x.body.sections[cellSection]
	most := s.length/(3+x.layout.width) + len(x.DocFreq) - stored
	c.Reserve(len(x.DocFreq), most)
	c.Start = append(c.Start, 0)[:1]
	if x.layout.width > 1 {
		c.Class = table.NewClassColumn(0, most, len(x.Classes))
	}
	c.Form = x.layout.form
	d, buffer := blockDecoder{layout: x.layout}, []byte(nil)
	for i := range s.blocks {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		data, err := x.body.block(cellSection, i, buffer)
		if err != nil {
			return err
		}
		if x.body.calls != nil {
			buffer = data[:cap(data)]
		}
		d.offset = x.body.blocks[s.first+i].offset - s.offset
		from := c.Terms()
		if err := d.decode(data, c, x.DocFreq[from:stored]); err != nil {
			return err
		}
		if err := d.check(bounds, c, from); err != nil {
			return err
		}
		if c.Form == table.Counts {
			c.Tokens += c.AddTokens(c.ClassTokens, from, c.Terms())
		}
	}
	if c.Terms() != stored {
		return files.Broken("cells", s.length, files.ErrFormat, "%d of %d terms", c.Terms(), stored)
	}
	return nil
}

// addSingles appends the cells of the terms that are in one document each, which are not stored.
func (x *indexFile) addSingles(c *table.Cells) error {
	from := c.Terms()
	if err := x.Ready(pool.Range{From: from, To: len(x.DocFreq)}, true); err != nil {
		return err
	}
	var p postings.List
	for t := from; t < len(x.DocFreq); t++ {
		x.Decode(t, &p)
		c.AppendSingle(x.Labels(int(p.Docs[0])), float64(x.FirstCount(t)))
	}
	if c.Form == table.Counts {
		c.Tokens += c.AddTokens(c.ClassTokens, from, c.Terms())
	}
	return nil
}

// addTokens adds up the tokens of real values and of large counts, whose sums are added in a certain order.
func (x *indexFile) addTokens(ctx context.Context, s *table.Table) error {
	if s.Cells.Form == table.Counts {
		return nil
	}
	sums := postings.NewTokenSums(len(s.ClassNames))
	for _, chunk := range x.Chunks() {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		sums.Add(&s.Cells, chunk.From, chunk.To)
	}
	s.Cells.Tokens, s.Cells.ClassTokens = sums.Total, sums.ByClass
	return nil
}

// checkCells verifies that the cells of the file are those of its postings, in the only form that they have.
func (x *indexFile) checkCells() error {
	counted, err := x.CountLists(context.Background(), postings.CountOptions{})
	if err != nil {
		return err
	}
	s, i, buffer := &x.body.sections[cellSection], 0, []byte(nil)
	err = appendCells(x.Index, &counted.Cells, func(block []byte) (err error) {
		if i < s.blocks {
			buffer, err = x.body.block(cellSection, i, buffer)
		}
		if err == nil && (i == s.blocks || !bytes.Equal(buffer, block)) {
			err = files.Broken("cells", 0, files.ErrFormat, "the cells in block %d are not those of its postings", i)
		}
		i++
		return err
	})
	if err == nil && i < s.blocks {
		err = files.Broken("cells", 0, files.ErrFormat, "%d blocks more than the postings have cells for", s.blocks-i)
	}
	return err
}
