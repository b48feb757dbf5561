package postings

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
// copies the statistics from the file if the file holds them.
func (x *Index) Count(ctx context.Context, opt CountOptions) (*table.Table, error) {
	if opt.Within == nil && opt.Weighting == "" && x.file != nil {
		if s, err := x.file.Table(ctx); s != nil || err != nil {
			return s, err
		}
	}
	return x.CountLists(ctx, opt)
}

// EmptyTable returns a table without terms: the classes, and how many documents there are.
func (x *Index) EmptyTable() *table.Table {
	s := &table.Table{ClassNames: x.Classes, Names: x.Terms, Pruned: x.Pruned}
	s.Cells.Documents, s.Cells.Labelled = float64(x.Documents()), float64(x.Labelled())
	s.Cells.ClassDocs = make([]float64, len(x.Classes))
	for class, n := range x.ClassSizes() {
		s.Cells.ClassDocs[class] = float64(n)
	}
	return s
}

// CountLists is [Index.Count] from the postings, whatever the file holds.
func (x *Index) CountLists(ctx context.Context, opt CountOptions) (*table.Table, error) {
	c := &counting{x: x, s: x.EmptyTable(), sample: x.AllDocuments(), opt: opt}
	if opt.Within != nil {
		c.sample.times = make([]uint32, x.Documents())
		for d := range c.sample.times {
			if opt.Within.Contains(uint32(d)) {
				c.sample.times[d] = 1
			}
		}
		c.s.Cells.Margins = *c.sample.Totals(nil)
	}
	if opt.Weighting != "" {
		if err := c.sample.Weigh(ctx, opt.Weighting); err != nil {
			return nil, err
		}
	}
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	return c.join(ctx)
}

// A counting counts all terms of an index. They have their numbers in the index until join sorts
// them into the order of the documents that are counted.
type counting struct {
	x      *Index
	s      *table.Table
	opt    CountOptions
	sample *Sample
	chunks []pool.Range
	parts  []table.Cells // by chunk
}

// run counts the parts.
func (c *counting) run(ctx context.Context) error {
	c.chunks = c.x.Chunks()
	c.parts = make([]table.Cells, len(c.chunks))
	counters := make([]*ListCounter, pool.Threads(c.opt.Threads))
	return c.x.Run(ctx, c.opt.Threads, len(c.chunks), func(worker, chunk int) error {
		if counters[worker] == nil {
			counters[worker] = c.x.NewListCounter(true)
		}
		return counters[worker].appendTo(&c.parts[chunk], c.sample, c.chunks[chunk])
	})
}

// appendTo appends the terms of a range to cells.
func (c *ListCounter) appendTo(to *table.Cells, s *Sample, terms pool.Range) error {
	if err := c.Load(terms); err != nil {
		return err
	}
	to.Form = c.form
	c.Count(s, func(t *table.Tile) {
		if s.weigher == nil {
			t.W = nil
		}
		to.AppendTile(t)
	})
	return nil
}

