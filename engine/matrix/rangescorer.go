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
// goroutine, and further calls.
type rangeScorer struct {
	panel   *score.Panel
	choices int
	none    uint32 // the class behind the last
	several bool   // some document has several classes: none has all documents

	lists  []docList // of the classes that have documents in the range
	sums   []uint32  // scratch memory
	totals []uint64  // by column: df<<32 + its cells; later df<<32 + the place of its next cell
	order  []uint32  // columns by df, descending
	many   []uint64  // scratch memory

	df     []uint32    // of the columns that have a document: terms
	start  []int       // of their cells
	class  []uint32    // of the cells
	docs   []float64   // of the cells
	values [][]float64 // of the terms, by choice
	tile   table.Tile
	dst    [][]float64
}

// rangeColumns is the number of columns of a range whose cells stay in the caches.
const rangeColumns = 1 << 11

// A docList has the columns of a range, from 0, that have documents of a class, with how many.
type docList struct {
	class    uint32
	at, docs []uint32
}

// begin prepares a panel of so many choices, for so many classes.
func (c *rangeScorer) begin(p *score.Panel, choices, classes int, several bool) {
	c.panel, c.choices, c.none, c.several = p, choices, uint32(classes), several
	for len(c.values) < choices {
		c.values = append(c.values, nil)
	}
	c.dst = slices.Grow(c.dst[:0], choices)[:choices]
}

// scoreRange sets the values of the columns [from, to), and their numbers of documents.
func (c *rangeScorer) scoreRange(p *planes, r *Request, from, to int) {
	c.list(p, from, to)
	c.add()
	c.setTerms(c.sort())
	c.write()
	c.score()
	for j, values := range r.Values {
		c.setValues(values[from:to], j)
	}
	if r.DF != nil {
		for i, sum := range c.totals {
			r.DF[from+i] = float64(sum >> 32)
		}
	}
}

// list lists the columns [from, to) that have documents, class by class.
func (c *rangeScorer) list(p *planes, from, to int) {
	n := to - from
	c.sums = slices.Grow(c.sums[:0], n)[:n]
	c.lists = slices.Grow(c.lists[:0], p.classes+1)[:p.classes+1]
	for class := range c.lists {
		l := &c.lists[class]
		l.class, l.at = uint32(class), slices.Grow(l.at[:0], n)[:n]
		if !p.sum(c.sums, class, from, to) {
			l.at, l.docs = l.at[:0], l.docs[:0]
			continue
		}
		l.at = l.at[:kernels.Occupied(l.at, c.sums)]
		l.docs = slices.Grow(l.docs[:0], len(l.at))[:len(l.at)]
		for i, at := range l.at {
			l.docs[i] = c.sums[at]
		}
	}
	c.totals = slices.Grow(c.totals[:0], n)[:n]
	clear(c.totals)
}

// add adds up the totals of columns.
func (c *rangeScorer) add() {
	for _, l := range c.lists {
		totals, docs := c.totals, l.docs[:len(l.at)]
		switch {
		case l.class == c.none:
			for i, at := range l.at {
				totals[at] += uint64(docs[i]) << 32
			}
		case c.several:
			for _, at := range l.at {
				totals[at]++
			}
		default:
			for i, at := range l.at {
				totals[at] += uint64(docs[i])<<32 + 1
			}
		}
	}
}

// manyDocuments is the df from which columns are sorted by comparing them. Few are.
const manyDocuments = 256

// sort puts the columns in order, and returns how many have a document.
func (c *rangeScorer) sort() (terms int) {
	n := len(c.totals)
	c.order = slices.Grow(c.order[:0], n)[:n]
	var next [manyDocuments + 1]uint32
	for _, sum := range c.totals {
		next[min(sum>>32, manyDocuments)]++
	}
	terms = n - int(next[0])
	at := uint32(0)
	for df := manyDocuments; df >= 0; df-- {
		next[df], at = at, at+next[df]
	}
	for i, sum := range c.totals {
		df := min(sum>>32, manyDocuments)
		c.order[next[df]] = uint32(i)
		next[df]++
	}
	c.many = c.many[:0]
	for _, i := range c.order[:next[manyDocuments]] {
		c.many = append(c.many, c.totals[i]&^(1<<32-1)|uint64(i))
	}
	slices.Sort(c.many)
	for i, v := range slices.Backward(c.many) {
		c.order[len(c.many)-1-i] = uint32(v)
	}
	return terms
}

// setTerms sets the columns that terms have, and the place of each column's first cell.
func (c *rangeScorer) setTerms(n int) {
	c.df, c.start = slices.Grow(c.df[:0], n)[:n], slices.Grow(c.start[:0], n+1)[:n+1]
	next := uint64(0)
	for i, at := range c.order[:n] {
		sum := c.totals[at]
		c.df[i], c.start[i] = uint32(sum>>32), int(next)
		c.totals[at] = sum&^(1<<32-1) | next
		next += sum & (1<<32 - 1)
	}
	c.start[n] = int(next)
	c.class, c.docs = slices.Grow(c.class[:0], int(next))[:next], slices.Grow(c.docs[:0], int(next))[:next]
}

// write writes the cells.
func (c *rangeScorer) write() {
	totals, class, docs := c.totals, c.class, c.docs
	for _, l := range c.lists {
		if l.class == c.none {
			continue
		}
		of := l.docs[:len(l.at)]
		for i, at := range l.at {
			p := &totals[at]
			place := uint32(*p)
			*p++
			class[place], docs[place] = l.class, float64(of[i])
		}
	}
}

// tileCells bounds the cells and terms of a tile, unless a term has more.
const tileCells = 1024

// score computes the values of the terms.
func (c *rangeScorer) score() {
	terms := len(c.df)
	for j := range c.choices {
		c.values[j] = slices.Grow(c.values[j][:0], terms)[:terms]
	}
	for from := 0; from < terms; {
		to := from + 1
		for to < terms && c.start[to+1]-c.start[from] <= tileCells && to-from < tileCells {
			to++
		}
		first, end := c.start[from], c.start[to]
		c.tile = table.Tile{
			First: from, DF: c.df[from:to], Start: c.start[from : to+1], Class: c.class[first:end], A: c.docs[first:end], Whole: true, Exact: true,
		}
		for j := range c.dst {
			c.dst[j] = c.values[j][from:to]
		}
		c.panel.Tile(&c.tile, c.dst)
		from = to
	}
}

// setValues sets dst, by column, to the values of a choice, and NaN without a document.
func (c *rangeScorer) setValues(dst []float64, choice int) {
	for i, at := range c.order[:len(c.df)] {
		dst[at] = c.values[choice][i]
	}
	for _, at := range c.order[len(c.df):len(c.totals)] {
		dst[at] = math.NaN()
	}
}
