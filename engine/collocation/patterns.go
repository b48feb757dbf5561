package collocation

import (
	"context"
	"math/bits"
)

// This file counts the cells of n-grams of three words and more: the n-grams in which some of the words
// stand at their positions, and others at the rest.

// patterns count the n-grams of one length that have certain words at some of their positions.
type patterns struct {
	words int
	at    map[pattern]float64
}

// A pattern has the words at a set of positions, two or more but not all, from the first position on.
type pattern struct {
	positions uint8
	words     [mostWords - 1]uint32
}

// patternOf returns the pattern of an n-gram at a set of positions.
func patternOf(ids []uint32, positions int) (p pattern) {
	p.positions = uint8(positions)
	i := 0
	for position, id := range ids {
		if positions>>position&1 == 1 {
			p.words[i] = id
			i++
		}
	}
	return p
}

// each calls f with the patterns of an n-gram.
func (p *patterns) each(ids []uint32, f func(pattern)) {
	for positions := range 1<<p.words - 1 {
		if bits.OnesCount(uint(positions)) > 1 {
			f(patternOf(ids, positions))
		}
	}
}

// of returns the cells of an n-gram, nil if nothing was counted.
func (p *patterns) of(ids []uint32, all float64, marginals []float64, occurrences float64) []float64 {
	if p == nil {
		return nil
	}
	cells := make([]float64, 1<<p.words)
	for positions := range cells {
		switch bits.OnesCount(uint(positions)) {
		case 0:
			cells[positions] = all
		case 1:
			cells[positions] = marginals[bits.TrailingZeros(uint(positions))]
		case p.words:
			cells[positions] = occurrences
		default:
			cells[positions] = p.at[patternOf(ids, positions)]
		}
	}
	// Of those that match at least at a set of positions, some match at one more.
	for position := range p.words {
		for positions := range cells {
			if positions>>position&1 == 0 {
				cells[positions] -= cells[positions|1<<position]
			}
		}
	}
	return cells
}

// countCells counts the cells of the n-grams that each yields: first it collects the patterns, then it
// counts them in all n-grams.
func (s *search) countCells(ctx context.Context, each func(context.Context, func(r *row, name []byte, ids []uint32, c candidate)) error) error {
	for _, r := range s.rows {
		if r.Words > 2 {
			r.cells = &patterns{words: r.Words, at: map[pattern]float64{}}
		}
	}
	err := each(ctx, func(r *row, _ []byte, ids []uint32, _ candidate) {
		if r.cells != nil {
			r.cells.each(ids, func(p pattern) { r.cells.at[p] = 0 })
		}
	})
	if err != nil {
		return err
	}
	return s.from.Each(ctx, func(t *Term) error {
		n := numWords(t.Name)
		if n < max(3, s.Least) || n > s.Most {
			return nil
		}
		var room [mostWords]uint32
		ids := s.split(room[:0], t.Name)
		for _, r := range s.rows {
			v, _ := t.in(r.class)
			if r.Words != n || v == 0 {
				continue
			}
			r.cells.each(ids, func(p pattern) {
				if _, asked := r.cells.at[p]; asked {
					r.cells.at[p] += v
				}
			})
		}
		return nil
	})
}
