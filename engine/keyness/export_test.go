package keyness

import (
	"cmp"
	"context"

	"github.com/termsift/termsift/engine/rank"
)

// This file exports what the tests of this package need.

// PermuteMeanDifference returns, by term, the values of the difference of the mean shares, ln p by
// permutations, and the corrected ln p, of tested terms.
func PermuteMeanDifference(ctx context.Context, target, reference rank.Counted, o Options) (values, lnP, corrected map[string]float64, err error) {
	permuted := o
	o.Permutations, o.MaxT, o.Measure = 0, false, Welch
	c, err := newComparison(ctx, target, reference, o)
	if err != nil {
		return nil, nil, nil, err
	}
	c.Options.Permutations, c.Options.Seed, c.Options.MaxT = permuted.Permutations, permuted.Seed, permuted.MaxT
	c.by = &definition{Measure: "mean_difference", listed: func(p *listedPair) judgement {
		d := p.target.sample().Mean - p.reference.sample().Mean
		return judgement{d, 0, cmp.Compare(d, 0)}
	}}
	c.tested = nil
	if err := c.test(ctx); err != nil {
		return nil, nil, nil, err
	}
	values, lnP, corrected = map[string]float64{}, map[string]float64{}, map[string]float64{}
	for place, p := range c.pairs {
		values[c.term(p)], lnP[c.term(p)], corrected[c.term(p)] = c.values[place], c.lnP[place], c.corrected[place]
	}
	return values, lnP, corrected, nil
}

// A Half is one way to halve a corpus with the values that terms have then.
type Half struct {
	First  []int // documents
	Values map[string]float64
}

// Halves returns what SplitHalf draws from the reference.
func (c *Comparison) Halves(ctx context.Context, o HalfOptions) ([]Half, error) {
	if err := c.needDocuments(ctx, "a test"); err != nil {
		return nil, err
	}
	d := c.newDrawing(c.reference.Documents/2, o.B, o.Seed, c.reference)
	halves := make([]Half, d.draws)
	err := d.run(ctx, func(_, place, number int, v drawn) {
		if halves[number].Values == nil {
			halves[number].Values = map[string]float64{}
		}
		halves[number].Values[c.term(c.pairs[place])] = v.value
	})
	if err != nil {
		return nil, err
	}
	again := c.newDrawing(c.reference.Documents/2, o.B, o.Seed, c.reference)
	for i := range halves {
		block, err := again.block(ctx, 1, i, i+1)
		if err != nil {
			return nil, err
		}
		for doc := range uint32(d.documents) {
			if block[0].has(doc) {
				halves[i].First = append(halves[i].First, int(doc))
			}
		}
	}
	return halves, nil
}

// Ways is what tells how many sets of k of n there are, if not more than most.
var Ways = ways
