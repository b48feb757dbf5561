package store

import (
	"slices"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/pool"
)

// A SampleCounter counts a range of terms in one sample after another: it decodes the
// lists once for all samples. It must be used by one goroutine at a time.
//
// Documents of one class are not neighbours in a relabelled sample, so that the runs of
// [Index.Visit] do not apply: counts are incremented, or scattered together with the
// sums of tokens.
type SampleCounter struct {
	x    *Index
	opt  VisitOptions
	tile *tile // nil if terms are counted one by one

	terms   pool.Range
	docs    []uint32 // documents of the terms that are bitmaps
	starts  []int    // where the documents of each begin in docs
	sets    []uint64 // of the documents of the first terms
	hasSets bool     // whether they are those of the range
	tf      []float64
	weights []float64 // by weighedBy
	weighed *Sample   // sample whose weigher computed weights; nil means none

	row     Row
	classes []uint32 // of the documents of a list
	moved   []uint32 // the documents whose labels the documents of a list have
	cells   []cell   // by class, the last for unlabelled; all zero between terms
	met     []uint64 // one bit per class with a cell, if there are few classes
	listed  []uint32 // the classes with a cell, if there are many classes

	centring bool    // whether what sums lose is computed
	apart    []apart // by class, if so
}

// NewSampleCounter returns a counter. Of the options it uses Cells, Tokens and Few. It
// passes terms to [Visitor.Few] only if no frequencies are needed or the terms have one
// document.
func (x *Index) NewSampleCounter(opt VisitOptions) *SampleCounter {
	c := &SampleCounter{x: x, opt: opt, centring: opt.Tokens && x.centring()}
	if x.view().width > 0 {
		c.met = make([]uint64, len(x.Classes)/64+1)
		c.row.Class = make([]uint32, x.view().width)
		if !opt.Tokens && opt.Weighting == "" {
			c.tile = newTile(x)
			return c
		}
	}
	c.cells = make([]cell, len(x.Classes)+1)
	return c
}

// Chunks returns the terms in ranges of about equal cost, the most frequent terms
// first.
func (x *Index) Chunks() []pool.Range { return x.view().chunks }

// Load selects a range of terms and decodes their lists. Load and Visit must be called
// within a function that [Index.Run] or [Index.Guard] runs.
func (c *SampleCounter) Load(terms pool.Range) error {
	x := c.x
	if err := x.ready(terms, c.tile == nil || c.opt.Tokens); err != nil {
		return err
	}
	c.terms, c.weighed, c.hasSets = terms, nil, false
	c.docs, c.starts = c.docs[:0], append(c.starts[:0], 0)
	for t := terms.From; t < min(terms.To, x.numDense()); t++ {
		v, err := bitmap.Parse(x.bitmapBytes(t))
		if err != nil {
			panic(err) // Build wrote it, or decode has parsed it
		}
		c.docs = v.AppendTo(c.docs)
		c.starts = append(c.starts, len(c.docs))
	}
	if c.tile == nil {
		c.tf = x.tf.read(x.start[terms.From], x.start[terms.To], c.tf)
	}
	return nil
}

// list returns the documents of a term of the range.
func (c *SampleCounter) list(t int) []uint32 {
	if t >= c.x.numDense() {
		return c.x.short(t)
	}
	i := t - c.terms.From
	return c.docs[c.starts[i]:c.starts[i+1]]
}

// Visit counts the terms of the range in a sample and passes them to the visitor. Terms
// without a document in the sample have a df of 0 in tiles and are left out otherwise.
func (c *SampleCounter) Visit(s *Sample, visitor Visitor) {
	if s.weigher != nil && (c.weighed == nil || c.weighed.weigher != s.weigher) {
		c.weigh(s)
	}
	for t := c.terms.From; t < c.terms.To; {
		switch {
		case c.isFew(s, t):
			t = c.few(s, t, visitor)
		case c.tile != nil:
			t = c.tiled(s, t, visitor)
		default:
			if c.term(s, t) {
				visitor.Row(&c.row)
			}
			t++
		}
	}
}

