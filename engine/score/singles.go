package score

import (
	"slices"

	"github.com/termsift/termsift/engine/table"
)

// This file computes the values of terms that are in one document. They are half of all
// words, and their values follow from the class and from how often the document has the
// term: so they are computed once and looked up.

// mostSingle is the count of a term in its document up to which values are kept, and
// mostSingleClasses bounds the classes: their numbers are bytes.
const (
	mostSingle        = 16
	mostSingleClasses = 1 << 8
)

// unkept is no byte.
const unkept = -1

// singles keeps the values of terms that are in one document of one class.
type singles struct {
	// values has, by choice, the values of a term n times in a document of class c as
	// element (n-1)*K + c, as far as they are kept.
	values [][]float64
	// squares has by n-1, as a byte holds it, what the square of n exceeds n by if values of n are kept,
	// else unkept.
	squares [256]int16

	weighted bool // some choice reads weights

	places []int32 // of the terms of a tile; -1 where nothing is kept
	tile   table.Tile
	dst    [][]float64
}

// lookUp copies the kept values of the terms of a tile that have a place.
func (s *singles) lookUp(columns [][]float64) {
	for j, values := range s.values {
		dst := columns[j][:len(s.places)]
		for i, place := range s.places {
			if place >= 0 {
				dst[i] = values[place]
			}
		}
	}
}

// share prepares singles if all choices are functions of the cells alone, as the measures of
// a caller may not be.
func (p *Panel) share() {
	classes := p.margins.Classes()
	if classes == 0 || classes > mostSingleClasses {
		return
	}
	s := &singles{values: make([][]float64, len(p.choices)), dst: make([][]float64, len(p.choices))}
	for i := range s.squares {
		s.squares[i] = unkept
	}
	for _, c := range p.choices {
		d, standard := c.Measure.(*definition)
		_, isFormula := c.Measure.(*Formula)
		if !standard && !isFormula || c.Combine == ByClass {
			return
		}
		s.weighted = s.weighted || standard && d.weighted
	}
	p.singles = s
	for j := range p.singles.values {
		p.singles.values[j] = make([]float64, max(classes*mostSingle, mostSingleClasses))
	}
}

// ofSingles computes the values of a tile whose terms are in one document of one class each.
// It returns false if there are others.
func (p *Panel) ofSingles(t *table.Tile, columns [][]float64) bool {
	s := p.singles
	if s == nil || !p.locateSingles(t) {
		return false
	}
	s.lookUp(columns)
	for i, place := range s.places {
		if place < 0 {
			p.single(t, i, columns)
		}
	}
	return true
}

// locateSingles sets the places of the terms of a tile. It returns false if one of them is
// not in one document of one class.
func (p *Panel) locateSingles(t *table.Tile) bool {
	n, s := len(t.DF), p.singles
	if t.Centred || len(t.Class) != n || t.DF[0] != 1 || t.DF[n-1] != 1 || s.weighted && !weighsOccurrences(t) {
		return false
	}
	a, next := t.A[:n], t.Start[1:n+1]
	for i, df := range t.DF {
		if df != 1 || a[i] != 1 || next[i]-t.Start[0] != i+1 {
			return false
		}
	}
	s.places = slices.Grow(s.places[:0], n)[:n]
	if p.NeedsTokens() {
		p.locateCounted(t)
		return true
	}
	if s.squares[0] == unkept {
		p.learnSingles(1, t)
	}
	for i, class := range t.Class {
		s.places[i] = int32(class)
	}
	return true
}

// locateCounted is the end of locateSingles for measures that count tokens. Loops over a column or
// two take half the time of one loop over all.
func (p *Panel) locateCounted(t *table.Tile) {
	s, classes := p.singles, p.margins.Classes()
	places, cf, sums := s.places[:len(t.Class)], t.CF[:len(t.Class)], t.S[:len(t.Class)]
	for i, class := range t.Class {
		v := cf[i]
		n := int(v)
		places[i] = int32((n-1)*classes) + int32(class)
		switch {
		case !(v >= 1 && v <= mostSingle) || float64(n) != v || sums[i] != v:
			places[i] = -1
		case s.squares[n-1] == unkept:
			p.learnSingles(n, t)
		}
	}
	if t.NoSquares {
		return
	}
	for i, q := range t.Q[:len(cf)] {
		if v := cf[i]; q != float64(v*v) {
			places[i] = -1
		}
	}
}

// learnSingles computes the values of terms that are so many times in a document of each
// class, as those of a tile. of is a tile that has such a term.
func (p *Panel) learnSingles(count int, of *table.Tile) {
	s, classes := p.singles, p.margins.Classes()
	t := &s.tile
	if t.DF == nil {
		*t = singleOfEach(classes)
	}
	t.NoSquares, t.Whole, t.Exact, t.ExactW = of.NoSquares, of.Whole, of.Exact, of.ExactW
	v := float64(count)
	for c := range classes {
		t.CF[c], t.S[c], t.Q[c] = v, v, float64(v*v)
	}
	if s.weighted {
		t.W = t.S
	}
	for j := range s.dst {
		s.dst[j] = s.values[j][(count-1)*classes : count*classes]
	}
	p.tile(t, s.dst)
	s.squares[count-1] = int16(count * (count - 1))
}

// singleOfEach returns a tile of a term in one document for each class, without occurrences.
func singleOfEach(classes int) table.Tile {
	t := table.Tile{
		DF: make([]uint32, classes), CF: make([]float64, classes), Start: make([]int, classes+1), Class: make([]uint32, classes),
		A: make([]float64, classes), S: make([]float64, classes), Q: make([]float64, classes),
	}
	for c := range classes {
		t.DF[c], t.A[c], t.Start[c+1], t.Class[c] = 1, 1, c+1, uint32(c)
	}
	return t
}

// single computes the values of term i of a tile.
func (p *Panel) single(t *table.Tile, i int, columns [][]float64) {
	one := *t
	one.First, one.DF, one.Start, one.Class = t.First+i, t.DF[i:i+1], t.Start[i:i+2], t.Class[i:i+1]
	one.A, one.CF, one.S, one.W = t.A[i:i+1], t.CF[i:i+1], t.S[i:i+1], nil
	if !t.NoSquares {
		one.Q = t.Q[i : i+1]
	}
	if p.singles.weighted {
		one.W = one.S
	}
	for j, column := range columns {
		p.singles.dst[j] = column[i : i+1]
	}
	p.tile(&one, p.singles.dst)
}
