package engine

import (
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/store"
)

// Permuting says what to test by permutations. B has no default.
type Permuting struct {
	Scoring
	// Class asks for the values of this class, as [Corpus.RankClass] gives them; "" for
	// one value of all classes.
	Class string
	// B is the number of permutations, from 1 on. No p-value is below 1/(B+1).
	B int
	// Seed chooses the permutations: the same seed, the same p-values.
	Seed uint64
}

// mostPermutations keeps what is counted in 32 bits.
const mostPermutations = math.MaxInt32

// Validate reports a request that no data could satisfy.
func (o Permuting) Validate() error {
	p, err := o.scoring().plan()
	switch {
	case err != nil:
		return err
	case o.B < 1 || o.B > mostPermutations:
		return usage("the number of permutations must be 1 to %d, not %d", mostPermutations, o.B)
	case p.combine == score.ByClass && o.Class == "":
		return usage("permutations test one value for a term; the combination %q gives one for each class: name a class", score.ByClass)
	}
	return nil
}

// scoring has the combination that a class implies.
func (o Permuting) scoring() Scoring {
	if o.Class != "" {
		o.Scoring.Combine = score.ByClass
	}
	return o.Scoring
}

// Permute tests every term by permutations of the labels: the label sets of the
// documents, empty ones included, are shuffled among all documents B times, and the
// measure is computed anew. The null hypothesis is that a document's text has nothing
// to do with its labels: all pairings of the texts with the label sets are equally
// likely. Class sizes, numbers of labels and whatever labels have in common stay; df
// and cf stay; the tokens of a class are counted anew. Tests are one-sided: what counts
// is a value at least as large, within a relative 4e-12.
//
// Time is that of about B rankings, and memory that of one, with at most 16 MiB of
// permuted labels.
func (c *Corpus) Permute(ctx context.Context, o Permuting) (*Permutations, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	observed, err := c.observe(ctx, o)
	if err != nil {
		return nil, err
	}
	run, err := c.newPermuter(ctx, o, observed)
	if err != nil {
		return nil, err
	}
	err = pool.Stage(ctx, "permute", func(ctx context.Context) error {
		for from := 0; from < o.B; from += run.block {
			if err := run.permute(ctx, from, min(from+run.block, o.B)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return run.result(), nil
}

// observe makes the ranking of the labels as they are.
func (c *Corpus) observe(ctx context.Context, o Permuting) (*Ranking, error) {
	if o.Class != "" {
		return c.RankClass(ctx, o.Class, o.Scoring)
	}
	rankings, err := c.Rank(ctx, o.Scoring)
	if err != nil {
		return nil, err
	}
	return rankings[0], nil
}

// A permuter counts, for every term, the permutations whose value reaches its own.
// Ranges of terms are shared out among the workers, and each goes through a block of
// permutations, so that its lists are decoded once and stay in the second cache; the
// classes of the documents, one byte each, come from the third for every range anew.
type permuter struct {
	c    *Corpus
	o    Permuting
	plan plan

	observed *Ranking
	least    []float64   // by term: what a value must reach
	hits     []uint32    // by term: how many did
	largest  [][]float64 // worker -> permutation -> its largest value

	whole   *store.Sample
	margins *score.Margins
	tokens  []float64 // by document; nil for a measure of documents
	block   int       // permutations at a time
	draws   []relabelled
	workers []*permuteWorker
}

// relabelled is the corpus under one permutation.
type relabelled struct {
	sample  *store.Sample
	margins *score.Margins
}

const (
	// permutedBytes bounds the labels of a block of permutations.
	permutedBytes = 16 << 20
	// tokenBlock bounds a block for measures of tokens: their margins differ between
	// permutations, and a worker keeps a panel for each.
	tokenBlock = 16
)

func (c *Corpus) newPermuter(ctx context.Context, o Permuting, observed *Ranking) (r *permuter, err error) {
	threads := pool.Threads(o.Threads)
	r = &permuter{
		c: c, o: o, observed: observed, whole: c.index.Whole(), hits: make([]uint32, c.Terms()),
		largest: make([][]float64, threads), workers: make([]*permuteWorker, threads),
	}
	if r.plan, err = o.scoring().plan(); err != nil {
		return nil, err
	}
	for _, v := range observed.values {
		r.least = append(r.least, leastFor(v))
	}
	r.block = max(1, min(o.B, permutedBytes/(4*c.Documents())))
	if r.plan.info.UsesTokens {
		r.block = min(r.block, tokenBlock)
		if r.tokens, err = c.index.DocumentTokens(ctx); err != nil {
			return nil, err
		}
	}
	if w := r.plan.sums(); w != "" {
		if err := r.whole.Weigh(ctx, w); err != nil {
			return nil, err
		}
	}
	r.margins, err = c.marginsFor(ctx, r.plan.info.UsesTokens, o.Threads)
	return r, err
}

// sums is the weighting whose sums have to be counted; "" where none has.
func (p plan) sums() store.Weighting {
	if w := p.column(); w != store.TF && w != store.Binary {
		return w
	}
	return ""
}

// tieTolerance is the relative difference up to which values count as equal.
const tieTolerance = 4e-12

// leastFor is what a value must be to reach v. An undefined one is reached by all.
func leastFor(v float64) float64 {
	switch {
	case math.IsNaN(v):
		return math.Inf(-1)
	case math.IsInf(v, 0):
		return v
	}
	return v - float64(tieTolerance*math.Abs(v))
}

// permute goes through the permutations [from, to).
func (r *permuter) permute(ctx context.Context, from, to int) error {
	r.draws = make([]relabelled, to-from)
	err := pool.Run(ctx, r.o.Threads, len(r.draws), func(_, i int) error {
		r.draws[i] = r.draw(uint64(from + i))
		return nil
	})
	if err != nil {
		return err
	}
	for _, w := range r.workers {
		if w != nil {
			w.turn(len(r.draws))
		}
	}
	chunks := r.c.index.Chunks()
	return r.c.index.Run(ctx, r.o.Threads, len(chunks), func(worker, chunk int) error {
		if r.workers[worker] == nil {
			r.workers[worker] = r.newWorker()
			r.largest[worker] = slices.Repeat([]float64{math.Inf(-1)}, r.o.B)
		}
		return r.workers[worker].terms(ctx, chunks[chunk], r.largest[worker][from:to])
	})
}

// draw makes permutation number b.
func (r *permuter) draw(b uint64) relabelled {
	sample := r.whole.Relabelled(shuffled(r.c.Documents(), r.o.Seed, b))
	if r.tokens == nil {
		return relabelled{sample, r.margins}
	}
	return relabelled{sample, r.margins.WithTokens(sample.Totals(r.tokens).ClassTokens)}
}

// result joins what the workers found.
func (r *permuter) result() *Permutations {
	p := &Permutations{
		Measure: r.observed.Measure, Combine: r.observed.Combine, Class: r.observed.Class, B: r.o.B,
		Warnings: r.observed.Warnings, ranking: r.observed, least: r.least, hits: r.hits,
		largest: slices.Repeat([]float64{math.Inf(-1)}, r.o.B), seed: r.o.Seed, docs: r.c.Documents(),
	}
	for _, own := range r.largest {
		for b, v := range own {
			p.largest[b] = max(p.largest[b], v)
		}
	}
	slices.Sort(p.largest)
	for t, v := range r.least {
		if math.IsInf(v, -1) { // undefined values reach it too
			p.hits[t] = uint32(r.o.B)
		}
	}
	return p
}
