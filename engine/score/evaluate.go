package score

// ByClass gives the value of every class of a term, absent ones included, in
// dst, which must have one element a class. It looks at the panel's first
// choice, whatever its combination.
func (p *Panel) ByClass(dst []float64, r *Row) {
	p.term(r)
	next := 0
	for c := range dst {
		a, s := 0.0, 0.0
		if next < len(r.Class) && int(r.Class[next]) == c {
			a = r.A[next]
			if p.words {
				s = r.S[next]
			}
			next++
		}
		p.cell(uint32(c), a, s)
		dst[c] = p.choices[0].Measure.Class(&p.t)
	}
}

// Class gives the value of the first choice for class c, whose cell is i, or -1
// where the term is absent from it.
func (p *Panel) Class(r *Row, c, i int) float64 {
	p.term(r)
	a, s := 0.0, 0.0
	if i >= 0 {
		a = r.A[i]
		if p.words {
			s = r.S[i]
		}
	}
	p.cell(uint32(c), a, s)
	return p.choices[0].Measure.Class(&p.t)
}
