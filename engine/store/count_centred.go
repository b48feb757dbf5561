package store

import (
	"math"
	"slices"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file computes what sums of values lose, see [table.Cells]. Of counts, whose squares may be too
// large for a float64, that is what is left of the exact sums of squares. Of real values the values of
// each cell are added once more, in two parts, and once more as distances from their mean. The
// second pass corrects what the mean lacks.

// centring reports whether sums of squares of the index may be inexact.
func (x *Index) centring() bool { return x.Real() || x.largeCounts() }

// largeCounts reports whether the squares of all counts may add up to 2^53.
func (x *Index) largeCounts() bool {
	squares := 0.0
	for _, v := range x.tf.escaped {
		squares += float64(float64(v) * float64(v))
	}
	return areLarge(x.NumPostings(), squares)
}

// areLarge reports whether so many squares of counts in bytes, and the others, whose sum is
// given, may add up to 2^53. Below that the sum is exact, in whatever order it was made.
func areLarge(postings int, escaped float64) bool {
	return float64(float64(escape*escape)*float64(postings))+escaped >= 1<<53
}

// isFraction reports whether v is no whole number.
func isFraction(v float64) bool { return v != math.Trunc(v) }

// centred returns the sum of values, and the sum of their squared distances from the mean.
func centred(values []float64) (sum table.Pair, m2 float64) {
	if len(values) < 2 {
		for _, v := range values {
			sum.High = v
		}
		return sum, 0
	}
	n := float64(len(values))
	sum = sumOfReals(values)
	rest, squares := kernels.SumDistances(values, sum.High/n)
	return sum, centredAt(n, rest, squares)
}

// sumOfReals returns the sum of values that are not negative, but for a few 2^-105 of it. It cuts each
// value in three, so that the first parts, and the second, add up exactly.
func sumOfReals(values []float64) table.Pair {
	bound := 0.0
	for _, v := range values {
		bound += v
	}
	_, exponent := math.Frexp(bound)
	_, more := math.Frexp(float64(len(values)))
	first := math.Ldexp(1, min(exponent+1, 1023))
	second := math.Ldexp(1, exponent+more-51)
	var high, middle, low float64
	for _, v := range values {
		x := (first + v) - first
		v -= x
		y := (second + v) - second
		high, middle, low = high+x, middle+y, low+(v-y)
	}
	return table.Pair{High: high}.Plus(table.Pair{High: middle}).Plus(table.Pair{High: low})
}

// centredAt returns the sum of the squared distances of n values from their mean, from the
// distances from a point and their squares, summed.
func centredAt(n, rest, squares float64) float64 {
	return max(0, squares-float64(rest*(rest/n)))
}

// setLost sets what the sums of the current term lose.
func (r *rowCounter) setLost(t int) {
	p, row := &r.postings, &r.row
	if r.whole {
		p.TF = r.x.tf.read(r.x.start[t], r.x.start[t+1], p.TF)
	}
	if r.x.Real() {
		r.setCentred(p)
		return
	}
	// Sums of products of counts below 2^32 are exact in two parts.
	row.LowQ = grown(row.LowQ, len(row.Class))
	if r.x.multi {
		r.squareLabels(p)
		return
	}
	from := 0
	for i, docs := range row.Docs {
		to, sum := from+int(docs), table.Pair{}
		for _, v := range p.TF[from:to] {
			sum = sum.Plus(table.Product(v, v))
		}
		row.Q[i], row.LowQ[i], from = sum.High, sum.Low, to
	}
}

// squareLabels is setLost for counts in documents with several labels.
func (r *rowCounter) squareLabels(p *Postings) {
	if r.labelSquares == nil {
		r.labelSquares = make([]table.Pair, len(r.x.Classes))
	}
	for i, d := range p.Docs {
		for _, l := range r.x.Labels(int(d)) {
			r.labelSquares[l] = r.labelSquares[l].Plus(table.Product(p.TF[i], p.TF[i]))
		}
	}
	for i, c := range r.row.Class {
		r.row.Q[i], r.row.LowQ[i] = r.labelSquares[c].High, r.labelSquares[c].Low
		r.labelSquares[c] = table.Pair{}
	}
}

// setCentred sets what the sums of real values of the current term lose.
func (r *rowCounter) setCentred(p *Postings) {
	row := &r.row
	row.Centred, row.Fraction = true, row.Fraction || slices.ContainsFunc(p.TF, isFraction)
	if r.x.multi {
		r.centreLabels(p)
		return
	}
	row.LowS, row.M2 = row.LowS[:0], row.M2[:0]
	total, from := table.Pair{}, 0
	for i, docs := range row.Docs {
		to := from + int(docs)
		sum, m2 := centred(p.TF[from:to])
		row.LowS, row.M2 = append(row.LowS, sum.Beyond(row.S[i])), append(row.M2, m2)
		total, from = total.Plus(sum), to
	}
	unlabelled, _ := centred(p.TF[from:])
	row.LowCF = total.Plus(unlabelled).Beyond(row.CF)
}

// centreLabels is setCentred for documents with several labels.
func (r *rowCounter) centreLabels(p *Postings) {
	if r.apart == nil {
		r.apart = make([]apart, len(r.x.Classes))
	}
	for _, c := range r.row.Class {
		r.apart[c] = apart{}
	}
	for i, d := range p.Docs {
		for _, l := range r.x.Labels(int(d)) {
			r.apart[l].add(1, p.TF[i])
		}
	}
	for _, c := range r.row.Class {
		r.apart[c].centre()
	}
	for i, d := range p.Docs {
		for _, l := range r.x.Labels(int(d)) {
			r.apart[l].addDistance(1, p.TF[i])
		}
	}
	r.row.setApart(r.apart)
	sum, _ := centred(p.TF)
	r.row.LowCF = sum.Beyond(r.row.CF)
}

// setApart sets LowS and M2 from the values of the classes.
func (r *Row) setApart(apart []apart) {
	r.LowS, r.M2 = r.LowS[:0], r.M2[:0]
	for i, c := range r.Class {
		a := &apart[c]
		r.LowS, r.M2 = append(r.LowS, a.sum.Beyond(r.S[i])), append(r.M2, centredAt(a.n, a.rest, a.squares))
	}
}

// apart holds the sums of values that come one by one: each is added, then centre is
// called, then the distance of each is added. A value counts so many times.
type apart struct {
	n, mean       float64 // values, and their mean
	sum           table.Pair
	rest, squares float64 // Σ (v - mean), Σ (v - mean)²
}

func (a *apart) add(times, v float64) {
	a.n += times
	a.sum = a.sum.Plus(table.Product(times, v))
}

func (a *apart) centre() { a.mean = a.sum.High / a.n }

func (a *apart) addDistance(times, v float64) {
	d := v - a.mean
	a.rest += float64(times * d)
	a.squares += float64(times * float64(d*d))
}
