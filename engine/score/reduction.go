package score

import (
	"slices"

	"github.com/termsift/termsift/engine/cells"
)

// A reduction adds up the values of each term's cells.
type reduction struct {
	// steps has, for each cell of the tile, the number of terms whose cells begin there:
	// none or one, or more where terms before have no cell. It is made when it is asked for.
	steps []uint16
	made  bool
}

// begin prepares a tile.
func (r *reduction) begin() { r.made = false }

// manyCells is the number of cells a term from which sums have a loop for each term. It
// ends after one, two or three cells of a rare term, as it happens: a branch that cannot be
// predicted costs more than these cells.
const manyCells = 8

// many reports whether the terms of a tile have so many cells that each has a loop.
func many(t *cells.Tile) bool { return len(t.Class) >= manyCells*len(t.DF) }

// stepsOf returns the steps of a tile, for one loop over the cells of all terms: it counts at
// which term it is.
func (r *reduction) stepsOf(t *cells.Tile) []uint16 {
	if !r.made {
		r.made = true
		r.steps = slices.Grow(r.steps[:0], len(t.Class)+1)[:len(t.Class)+1]
		clear(r.steps)
		for _, start := range t.Start[:len(t.DF)] {
			r.steps[start-t.Start[0]]++
		}
	}
	return r.steps[:len(t.Class)]
}

// sums sets dst to the sums of the values of the cells of each term, added in their order.
func (r *reduction) sums(dst []float64, t *cells.Tile, values []float64) {
	clear(dst)
	if !many(t) {
		i := -1
		for k, step := range r.stepsOf(t) {
			i += int(step)
			dst[i] += values[k]
		}
		return
	}
	for i := range dst {
		from, to := t.Range(i)
		sum := 0.0
		for _, v := range values[from:to] {
			sum += v
		}
		dst[i] = sum
	}
}

// grown sets s to n elements, whose values are undefined, and returns it.
func grown(s *[]float64, n int) []float64 {
	*s = slices.Grow((*s)[:0], n)[:n]
	return *s
}
