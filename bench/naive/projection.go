package naive

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// This file is term projection over dense tables of terms by classes.

// ProjectionOptions choose among the readings of the paper.
type ProjectionOptions struct {
	Alpha   float64
	K       int     // terms; 0 is all
	Literal bool    // the class of the largest chi-square, whatever its sign
	TFIDF   bool    // tf·log(N/df) for log(tf+1)·log(N/df+1)
	LogPR   bool    // log PRmax, at least 0, for PRmax
	Base    float64 // of the logarithms; 0 is e
	Unit    bool
}

// A Projection is the result for terms and classes.
type Projection struct {
	Max, Total, PRMax []float64 // by term
	PR                [][]float64
	Passed            []bool // the alpha filter
	Class             []int  // by term, before alpha and K; -1 for none
	Order             []int  // the projected terms, best first
	Largest           int    // class

	tb     *Tables
	o      ProjectionOptions
	byName []int // classes
}

// rounding is the relative difference of values that count as equal (finding 9).
const rounding = 1e-12

// Project projects the terms. Names decide ties.
func (tb *Tables) Project(terms, classes []string, o ProjectionOptions) *Projection {
	v := len(terms)
	p := &Projection{
		Max: make([]float64, v), Total: make([]float64, v), PRMax: make([]float64, v), PR: tb.Class("pr", Options{}),
		Passed: make([]bool, v), Class: make([]int, v), tb: tb, o: o, byName: make([]int, len(classes)),
	}
	for c := range classes {
		p.byName[c] = c
	}
	slices.SortFunc(p.byName, func(a, b int) int { return cmp.Compare(classes[a], classes[b]) })
	chi := tb.Class("chitf", Options{})
	for t := range terms {
		for c := range classes {
			p.Max[t] = math.Max(p.Max[t], chi[t][c])
			p.Total[t] += chi[t][c]
		}
		p.PRMax[t] = slices.Max(p.PR[t])
		p.Passed[t] = p.Max[t] >= o.Alpha*p.Total[t]*(1-rounding)
		p.Class[t] = first(p.byName, func(c int) float64 {
			if x := tb.tokens(t, c); o.Literal || x.det() > 0 {
				return chi[t][c]
			}
			return 0
		})
		if p.Passed[t] && p.Class[t] >= 0 {
			p.Order = append(p.Order, t)
		}
	}
	slices.SortFunc(p.Order, func(a, b int) int {
		return cmp.Or(cmp.Compare(p.Max[b], p.Max[a]), cmp.Compare(tb.DF[b], tb.DF[a]), cmp.Compare(terms[a], terms[b]))
	})
	if o.K > 0 {
		p.Order = p.Order[:min(o.K, len(p.Order))]
	}
	p.Largest = first(p.byName, func(c int) float64 { return tb.NC[c] })
	return p
}

// first is the first in order of those with the largest value; -1 where none is
// above 0.
func first(order []int, value func(c int) float64) int {
	largest := 0.
	for _, c := range order {
		largest = math.Max(largest, value(c))
	}
	if largest == 0 {
		return -1
	}
	return order[slices.IndexFunc(order, func(c int) bool { return value(c) >= largest*(1-rounding) })]
}

// Vectors are the cluster vectors of documents.
func (p *Projection) Vectors(docs ...map[int]float64) [][]float64 {
	projected := map[int]bool{}
	for _, t := range p.Order {
		projected[t] = true
	}
	var out [][]float64
	for _, counts := range docs {
		out = append(out, p.vector(counts, projected))
	}
	return out
}

func (p *Projection) vector(counts map[int]float64, projected map[int]bool) []float64 {
	v := make([]float64, len(p.tb.NC))
	for _, t := range slices.Sorted(maps.Keys(counts)) {
		if !projected[t] {
			continue
		}
		tf, inverse, pr := counts[t], p.tb.N/p.tb.DF[t], p.PRMax[t]
		if p.o.LogPR {
			pr = p.log(math.Max(pr, 1))
		}
		if p.o.TFIDF {
			v[p.Class[t]] += tf * p.log(inverse) * pr
		} else {
			v[p.Class[t]] += p.log(tf+1) * p.log(inverse+1) * pr
		}
	}
	if p.o.Unit {
		return unit(v)
	}
	return v
}

func (p *Projection) log(x float64) float64 { return math.Log(x) / Options{Base: p.o.Base}.log() }

// Predict is the rule: the class with the largest weight, of a zero vector the
// largest class.
func (p *Projection) Predict(vector []float64) int {
	if c := first(p.byName, func(c int) float64 { return vector[c] }); c >= 0 {
		return c
	}
	return p.Largest
}
