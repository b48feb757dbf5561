package store

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/pool"
)

// CountOptions say what to count. The zero value counts all documents.
type CountOptions struct {
	// Weighting asks for the sums W of a weighting; "" for none.
	Weighting Weighting
	// Within restricts the count to these documents; nil means all. N, df and
	// the class sizes are then those of the restricted corpus.
	Within  *roaring.Bitmap
	Threads int
}

// chunkCost is the work of one chunk in postings: long enough to hide the cost
// of starting it, short enough for an even share and a prompt cancellation.
const chunkCost = 1 << 16

// termCost is what a term costs beside its postings, in postings.
const termCost = 64

// Count makes the statistics of the index in one pass over the postings.
func (x *Index) Count(ctx context.Context, opt CountOptions) (*Statistics, error) {
	c := &counter{x: x, s: &Statistics{Classes: x.Classes, Pruned: x.Pruned}}
	c.countDocuments(opt.Within)
	if opt.Weighting != "" {
		if err := c.countFrequencies(ctx); err != nil {
			return nil, err
		}
		g, err := x.newWeigher(ctx, opt.Weighting, c.keep, c.s.Documents, c.df)
		if err != nil {
			return nil, err
		}
		c.weigher = g
	}
	if err := c.countCells(ctx, opt.Threads); err != nil {
		return nil, err
	}
	return c.join(opt.Weighting), nil
}

// A counter holds what the passes of one Count share. Term numbers are those
// of the index until join puts them into the order of the restricted corpus.
type counter struct {
	x       *Index
	s       *Statistics
	keep    []bool   // nil = all documents
	class   []uint32 // of each document; nil where one has several
	df, cf  []float64
	weigher *weigher
	chunks  []pool.Range
	parts   []cellPart
}

// A cellPart holds the cells of one chunk of terms.
type cellPart struct {
	ends    []int
	class   []uint32
	a, s, q []float64
	w       []float64
}

func (c *counter) countDocuments(within *roaring.Bitmap) {
	x, s := c.x, c.s
	c.df, c.cf = make([]float64, x.Terms.Len()), make([]float64, x.Terms.Len())
	if !x.multi {
		c.class = make([]uint32, x.Documents())
	}
	if within != nil {
		c.keep = make([]bool, x.Documents())
	}
	s.ClassDocs = make([]float64, len(s.Classes))
	for d := range x.Documents() {
		if within != nil {
			if c.keep[d] = within.Contains(uint32(d)); !c.keep[d] {
				continue
			}
		}
		s.Documents++
		labels := x.Labels(d)
		if len(labels) > 0 {
			s.Labelled++
		}
		if !x.multi {
			c.class[d] = unlabelled
			if len(labels) > 0 {
				c.class[d] = labels[0]
			}
		}
		for _, l := range labels {
			s.ClassDocs[l]++
		}
	}
	c.chunks = pool.Split(x.Terms.Len(), chunkCost, func(t int) int64 { return int64(x.df[t]) + termCost })
}

// countFrequencies fills df before the other passes, for idf.
func (c *counter) countFrequencies(ctx context.Context) error {
	var p Postings
	for t, df := range c.x.df {
		if c.keep == nil {
			c.df[t] = float64(df)
			continue
		}
		if t%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		c.x.Read(t, &p)
		c.df[t], _ = c.totals(&p)
	}
	return nil
}

// totals are df and cf of a list.
func (c *counter) totals(p *Postings) (df, cf float64) {
	if c.keep == nil {
		for _, tf := range p.TF {
			cf += tf
		}
		return float64(len(p.Docs)), cf
	}
	for i, d := range p.Docs {
		if c.keep[d] {
			df++
			cf += p.TF[i]
		}
	}
	return df, cf
}

func (c *counter) countCells(ctx context.Context, threads int) error {
	c.parts = make([]cellPart, len(c.chunks))
	scratch := make([]*cellScratch, pool.Threads(threads))
	return pool.Run(ctx, threads, len(c.chunks), func(worker, chunk int) error {
		if scratch[worker] == nil {
			scratch[worker] = &cellScratch{}
			if c.class == nil {
				scratch[worker].rows = make([]cell, len(c.s.Classes))
			}
		}
		part, r := &c.parts[chunk], c.chunks[chunk]
		part.reserve(c.x.df[r.From:r.To], len(c.s.Classes))
		for t := r.From; t < r.To; t++ {
			c.x.Read(t, &scratch[worker].postings)
			c.term(t, scratch[worker], part)
			part.ends = append(part.ends, len(part.class))
		}
		return nil
	})
}

// cellScratch is the memory of one worker: a row of cells, cleared after use by
// the list of classes that were met, so that a term costs its postings however
// many classes there are.
type cellScratch struct {
	postings Postings
	rows     []cell
	met      []uint32
}

type cell struct{ a, s, q, w float64 }

func (c *cell) add(tf, w float64) {
	c.a++
	c.s += tf
	c.q += float64(tf * tf)
	c.w += w
}

// unlabelled marks a document without a class.
const unlabelled = math.MaxUint32

// term counts one list into part.
func (c *counter) term(t int, scratch *cellScratch, part *cellPart) {
	p := &scratch.postings
	c.df[t], c.cf[t] = c.totals(p)
	idf := 0.0
	if c.weigher != nil && c.df[t] > 0 {
		idf = IDF(c.s.Documents, c.df[t])
	}
	if c.class != nil {
		c.runs(p, idf, part)
	} else {
		c.labels(p, idf, scratch, part)
	}
}

