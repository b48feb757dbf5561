package rank

import (
	"context"
	"iter"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/usage"
)

// This file tests rankings by permuted labels, and stability.go asks how far selections from samples of the documents
// agree. Both read the index alone; nothing is analysed or built anew. What is random comes from draws.go.

// PermuteOptions are the options of [Permute]. B has no default.
type PermuteOptions struct {
	By Options
	// Class tests the values of this class, as [Class] gives them; "" tests one
	// value of all classes, as [Terms] does.
	Class string
	// B is the number of permutations, from 1 to [MostDraws]. No p-value is below 1/(B+1).
	B int
	// Seed chooses the permutations: the same seed gives the same p-values.
	Seed uint64
}

// plan returns the plan of By, for the values of the class if there is one, or a [usage.ErrUsage] for options that no
// corpus could satisfy.
func (o PermuteOptions) plan() (p Plan, err error) {
	if o.Class != "" {
		o.By.Combine = ByClass
	}
	p, err = o.By.Resolve()
	switch {
	case err != nil:
		return p, err
	case o.B < 1 || o.B > MostDraws:
		return p, usage.Errorf("the number of permutations must be 1 to %d, not %d", MostDraws, o.B)
	case p.seeding != nil:
		return p, usage.Errorf("permutations weigh no seed words: omit either")
	case p.Combination() == ByClass && o.Class == "":
		return p, usage.Errorf("permutations test one value for a term; the combination %q gives one for each class: name a class", ByClass)
	}
	return p, refuseLists(p, "permutations")
}

