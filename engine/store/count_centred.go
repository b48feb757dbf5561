package store

import (
	"math"
	"slices"

	"github.com/termsift/termsift/engine/cells"
	"github.com/termsift/termsift/kernels"
)

// This file computes what sums of real values lose, see [cells.Centred]: once more the
// values of each cell, now as distances from its mean. The mean comes from distances from
// the first value, so that it has all digits; what it lacks the second pass corrects.

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
func centred(values []float64) (sum cells.Pair, m2 float64) {
	if len(values) < 2 {
		for _, v := range values {
			sum.High = v
		}
		return sum, 0
	}
	n := float64(len(values))
	first, _ := kernels.SumDistances(values, values[0])
	mean := values[0] + first/n
	rest, squares := kernels.SumDistances(values, mean)
	return cells.Product(n, mean).Plus(cells.Pair{High: rest}), centredAt(n, rest, squares)
}

// centredAt returns the sum of the squared distances of n values from their mean, from the
// distances from a point and their squares, summed.
func centredAt(n, rest, squares float64) float64 {
	return max(0, squares-float64(rest*(rest/n)))
}

// setCentred sets what the sums of the current term lose.
func (r *rowCounter) setCentred(t int) {
	p, row := &r.postings, &r.row
	if r.whole {
		p.TF = r.x.tf.read(r.x.start[t], r.x.start[t+1], p.TF)
	}
	row.Centred, row.Fraction = true, row.Fraction || slices.ContainsFunc(p.TF, isFraction)
	if r.x.multi {
		r.centreLabels(p)
		return
	}
	row.LowS, row.M2 = row.LowS[:0], row.M2[:0]
	total, from := cells.Pair{}, 0
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
		r.LowS, r.M2 = append(r.LowS, a.sum().Beyond(r.S[i])), append(r.M2, centredAt(a.n, a.rest, a.squares))
	}
}

// apart holds the sums of values that come one by one: each is added, then centre is
// called, then the distance of each is added. A value counts so many times.
type apart struct {
	n, first      float64 // values, and the first of them
	fromFirst     float64 // Σ (v - first)
	mean          float64
	rest, squares float64 // Σ (v - mean), Σ (v - mean)²
}

func (a *apart) add(times, v float64) {
	if a.n == 0 {
		a.first = v
	}
	a.n += times
	a.fromFirst += float64(times * (v - a.first))
}

func (a *apart) centre() { a.mean = a.first + a.fromFirst/a.n }

func (a *apart) addDistance(times, v float64) {
	d := v - a.mean
	a.rest += float64(times * d)
	a.squares += float64(times * float64(d*d))
}

func (a *apart) sum() cells.Pair { return cells.Product(a.n, a.mean).Plus(cells.Pair{High: a.rest}) }
