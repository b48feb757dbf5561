package score

import (
	"math"
	"slices"

	"github.com/termsift/termsift/engine/score/formula"
	"github.com/termsift/termsift/engine/table"
)

// keptValues keeps the values of a formula for (n, x, class): terms of n documents or tokens, x of them in the class,
// as [tables] does for the registered measures. A formula that reads both documents and tokens of a term keeps none.
type keptValues struct {
	kind    keptKind
	classes int
	largest int       // n up to which values are kept
	values  []float64 // by place; there are marks for values that are not known, and for those at work

	// Of the tile at hand:
	places []int32 // by cell, of the terms whose values are kept
	spans  []run   // of cells of these terms
	whole  bool
}

type keptKind uint8

const (
	keepsNone keptKind = iota
	keepsDocuments
	keepsTokens
)

// The marks are NaN, but of no bits that a formula gives.
const unknownBits, pendingBits = 0x7ff8_0000_0000_0bad, 0x7ff8_0000_0000_0bed

var unknownValue, pendingValue = math.Float64frombits(unknownBits), math.Float64frombits(pendingBits)

// prepare decides what is kept.
func (k *keptValues) prepare(x *formulaColumns, classes int) {
	tokens := x.reads(formula.S) || x.reads(formula.CF)
	switch {
	case classes == 0 || x.reads(formula.Q) || tokens && (x.reads(formula.A) || x.reads(formula.DF)):
		return
	case tokens:
		k.kind = keepsTokens
	default:
		k.kind = keepsDocuments
	}
	k.classes = classes
	for k.largest < tablesMax && k.placesBelow(k.largest+2) <= tablePlaces {
		k.largest++
	}
}

// placesBelow returns the number of places of terms with less than n documents or tokens.
func (k *keptValues) placesBelow(n int) int { return k.classes * (n * (n + 1) / 2) }

// begin prepares for a tile.
func (k *keptValues) begin(t *table.Tile) {
	k.spans, k.places = k.spans[:0], slices.Grow(k.places[:0], len(t.Class))[:len(t.Class)]
	k.whole = k.kind == keepsDocuments || k.kind == keepsTokens && t.Whole && !t.Centred
	if k.whole && k.values == nil {
		k.values = make([]float64, k.placesBelow(k.largest+1))
		fill(k.values, unknownValue)
	}
}

// keeps reports whether the values of a term of a tile are kept.
func (k *keptValues) keeps(t *table.Tile, i int) bool {
	return k.whole && k.count(t, i) <= float64(k.largest)
}

// count returns the documents or tokens of a term of a tile.
func (k *keptValues) count(t *table.Tile, i int) float64 {
	if k.kind == keepsDocuments {
		return float64(t.DF[i])
	}
	return t.CF[i]
}

// locate sets the places of the cells of a term, and appends those cells whose values are not known and not at work.
func (k *keptValues) locate(cells []int32, t *table.Tile, i int) []int32 {
	from, to := t.Range(i)
	k.add(from, to)
	x := t.A
	if k.kind == keepsTokens {
		x = t.S
	}
	base, values := k.placesBelow(int(k.count(t, i))), k.values
	classes, places := t.Class[from:to], k.places[from:to]
	for j, in := range x[from:to] {
		place := base + int(in)*k.classes + int(classes[j])
		places[j] = int32(place)
		if math.Float64bits(values[place]) == unknownBits {
			values[place] = pendingValue
			cells = append(cells, int32(from+j))
		}
	}
	return cells
}

// add adds cells to the spans.
func (k *keptValues) add(from, to int) {
	if last := len(k.spans) - 1; last >= 0 && k.spans[last].to == from {
		k.spans[last].to = to
		return
	}
	k.spans = append(k.spans, run{from, to})
}

// lookUp keeps the values of the cells that were computed, and sets those of all cells whose values are kept.
func (k *keptValues) lookUp(values []float64, computed []int32) {
	next := 0
	for _, span := range k.spans {
		for ; next < len(computed) && int(computed[next]) < span.to; next++ {
			if cell := computed[next]; int(cell) >= span.from {
				k.values[k.places[cell]] = values[cell]
			}
		}
		places, to := k.places[span.from:span.to], values[span.from:span.to]
		for j, place := range places {
			to[j] = k.values[place]
		}
	}
}