// isFew reports whether a term may be passed to [Visitor.Few].
func (c *SampleCounter) isFew(s *Sample, t int) bool {
	x := c.x
	if int(x.df[t]) > c.opt.Few || s.weights != nil || s.weigher != nil || x.multi || t < x.numDense() {
		return false
	}
	if !c.opt.Tokens {
		return true
	}
	at := x.tf.escapeAt
	return x.df[t] == 1 && !x.Real() && (len(at) == 0 || at[len(at)-1] < x.start[t])
}

// few passes the terms from t on that have the same document frequency to
// [Visitor.Few]. It returns the term after them.
func (c *SampleCounter) few(s *Sample, t int, visitor Visitor) int {
	x := c.x
	df, end := int(x.df[t]), t+1
	for end < c.terms.To && int(x.df[end]) == df {
		end++
	}
	base := x.start[x.numDense()]
	c.classes = s.codes.lookup(x.flat[x.start[t]-base:x.start[end]-base], c.classes)
	ascend(c.classes, df)
	var tf []uint8
	if c.opt.Tokens {
		tf = x.tf.counts[x.start[t]:x.start[end]]
	}
	visitor.Few(t, df, c.classes, tf)
	return end
}

// ascend sorts the df classes of each term. Nearly all terms have two or three
// documents, whose order is random: these are sorted without branches.
func ascend(classes []uint32, df int) {
	switch df {
	case 1:
	case 2:
		for i := 1; i < len(classes); i += 2 {
			a, b := classes[i-1], classes[i]
			classes[i-1], classes[i] = min(a, b), max(a, b)
		}
	case 3:
		for i := 2; i < len(classes); i += 3 {
			a, b, c := classes[i-2], classes[i-1], classes[i]
			low, high := min(a, b), max(a, b)
			classes[i-2], classes[i-1], classes[i] = min(low, c), max(low, min(high, c)), max(high, c)
		}
	default:
		for own := range slices.Chunk(classes, df) {
			slices.Sort(own)
		}
	}
}

// tiled passes up to tileTerms terms from t on to the visitor. It returns the term
// after them.
func (c *SampleCounter) tiled(s *Sample, t int, visitor Visitor) int {
	tile, k := c.tile, len(c.x.Classes)
	tile.First, tile.DF = t, tile.DF[:0]
	clear(tile.Counts)
	for to := min(c.terms.To, t+tileTerms); t < to && !c.isFew(s, t); t++ {
		counts, df := tile.Counts[len(tile.DF)*tile.Stride:], uint64(c.x.df[t])
		if !c.countShared(s, counts, t) {
			df = c.count(s, counts, c.list(t))
		}
		tile.DF = append(tile.DF, float64(df))
	}
	if v, ok := visitor.(TileVisitor); ok && !c.opt.Cells {
		v.Tile(&tile.Tile)
		return t
	}
	row := &c.row
	for i, df := range tile.DF {
		if df == 0 {
			continue
		}
		row.Term, row.DF, row.Dense = tile.First+i, df, tile.Counts[i*tile.Stride:][:k]
		row.cells()
		visitor.Row(row)
	}
	return t
}

// count adds documents to a row of a tile and returns how often they count together.
func (c *SampleCounter) count(s *Sample, counts, docs []uint32) (df uint64) {
	weights := s.weights
	switch {
	case !c.x.multi && weights == nil:
		increment(counts, docs, &s.codes)
	case !c.x.multi:
		c.classes = s.codes.lookup(docs, c.classes)
		classes := c.classes[:len(docs)]
		for i, d := range docs {
			n := weights[d]
			counts[classes[i]] += n
			df += uint64(n)
		}
		return df
	case weights == nil:
		if s.labelsOf != nil {
			c.moved = codesOf(docs, s.labelsOf, c.moved)
			docs = c.moved
		}
		c.x.view().slots().count(counts[:c.tile.Stride], docs, c.x)
	default:
		for _, d := range docs {
			n := weights[d]
			if n == 0 {
				continue
			}
			df += uint64(n)
			for _, l := range s.labels(d) {
				counts[l] += n
			}
		}
		return df
	}
	return uint64(len(docs))
}
