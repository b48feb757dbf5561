package score

import "github.com/termsift/termsift/engine/score/formula"

// formulaColumns are the variables of cells, as far as a program reads them.
type formulaColumns struct {
	of      [formula.Variables][]float64
	program *formula.Program
}

// make gives the columns that the program reads n elements.
func (x *formulaColumns) make(p *formula.Program, n int) {
	x.program = p
	for v := range x.of {
		if x.reads(formula.Variable(v)) {
			grown(&x.of[v], n)
		}
	}
}

// reads reports whether the program reads a variable, or another one that follows from it.
func (x *formulaColumns) reads(v formula.Variable) bool {
	p := x.program
	switch v {
	case formula.A:
		return p.Reads(v) || p.Reads(formula.B) || p.Reads(formula.C) || p.Reads(formula.D)
	case formula.DF:
		return p.Reads(v) || p.Reads(formula.B) || p.Reads(formula.D)
	case formula.NC:
		return p.Reads(v) || p.Reads(formula.C) || p.Reads(formula.D)
	case formula.N:
		return p.Reads(v) || p.Reads(formula.D)
	}
	return p.Reads(v)
}

// setTerms sets what the cells [from, to) share.
func (x *formulaColumns) setTerms(from, to int, df, cf, n, t float64) {
	for _, column := range [...]struct {
		v     formula.Variable
		value float64
	}{{formula.DF, df}, {formula.CF, cf}, {formula.N, n}, {formula.T, t}} {
		if of := x.of[column.v]; of != nil {
			fill(of[from:to], column.value)
		}
	}
}

func fill(to []float64, v float64) {
	for i := range to {
		to[i] = v
	}
}

// setCell sets what a cell has of its own.
func (x *formulaColumns) setCell(i int, a, s, q, nc, tc float64) {
	for _, column := range [...]struct {
		v     formula.Variable
		value float64
	}{{formula.A, a}, {formula.S, s}, {formula.Q, q}, {formula.NC, nc}, {formula.TC, tc}} {
		if of := x.of[column.v]; of != nil {
			of[i] = column.value
		}
	}
}

// derive sets B, C and D of n cells.
func (x *formulaColumns) derive(n int) {
	a, df, nc, all := x.of[formula.A], x.of[formula.DF], x.of[formula.NC], x.of[formula.N]
	if b := x.of[formula.B]; b != nil {
		for i := range n {
			b[i] = df[i] - a[i]
		}
	}
	if c := x.of[formula.C]; c != nil {
		for i := range n {
			c[i] = nc[i] - a[i]
		}
	}
	if d := x.of[formula.D]; d != nil {
		for i := range n {
			d[i] = all[i] - df[i] - nc[i] + a[i]
		}
	}
}
