package engine

import (
	"context"
	"errors"
	"io"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/tempfile"
)

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

// BuildToWithin is BuildTo with shards of some footprint, and tells how many there were.
func BuildToWithin(ctx context.Context, w io.Writer, batches document.Batches, opt Options, footprint int64) (*Built, int, error) {
	b, shards, err := within(opt, footprint)
	if err != nil {
		return nil, 0, err
	}
	built, err := b.writeTo(ctx, w, shards.count(batches, b))
	return built, shards.n, err
}

// BuildWithin is BuildBatches likewise.
func BuildWithin(ctx context.Context, batches document.Batches, opt Options, footprint int64) (*Corpus, int, error) {
	b, shards, err := within(opt, footprint)
	if err != nil {
		return nil, 0, err
	}
	c, err := b.corpus(ctx, shards.count(batches, b))
	return c, shards.n, err
}

func within(opt Options, footprint int64) (*building, *shardCount, error) {
	b, err := newBuilding(opt)
	if err != nil {
		return nil, nil, err
	}
	b.most = footprint
	return b, &shardCount{}, nil
}

// A shardCount counts the shards that there were before the last batches.
type shardCount struct{ n int }

func (s *shardCount) count(batches document.Batches, b *building) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		for docs, err := range batches {
			s.n = len(b.shards) + 1
			if !yield(docs, err) {
				return
			}
		}
	}
}

// BuildFailing is BuildTo, or BuildBatches and writing the corpus, with shards of some
// footprint in the files of a system.
func BuildFailing(ctx context.Context, w io.Writer, sys tempfile.System, batches document.Batches, opt Options, footprint int64, inMemory bool) error {
	b, _, err := within(opt, footprint)
	if err != nil {
		return err
	}
	b.system = sys
	if !inMemory {
		_, err := b.writeTo(ctx, w, batches)
		return err
	}
	c, err := b.corpus(ctx, batches)
	if err != nil {
		return err
	}
	_, err = c.WriteTo(w)
	return errors.Join(err, c.Close())
}

// MergeFailing is Merge with the temporary files of a system.
func MergeFailing(ctx context.Context, w io.Writer, sys tempfile.System, opt MergeOptions, corpora ...*Corpus) error {
	opt.system = sys
	return Merge(ctx, w, opt, corpora...)
}
