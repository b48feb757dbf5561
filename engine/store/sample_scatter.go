package store

import (
	"math/bits"
	"slices"

	"github.com/termsift/termsift/engine/table"
)

// This file fills the cells of terms in a sample, posting by posting.

// weigh computes the weights of the range's postings.
func (c *SampleCounter) weigh(s *Sample) {
	c.weights, c.weighed = c.weights[:0], s
	for t := c.terms.From; t < c.terms.To; t++ {
		docs := c.list(t)
		df := s.times(docs)
		idf := 0.0
		if df > 0 {
			idf = table.IDF(s.weigher.n, df)
		}
		for i, tf := range c.frequencies(t) {
			c.weights = append(c.weights, s.weigher.weight(tf, idf, docs[i]))
		}
	}
}

// frequencies returns the frequencies of a term of the range.
func (c *SampleCounter) frequencies(t int) []float64 {
	first := c.x.start[c.terms.From]
	return c.tf[c.x.start[t]-first : c.x.start[t+1]-first]
}

// term fills the row of a term with all columns of its cells. It reports whether any of
// its documents is in the sample.
func (c *SampleCounter) term(s *Sample, t int) bool {
	row, docs := &c.row, c.list(t)
	row.Term, row.DF, row.CF, row.Dense = t, s.times(docs), 0, nil
	if row.DF == 0 {
		return false
	}
	var weights []float64
	if s.weigher != nil {
		first := c.x.start[c.terms.From]
		weights = c.weights[c.x.start[t]-first : c.x.start[t+1]-first]
	}
	tf := c.frequencies(t)
	switch {
	case c.x.multi:
		c.scatterLabels(s, docs, tf, weights)
	case s.weights == nil && weights == nil:
		c.scatter(s, docs, tf)
	default:
		c.scatterWeighted(s, docs, tf, weights)
	}
	c.collect()
	if c.centring {
		c.setCentred(s, docs, tf)
	}
	return true
}

// scatter adds documents that count once each.
func (c *SampleCounter) scatter(s *Sample, docs []uint32, tf []float64) {
	c.classes = s.codes.lookup(docs, c.classes)
	cf := 0.0
	for i, class := range c.classes {
		c.meet(class)
		cell, v := &c.cells[class], tf[i]
		cell.a++
		cell.s += v
		cell.q += float64(v * v)
		cf += v
	}
	c.row.CF = cf
}

// scatterWeighted adds documents of one class each.
func (c *SampleCounter) scatterWeighted(s *Sample, docs []uint32, tf, weights []float64) {
	c.classes = s.codes.lookup(docs, c.classes)
	for i, class := range c.classes {
		if times, w := s.at(docs[i], weights, i); times > 0 {
			c.meet(class)
			c.cells[class].addTimes(times, tf[i], w)
			c.row.CF += float64(times * tf[i])
		}
	}
}

// scatterLabels adds documents of several classes.
func (c *SampleCounter) scatterLabels(s *Sample, docs []uint32, tf, weights []float64) {
	for i, d := range docs {
		times, w := s.at(d, weights, i)
		if times == 0 {
			continue
		}
		c.row.CF += float64(times * tf[i])
		for _, l := range s.labels(d) {
			c.meet(l)
			c.cells[l].addTimes(times, tf[i], w)
		}
	}
}

// at returns how often a document counts, and its weight in posting i.
func (s *Sample) at(doc uint32, weights []float64, i int) (times, w float64) {
	times = 1
	if s.weights != nil {
		times = float64(s.weights[doc])
	}
	if weights != nil {
		w = weights[i]
	}
	return times, w
}

// addTimes adds a document that counts several times to the cell.
func (c *cell) addTimes(times, tf, w float64) {
	c.a += times
	c.s += float64(times * tf)
	c.q += float64(times * float64(tf*tf))
	c.w += float64(times * w)
}

// meet records that a class has a cell.
func (c *SampleCounter) meet(class uint32) {
	if c.met != nil {
		c.met[class>>6] |= 1 << (class & 63)
		return
	}
	if c.cells[class].a == 0 {
		c.listed = append(c.listed, class)
	}
}

// collect moves the cells to the row, in the order of their classes, and clears them.
func (c *SampleCounter) collect() {
	c.row.Class = c.row.Class[:0]
	c.row.resize(0)
	for i, word := range c.met {
		c.met[i] = 0
		for ; word != 0; word &= word - 1 {
			c.move(uint32(64*i + bits.TrailingZeros64(word)))
		}
	}
	slices.Sort(c.listed)
	for _, class := range c.listed {
		c.move(class)
	}
	c.listed = c.listed[:0]
}

func (c *SampleCounter) move(class uint32) {
	if int(class) < len(c.x.Classes) {
		c.row.add(class, c.cells[class])
	}
	c.cells[class] = cell{}
}
