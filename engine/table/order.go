package table

import "sort"

// Ordered returns the cells of the terms of c in another order: places has for each term
// of c its number in the result. The result shares the margins, and has no sums of weights.
//
// It goes through c in order, and writes where the terms have their places. Where these are ordered
// by frequency that is to few places at a time, which stay in the caches; going through the result
// and reading where its terms come from took 1.7 times as long.
func (c *Cells) Ordered(places []uint32) *Cells {
	o := &Cells{Margins: c.Margins, Form: c.Form}
	terms, n := len(places), c.Len()
	o.DF, o.Start = make([]uint32, terms), make([]int, terms+1)
	for t, place := range places {
		o.DF[place] = c.DF[t]
		o.Start[place+1] = c.Start[t+1] - c.Start[t]
	}
	for t := range terms {
		o.Start[t+1] += o.Start[t]
	}
	for _, column := range []*Column{&o.A, &o.S, &o.Q} {
		column.low = make([]uint8, n)
	}
	if c.Class.wide != nil {
		o.Class.wide = make([]uint32, n)
		placeCells(c, o, c.Class.wide, o.Class.wide, places)
	} else {
		o.Class.low = make([]uint8, n)
		placeCells(c, o, c.Class.low, o.Class.low, places)
	}
	o.placeEscapes(c, places)
	return o
}

// placeCells copies the cells of c, by their bytes, to the places that the terms have in o.
func placeCells[T uint8 | uint32](c, o *Cells, class, toClass []T, places []uint32) {
	n := len(class)
	a, s, q := c.A.low[:n], c.S.low[:n], c.Q.low[:n]
	toA, toS, toQ := o.A.low[:n], o.S.low[:n], o.Q.low[:n]
	start, toStart := c.Start, o.Start
	for t, place := range places {
		k := toStart[place]
		for i, end := start[t], start[t+1]; i < end; i++ {
			toClass[k], toA[k], toS[k], toQ[k] = class[i], a[i], s[i], q[i]
			k++
		}
	}
}

// placeEscapes sets the column of occurrences, and what is in the lists of the others, to those of
// o, whose terms have these places in c.
func (c *Cells) placeEscapes(o *Cells, places []uint32) {
	c.CF.low = make([]uint8, len(places))
	for t, place := range places {
		c.CF.low[place] = o.CF.low[t]
	}
	c.CF.escapeOrdered(&o.CF, func(t int) int { return int(places[t]) })
	for _, x := range [...]struct{ to, from *Column }{{&c.A, &o.A}, {&c.S, &o.S}, {&c.Q, &o.Q}} {
		x.to.escapeOrdered(x.from, func(i int) int {
			t := sort.SearchInts(o.Start, i+1) - 1 // the cell is of this term
			return c.Start[places[t]] + i - o.Start[t]
		})
	}
}

// escapeOrdered sets the list of c to that of o, whose elements have other places.
func (c *Column) escapeOrdered(o *Column, place func(int) int) {
	type escape struct {
		at int
		v  float64
	}
	escapes := make([]escape, len(o.at))
	for n, at := range o.at {
		escapes[n] = escape{place(at), o.escaped[n]}
	}
	sort.Slice(escapes, func(i, j int) bool { return escapes[i].at < escapes[j].at }) // few: smaller code than SortFunc
	for _, e := range escapes {
		c.escape(e.at, e.v)
	}
}
