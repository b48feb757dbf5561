package engine

import "context"

// What tests of this package need to see.

var Shuffled, Drawn = shuffled, drawn

// Repeat gives the terms that each sample selects, best first.
func (c *Corpus) Repeat(ctx context.Context, o StabilityOptions) (lists [][]string, err error) {
	chosen, err := c.repeat(ctx, o, max(o.Samples, o.Folds))
	for _, own := range chosen {
		var list []string
		for _, t := range own {
			list = append(list, c.Term(int(t)))
		}
		lists = append(lists, list)
	}
	return lists, err
}

// SampleValues gives the values of the terms that occur in a sample, and their df.
func (c *Corpus) SampleValues(ctx context.Context, o Scoring, weights []uint32) (values map[string]float64, df map[string]int, err error) {
	p, err := o.plan()
	if err != nil {
		return nil, nil, err
	}
	var tokens []float64
	if p.info.UsesTokens {
		if tokens, err = c.index.DocumentTokens(ctx); err != nil {
			return nil, nil, err
		}
	}
	r := newSampleRanker(c, p, tokens, c.index.Terms.Sorted())
	if err := r.score(ctx, c.index.Weighted(weights)); err != nil {
		return nil, nil, err
	}
	values, df = map[string]float64{}, map[string]int{}
	for t, n := range r.df {
		if n > 0 {
			values[c.Term(t)], df[c.Term(t)] = r.values[t], int(n)
		}
	}
	return values, df, nil
}

// PermutedValues gives the values of all terms under permutation b.
func (c *Corpus) PermutedValues(ctx context.Context, o Permuting, b uint64) (map[string]float64, error) {
	observed, err := c.observe(ctx, o)
	if err != nil {
		return nil, err
	}
	r, err := c.newPermuter(ctx, o, observed)
	if err != nil {
		return nil, err
	}
	r.draws = []relabelled{r.draw(b)}
	w := r.newWorker()
	for _, chunk := range c.index.Chunks() {
		if err := w.terms(ctx, chunk, make([]float64, 1)); err != nil {
			return nil, err
		}
	}
	values := map[string]float64{}
	for t, v := range w.values {
		values[c.Term(t)] = v
	}
	return values, nil
}