// join concatenates the parts into the statistics. After a restricted count, the terms are sorted by their counted
// document frequencies and those without a counted document are dropped.
func (c *counting) join(ctx context.Context) (*table.Table, error) {
	s, terms, n := c.s, 0, 0
	tokens := NewTokenSums(len(s.ClassNames))
	for i := range c.parts {
		p := &c.parts[i]
		terms, n = terms+p.Terms(), n+p.Len()
		tokens.Add(p, 0, p.Terms())
	}
	s.Cells.Tokens, s.Cells.ClassTokens, s.Weighting = tokens.Total, tokens.ByClass, c.opt.Weighting
	s.Cells.Reserve(terms, n)
	s.Cells.Form = c.x.Form()
	if s.Weighting != "" {
		s.Cells.W = make([]float64, 0, n)
	}
	if err := c.concatenate(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// concatenate appends the parts to the statistics.
func (c *counting) concatenate(ctx context.Context) error {
	s := c.s
	if c.opt.Within == nil {
		for i := range c.parts {
			s.Cells.AppendTerms(&c.parts[i], 0, c.parts[i].Terms())
		}
		return nil
	}
	df := make([]uint32, c.x.Terms.Len())
	for i := range c.parts {
		copy(df[c.chunks[i].From:], c.parts[i].DF)
	}
	order, names, err := c.x.Terms.ByFrequency(ctx, c.opt.Threads, func(id uint32) uint32 { return df[id] })
	if err == nil {
		err = names.Spell(ctx, c.opt.Threads) // the index may be closed
	}
	if err != nil {
		return err
	}
	s.Names = names
	part := 0
	for _, id := range order {
		t := int(id)
		if in := c.chunks[part]; t < in.From || t >= in.To {
			part, _ = slices.BinarySearchFunc(c.chunks, t, func(r pool.Range, t int) int { return cmp.Compare(r.To-1, t) })
		}
		at := t - c.chunks[part].From
		s.Cells.AppendTerms(&c.parts[part], at, at+1)
	}
	return nil
}

// Form returns the form of the cells of the index.
func (x *Memory) Form() table.Form {
	if x.Real() && x.NumPostings() > 0 { // a file does not tell of which kind none are
		return table.RealValues
	}
	squares := 0.0
	for _, v := range x.Values.Escaped {
		squares += float64(float64(v) * float64(v))
	}
	if AreLarge(x.NumPostings(), squares) {
		return table.LargeCounts
	}
	return table.Counts
}

// AreLarge reports whether so many squares of counts in bytes, and the others, whose sum is
// given, may add up to 2^53. Below that the sum is exact, in whatever order it was made.
func AreLarge(postings int, escaped float64) bool {
	return float64(float64(Escape*Escape)*float64(postings))+escaped >= 1<<53
}

// MostTokens returns an upper bound on the sum of all counts, without reading the
// lists: the most that the bytes can hold, plus the escaped counts. If values are real,
// it returns their sum, for which it reads all lists.
func (x *Index) MostTokens(ctx context.Context) (float64, error) {
	if x.Real() {
		return x.sumReals(ctx)
	}
	most := float64((Escape - 1) * uint64(x.NumPostings()-len(x.Values.Escaped)))
	for _, n := range x.Values.Escaped {
		most += float64(n)
	}
	return most, nil
}

// sumReals returns the sum of the real values.
func (x *Index) sumReals(ctx context.Context) (sum float64, err error) {
	chunks := x.Chunks()
	err = x.Run(ctx, 1, len(chunks), func(_, i int) error {
		if err := x.Ready(chunks[i], true); err != nil {
			return err
		}
		for _, v := range x.Values.Single[x.Start[chunks[i].From]:x.Start[chunks[i].To]] {
			sum += float64(v)
		}
		return nil
	})
	return sum, err
}

// tokenSums adds up the tokens of ranges of terms: first within each, then over all, so that sums
// of real values have the same bits for any number of workers.
type tokenSums struct {
	Total   float64
	ByClass []float64 // by class
	part    []float64 // of a range; all zero between ranges
	met     []uint32  // the classes of part
}

func NewTokenSums(classes int) *tokenSums {
	return &tokenSums{ByClass: make([]float64, classes), part: make([]float64, classes)}
}

// Add adds the terms [from, to) of cells.
func (s *tokenSums) Add(c *table.Cells, from, to int) {
	total := 0.0
	c.Tiles(&table.Tile{}, from, to, true, func(t *table.Tile) {
		for _, cf := range t.CF {
			total += cf
		}
		for i, class := range t.Class {
			if s.part[class] == 0 {
				s.met = append(s.met, class)
			}
			s.part[class] += t.S[i]
		}
	})
	s.Total += total
	for _, class := range s.met {
		s.ByClass[class] += s.part[class]
		s.part[class] = 0
	}
	s.met = s.met[:0]
}

// ClassSizes returns the number of documents of each class.
func (x *Memory) ClassSizes() []uint32 {
	sizes, labels := make([]uint32, len(x.Classes)), x.LabelOf
	if x.Multi {
		for _, c := range labels {
			sizes[c]++
		}
		return sizes
	}
	for class := range sizes {
		n, _ := slices.BinarySearch(labels, uint32(class)+1) // the labels ascend
		sizes[class], labels = uint32(n), labels[n:]
	}
	return sizes
}
