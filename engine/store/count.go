package store

import (
	"cmp"
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// CountOptions are the options of [Index.Count]. The zero value counts all documents,
// without weights.
type CountOptions struct {
	// Weighting is the weighting whose sums W are computed; "" means none.
	Weighting table.Weighting
	// Within restricts the count to these documents; nil means all. The number of
	// documents, the document frequencies and the class sizes are then those of the
	// restricted corpus.
	Within  *roaring.Bitmap
	Threads int
}

// Count returns the statistics of the index. It makes one pass over the postings, or
// copies the statistics from the file if the file holds them, as those of older programs do
// not for real values.
func (x *Index) Count(ctx context.Context, opt CountOptions) (*table.Table, error) {
	if opt.Within == nil && opt.Weighting == "" && x.storedSuffices() {
		return x.storedStatistics(ctx)
	}
	return x.count(ctx, opt)
}

// storedSuffices reports whether the cells of the file are all that counting gives.
func (x *Index) storedSuffices() bool {
	c := &x.stored.cells
	return c.present && !c.rounded && (c.form != plainCells || !x.centring())
}

// count is [Index.Count] from the postings.
func (x *Index) count(ctx context.Context, opt CountOptions) (*table.Table, error) {
	c := &counter{x: x, s: &table.Table{Classes: x.Classes, Pruned: x.Pruned}}
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
	c.parts, c.tokens = make([]cellPart, len(c.chunks)), make([]tokenPart, len(c.chunks))
	inOne := pool.Threads(opt.Threads) == 1 && c.keep == nil // chunks come in order: nothing is to be joined
	if inOne {
		c.parts = []cellPart{c.newPart(pool.Range{To: x.Terms.Len()}, shared.weigher != nil)}
	}
	sums := make([]tokenSum, pool.Threads(opt.Threads))
	err := x.visit(ctx, shared, c.chunks, func(worker, chunk int) Visitor {
		sums[worker].begin(&c.tokens[chunk], len(x.Classes))
		p := &c.parts[0]
		if !inOne {
			p = &c.parts[chunk]
			*p = c.newPart(c.chunks[chunk], shared.weigher != nil)
		}
		p.tokens = &sums[worker]
		return p
	})
	if err != nil {
		return nil, err
	}
	for i := range sums {
		sums[i].end()
	}
	return c.join(ctx, opt)
}

// A counter collects the cells of all terms. Terms have their numbers in the index
// until join sorts them into the store order of the restricted corpus.
type counter struct {
	x      *Index
	s      *table.Table
	keep   []bool    // nil = all documents
	df     []float64 // by term, if weights are counted
	chunks []pool.Range
	parts  []cellPart
	tokens []tokenPart

	fraction bool // some counted value is no whole number
}

func (c *counter) countDocuments(within *roaring.Bitmap) {
	x, s := c.x, c.s
	s.ClassDocs = make([]float64, len(s.Classes))
	if within == nil {
		s.Documents, s.Labelled = float64(x.Documents()), float64(x.Labelled())
		for class, n := range x.ClassSizes() {
			s.ClassDocs[class] = float64(n)
		}
		return
	}
	c.keep = make([]bool, x.Documents())
	for d := range x.Documents() {
		if c.keep[d] = within.Contains(uint32(d)); !c.keep[d] {
			continue
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

// countFrequencies computes df before the other passes, which need it for idf.
func (c *counter) countFrequencies(ctx context.Context) error {
	c.df = make([]float64, c.x.Terms.Len())
	if c.keep == nil {
		for t, df := range c.x.df {
			c.df[t] = float64(df)
		}
		return nil
	}
	var p Postings
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

// A cellPart holds the cells of one chunk of terms, and adds up their tokens. It is a
// [Visitor] that keeps everything it receives.
type cellPart struct {
	table.Cells
	terms    pool.Range
	weighted bool
	fraction bool // some value is no whole number
	tokens   *tokenSum
}

// newPart returns the part of a range of terms. It has room for five eighths of the cells
// that terms of documents of one class can have; 20 Newsgroups has half of them.
func (c *counter) newPart(terms pool.Range, weighted bool) cellPart {
	p := cellPart{terms: terms, weighted: weighted}
	most, cells := uint32(len(c.x.Classes)), 0
	for _, df := range c.x.df[terms.From:terms.To] {
		cells += int(min(df, most))
	}
	p.Reserve(terms.To-terms.From, cells/8*5+len(c.x.Classes))
	return p
}

// Row implements [Visitor].
func (p *cellPart) Row(r *Row) {
	p.skipTo(r.Term)
	w := r.W
	if !p.weighted {
		w = nil
	}
	p.AppendAll(r.Class, r.A, r.S, r.Q, w)
	switch {
	case r.Centred:
		p.EndCentredTerm(r.DF, r.CF, r.LowCF, r.LowS, r.M2)
		p.fraction = p.fraction || r.Fraction
	case r.LowQ != nil:
		p.EndWideTerm(r.DF, r.CF, r.LowQ)
	default:
		p.EndTerm(r.DF, r.CF)
	}
	p.tokens.Row(r)
}

// Few implements [Visitor]. The visit has VisitOptions.Few = 1, so that every term has
// one document.
func (p *cellPart) Few(first, _ int, classes []uint32, tf []uint8) {
	p.skipTo(first)
	none := uint32(len(p.tokens.classes) - 1)
	for i, class := range classes {
		own := classes[i : i+1]
		if class == none {
			own = nil
		}
		p.AppendSingle(own, float64(tf[i]))
	}
	p.tokens.Few(first, 1, classes, tf)
}

// skipTo adds terms without cells up to term: no counted document has them.
func (p *cellPart) skipTo(term int) {
	for p.terms.From+p.Terms() < term {
		p.EndTerm(0, 0)
	}
}

// join concatenates the parts into the statistics, without what whole numbers do not need
// (see [table.Centred]), in which way ever they were counted. After a restricted count, the terms
// are sorted by their counted document frequencies and those without a counted document
// are dropped.
func (c *counter) join(ctx context.Context, opt CountOptions) (*table.Table, error) {
	s, err := c.concatenated(ctx, opt)
	if err != nil {
		return nil, err
	}
	if !c.fraction && !s.InexactSquares() {
		s.Centred = nil
	}
	s.DropExact()
	s.SetLowTokens()
	return s, nil
}

// concatenated concatenates the parts.
func (c *counter) concatenated(ctx context.Context, opt CountOptions) (*table.Table, error) {
	s, w := c.s, opt.Weighting
	s.Tokens, s.ClassTokens = addParts(c.tokens, len(s.Classes))
	s.Weighting = w
	terms, n := 0, 0
	for i := range c.parts {
		p := &c.parts[i]
		p.skipTo(p.terms.To)
		terms, n = terms+p.Terms(), n+p.Len()
		c.fraction = c.fraction || p.fraction
	}
	if c.keep == nil && len(c.parts) == 1 {
		margins := s.Margins
		s.Cells, s.Terms = c.parts[0].Cells, c.x.Terms
		s.Margins = margins
		if w != "" && s.W == nil {
			s.W = []float64{}
		}
		return s, nil
	}
	s.Reserve(terms, n)
	if w != "" {
		s.W = make([]float64, 0, n)
	}
	if c.keep == nil {
		s.Terms = c.x.Terms
		parts := make([]*table.Cells, len(c.parts))
		for i := range parts {
			parts[i] = &c.parts[i].Cells
		}
		return s, s.AppendEach(parts, func(columns int, f func(column int) error) error {
			return pool.Run(ctx, opt.Threads, columns, func(_, column int) error { return f(column) })
		})
	}
	order := c.termOrder()
	s.Terms = table.DictionaryOf(len(order), func(i int) string { return c.x.Terms.Term(int(order[i].ID)) })
	part := 0
	for _, k := range order {
		t := int(k.ID)
		if in := c.parts[part].terms; t < in.From || t >= in.To {
			part, _ = slices.BinarySearchFunc(c.chunks, t, func(r pool.Range, t int) int { return cmp.Compare(r.To-1, t) })
		}
		p := &c.parts[part]
		s.AppendTerms(&p.Cells, t-p.terms.From, t-p.terms.From+1)
	}
	return s, nil
}

// termOrder returns the terms with a counted document in store order, by their counted
// df.
func (c *counter) termOrder() []table.TermKey {
	var keys []table.TermKey
	var counted []uint32
	for i := range c.parts {
		for j, df := range c.parts[i].DF {
			if t := c.parts[i].terms.From + j; df > 0 {
				keys, counted = append(keys, table.NewTermKey(c.x.Terms.Term(t), uint32(t))), append(counted, df)
			}
		}
	}
	return table.SortByDF(keys, counted, c.x.Terms)
}
