package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
)

// StabilityOptions say which selection to repeat, and on which samples of the
// documents. Set K, and one of Samples and Folds.
type StabilityOptions struct {
	Scoring
	// K is the number of terms that each sample selects; all that occur in it where
	// these are fewer.
	K int
	// Samples is the number of samples, from 2 on: bootstrap samples (as many documents
	// as there are, drawn with replacement) unless Share is set.
	Samples int
	// Share in (0, 1) makes every sample this share of the documents, drawn without
	// replacement, rounded, one document at least.
	Share float64
	// Folds from 2 on cuts the documents at random into so many parts of about equal
	// size; each sample is all but one of them.
	Folds int
	// Seed chooses the samples: the same seed, the same result.
	Seed uint64
}

// Validate reports a request that no data could satisfy.
func (o StabilityOptions) Validate() error {
	p, err := o.plan()
	switch {
	case err != nil:
		return err
	case p.combine == score.ByClass:
		return usage("a selection needs one value for a term; the combination %q gives one for each class", score.ByClass)
	case o.K < 1:
		return usage("k must be positive, not %d", o.K)
	case (o.Samples != 0) == (o.Folds != 0):
		return usage("say how to repeat the selection: exactly one of samples and folds")
	case o.Folds != 0 && o.Folds < 2:
		return usage("there must be 2 folds or more, not %d", o.Folds)
	case o.Samples != 0 && o.Samples < 2:
		return usage("there must be 2 samples or more, not %d", o.Samples)
	case max(o.Samples, o.Folds) > math.MaxInt32:
		return usage("there can be %d samples at most, not %d", math.MaxInt32, max(o.Samples, o.Folds))
	case o.Share != 0 && !(o.Share > 0 && o.Share < 1):
		return usage("the share of the documents must be between 0 and 1, not %v", o.Share)
	case o.Share != 0 && o.Folds != 0:
		return usage("a share of the documents goes with samples, not with folds")
	}
	return nil
}

// Stability says how much a selection depends on the documents it was made from.
type Stability struct {
	Measure, Combine string
	K                int
	Samples          int // selections that were compared
	Terms            int // of the corpus
	// Selected are the terms that some sample selected: by Count, descending, then by
	// MeanRank, then by df and bytes.
	Selected []StableTerm
	Agreement
	Warnings []string
}

// A StableTerm is a term that some sample selected.
type StableTerm struct {
	Term     string
	Count    int     // samples that selected it
	Share    float64 // Count/Samples
	MeanRank float64 // in the samples that selected it, from 1
	DF       int     // in the whole corpus
	Rank     int     // in the whole corpus by the same measure, from 1
}

// Stability selects the K best terms in every sample of the documents, from the index
// alone: a document that was drawn twice counts twice, in N, the class sizes, df and
// all other counts. A sample ranks as [Statistics.Rank] does that of its documents,
// the ties too; terms that do not occur in it are not selected. A class without
// documents in it stays a class, with the values that its measure has then.
//
// Time is about that of a ranking for each sample; a worker has 24 bytes a term.
func (c *Corpus) Stability(ctx context.Context, o StabilityOptions) (*Stability, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Folds > c.Documents() {
		return nil, usage("%d folds are more than the %d documents", o.Folds, c.Documents())
	}
	whole, err := c.Rank(ctx, o.Scoring)
	if err != nil {
		return nil, err
	}
	s := &Stability{
		Measure: whole[0].Measure, Combine: whole[0].Combine, K: o.K, Samples: max(o.Samples, o.Folds),
		Terms: c.Terms(), Warnings: whole[0].Warnings,
	}
	chosen, err := c.repeat(ctx, o, s.Samples)
	if err != nil {
		return nil, err
	}
	terms := s.list(c, chosen, whole[0])
	s.Agreement, err = agreementOf(ctx, chosen, terms, c.Terms(), o.Threads)
	if err != nil {
		return nil, err
	}
	s.warn(c, chosen)
	return s, nil
}

// repeat gives the terms that each sample selects, best first.
func (c *Corpus) repeat(ctx context.Context, o StabilityOptions, samples int) ([][]uint32, error) {
	p, err := o.plan()
	if err != nil {
		return nil, err
	}
	var tokens []float64
	if p.info.UsesTokens {
		if tokens, err = c.index.DocumentTokens(ctx); err != nil {
			return nil, err
		}
	}
	chosen, workers := make([][]uint32, samples), make([]*sampleRanker, pool.Threads(o.Threads))
	byBytes := c.index.Terms.Sorted()
	err = pool.Stage(ctx, "sample", func(ctx context.Context) error {
		return c.index.Run(ctx, o.Threads, samples, func(worker, i int) (err error) {
			if workers[worker] == nil {
				workers[worker] = newSampleRanker(c, p, tokens, byBytes)
			}
			chosen[i], err = workers[worker].best(ctx, c.index.Weighted(o.Weights(i, c.Documents())), o.K)
			return err
		})
	})
	return chosen, err
}

// Weights says how often sample i, from 0, takes each of n documents. The options must
// be valid.
func (o StabilityOptions) Weights(i, n int) []uint32 {
	switch {
	case o.Folds > 0:
		end := func(i int) int { return int(int64(i) * int64(n) / int64(o.Folds)) }
		times := part(n, end(i), end(i+1), o.Seed, 0)
		for d := range times {
			times[d] = 1 - times[d]
		}
		return times
	case o.Share > 0:
		return part(n, 0, max(1, int(math.Round(o.Share*float64(n)))), o.Seed, uint64(i))
	default:
		return drawn(n, o.Seed, uint64(i))
	}
}

// list makes the entries of the terms that were ever selected, and returns their
// numbers.
func (s *Stability) list(c *Corpus, chosen [][]uint32, whole *Ranking) (terms []uint32) {
	count, ranks := make([]int, c.Terms()), make([]int, c.Terms())
	for _, own := range chosen {
		for i, t := range own {
			if count[t] == 0 {
				terms = append(terms, t)
			}
			count[t]++
			ranks[t] += i + 1
		}
	}
	slices.SortFunc(terms, func(a, b uint32) int {
		return cmp.Or(
			cmp.Compare(count[b], count[a]),
			cmp.Compare(ranks[a], ranks[b]), // sums over equally many samples
			cmp.Compare(a, b),
		)
	})
	rank := make([]int, c.Terms())
	for i, t := range topK(whole.values, c.Terms()) {
		rank[t] = i + 1
	}
	for _, t := range terms {
		s.Selected = append(s.Selected, StableTerm{
			Term: c.Term(int(t)), Count: count[t], Share: float64(count[t]) / float64(s.Samples),
			MeanRank: float64(ranks[t]) / float64(count[t]), DF: c.DF(int(t)), Rank: rank[t],
		})
	}
	return terms
}

// warn tells where the samples could not select K terms.
func (s *Stability) warn(c *Corpus, chosen [][]uint32) {
	if s.K > c.Terms() {
		s.Warnings = append(s.Warnings, fmt.Sprintf("k = %d is more than the %d terms: every sample selects all that occur in it", s.K, c.Terms()))
		return
	}
	fewer := 0
	for _, own := range chosen {
		if len(own) < s.K {
			fewer++
		}
	}
	if fewer > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d of the %d samples have less than k = %d terms and select all that occur in them", fewer, s.Samples, s.K))
	}
}
