package naive

import (
	"math"
	"math/big"
	"slices"
	"strconv"
)

// This file is Best Terms, line by line, over dense tables of terms by
// classes.

// A Binary is a corpus as Best Terms sees it: the tables, of which it needs A, DF,
// NC and N, and the places of the distinct terms and labels of each document.
type Binary struct {
	*Tables
	Names  []string // of the terms
	Terms  [][]int
	Labels [][]int
}

// BinaryOf looks at a corpus without its frequencies.
func BinaryOf(c Corpus) Binary {
	b := Binary{Tables: Tabulate(c), Names: c.Terms, Terms: make([][]int, len(c.Docs))}
	b.Labels = b.Tables.labels
	for d, row := range b.Tables.tf {
		for t, tf := range row {
			if tf > 0 {
				b.Terms[d] = append(b.Terms[d], t)
			}
		}
	}
	return b
}

// BestTermsOptions choose among the readings of the paper. The zero values are
// the defaults, but for Function, which must be named.
type BestTermsOptions struct {
	Function string  // a measure of documents; df, mi and or in their raw forms
	P        float64 // the decimal that it prints as
	Max      bool    // the rule P(c|w) >= p
	All      bool    // step 2 goes over all documents outside the class
	Recount  bool    // step 2 counts in D_F
	RSD      float64 // d of rs and rsw; 0 is 1/6
}

// BestTerms is what the algorithm returns for one class, all in ascending order.
type BestTerms struct {
	Positive, Negative []int // terms
	Kept               []int // documents: D_F
	Tied               []int // documents with several best terms, of both steps
	Entries            int   // (document, term) pairs that the two steps went through
}

// BestTerms runs the algorithm for a class.
func (b Binary) BestTerms(class int, o BestTermsOptions) BestTerms {
	var out BestTerms
	inside := func(d int) bool { return slices.Contains(b.Labels[d], class) }

	cells := b.cells(class)
	values := o.values(cells)
	out.Positive = b.step(&out, values, cells, func(d int) bool { return inside(d) })

	chosen := map[int]bool{}
	for _, t := range out.Positive {
		chosen[t] = true
	}
	kept := make([]bool, len(b.Terms))
	for d, terms := range b.Terms {
		if slices.ContainsFunc(terms, func(t int) bool { return chosen[t] }) {
			kept[d] = true
			out.Kept = append(out.Kept, d)
		}
	}

	if o.Recount && len(out.Kept) == 0 {
		return out // nothing to count
	}
	if o.Recount {
		cells = b.recount(kept).cells(class)
	}
	for t, x := range cells {
		cells[t] = cell{x.b, x.a, x.d, x.c} // the class and its complement change places
	}
	values = o.values(cells)
	out.Negative = b.step(&out, values, cells, func(d int) bool { return !inside(d) && (kept[d] || o.All) })
	slices.Sort(out.Tied)
	return out
}

// recount counts the documents that are kept.
func (b Binary) recount(kept []bool) *Tables {
	c := Corpus{Terms: b.Names, Classes: make([]string, len(b.NC))}
	for d, terms := range b.Terms {
		if kept[d] {
			doc := Doc{Labels: b.Labels[d], Counts: map[int]float64{}}
			for _, t := range terms {
				doc.Counts[t] = 1
			}
			c.Docs = append(c.Docs, doc)
		}
	}
	return Tabulate(c)
}

// step is lines 3-10 and 13-19: the best terms of the documents wanted.
func (b Binary) step(out *BestTerms, values []float64, cells []cell, wanted func(d int) bool) []int {
	var best []int
	for d, terms := range b.Terms {
		if !wanted(d) {
			continue
		}
		out.Entries += len(terms)
		t, tied := b.best(terms, values, cells)
		if t >= 0 {
			best = append(best, t)
		}
		if tied {
			out.Tied = append(out.Tied, d)
		}
	}
	slices.Sort(best)
	return slices.Compact(best)
}

// best is the best term of a document, -1 where it has none: among those within a
// relative 4e-12 of its largest value that with the most documents inside, then by
// bytes.
func (b Binary) best(terms []int, values []float64, cells []cell) (best int, tied bool) {
	largest := math.Inf(-1)
	for _, t := range terms {
		if !math.IsNaN(values[t]) {
			largest = math.Max(largest, values[t])
		}
	}
	best = -1
	for _, t := range terms {
		v := values[t]
		if math.IsNaN(v) || v != largest && !(largest-v <= 4e-12*math.Abs(largest)) || math.IsInf(largest, 1) && v != largest {
			continue
		}
		if best < 0 {
			best = t
			continue
		}
		tied = true
		if cells[t].a > cells[best].a || cells[t].a == cells[best].a && b.Names[t] < b.Names[best] {
			best = t
		}
	}
	return best, tied
}

// values are those of the function for the terms that are positive, NaN for the
// others.
func (o BestTermsOptions) values(cells []cell) []float64 {
	measure, opt := o.Function, Options{RSD: o.RSD}
	if opt.raw = measure == "or"; measure == "ig" {
		measure = "emi"
	}
	one := &Tables{A: [][]float64{{0}}, DF: []float64{0}, NC: []float64{0}}
	value := perClass[measure](one, opt)
	p, ok := new(big.Rat).SetString(strconv.FormatFloat(o.P, 'g', -1, 64))
	if !ok {
		panic("naive: p is no number")
	}
	values := make([]float64, len(cells))
	for t, x := range cells {
		values[t] = math.NaN()
		if x.positive(o.P, p, o.Max) {
			one.A[0][0], one.DF[0], one.NC[0], one.N = x.a, x.with(), x.in(), x.n()
			values[t] = value(0, 0)
		}
	}
	return values
}

// positive says that P(c|w) > P(c) and P(c|w) >= p + (1-p)P(c), or by the other rule
// P(c|w) >= p. Products of counts are exact; the threshold is looked at in fractions
// where it is near.
func (x cell) positive(p float64, exact *big.Rat, max bool) bool {
	if x.a*x.n() <= x.with()*x.in() {
		return false
	}
	precision, prior := x.a/x.with(), x.in()/x.n()
	if max {
		prior = 0
	}
	if least := p + (1-p)*prior; math.Abs(precision-least) > 1e-9 {
		return precision > least
	}
	least := new(big.Rat)
	if !max {
		least.SetFrac64(int64(x.in()), int64(x.n()))
	}
	least.Add(exact, least.Mul(least, new(big.Rat).Sub(big.NewRat(1, 1), exact)))
	return big.NewRat(int64(x.a), int64(x.with())).Cmp(least) >= 0
}
