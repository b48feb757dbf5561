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
	most    int      // n up to which values are kept
	keys    []folded // of the values, by place, as [keyOf] has them; or marks

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

// The marks are no keys of numbers. That of a value that is undefined is below all keys; above all are those of values
// that are not known, and of those at work.
const (
	undefinedKey folded = math.MinInt64
	unknownKey   folded = math.MaxInt64
	pendingKey          = unknownKey - 1
)

// keyOfValue returns the key of a value that may be undefined.
func keyOfValue(v float64) folded {
	if v != v {
		return undefinedKey
	}
	return keyOf(bitsOf(v))
}

// valueOfKey is the inverse.
func valueOfKey(key folded) float64 {
	if key == undefinedKey {
		return math.NaN()
	}
	return valueOf(keyOf(key))
}

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
	for k.most < tablesMax && k.placesBelow(k.most+2) <= tablePlaces {
		k.most++
	}
}

// placesBelow returns the number of places of terms with less than n documents or tokens.
func (k *keptValues) placesBelow(n int) int { return k.classes * (n * (n + 1) / 2) }

// begin prepares for a tile.
func (k *keptValues) begin(t *table.Tile) {
	k.spans, k.places = k.spans[:0], slices.Grow(k.places[:0], len(t.Class))[:len(t.Class)]
	k.whole = k.kind == keepsDocuments || k.kind == keepsTokens && t.Whole && !t.Centred
	if k.whole && k.keys == nil {
		k.keys = slices.Repeat([]folded{unknownKey}, k.placesBelow(k.most+1))
	}
}

// keeps reports whether the values of a term of a tile are kept.
func (k *keptValues) keeps(t *table.Tile, i int) bool {
	return k.whole && k.count(t, i) <= float64(k.most)
}

// count returns the documents or tokens of a term of a tile.
func (k *keptValues) count(t *table.Tile, i int) float64 {
	if k.kind == keepsDocuments {
		return float64(t.DF[i])
	}
	return t.CF[i]
}

// row returns the classes of a term, the documents or tokens in each, and the place of class 0 and none of them.
func (k *keptValues) row(t *table.Tile, i int) (classes []uint32, x []float64, base int) {
	from, to := t.Range(i)
	x = t.A
	if k.kind == keepsTokens {
		x = t.S
	}
	return t.Class[from:to], x[from:to], k.placesBelow(int(k.count(t, i)))
}

// largest returns the largest value of the cells of a term that is defined, if all are known.
func (k *keptValues) largest(t *table.Tile, i int) (most float64, known bool) {
	classes, x, base := k.row(t, i)
	key, keys := undefinedKey, k.keys
	for j, class := range classes {
		key = max(key, keys[base+int(x[j])*k.classes+int(class)])
	}
	return valueOfKey(key), key < pendingKey
}

// locate sets the places of the cells of a term, and appends those cells whose values are not known and not at work.
func (k *keptValues) locate(cells []int32, t *table.Tile, i int) []int32 {
	from, to := t.Range(i)
	k.add(from, to)
	classes, x, base := k.row(t, i)
	places := k.places[from:to]
	for j, in := range x {
		place := base + int(in)*k.classes + int(classes[j])
		places[j] = int32(place)
		if k.keys[place] == unknownKey {
			k.keys[place] = pendingKey
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
				k.keys[k.places[cell]] = keyOfValue(values[cell])
			}
		}
		places, to := k.places[span.from:span.to], values[span.from:span.to]
		for j, place := range places {
			to[j] = valueOfKey(k.keys[place])
		}
	}
}
