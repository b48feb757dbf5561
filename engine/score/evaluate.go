package score

import "math"

// ByClass gives the value of every class of a term, absent ones included, in
// dst, which must have one element a class. It looks at the panel's first
// choice, whatever its combination.
func (p *Panel) ByClass(dst []float64, r *Row) {
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

// Class gives the value of the first choice for class c, whose cell is i, or -1
// where the term is absent from it.
func (p *Panel) Class(r *Row, c, i int) float64 {
	p.term(r)
	return p.classValue(r, c, i)
}

// Largest gives the class with the largest value of the first choice, a measure of
// documents, and its cell, -1 where the term is absent from it. Like the maximum it
// looks at the cells and at those absent classes that can have the largest. Of equal
// values the first counts, cells before absent classes.
func (p *Panel) Largest(r *Row) (class, cell int) {
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
		for _, c := range p.ends(r, &p.margins.bySize) {
			take(int(c), -1)
		}
	}
	return class, cell
}

func (p *Panel) classValue(r *Row, c, i int) float64 {
	a, s := 0.0, 0.0
	if i >= 0 {
		a = r.A[i]
		if p.words {
			s = r.S[i]
		}
	}
	t := &p.alone
	if p.choices[0].Info.UsesTokens {
		p.tok.cell(t, &p.margins.tokens[c], s)
		t.docs = a
	} else {
		p.docs.cell(t, &p.margins.documents[c], a)
	}
	return p.first(t)
}

// classValuesOf gives the class values of a measure, on tables of tokens if the
// measure uses them.
func (p *Panel) classValuesOf(m Measure) func(t *counts) float64 {
	if m, ok := m.(interface{ form() pair }); ok {
		return m.form().value
	}
	return func(t *counts) float64 { // a measure of the user's own
		u := &p.t
		u.NC, u.A, u.TC, u.S = t.class.documents.n, t.docs, t.class.n, t.a
		return m.Class(u)
	}
}
