package score

import (
	"github.com/termsift/termsift/engine/table"
)

// Sparse reports whether no class that lacks a term has a value above 0 by the first choice, so that
// the best terms of a class are among its cells.
func (p *Panel) Sparse() bool {
	d, standard := p.choices[0].Measure.(*definition)
	return standard && d.negative
}

// Cells sets dst, which must have one element for each cell of a tile, to their values by the first
// choice, whose combination it ignores.
func (p *Panel) Cells(t *table.Tile, dst []float64) {
	d, standard := p.choices[0].Measure.(*definition)
	byColumns := standard && d.values != nil && !t.Centred
	for i := range t.DF {
		from, to := t.Range(i)
		r := p.cellsOf(t, i)
		p.term(r)
		if byColumns {
			copy(dst[from:to], d.values(p.columnsOf(d, r)))
			continue
		}
		for k, c := range r.Class {
			dst[from+k] = p.classValue(r, int(c), k)
		}
	}
}

// columnsOf returns the tables of the cells of a row by field.
func (p *Panel) columnsOf(d *definition, r *Row) *columns {
	c := &p.cells
	if d.UsesTokens {
		c.side, c.factors = &p.tok, p.margins.tokens
		c.set(r.Class, r.S, nil)
	} else {
		c.side, c.factors = &p.docs, p.margins.documents
		c.set(r.Class, r.A, nil)
	}
	return c
}

// cellsOf returns term i of a tile as a row of what the first choice reads.
func (p *Panel) cellsOf(t *table.Tile, i int) *Row {
	r := &p.row
	from, to := t.Range(i)
	r.DF, r.Class, r.A = float64(t.DF[i]), t.Class[from:to], t.A[from:to]
	if p.NeedsTokens() {
		r.CF, r.S = t.CF[i], t.S[from:to]
	}
	if p.NeedsSquares() {
		r.Q = t.Q[from:to]
	}
	r.setCentred(t, i)
	return r
}
