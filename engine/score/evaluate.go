package score

import (
	"math"
	"slices"

	"github.com/termsift/termsift/engine/table"
)

// ByClass sets dst, which must have one element per class, to the value of every class
// for a term, absent classes included. It uses the panel's first choice and ignores its
// combination.
func (p *Panel) ByClass(dst []float64, r *Row) {
	if p.firstFormula != nil {
		p.firstFormula.byClass(dst, r)
		return
	}
	p.term(r)
	next := 0
	for c := range dst {
		i := -1
		if next < len(r.Class) && int(r.Class[next]) == c {
			i = next
			next++
		}
		dst[c] = p.classValue(r, c, i)
	}
}

// Class returns the value of the first choice for class c. i is the cell of the class,
// or -1 if the term is absent from it.
func (p *Panel) Class(r *Row, c, i int) float64 {
	if p.firstFormula != nil {
		return p.firstFormula.class(r, c, i)
	}
	p.term(r)
	return p.classValue(r, c, i)
}

// Largest returns the class with the largest value of the first choice and its cell, or
// -1 if the term is absent from the class. It examines the cells and the absent classes
// that can have the largest value. Of equal values the first counts, cells before
// absent classes.
func (p *Panel) Largest(r *Row) (class, cell int) {
	if d := p.firstDeviation; d != nil && r.DF > 0 && r.DF < p.margins.N {
		return d.best(r.DF, r.Class, r.A)
	}
	if p.firstFormula != nil {
		return p.firstFormula.best(r)
	}
	p.term(r)
	class, cell = -1, -1
	largest := math.Inf(-1)
	take := func(c, i int) {
		if v := p.classValue(r, c, i); v > largest || class < 0 {
			largest, class, cell = v, c, i
		}
	}
	for i, c := range r.Class {
		take(int(c), i)
	}
	if len(r.Class) < len(p.margins.NC) {
		for _, c := range p.candidates(r.Class) {
			take(int(c), -1)
		}
	}
	return class, cell
}

// LargestOf is [Panel.Largest] of a term of cells.
func (p *Panel) LargestOf(c *table.Cells, t int) (class, cell int) {
	p.row.Read(c, t, p.NeedsTokens())
	return p.Largest(&p.row)
}

// candidates returns the absent classes that can have the largest value: the ends of
// the order by size for a standard measure, all of them for a measure of the caller.
func (p *Panel) candidates(present []uint32) []uint32 {
	if _, standard := p.choices[0].Measure.(*definition); !standard {
		p.without = p.without[:0]
		for c := range p.margins.NC {
			if _, found := slices.BinarySearch(present, uint32(c)); !found {
				p.without = append(p.without, uint32(c))
			}
		}
		return p.without
	}
	if !p.words {
		return p.ends(present, &p.margins.bySize)
	}
	classes := append(slices.Clone(p.ends(present, &p.margins.byTokens)), p.ends(present, &p.margins.bySize)...)
	slices.Sort(classes)
	return slices.Compact(classes)
}

func (p *Panel) classValue(r *Row, c, i int) float64 {
	a, s, low := 0.0, 0.0, 0.0
	if i >= 0 {
		a = r.A[i]
		if p.words {
			s = r.S[i]
		}
		if p.words && r.Centred {
			low = r.LowS[i]
		}
	}
	t := &p.alone
	if p.choices[0].Info.UsesTokens {
		p.tok.cell(t, &p.margins.tokens[c], s, low)
		t.docs = a
	} else {
		p.docs.cell(t, &p.margins.documents[c], a, 0)
	}
	return p.first(t)
}

// classValuesOf returns the class values of a measure, as a function of tables of
// tokens if the measure uses them.
func (p *Panel) classValuesOf(m Measure) func(t *counts) float64 {
	if d, ok := m.(*definition); ok {
		return d.value
	}
	return func(t *counts) float64 { // a measure of the user's own
		u := &p.t
		u.NC, u.A, u.TC, u.S = t.class.documents.n, t.docs, t.class.n, t.a
		return m.Class(u)
	}
}
