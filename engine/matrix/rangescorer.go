package matrix

import (
	"math"
	"slices"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file scores cells that are made for one range of columns after the other, from planes.

// A rangeScorer makes the cells of one range of columns after the other. Its memory serves one
// goroutine.
type rangeScorer struct {
	panel *score.Panel

	lists []docList // of the classes, and of the documents of the plane behind them
	sums  []uint32  // scratch memory
	df    []uint32  // by column
	start []int     // of the cells of each column, and two elements more
	class []uint32  // of the cells
	docs  []float64 // of the cells
	dst   [][]float64
}

// rangeColumns is the number of columns of a range whose cells stay in the caches.
const rangeColumns = 1 << 11

// A docList has the columns of a range, from 0, that have documents of a class, with how many.
type docList struct{ at, docs []uint32 }

// scoreRange sets the values of the columns [from, to), and their numbers of documents.
func (c *rangeScorer) scoreRange(p *planes, r *Request, from, to int) {
	c.list(p, from, to)
	c.count(p)
	c.write(p.classes)
	c.score(r.Values, from, to)
	for i, df := range c.df {
		if r.DF != nil {
			r.DF[from+i] = float64(df)
		}
		if df == 0 {
			for _, values := range r.Values {
				values[from+i] = math.NaN()
			}
		}
	}
}

// list lists the columns [from, to) that have documents, class by class.
func (c *rangeScorer) list(p *planes, from, to int) {
	n := to - from
	c.sums, c.df = slices.Grow(c.sums[:0], n)[:n], slices.Grow(c.df[:0], n)[:n]
	c.lists = slices.Grow(c.lists[:0], p.classes+1)[:p.classes+1]
	for class := range c.lists {
		l := &c.lists[class]
		l.at = slices.Grow(l.at[:0], n)[:n]
		if !p.sum(c.sums, class, from, to) {
			l.at = l.at[:0]
			continue
		}
		l.at = l.at[:kernels.Occupied(l.at, c.sums)]
		l.docs = slices.Grow(l.docs[:0], len(l.at))[:len(l.at)]
		for i, at := range l.at {
			l.docs[i] = c.sums[at]
		}
	}
}

// count adds up the documents of the columns, and finds where the cells of each begin: start[i+1] for column i.
func (c *rangeScorer) count(p *planes) {
	n := len(c.df)
	c.start = slices.Grow(c.start[:0], n+2)[:n+2]
	clear(c.df)
	clear(c.start)
	for class, l := range c.lists {
		if class < p.classes {
			for _, at := range l.at {
				c.start[at+2]++
			}
		}
		if class == p.classes || !p.several { // else the plane behind the classes has all documents
			for i, at := range l.at {
				c.df[at] += l.docs[i]
			}
		}
	}
	for i := range n {
		c.start[i+2] += c.start[i+1]
	}
}

// write writes the cells of so many classes. In the end start[i] is where those of column i begin.
func (c *rangeScorer) write(classes int) {
	n := c.start[len(c.start)-1]
	c.class, c.docs = slices.Grow(c.class[:0], n)[:n], slices.Grow(c.docs[:0], n)[:n]
	for class, l := range c.lists[:classes] {
		for i, at := range l.at {
			next := &c.start[at+1]
			c.class[*next], c.docs[*next] = uint32(class), float64(l.docs[i])
			*next++
		}
	}
}

// tileCells bounds the cells and columns of a tile, unless a column has more.
const tileCells = 1024

// score sets the values of the columns [first, end), tile by tile.
func (c *rangeScorer) score(values [][]float64, first, end int) {
	for from, n := 0, end-first; from < n; {
		to := from + 1
		for to < n && c.start[to+1]-c.start[from] <= tileCells && to-from < tileCells {
			to++
		}
		a, b := c.start[from], c.start[to]
		c.dst = c.dst[:0]
		for _, column := range values {
			c.dst = append(c.dst, column[first+from:first+to])
		}
		c.panel.Tile(&table.Tile{First: from, DF: c.df[from:to], Start: c.start[from : to+1], Class: c.class[a:b], A: c.docs[a:b]}, c.dst)
		from = to
	}
}
