package postings

import (
	"context"
	"math"

	"github.com/termsift/termsift/engine/table"
)

// weigher computes weights of postings in float64. It never reads a column of rounded
// weights.
type weigher struct {
	w    table.Weighting
	n    float64
	norm []float64 // 1 for documents that are not scaled; nil means none is scaled
}

func (x *Index) newWeigher(ctx context.Context, w table.Weighting, keep []bool, n float64, df []float64) (*weigher, error) {
	g := &weigher{w: w, n: n}
	if !w.Unit() {
		return g, nil
	}
	g.norm = make([]float64, x.Documents())
	var p List
	err := x.Each(ctx, x.Terms.Len(), func(t int) error {
		if df[t] == 0 {
			return nil
		}
		if err := x.Read(t, &p); err != nil {
			return err
		}
		idf := table.IDF(n, df[t])
		for i, d := range p.Docs {
			if keep == nil || keep[d] {
				v := w.Raw(p.TF[i], idf)
				g.norm[d] += float64(v * v)
			}
		}
		return nil
	})
	for d, sum := range g.norm {
		g.norm[d] = math.Sqrt(sum)
	}
	return g, err
}

// weight returns w(t, d); it is 0 in a document whose terms all have weight 0.
func (g *weigher) weight(tf, idf float64, doc uint32) float64 {
	v := g.w.Raw(tf, idf)
	if g.norm == nil {
		return v
	}
	if g.norm[doc] == 0 {
		return 0
	}
	return v / g.norm[doc]
}

// Weights is a float32 column in posting order: the weights of a weighting, computed in
// float64 and rounded once.
type Weights struct {
	start  []uint64
	values []float32
}

// Of returns the weights of a term, one for each of its documents in ascending order.
// The slice must not be modified.
func (w *Weights) Of(term int) []float32 { return w.values[w.start[term]:w.start[term+1]] }

// Weights returns the column of a weighting, for passes that read vectors. Scores never read it: sums of rounded weights
// would depend on the rounding.
func (x *Index) Weights(ctx context.Context, w table.Weighting) (*Weights, error) {
	df := make([]float64, x.Terms.Len())
	for t, n := range x.DocFreq {
		df[t] = float64(n)
	}
	n := float64(x.Documents())
	g, err := x.newWeigher(ctx, w, nil, n, df)
	if err != nil {
		return nil, err
	}
	out := &Weights{x.Start, make([]float32, 0, x.NumPostings())}
	var p List
	err = x.Each(ctx, len(df), func(t int) error {
		if err := x.Read(t, &p); err != nil {
			return err
		}
		idf := table.IDF(n, df[t])
		for i, d := range p.Docs {
			out.values = append(out.values, float32(g.weight(p.TF[i], idf, d)))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
