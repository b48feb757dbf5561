package rank

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/table"
)

// This file exports what the tests of this package need.

var (
	DrawBelow, BootstrapWeights              = drawBelow, bootstrapWeights
	FalseTerms, LeastThreshold, MostSelected = falseTerms, leastThreshold, mostSelected
	Unimodal                                 = unimodal
)

// SelectInSamples gives the terms that each sample selects, best first.
func SelectInSamples(ctx context.Context, c *corpus.Corpus, o StabilityOptions) (lists [][]string, err error) {
	chosen, err := selectWeighted(ctx, c, o, o.selections(), func(i int) []uint32 { return o.Weights(i, c.Documents()) })
	return termLists(c, chosen), err
}

// SelectWeighted is SelectInSamples for given weights of the documents.
func SelectWeighted(ctx context.Context, c *corpus.Corpus, o StabilityOptions, weights [][]uint32) ([][]string, error) {
	chosen, err := selectWeighted(ctx, c, o, len(weights), func(i int) []uint32 { return weights[i] })
	return termLists(c, chosen), err
}

func termLists(c *corpus.Corpus, chosen [][]uint32) (lists [][]string) {
	for _, own := range chosen {
		var list []string
		for _, t := range own {
			list = append(list, c.Term(int(t)))
		}
		lists = append(lists, list)
	}
	return lists
}

// SampleValues gives the values of the terms that occur in a sample, and their df.
func SampleValues(ctx context.Context, c *corpus.Corpus, o Options, weights []uint32) (values map[string]float64, df map[string]int, err error) {
	p, err := o.Resolve()
	if err != nil {
		return nil, nil, err
	}
	var tokens []float64
	if p.UsesTokens() {
		if tokens, err = c.Index().DocumentTokens(ctx); err != nil {
			return nil, nil, err
		}
	}
	r := newSampleRanker(c, p, tokens, nil)
	if err := r.scoreTerms(ctx, c.Index().Weighted(weights)); err != nil {
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
func PermutedValues(ctx context.Context, c *corpus.Corpus, o PermuteOptions, b uint64) (map[string]float64, error) {
	plan, err := o.plan()
	if err != nil {
		return nil, err
	}
	observed, err := rankObserved(ctx, c, o)
	if err != nil {
		return nil, err
	}
	r, err := newPermuter(ctx, c, o, plan, observed)
	if err != nil {
		return nil, err
	}
	r.block = []permutedCorpus{r.permutedCorpus(b)}
	w := r.newWorker()
	for _, chunk := range c.Index().Chunks() {
		if err := w.scoreTerms(ctx, chunk, 0, 0); err != nil {
			return nil, err
		}
	}
	values := map[string]float64{}
	for t, v := range w.values {
		values[c.Term(t)] = v
	}
	return values, nil
}

// CellsTell reports whether cells tell the k best terms of some class.
func (p Plan) CellsTell(ctx context.Context, s *table.Table, k int) bool {
	found, err := p.topOfCells(ctx, s, k)
	return err == nil && slices.ContainsFunc(found, func(best []Candidate) bool { return len(best) == k })
}
