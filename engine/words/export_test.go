package words

import (
	"cmp"
	"context"
	"iter"

	"github.com/termsift/termsift/engine/rank"
)

// This file exports what the tests of this package need.

// PermuteMeanDifference returns, by term, the values of the difference of the mean shares, ln p by
// permutations, and the corrected ln p, of tested terms.
func PermuteMeanDifference(ctx context.Context, target, reference rank.Counted, o KeynessOptions) (values, lnP, corrected map[string]float64, err error) {
	permuted := o
	o.Permutations, o.MaxT, o.Measure = 0, false, Welch
	c, err := newComparison(ctx, [2]rank.Counted{target, reference}, o)
	if err != nil {
		return nil, nil, nil, err
	}
	c.Options.Permutations, c.Options.Seed, c.Options.MaxT = permuted.Permutations, permuted.Seed, permuted.MaxT
	c.by = &keyMeasure{Measure: "mean_difference", listed: func(p *listedPair) verdict {
		d := p.of[0].sample().Mean - p.of[1].sample().Mean
		return verdict{d, 0, cmp.Compare(d, 0)}
	}}
	c.tested = nil
	if err := c.test(ctx); err != nil {
		return nil, nil, nil, err
	}
	values, lnP, corrected = map[string]float64{}, map[string]float64{}, map[string]float64{}
	for place := range c.pairs {
		values[c.term(place)], lnP[c.term(place)], corrected[c.term(place)] = c.values[place], c.lnP[place], c.corrected[place]
	}
	return values, lnP, corrected, nil
}

// Ways is what tells how many sets of k of n there are, if not more than most.
var Ways = ways

// Counts yields all terms of the two corpora, tested or not, in the order of their bytes, and
// their occurrences in each.
func (c *Comparison) Counts() iter.Seq2[string, [2]int] {
	return func(yield func(string, [2]int) bool) {
		for place := range c.pairs {
			if t := c.counts(ofTokens, place); !yield(c.term(place), [2]int{int(t[0]), int(t[1])}) {
				return
			}
		}
	}
}
