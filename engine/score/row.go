package score

import (
	"github.com/termsift/termsift/engine/table"
)

// A Row is one term: its totals and its cells, that is the classes where it
// occurs, ascending, with documents A, tokens S, sums of squares Q and sums of
// weights W (nil unless asked for). Absent classes are not listed.
type Row struct {
	*Margins
	DF, CF  float64
	Class   []uint32
	A, S, Q []float64
	W       []float64

	M2 []float64 // squared distances from the mean of each cell; nil of counts: see [table.Tile]

	tile table.Tile
}

// Read sets r to the cells of a term; CF, S and Q only if tokens is set. W is that of the
// cells. The slices are valid until the next call.
func (r *Row) Read(c *table.Cells, t int, tokens bool) {
	c.Read(&r.tile, t, t+1, tokens)
	r.DF, r.CF = float64(r.tile.DF[0]), 0
	if tokens {
		r.CF = r.tile.CF[0]
	}
	r.Class, r.A, r.S, r.Q, r.W = r.tile.Class, r.tile.A, r.tile.S, r.tile.Q, r.tile.W
	r.M2 = r.tile.M2
}
