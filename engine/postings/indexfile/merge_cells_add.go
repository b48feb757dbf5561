package indexfile

import (
	"context"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// This file adds up the cells of the shards: those in their files, and else what is
// counted in their lists, term by term.

// shardCells are the cells in the file of a shard, where they are.
type shardCells struct {
	present     bool
	x           *postings.Index
	bounds      *table.Bounds
	start       []int
	classes     []byte
	width       int
	cf, a, s, q table.Column
	operand     *table.Operand // the same, all of them verified, if their classes are bytes
}

// openShardCells verifies the cells in the files of the shards.
func (m *merging) openShardCells(ctx context.Context) error {
	m.cells.shards, m.cells.labelled = make([]shardCells, len(m.shards)), true
	for i, x := range m.shards {
		c := &m.cells.shards[i]
		m.cells.labelled = m.cells.labelled && !x.Multi && x.Labelled() == x.Documents()
		f := fileOf(x)
		if f == nil || !f.cells.present || f.cells.form != table.Counts {
			continue
		}
		if err := c.open(f); err != nil {
			return err
		}
		if c.width == 1 {
			if err := c.verify(ctx, m.class[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// open verifies the sections of the cells of a file, and where the cells of each term are.
func (c *shardCells) open(x *indexFile) error {
	if err := x.verifyCells(); err != nil {
		return err
	}
	f := &x.cells
	columns, err := f.parse(storedTerms(x.Index), func(bytes []uint8) []uint8 { return bytes })
	if err != nil {
		return err
	}
	if c.start, err = f.starts(&columns[lengthColumn], len(x.Classes), 0); err != nil {
		return err
	}
	c.cf, c.a, c.s, c.q = columns[tokenColumn], columns[docColumn], columns[sumColumn], columns[squareColumn]
	if !c.cf.Whole() || !c.s.Whole() || !c.q.Whole() {
		return files.Broken("cell-escapes", 0, files.ErrFormat, "a sum of counts is not a whole number")
	}
	c.classes, c.width = f.classes, table.ClassWidth(len(x.Classes))
	c.x, c.present = x.Index, true
	c.bounds, err = boundsOf(x.Index, x.EmptyTable())
	return err
}

// verify verifies the cells, whose classes are bytes and have these numbers in the result, as those of an
// index that is ranked. Term by term, as [shardCells.read] does, it took half of the time of adding them up.
func (c *shardCells) verify(ctx context.Context, classOf []uint32) error {
	x := c.x
	s := x.EmptyTable()
	s.Cells.DF, s.Cells.Start, s.Cells.Class = x.DocFreq[:len(c.start)-1], c.start, table.ClassColumnOf(c.classes)
	s.Cells.CF, s.Cells.A, s.Cells.S, s.Cells.Q = c.cf, c.a, c.s, c.q
	c.operand = &table.Operand{Cells: &s.Cells, Classes: classOf, Sign: 1}
	return verifyCounts(ctx, &s.Cells, c.bounds, 0, s.Cells.Terms())
}

// class returns the class of a cell.
func (c *shardCells) class(i int) uint32 {
	switch c.width {
	case 1:
		return uint32(c.classes[i])
	case 2:
		return uint32(le.Uint16(c.classes[2*i:]))
	default:
		return le.Uint32(c.classes[4*i:])
	}
}

// read sets a tile to a term of the shard and verifies it.
func (c *shardCells) read(tile *table.Tile, t int) error {
	from, n := c.start[t], c.start[t+1]-c.start[t]
	df := float64(c.x.DocFreq[t])
	cf := c.cf.At(t, df)
	tile.CF = append(tile.CF[:0], cf)
	tile.Resize(n)
	docs, sums, squares := c.a.Bytes()[from:][:n], c.s.Bytes()[from:][:n], c.q.Bytes()[from:][:n]
	for i := range n {
		tile.Class[i] = c.class(from + i)
		a, s, q := docs[i], sums[i], squares[i]
		if a != table.Escape && s != table.Escape && q != table.Escape {
			tile.A[i] = float64(a)
			tile.S[i] = tile.A[i] + float64(s)
			tile.Q[i] = tile.S[i] + float64(q)
			continue
		}
		tile.A[i] = c.a.At(from+i, 0)
		tile.S[i] = c.s.At(from+i, tile.A[i])
		tile.Q[i] = c.q.At(from+i, tile.S[i])
		if !table.IsSum(tile.S[i]) || !table.IsSum(tile.Q[i]) {
			return files.Broken("cell-escapes", 0, files.ErrFormat, "a sum is not a finite number from 0 on")
		}
	}
	if !table.IsSum(cf) {
		return files.Broken("cell-escapes", 0, files.ErrFormat, "term %d has %v tokens", t, cf)
	}
	if err := c.bounds.Check(df, cf, tile.Class, tile.A, tile.S, nil); err != nil {
		return brokenCells(t, err)
	}
	return nil
}

// A cellSum adds up the cells of a term.
type cellSum struct {
	*table.ClassSums // by class of the result
	cf               float64
	class            []uint32 // of the shard -> of the result

	tile     table.Tile
	single   [2]table.Operand // terms in one document
	counters []shardCounter   // by shard; empty until needed
}

// A shardCounter counts the terms of a shard.
type shardCounter struct {
	*postings.ListCounter
	all *postings.Sample
}

// addTile adds the cells of a tile, which is of one term.
func (s *cellSum) addTile(t *table.Tile) {
	s.cf += t.CF[0]
	for i, c := range t.Class {
		s.Meet(s.class[c]).Add(table.ClassSum{A: t.A[i], S: t.S[i], Q: t.Q[i]})
	}
}

// end appends the sum to c and clears it.
func (s *cellSum) end(c *table.Cells, df uint32) {
	s.Take(func(class uint32, sum table.ClassSum) { c.Append(class, sum.A, sum.S, sum.Q) })
	c.EndTerm(float64(df), s.cf)
	s.cf = 0
}

// addCells adds up the cells of a chunk of terms.
func (w *listWorker) addCells(m *merging, p *listPart, terms pool.Range) error {
	if w.sum.ClassSums == nil {
		w.sum.ClassSums, w.sum.counters = table.NewClassSums(len(m.classes)), make([]shardCounter, len(m.shards))
	}
	c, single := &table.Cells{}, 0
	c.Reserve(terms.To-terms.From, 0)
	for t := terms.From; t < terms.To; t++ {
		if t >= m.cells.stored && m.cells.labelled {
			single = terms.To - t
			break
		}
		if (t-terms.From)%touchedTerms == 0 {
			w.touchCells(m, pool.Range{From: t, To: min(t+touchedTerms, terms.To)})
		}
		if err := w.addTerm(m, c, t); err != nil {
			return err
		}
	}
	p.putCells(m, terms, c)
	p.cells += single
	return nil
}

// touchCells is [listWorker.touch] for cells.
func (w *listWorker) touchCells(m *merging, terms pool.Range) {
	w.refs = w.refs[:0]
	for t := terms.From; t < terms.To; t++ {
		w.refs = append(w.refs, m.refsOf(t)...)
	}
	for _, r := range w.refs {
		x, c, t := m.shards[r.shard], &m.cells.shards[r.shard], int(r.term)
		switch {
		case !c.present || x.DocFreq[t] == 1:
			w.touched += x.Values.Counts[x.Start[t]]
		case c.start[t] < len(c.a.Bytes()):
			at := c.start[t]
			w.touched += c.classes[at*c.width] + c.a.Bytes()[at] + c.s.Bytes()[at] + c.q.Bytes()[at]
		}
	}
}

// addTerm appends the sum of the cells of a term to c.
func (w *listWorker) addTerm(m *merging, c *table.Cells, t int) error {
	refs := m.refsOf(t)
	if len(refs) <= len(w.sum.single) {
		if done, err := w.addOperands(m, c, refs); done || err != nil {
			return err
		}
	}
	for _, r := range refs {
		if err := w.addShard(m, r); err != nil {
			return err
		}
	}
	w.sum.end(c, m.terms[t].df)
	return nil
}

// addOperands is addTerm for a term of two shards or one, whose cells are bytes, which are added as they
// are. It reports whether they are.
func (w *listWorker) addOperands(m *merging, c *table.Cells, refs []ref) (bool, error) {
	var of [2]*table.Operand
	terms := [2]int{-1, -1}
	for i, r := range refs {
		var err error
		if of[i], terms[i], err = w.operand(m, r, &w.sum.single[i]); of[i] == nil || err != nil {
			return false, err
		}
	}
	c.AppendCountSum(of[0], of[1], terms[0], terms[1])
	return true, nil
}

// operand returns a shard's term as a term of an operand; nil if its cells are not there, or not
// bytes. Those of a term in one document are made in single.
func (w *listWorker) operand(m *merging, r ref, single *table.Operand) (*table.Operand, int, error) {
	x, t, c := m.shards[r.shard], int(r.term), &m.cells.shards[r.shard]
	if c.operand == nil || x.DocFreq[t] > 1 {
		return c.operand, t, nil
	}
	if err := x.Ready(pool.Range{From: t, To: t + 1}, true); err != nil {
		return nil, 0, err
	}
	x.Decode(t, &w.postings)
	if single.Cells == nil {
		single.Cells = &table.Cells{}
	}
	single.Reset()
	single.AppendSingle(x.Labels(int(w.postings.Docs[0])), float64(x.FirstCount(t)))
	single.Classes, single.Sign = c.operand.Classes, 1
	return single, 0, nil
}

// addShard adds the cells of a shard's term to w.sum.
func (w *listWorker) addShard(m *merging, r ref) error {
	x, t, c, s := m.shards[r.shard], int(r.term), &m.cells.shards[r.shard], &w.sum
	s.class = m.class[r.shard]
	if c.present && x.DocFreq[t] > 1 {
		if err := c.read(&s.tile, t); err != nil {
			return err
		}
		s.addTile(&s.tile)
		return nil
	}
	if err := x.Ready(pool.Range{From: t, To: t + 1}, true); err != nil {
		return err
	}
	if x.DocFreq[t] == 1 {
		x.Decode(t, &w.postings)
		v := float64(x.FirstCount(t))
		for _, class := range x.Labels(int(w.postings.Docs[0])) {
			s.Meet(s.class[class]).Add(table.ClassSum{A: 1, S: v, Q: float64(v * v)})
		}
		s.cf += v
		return nil
	}
	counter := &s.counters[r.shard]
	if counter.ListCounter == nil {
		*counter = shardCounter{x.NewListCounter(true), x.AllDocuments()}
	}
	if err := counter.Load(pool.Range{From: t, To: t + 1}); err != nil {
		return err
	}
	counter.Count(counter.all, s.addTile)
	return nil
}
