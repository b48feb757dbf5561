package store

import (
	"cmp"
	"context"
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

// Count makes the statistics of the index in one pass over the postings, or takes them
// from the file where that holds them.
func (x *Index) Count(ctx context.Context, opt CountOptions) (*Statistics, error) {
	if x.stored.hasCells() && opt.Within == nil && opt.Weighting == "" {
		return x.storedStatistics(ctx, opt.Threads)
	}
	c := &counter{x: x, s: &Statistics{Classes: x.Classes, Pruned: x.Pruned}}
	c.countDocuments(opt.Within)
	shared := &counting{opt: VisitOptions{Tokens: true, Few: 1, Threads: opt.Threads}, keep: c.keep, n: c.s.Documents}
	if opt.Weighting != "" {
		if err := c.countFrequencies(ctx); err != nil {
			return nil, err
		}
		g, err := x.newWeigher(ctx, opt.Weighting, c.keep, c.s.Documents, c.df)
		if err != nil {
			return nil, err
		}
		shared.weigher = g
	}
	c.chunks = x.view().chunks
	c.parts = make([]cellPart, len(c.chunks))
	err := x.visit(ctx, shared, c.chunks, func(_, chunk int) Visitor { return c.part(chunk, opt.Weighting != "") })
	if err != nil {
		return nil, err
	}
	return c.join(opt.Weighting), nil
}

// A counter keeps the cells of all terms. Term numbers are those of the index
// until join puts them into the order of the restricted corpus.
type counter struct {
	x      *Index
	s      *Statistics
	keep   []bool // nil = all documents
	df, cf []float64
	chunks []pool.Range
	parts  []cellPart
}

func (c *counter) countDocuments(within *roaring.Bitmap) {
	x, s := c.x, c.s
	c.df, c.cf = make([]float64, x.Terms.Len()), make([]float64, x.Terms.Len())
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
		for _, l := range labels {
			s.ClassDocs[l]++
		}
	}
}

// countFrequencies fills df before the other passes, for idf.
func (c *counter) countFrequencies(ctx context.Context) error {
	var p Postings
	if c.keep == nil {
		for t, df := range c.x.df {
			c.df[t] = float64(df)
		}
		return nil
	}
	return c.x.Each(ctx, len(c.df), func(t int) error {
		if err := c.x.ReadDocs(t, &p); err != nil {
			return err
		}
		for _, d := range p.Docs {
			if c.keep[d] {
				c.df[t]++
			}
		}
		return nil
	})
}

// A cellPart holds the cells of one chunk of terms. It is the visitor that
// keeps everything.
type cellPart struct {
	c       *counter
	first   int
	ends    []int
	class   []uint32
	a, s, q []float64
	w       []float64 // nil unless weights are counted
}

// part prepares the part of a chunk, with room for as many cells as
// single-label terms can have.
func (c *counter) part(chunk int, weighted bool) *cellPart {
	p, terms := &c.parts[chunk], c.chunks[chunk]
	cells := 0
	for _, n := range c.x.df[terms.From:terms.To] {
		cells += min(int(n), len(c.x.Classes))
	}
	p.c, p.first = c, terms.From
	p.ends = make([]int, 0, terms.To-terms.From)
	p.class = make([]uint32, 0, cells)
	p.a, p.s, p.q = make([]float64, 0, cells), make([]float64, 0, cells), make([]float64, 0, cells)
	if weighted {
		p.w = make([]float64, 0, cells)
	}
	return p
}

// Row implements [Visitor].
func (p *cellPart) Row(r *Row) {
	p.skipTo(r.Term)
	p.c.df[r.Term], p.c.cf[r.Term] = r.DF, r.CF
	p.class = append(p.class, r.Class...)
	p.a = append(p.a, r.A...)
	p.s = append(p.s, r.S...)
	p.q = append(p.q, r.Q...)
	if p.w != nil {
		p.w = append(p.w, r.W...)
	}
	p.ends = append(p.ends, len(p.class))
}

// Few implements [Visitor]; it has asked for terms of one document.
func (p *cellPart) Few(first, _ int, classes []uint32, tf []uint8) {
	p.skipTo(first)
	none := uint32(len(p.c.x.Classes))
	for i, class := range classes {
		v := float64(tf[i])
		p.c.df[first+i], p.c.cf[first+i] = 1, v
		if class != none {
			p.class = append(p.class, class)
			p.a = append(p.a, 1)
			p.s = append(p.s, v)
			p.q = append(p.q, float64(v*v))
		}
		p.ends = append(p.ends, len(p.class))
	}
}

// skipTo ends the terms that no counted document has.
func (p *cellPart) skipTo(term int) {
	for p.first+len(p.ends) < term {
		p.ends = append(p.ends, len(p.class))
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
	s.Tokens, s.ClassTokens = c.tokens()
	c.reserve(len(order), w != "")
	chunkOf := func(t int) int {
		i, _ := slices.BinarySearchFunc(c.chunks, t, func(r pool.Range, t int) int { return cmp.Compare(r.To-1, t) })
		return i
	}
	i := 0
	for _, t := range order {
		s.DF = append(s.DF, c.df[t])
		s.CF = append(s.CF, c.cf[t])
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

// tokens adds up the tokens of all cells, in the order of [addParts].
func (c *counter) tokens() (total float64, of []float64) {
	parts := make([]tokenPart, len(c.chunks))
	var sum tokenSum
	for i, chunk := range c.chunks {
		sum.begin(&parts[i], len(c.s.Classes))
		for _, cf := range c.cf[chunk.From:chunk.To] {
			parts[i].total += cf
		}
		for k, class := range c.parts[i].class {
			sum.add(class, c.parts[i].s[k])
		}
	}
	sum.end()
	return addParts(parts, len(c.s.Classes))
}

// reserve allocates the columns at once.
func (c *counter) reserve(terms int, weighted bool) {
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
	if weighted {
		s.W = make([]float64, 0, cells)
	}
}

func (s *Statistics) appendCells(p *cellPart, i int) {
	from, to := 0, p.ends[i]
	if i > 0 {
		from = p.ends[i-1]
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