func (c *counter) weight(tf, idf float64, doc uint32) float64 {
	if c.weigher == nil {
		return 0
	}
	return c.weigher.weight(tf, idf, doc)
}

// runs counts documents of one class each. They are numbered class-major, so a
// class is a run of the list and its sums stay in registers.
func (c *counter) runs(p *Postings, idf float64, part *cellPart) {
	class, sums := uint32(unlabelled), cell{}
	for i, d := range p.Docs {
		if c.keep != nil && !c.keep[d] {
			continue
		}
		if k := c.class[d]; k != class {
			if class != unlabelled {
				part.add(class, sums, c.weigher != nil)
			}
			class, sums = k, cell{}
		}
		sums.add(p.TF[i], c.weight(p.TF[i], idf, d))
	}
	if class != unlabelled {
		part.add(class, sums, c.weigher != nil)
	}
}

// labels counts documents of several classes into a row.
func (c *counter) labels(p *Postings, idf float64, scratch *cellScratch, part *cellPart) {
	for i, d := range p.Docs {
		if c.keep != nil && !c.keep[d] {
			continue
		}
		w := c.weight(p.TF[i], idf, d)
		for _, l := range c.x.Labels(int(d)) {
			row := &scratch.rows[l]
			if row.a == 0 {
				scratch.met = append(scratch.met, l)
			}
			row.add(p.TF[i], w)
		}
	}
	slices.Sort(scratch.met)
	for _, l := range scratch.met {
		part.add(l, scratch.rows[l], c.weigher != nil)
		scratch.rows[l] = cell{}
	}
	scratch.met = scratch.met[:0]
}

// reserve allocates for as many cells as single-label terms can have.
func (p *cellPart) reserve(df []uint32, classes int) {
	cells := 0
	for _, n := range df {
		cells += min(int(n), classes)
	}
	p.ends = make([]int, 0, len(df))
	p.class = make([]uint32, 0, cells)
	p.a, p.s, p.q = make([]float64, 0, cells), make([]float64, 0, cells), make([]float64, 0, cells)
}

func (p *cellPart) add(class uint32, c cell, weighted bool) {
	p.class = append(p.class, class)
	p.a = append(p.a, c.a)
	p.s = append(p.s, c.s)
	p.q = append(p.q, c.q)
	if weighted {
		p.w = append(p.w, c.w)
	}
}

// join puts the parts together, in the order of the counted documents'
// frequencies, without the terms that none of them has.
func (c *counter) join(w Weighting) *Statistics {
	s := c.s
	order := c.termOrder()
	s.Terms = c.x.Terms
	if c.keep != nil {
		s.Terms = dictionaryOf(len(order), func(i int) string { return c.x.Terms.Term(order[i]) })
	}
	s.ClassTokens = make([]float64, len(s.Classes))
	c.reserve(len(order))
	chunkOf := func(t int) int {
		i, _ := slices.BinarySearchFunc(c.chunks, t, func(r pool.Range, t int) int { return cmp.Compare(r.To-1, t) })
		return i
	}
	i := 0
	for _, t := range order {
		s.DF = append(s.DF, c.df[t])
		s.CF = append(s.CF, c.cf[t])
		s.Tokens += c.cf[t]
		if t < c.chunks[i].From || t >= c.chunks[i].To {
			i = chunkOf(t)
		}
		s.appendCells(&c.parts[i], t-c.chunks[i].From)
	}
	if w != "" {
		s.Weighting = w
	}
	return s
}

// reserve allocates the columns at once.
func (c *counter) reserve(terms int) {
	cells := 0
	for _, p := range c.parts {
		cells += len(p.class)
	}
	s := c.s
	s.DF, s.CF, s.CellStart = make([]float64, 0, terms), make([]float64, 0, terms), make([]int, 1, terms+1)
	s.CellClass = make([]uint32, 0, cells)
	for _, column := range []*[]float64{&s.A, &s.S, &s.Q} {
		*column = make([]float64, 0, cells)
	}
	if c.weigher != nil {
		s.W = make([]float64, 0, cells)
	}
}

func (s *Statistics) appendCells(p *cellPart, i int) {
	from, to := 0, p.ends[i]
	if i > 0 {
		from = p.ends[i-1]
	}
	for k := from; k < to; k++ {
		s.ClassTokens[p.class[k]] += p.s[k]
	}
	s.CellClass = append(s.CellClass, p.class[from:to]...)
	s.A = append(s.A, p.a[from:to]...)
	s.S = append(s.S, p.s[from:to]...)
	s.Q = append(s.Q, p.q[from:to]...)
	if p.w != nil {
		s.W = append(s.W, p.w[from:to]...)
	}
	s.CellStart = append(s.CellStart, len(s.CellClass))
}

// termOrder lists the terms that occur, by the counted df.
func (c *counter) termOrder() []int {
	order := make([]int, 0, len(c.df))
	for t, df := range c.df {
		if df > 0 {
			order = append(order, t)
		}
	}
	if c.keep == nil {
		return order
	}
	keys := make([]termKeyDF, len(order))
	for i, t := range order {
		keys[i] = termKeyDF{uint32(c.df[t]), newTermKey(c.x.Terms.Term(t), uint32(t))}
	}
	sortByDF(keys, c.x.Terms)
	for i, k := range keys {
		order[i] = int(k.id)
	}
	return order
}
