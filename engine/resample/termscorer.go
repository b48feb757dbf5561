package resample

import (
	"slices"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
)

// A termScorer scores the terms of a sample while their counts are in the cache. It serves one
// goroutine.
type termScorer struct {
	panel  *score.Panel
	class  int // the class to score for; -1 = one value of all classes
	weight table.Weighting
	values []float64 // by term: written
	df     []uint32  // by term: its df in the sample, written; may be nil
}

// newTermScorer returns a scorer by the plan of a ranking.
func newTermScorer(p rank.Plan, m *score.Margins, class int, values []float64) *termScorer {
	return &termScorer{panel: score.NewPanel([]score.Choice{p.Choice()}, m), class: class, weight: p.Column(), values: values}
}

// score sets the values of the terms of a tile. Those of terms that are not in the sample are
// undefined.
func (v *termScorer) score(t *table.Tile) {
	if v.df != nil {
		copy(v.df[t.First:], t.DF)
	}
	values := v.values[t.First:][:len(t.DF)]
	if v.class >= 0 {
		v.scoreClass(t, values)
		return
	}
	weighted := *t // the memory of t.W is the counter's
	switch v.weight {
	case table.TF:
		weighted.W = t.S
	case table.Binary:
		weighted.W = t.A
	}
	v.panel.Tile(&weighted, [][]float64{values})
}

// scoreClass scores the terms of a tile for the class.
func (v *termScorer) scoreClass(t *table.Tile, values []float64) {
	for i, df := range t.DF {
		from, to := t.Range(i)
		row := score.Row{DF: float64(df), Class: t.Class[from:to], A: t.A[from:to], Centred: t.Centred}
		if v.panel.NeedsTokens() {
			row.CF, row.S, row.Q = t.CF[i], t.S[from:to], t.Q[from:to]
		}
		if t.Centred {
			row.LowCF, row.LowS, row.M2 = t.LowCF[i], t.LowS[from:to], t.M2[from:to]
		}
		cell, found := slices.BinarySearch(row.Class, uint32(v.class))
		if !found {
			cell = -1
		}
		values[i] = v.panel.Class(&row, v.class, cell)
	}
}
