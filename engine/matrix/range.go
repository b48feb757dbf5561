package matrix

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/cells"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
)

// This file scores ranges of columns. The cells of a range are put in the order of its
// terms, the most frequent first, which is what a panel wants. All of that stays in the
// caches.

// A rangeCells makes the cells of one range of columns after the other.
type rangeCells struct {
	parts  []documentList // of the lists, in the range
	totals []uint64       // by column: df<<32 + its cells; later df<<32 + the place of its next cell
	order  []uint32       // columns by df, descending
	many   []uint64       // scratch memory

	df     []uint32 // by place in order
	start  []int
	class  []uint32
	docs   []float64
	values [][]float64 // by choice, then by place in order
	tile   cells.Tile
	dst    [][]float64
}

// scoreRanges scores all columns.
func (s *scoring[I, V]) scoreRanges(ctx context.Context) error {
	n := 0
	for i := range s.lists {
		n += len(s.lists[i].at)
	}
	// The fewer the more lists there are, so that a list has several cells in a range.
	ranges := max(1, min((s.Terms+rangeColumns-1)/rangeColumns, n/(8*max(1, len(s.lists)))))
	size := (s.Terms + ranges - 1) / ranges
	return pool.Run(ctx, s.options.Threads, (s.Terms+size-1)/size, func(worker, i int) error {
		s.scoreRange(s.workers[worker], i*size, min((i+1)*size, s.Terms))
		return nil
	})
}

// scoreRange scores the columns [from, to).
func (s *scoring[I, V]) scoreRange(w *scoreWorker, from, to int) {
	c, none := &w.rangeCells, uint32(len(s.docs.classes))
	c.cut(s.lists, from, to)
	c.add(uint32(from), none, s.docs.several)
	terms := c.sort()
	c.setTerms(terms)
	c.write(uint32(from), none)
	c.score(w.panel, terms, len(s.request.Choices))
	for j, values := range s.request.Values {
		c.copyValues(values[from:to], c.values[j], terms)
	}
	if s.request.DF != nil {
		for i, sum := range c.totals {
			s.request.DF[from+i] = float64(sum >> 32)
		}
	}
}

// cut takes the parts of the lists that are in the range.
func (c *rangeCells) cut(lists []documentList, from, to int) {
	c.parts = c.parts[:0]
	for _, l := range lists {
		first, _ := slices.BinarySearch(l.at, uint32(from))
		n, _ := slices.BinarySearch(l.at[first:], uint32(to))
		c.parts = append(c.parts, documentList{class: l.class, at: l.at[first : first+n], docs: l.docs[first : first+n]})
	}
	c.totals = slices.Grow(c.totals[:0], to-from)[:to-from]
	clear(c.totals)
}

// add adds up the totals of columns. The class none has the documents without a class, or
// all of them if some have several.
func (c *rangeCells) add(from, none uint32, several bool) {
	for _, l := range c.parts {
		totals, docs := c.totals, l.docs[:len(l.at)]
		switch {
		case l.class == none:
			for i, at := range l.at {
				totals[at-from] += uint64(docs[i]) << 32
			}
		case several:
			for _, at := range l.at {
				totals[at-from]++
			}
		default:
			for i, at := range l.at {
				totals[at-from] += uint64(docs[i])<<32 + 1
			}
		}
	}
}

// manyDocuments is the df from which columns are sorted by comparing them. Few are.
const manyDocuments = 64

// sort puts the columns in order, and returns how many have a document.
func (c *rangeCells) sort() (terms int) {
	var next [manyDocuments + 1]int
	for _, sum := range c.totals {
		next[min(sum>>32, manyDocuments)]++
	}
	at := 0
	for df := manyDocuments; df >= 0; df-- {
		if df == 0 {
			terms = at
		}
		next[df], at = at, at+next[df]
	}
	c.order, c.many = slices.Grow(c.order[:0], len(c.totals))[:len(c.totals)], c.many[:0]
	for i, sum := range c.totals {
		df := min(sum>>32, manyDocuments)
		c.order[next[df]] = uint32(i)
		next[df]++
	}
	for _, i := range c.order[:next[manyDocuments]] {
		c.many = append(c.many, c.totals[i]&^(1<<32-1)|uint64(i))
	}
	slices.SortFunc(c.many, func(x, y uint64) int { return cmp.Compare(y, x) })
	for i, v := range c.many {
		c.order[i] = uint32(v)
	}
	return terms
}

// setTerms sets the columns that terms have, and the place of each column's first cell.
func (c *rangeCells) setTerms(terms int) {
	c.df, c.start = slices.Grow(c.df[:0], terms)[:terms], slices.Grow(c.start[:0], terms+1)[:terms+1]
	next := uint64(0)
	for i, at := range c.order[:terms] {
		sum := c.totals[at]
		c.df[i], c.start[i] = uint32(sum>>32), int(next)
		c.totals[at] = sum&^(1<<32-1) | next
		next += sum & (1<<32 - 1)
	}
	c.start[terms] = int(next)
	c.class, c.docs = slices.Grow(c.class[:0], int(next))[:next], slices.Grow(c.docs[:0], int(next))[:next]
}

// write writes the cells.
func (c *rangeCells) write(from, none uint32) {
	totals, class, docs := c.totals, c.class, c.docs
	for _, l := range c.parts {
		if l.class == none {
			continue
		}
		of := l.docs[:len(l.at)]
		for i, at := range l.at {
			p := &totals[at-from]
			place := uint32(*p)
			*p++
			class[place], docs[place] = l.class, float64(of[i])
		}
	}
}

// tileCells bounds the cells and terms of a tile, unless a term has more.
const tileCells = 1024

// score computes the values of all terms. Those in one document are tiles of their own, of
// which a panel looks values up.
func (c *rangeCells) score(p *score.Panel, terms, choices int) {
	for len(c.values) < choices {
		c.values = append(c.values, nil)
	}
	c.dst = slices.Grow(c.dst[:0], choices)[:choices]
	for j := range choices {
		c.values[j] = slices.Grow(c.values[j][:0], terms)[:terms]
	}
	for from := 0; from < terms; {
		to := from + 1
		for to < terms && c.start[to+1]-c.start[from] <= tileCells && (c.df[to] > 1) == (c.df[from] > 1) {
			to++
		}
		first, end := c.start[from], c.start[to]
		c.tile = cells.Tile{
			First: from, DF: c.df[from:to], Start: c.start[from : to+1], Class: c.class[first:end], A: c.docs[first:end], Whole: true, Exact: true,
		}
		for j := range c.dst {
			c.dst[j] = c.values[j][from:to]
		}
		p.Tile(&c.tile, c.dst)
		from = to
	}
}

// copyValues sets dst, by column, to the values of terms, and NaN without a document.
func (c *rangeCells) copyValues(dst, values []float64, terms int) {
	for i, at := range c.order[:terms] {
		dst[at] = values[i]
	}
	for _, at := range c.order[terms:] {
		dst[at] = math.NaN()
	}
}