// Permute tests every term by permutations of the labels: B times it shuffles the label
// sets of the documents, empty ones included, among all documents and computes the
// measure anew. The null hypothesis is that the text of a document has nothing to do with
// its labels: all pairings of the texts with the label sets are equally likely. Class
// sizes, the number of labels of a set and the labels that occur together stay the same,
// and so do df and cf; the tokens of a class are counted anew. The test is one-sided: it
// counts the permutations in which the value is at least as large, within a relative
// 4e-12. In permutation b of [0, B) document d has the labels of document
// [DrawOrder](documents, Seed, b)[d].
//
// It takes the time of about B rankings, and the memory of one and at most 16 MiB of
// permuted labels.
func Permute(ctx context.Context, c *corpus.Corpus, o PermuteOptions) (*Permutations, error) {
	plan, err := o.plan()
	if err != nil {
		return nil, err
	}
	if len(c.Classes()) == 0 {
		return nil, c.RequireClasses("permuting the labels")
	}
	observed, err := rankObserved(ctx, c, o)
	if err != nil {
		return nil, err
	}
	run, err := newPermuter(ctx, c, o, plan, observed)
	if err != nil {
		return nil, err
	}
	err = pool.Stage(ctx, "permute", func(ctx context.Context) error {
		for from := 0; from < o.B; from += run.blockSize {
			if err := run.runBlock(ctx, from, min(from+run.blockSize, o.B)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	run.reached.Join()
	return &Permutations{Ranking: observed, B: o.B, reached: run.reached}, nil
}

// rankObserved returns the ranking by the labels as they are.
func rankObserved(ctx context.Context, c *corpus.Corpus, o PermuteOptions) (*Ranking, error) {
	if o.Class != "" {
		return Class(ctx, c, o.Class, o.By)
	}
	return Terms(ctx, c, o.By)
}

// A permuter counts for every term the permutations in which its value is reached. A
// worker takes a range of terms through a block of permutations, so that the posting
// lists are decoded once and stay in the second cache; the classes of the documents, one
// byte each, are read from the third for every range.
type permuter struct {
	corpus  *corpus.Corpus
	options PermuteOptions
	plan    Plan

	observed *Ranking
	class    int // number of Options.Class; -1 = one value of all classes
	reached  *Reached

	allDocuments *postings.Sample
	chunks       []pool.Range // of terms
	margins      *score.Margins
	tokens       []float64 // by document; nil for a measure of documents
	blockSize    int       // number of permutations at a time
	block        []permutedCorpus
	workers      []*permuteWorker
}

// A permutedCorpus is the corpus with permuted labels.
type permutedCorpus struct {
	sample  *postings.Sample
	margins *score.Margins
}

const (
	// blockBytes is the most memory that the labels of a block of permutations take.
	blockBytes = 16 << 20
	// tokenBlockSize is the most permutations of a block for measures of tokens: their
	// margins differ between permutations, and a worker keeps a panel for each.
	tokenBlockSize = 16
)

// newPermuter returns a permuter that has made no permutation.
func newPermuter(ctx context.Context, c *corpus.Corpus, o PermuteOptions, plan Plan, observed *Ranking) (r *permuter, err error) {
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	threads := pool.Threads(o.By.Threads)
	r = &permuter{
		corpus: c, options: o, plan: plan, observed: observed, allDocuments: x.AllDocuments(), chunks: x.Chunks(), class: -1, margins: Margins(observed.Statistics()),
		reached: NewReached(observed.Values(), nil, o.B, threads), workers: make([]*permuteWorker, threads),
	}
	if o.Class != "" {
		r.class = slices.Index(c.Classes(), o.Class)
	}
	r.blockSize = max(1, min(o.B, blockBytes/(4*c.Documents())))
	if r.plan.UsesTokens() {
		r.blockSize = min(r.blockSize, tokenBlockSize)
		if r.tokens, err = x.DocumentTokens(ctx); err != nil {
			return nil, err
		}
	}
	if w := r.plan.Sums(); w != "" {
		err = r.allDocuments.Weigh(ctx, w)
	}
	return r, err
}

// runBlock makes the permutations [from, to) and counts the values reached in them.
func (r *permuter) runBlock(ctx context.Context, from, to int) error {
	r.block = make([]permutedCorpus, to-from)
	err := pool.Run(ctx, r.options.By.Threads, len(r.block), func(_, i int) error {
		r.block[i] = r.permutedCorpus(uint64(from + i))
		return nil
	})
	if err != nil {
		return err
	}
	for _, w := range r.workers {
		if w != nil && r.tokens != nil {
			w.scorers = make([]*termScorer, len(r.block))
		}
	}
	return r.corpus.Index().Run(ctx, r.options.By.Threads, len(r.chunks), func(worker, chunk int) error {
		if r.workers[worker] == nil {
			r.workers[worker] = r.newWorker()
		}
		return r.workers[worker].scoreTerms(ctx, r.chunks[chunk], worker, from)
	})
}

// permutedCorpus returns the corpus under permutation b.
func (r *permuter) permutedCorpus(b uint64) permutedCorpus {
	sample := r.allDocuments.Relabelled(DrawOrder(r.corpus.Documents(), r.options.Seed, b))
	if r.tokens == nil {
		return permutedCorpus{sample, r.margins}
	}
	return permutedCorpus{sample, score.MarginsOf(sample.Totals(r.tokens)).WithScale(r.margins.Scale())}
}

// A permuteWorker scores ranges of terms under the permutations of a block on one
// goroutine.
type permuteWorker struct {
	permuter *permuter
	counter  *postings.ListCounter
	values   []float64 // by term, under the current permutation
	scorers  []*termScorer
}

// newWorker returns a worker for the current block.
func (r *permuter) newWorker() *permuteWorker {
	counter := r.corpus.Index().NewListCounter(r.tokens != nil)
	return &permuteWorker{r, counter, make([]float64, r.corpus.Terms()), make([]*termScorer, len(r.block))}
}

// scoreTerms scores a range of terms under all permutations of the block, whose first one has a number, as a worker, and
// counts those that are reached. A measure of documents has the same margins in all of them, so that the first scorer
// serves all blocks.
func (w *permuteWorker) scoreTerms(ctx context.Context, terms pool.Range, worker, number int) error {
	r := w.permuter
	if err := w.counter.Load(terms); err != nil {
		return err
	}
	for i, permuted := range r.block {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		of := i
		if r.tokens == nil {
			of = 0
		}
		if w.scorers[of] == nil {
			w.scorers[of] = newTermScorer(r.plan, permuted.margins, r.class, w.values)
		}
		w.counter.Count(permuted.sample, w.scorers[of].score)
		r.reached.Add(worker, number+i, terms.From, w.values[terms.From:terms.To])
	}
	return nil
}

// Permutations are the p-values of all terms that [Permute] gives. They are immutable and
// safe for concurrent use.
type Permutations struct {
	*Ranking     // by the labels as they are
	B        int // number of permutations

	reached *Reached
}

// A PermutedEntry is a term with its value v and its p-values.
type PermutedEntry struct {
	Entry
	// P is (1 + #{b: v_b >= v})/(B + 1), where v_b is the term's value in permutation b:
	// the share of permutations, that of the labels as they are included, in which it
	// reaches v.
	P float64
	// PMax is the same with the largest value of all terms in permutation b for v_b
	// (Westfall & Young 1993, single-step maxT): the probability that any term at all
	// reaches v if none has to do with the labels. To keep the terms with PMax up to a
	// level bounds the probability of a single wrong one by that level.
	PMax float64
}

// Best yields the k best terms, best first; all terms if there are fewer.
func (p *Permutations) Best(k int) iter.Seq[PermutedEntry] {
	return func(yield func(PermutedEntry) bool) {
		entry := p.Entries()
		for i, t := range TopK(p.Values(), min(max(k, 0), p.Len())) {
			e := p.entryOf(t, entry)
			e.Rank = i + 1
			if !yield(e) {
				return
			}
		}
	}
}

// All yields every term in the order of its bytes.
func (p *Permutations) All() iter.Seq[PermutedEntry] {
	return func(yield func(PermutedEntry) bool) {
		entry := p.Entries()
		for _, t := range p.Statistics().Names.Sorted() {
			if !yield(p.entryOf(int(t), entry)) {
				return
			}
		}
	}
}

// entryOf returns the entry of term t; entry gives its part from the ranking.
func (p *Permutations) entryOf(t int, entry func(t int) Entry) PermutedEntry {
	return PermutedEntry{Entry: entry(t), P: p.reached.P(t), PMax: p.reached.PMax(t)}
}
