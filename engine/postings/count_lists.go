package postings

import (
	"math/bits"
	"slices"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file counts posting lists, term by term: the way for what has no rows, for real values, and
// for permuted labels. All else is counted document by document.

// A ListCounter counts the terms of posting lists in one sample after another. It decodes
// the lists of a range of terms once for all samples. It serves one goroutine.
type ListCounter struct {
	x      *Index
	tokens bool // occurrences are counted, not documents alone
	form   table.Form

	terms     pool.Range
	decoded   []uint32 // documents of the terms that are bitmaps
	starts    []int    // where those of each begin
	tf        []float64
	weights   []float64 // by weighedBy
	weighedBy *weigher

	counts []uint32 // documents by class
	sums   *table.ClassSums
	tile   table.Tile
}

// NewListCounter returns a counter. It counts documents alone unless tokens is set.
func (x *Index) NewListCounter(tokens bool) *ListCounter {
	k := len(x.Classes)
	return &ListCounter{
		x: x, tokens: tokens, form: x.Form(), sums: table.NewClassSums(k + 1), counts: make([]uint32, max(ByteCodes, k+1)),
	}
}

// Chunks returns the terms in ranges of about equal cost, the most frequent terms first.
func (x *Index) Chunks() []pool.Range {
	return pool.Split(x.Terms.Len(), ChunkCost, chunkAlign, func(t int) int64 { return int64(x.DocFreq[t]) + TermCost })
}

const (
	// chunkCost is the work of one chunk in postings: enough to hide the cost of starting
	// it, little enough for an even distribution and a prompt cancellation.
	ChunkCost = 1 << 16
	// termCost is the cost of a term besides its postings, in postings.
	TermCost = 64
	// Ranges begin at multiples of chunkAlign terms, so that no two workers write to the same
	// cache line of a column of results.
	chunkAlign = 16
)

// Load selects a range of terms and decodes their lists. Load and Count must be called
// within a function that [Index.Run] or [Index.Guard] runs.
func (c *ListCounter) Load(terms pool.Range) error {
	x := c.x
	if err := x.Ready(terms, c.tokens); err != nil {
		return err
	}
	c.terms, c.weighedBy = terms, nil
	c.decoded, c.starts = c.decoded[:0], append(c.starts[:0], 0)
	for t := terms.From; t < min(terms.To, x.FirstShort()); t++ {
		v, err := bitmap.Parse(x.BitmapBytes(t))
		if err != nil {
			panic(err) // Build wrote it, or decode has parsed it
		}
		c.decoded = v.AppendTo(c.decoded)
		c.starts = append(c.starts, len(c.decoded))
	}
	if c.tokens {
		c.tf = x.Values.Read(x.Start[terms.From], x.Start[terms.To], c.tf)
	}
	return nil
}

// docs returns the documents of a term of the range.
func (c *ListCounter) docs(t int) []uint32 {
	if t >= c.x.FirstShort() {
		return c.x.ShortList(t)
	}
	i := t - c.terms.From
	return c.decoded[c.starts[i]:c.starts[i+1]]
}

// ofTerm returns the elements of a column of the range that belong to a term; nil of nil.
func (c *ListCounter) ofTerm(column []float64, t int) []float64 {
	if len(column) == 0 {
		return nil
	}
	first := c.x.Start[c.terms.From]
	return column[c.x.Start[t]-first : c.x.Start[t+1]-first]
}

// tileCells is the number of cells or terms from which a tile is passed on: its columns stay in
// the cache.
const tileCells = 1024

// Count counts the terms of the range in a sample and passes them to f, a tile of terms after
// the other, which is valid until f returns. Terms without a document in the sample have a df of
// 0. If tokens are counted, and the sample has weights, there are their sums.
func (c *ListCounter) Count(s *Sample, f func(t *table.Tile)) {
	c.weigh(s)
	c.begin(c.terms.From)
	for t := c.terms.From; t < c.terms.To; t++ {
		c.count(s, t)
		if len(c.tile.Class) >= tileCells || len(c.tile.DF) >= tileCells {
			f(&c.tile)
			c.begin(t + 1)
		}
	}
	if len(c.tile.DF) > 0 {
		f(&c.tile)
	}
}

// begin empties the tile, which begins with a term, and makes room for those of a tile.
func (c *ListCounter) begin(term int) {
	t, most := &c.tile, tileCells+len(c.x.Classes)
	*t = table.Tile{
		First: term, DF: slices.Grow(t.DF[:0], tileCells), CF: t.CF[:0],
		Start: append(slices.Grow(t.Start[:0], tileCells+1), 0), Class: slices.Grow(t.Class[:0], most), A: slices.Grow(t.A[:0], most),
		S: t.S[:0], Q: t.Q[:0], W: t.W[:0], M2: t.M2[:0],
	}
}

// count appends a term to the tile.
func (c *ListCounter) count(s *Sample, t int) {
	if !c.tokens && !c.x.Multi && len(c.x.Classes) < table.ManyClasses {
		c.end(c.documents(s, c.docs(t)))
		return
	}
	l := list{docs: c.docs(t), tf: c.ofTerm(c.tf, t)}
	if s.weigher != nil {
		l.weights = c.ofTerm(c.weights, t)
	}
	df, cf := c.values(s, l)
	c.end(df)
	c.tile.CF = append(c.tile.CF, cf)
}

// end ends a term, whose cells were appended.
func (c *ListCounter) end(df float64) {
	t, n := &c.tile, len(c.tile.DF)
	t.DF, t.Start = t.DF[:n+1], t.Start[:n+2]
	t.DF[n], t.Start[n+1] = uint32(df), len(t.Class)
}

// A list has the documents of a term, its frequencies, and its weights.
type list struct {
	docs        []uint32
	tf, weights []float64 // nil if they are not counted
}

// weigh computes the weights of the range's postings.
func (c *ListCounter) weigh(s *Sample) {
	if s.weigher == nil || c.weighedBy == s.weigher {
		return
	}
	c.weights, c.weighedBy = c.weights[:0], s.weigher
	for t := c.terms.From; t < c.terms.To; t++ {
		docs, idf := c.docs(t), 0.0
		if df := s.timesOf(docs); df > 0 {
			idf = table.IDF(s.weigher.n, df)
		}
		for i, tf := range c.ofTerm(c.tf, t) {
			c.weights = append(c.weights, s.weigher.weight(tf, idf, docs[i]))
		}
	}
}

// ByteCodes is the number of codes that fit into a byte. Arrays of that length are indexed
// without a check of bounds.
const ByteCodes = 1 << 8

// documents counts documents of one class each, and nothing else. Those of a short list are met one by
// one; a look at all classes costs more than their cells.
func (c *ListCounter) documents(s *Sample, docs []uint32) (df float64) {
	k := len(c.x.Classes)
	if len(docs) < 64 && k < 64 {
		return c.few(s, docs)
	}
	df = float64(len(docs))
	counts := c.counts[:k+1]
	switch {
	case s.times != nil:
		df = 0
		for _, d := range docs {
			n := s.times[d]
			counts[s.codes.of(int(d))] += n
			df += float64(n)
		}
	case s.codes.Bytes != nil:
		row, codes := (*[ByteCodes]uint32)(c.counts), s.codes.Bytes
		for _, d := range docs {
			row[codes[d]]++
		}
	default:
		for _, d := range docs {
			counts[s.codes.Words[d]]++
		}
	}
	tile, n := &c.tile, len(c.tile.Class)
	tile.Class = tile.Class[:n+kernels.Occupied(tile.Class[n:n+k], counts[:k])]
	tile.A = tile.A[:len(tile.Class)]
	for i, class := range tile.Class[n:] {
		tile.A[n+i] = float64(counts[class])
	}
	clear(counts)
	return df
}

// few counts the documents of a short list in few classes, of which a word has a bit each, and one for unlabelled
// documents.
func (c *ListCounter) few(s *Sample, docs []uint32) (df float64) {
	t, met := &c.tile, uint64(0)
	for _, d := range docs {
		class, times := s.codes.Bytes[d], uint32(1)
		if s.times != nil {
			times = s.times[d]
		}
		c.counts[class] += times
		met |= uint64(min(times, 1)) << class
		df += float64(times)
	}
	for met &^= 1 << len(c.x.Classes); met != 0; met &= met - 1 {
		class := bits.TrailingZeros64(met)
		t.Class, t.A = append(t.Class, uint32(class)), append(t.A, float64(c.counts[class]))
		c.counts[class] = 0
	}
	c.counts[len(c.x.Classes)] = 0
	return df
}

// values counts documents of any labels, which count any number of times, with what is known of their values.
func (c *ListCounter) values(s *Sample, l list) (df, cf float64) {
	one := make([]uint32, 1)
	for i, d := range l.docs {
		times := s.timesOfOne(d)
		if times == 0 {
			continue
		}
		df += times
		classes := one
		if c.x.Multi {
			classes = s.labels(d)
		} else {
			one[0] = s.codes.of(int(d))
		}
		if l.tf != nil {
			cf += float64(times * l.tf[i])
		}
		for _, class := range classes {
			sum := c.sums.Meet(class)
			if l.tf == nil {
				sum.A += times
			} else {
				sum.AddValue(times, l.tf[i], c.form)
			}
			if l.weights != nil {
				sum.W += float64(times * l.weights[i])
			}
		}
	}
	c.sums.Take(c.append)
	return df, cf
}

// append appends a cell to the tile; the class behind the last is that of unlabelled documents.
func (c *ListCounter) append(class uint32, sum table.ClassSum) {
	if int(class) == len(c.x.Classes) {
		return
	}
	t := &c.tile
	t.Class, t.A = append(t.Class, class), append(t.A, sum.A)
	if !c.tokens {
		return
	}
	if c.form != table.Counts {
		t.M2 = append(t.M2, sum.Q)
		sum.Q = table.Squares(sum.A, sum.S, sum.Q)
	}
	t.S, t.Q, t.W = append(t.S, sum.S), append(t.Q, sum.Q), append(t.W, sum.W)
}
