package postings

import (
	"math"
	"slices"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file computes what sums of values lose, see [table.Cells]. Of counts, whose squares may be too
// large for a float64, that is what is left of the exact sums of squares. Of real values, and in
// samples, the values of each cell are added once more, in two parts, and once more as distances from
// their mean. The second pass corrects what the mean lacks.

// Centring reports whether sums of squares of the index may be inexact.
func (x *Memory) Centring() bool { return x.Real() || x.LargeCounts() }

// LargeCounts reports whether the squares of all counts may add up to 2^53.
func (x *Memory) LargeCounts() bool {
	squares := 0.0
	for _, v := range x.Values.Escaped {
		squares += float64(float64(v) * float64(v))
	}
	return AreLarge(x.NumPostings(), squares)
}

// AreLarge reports whether so many squares of counts in bytes, and the others, whose sum is
// given, may add up to 2^53. Below that the sum is exact, in whatever order it was made.
func AreLarge(postings int, escaped float64) bool {
	return float64(float64(Escape*Escape)*float64(postings))+escaped >= 1<<53
}

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

// lostSums has the memory of [ListCounter.setLost], by class; the last is for unlabelled documents.
type lostSums struct {
	apart   []apart
	squares []table.Pair // all zero between terms
}

// setLost sets what the sums of the last term, whose cells begin at from, lose.
func (c *ListCounter) setLost(s *Sample, l list, from int, cf float64) {
	if c.lost.apart == nil {
		c.lost = lostSums{make([]apart, len(c.x.Classes)+1), make([]table.Pair, len(c.x.Classes)+1)}
	}
	t := &c.tile
	t.Centred = !s.once || c.x.Real()
	switch {
	case !t.Centred:
		c.setSquares(s, l, from)
		return
	case !s.once || c.x.Multi:
		c.centre(s, l, from, cf)
	default:
		c.centreRuns(l, from, cf)
	}
	c.fraction = c.fraction || c.x.Real() && slices.ContainsFunc(l.tf, table.IsFraction)
}

// setSquares sets the squares of counts. Sums of products of counts below 2^32 are exact in two parts.
func (c *ListCounter) setSquares(s *Sample, l list, from int) {
	squares := c.lost.squares
	c.eachLabel(s, l, func(class uint32, _, v float64) { squares[class] = squares[class].Plus(table.Product(v, v)) })
	t := &c.tile
	for i, class := range t.Class[from:] {
		t.Q[from+i] = squares[class].High
		t.LowQ = append(t.LowQ, squares[class].Low)
	}
	clear(squares)
}

// centreRuns centres the values of documents of one class each that count once.
func (c *ListCounter) centreRuns(l list, from int, cf float64) {
	t, total, at := &c.tile, table.Pair{}, 0
	for i, docs := range t.A[from:] {
		end := at + int(docs)
		sum, m2 := centred(l.tf[at:end])
		t.LowS, t.M2 = append(t.LowS, sum.Beyond(t.S[from+i])), append(t.M2, m2)
		total, at = total.Plus(sum), end
	}
	unlabelled, _ := centred(l.tf[at:])
	t.LowCF = append(t.LowCF, total.Plus(unlabelled).Beyond(cf))
}

// centre centres the values of any documents.
func (c *ListCounter) centre(s *Sample, l list, from int, cf float64) {
	t, own, all := &c.tile, c.lost.apart, apart{}
	clear(own)
	for i, d := range l.docs {
		if times := s.timesOfOne(d); times > 0 {
			all.add(times, l.tf[i])
		}
	}
	c.eachLabel(s, l, func(class uint32, times, v float64) { own[class].add(times, v) })
	for _, class := range t.Class[from:] {
		own[class].centre()
	}
	c.eachLabel(s, l, func(class uint32, times, v float64) { own[class].addDistance(times, v) })
	for i, class := range t.Class[from:] {
		a := &own[class]
		t.LowS, t.M2 = append(t.LowS, a.sum.Beyond(t.S[from+i])), append(t.M2, centredAt(a.n, a.rest, a.squares))
	}
	if s.once {
		all.sum, _ = centred(l.tf)
	}
	t.LowCF = append(t.LowCF, all.sum.Beyond(cf))
}

// eachLabel passes the values of a list to f, with how often they count, for each of the classes
// of their documents.
func (c *ListCounter) eachLabel(s *Sample, l list, f func(class uint32, times, v float64)) {
	for i, d := range l.docs {
		times := s.timesOfOne(d)
		switch {
		case times == 0:
		case c.x.Multi:
			for _, class := range s.labels(d) {
				f(class, times, l.tf[i])
			}
		default:
			f(s.codes.of(int(d)), times, l.tf[i])
		}
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
