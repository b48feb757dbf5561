package resample

import (
	"slices"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// A scoreVisitor is a [store.Visitor] that scores the terms of a sample while their counts
// are in the cache: it collects them in a tile of cells. It serves one goroutine.
type scoreVisitor struct {
	panel  *score.Panel
	class  int // the class to score for; -1 = one value of all classes
	weight table.Weighting
	values []float64 // by term: written
	df     []uint32  // by term: its df in the sample, written; may be nil

	row   score.Row
	tile  table.Tile
	terms []int // those of the tile
	found [1][]float64
}

// tileCells is the number of cells or terms from which a tile is scored.
const tileCells = 1024

// Row implements [store.Visitor].
func (v *scoreVisitor) Row(r *store.Row) {
	if v.df != nil {
		v.df[r.Term] = uint32(r.DF)
	}
	if v.class >= 0 {
		v.scoreClass(r)
		return
	}
	t := &v.tile
	t.Class, t.A = append(t.Class, r.Class...), append(t.A, r.A...)
	if v.panel.NeedsTokens() {
		t.S, t.Q = append(t.S, r.S...), append(t.Q, r.Q...)
		if t.Centred = r.Centred; r.Centred {
			t.LowCF, t.LowS, t.M2 = append(t.LowCF, r.LowCF), append(t.LowS, r.LowS...), append(t.M2, r.M2...)
		}
		switch v.weight {
		case table.TF:
			t.W = append(t.W, r.S...)
		case table.Binary:
			t.W = append(t.W, r.A...)
		default:
			t.W = append(t.W, r.W...)
		}
	}
	v.endTerm(r.Term, r.DF, r.CF)
}

// endTerm completes the tile's last term, whose cells were appended.
func (v *scoreVisitor) endTerm(term int, df, cf float64) {
	t := &v.tile
	if len(v.terms) == 0 {
		t.Start = append(t.Start[:0], 0)
	}
	v.terms = append(v.terms, term)
	t.DF, t.CF, t.Start = append(t.DF, uint32(df)), append(t.CF, cf), append(t.Start, len(t.Class))
	if len(t.Class) >= tileCells || len(v.terms) >= tileCells {
		v.flush()
	}
}

// Tile implements [store.TileVisitor].
func (v *scoreVisitor) Tile(counted *store.Tile) {
	t, classes := &v.tile, v.panel.Classes()
	for i, df := range counted.DF {
		if df == 0 { // not in the sample
			continue
		}
		counts, n := counted.Counts[i*counted.Stride:][:classes], len(t.Class)
		t.Class = slices.Grow(t.Class, classes)
		t.Class = t.Class[:n+kernels.Occupied(t.Class[n:n+classes], counts)]
		for _, c := range t.Class[n:] {
			t.A = append(t.A, float64(counts[c]))
		}
		if v.df != nil {
			v.df[counted.First+i] = uint32(df)
		}
		v.endTerm(counted.First+i, df, 0)
	}
}

// flush scores the terms that were collected.
func (v *scoreVisitor) flush() {
	t := &v.tile
	v.found[0] = slices.Grow(v.found[0][:0], len(v.terms))[:len(v.terms)]
	t.Whole = !v.panel.NeedsTokens() // documents are whole, values may not be
	v.panel.Tile(t, v.found[:])
	for i, term := range v.terms {
		v.values[term] = v.found[0][i]
	}
	v.terms = v.terms[:0]
	t.DF, t.CF, t.Class, t.A, t.S, t.Q, t.W = t.DF[:0], t.CF[:0], t.Class[:0], t.A[:0], t.S[:0], t.Q[:0], t.W[:0]
	t.LowCF, t.LowS, t.M2 = t.LowCF[:0], t.LowS[:0], t.M2[:0]
}

// scoreClass scores a term for the class.
func (v *scoreVisitor) scoreClass(r *store.Row) {
	v.row.DF, v.row.CF = r.DF, r.CF
	v.row.Class, v.row.A, v.row.S, v.row.Q = r.Class, r.A, r.S, r.Q
	v.row.Centred, v.row.LowCF, v.row.LowS, v.row.M2 = r.Centred, r.LowCF, r.LowS, r.M2
	cell, found := slices.BinarySearch(r.Class, uint32(v.class))
	if !found {
		cell = -1
	}
	v.values[r.Term] = v.panel.Class(&v.row, v.class, cell)
}

// countOptions returns what to count for scores of a class, or of all classes if class is
// -1.
func countOptions(class int, tokens bool, sums table.Weighting) store.VisitOptions {
	o := store.VisitOptions{Cells: class >= 0, Tokens: tokens, Weighting: sums}
	if class < 0 && !tokens {
		o.Few = mostFew
	}
	return o
}

// mostFew is the number of documents up to which terms are passed to Few: the classes of so
// many are put in order without a branch.
const mostFew = 3

// Few implements [store.Visitor]. It is called only where no tokens are counted.
func (v *scoreVisitor) Few(first, df int, classes []uint32, _ []uint8) {
	t, unlabelled := &v.tile, uint32(v.panel.Classes())
	for term := first; len(classes) > 0; term++ {
		for _, c := range classes[:df] {
			switch last := len(t.Class) - 1; {
			case c == unlabelled:
			case last >= v.begins() && t.Class[last] == c:
				t.A[last]++
			default:
				t.Class, t.A = append(t.Class, c), append(t.A, 1)
			}
		}
		classes = classes[df:]
		if v.df != nil {
			v.df[term] = uint32(df)
		}
		v.endTerm(term, float64(df), 0)
	}
}

// begins returns where the cells of the current term begin in the tile.
func (v *scoreVisitor) begins() int {
	if len(v.terms) == 0 {
		return 0
	}
	return v.tile.Start[len(v.tile.Start)-1]
}
