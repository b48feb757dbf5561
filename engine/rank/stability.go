package rank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// StabilityOptions are the options of [MeasureStability]: which selection to repeat, and
// on which samples of the documents. Set K, and either Samples or Folds. For stable terms set
// Samples and two of K, Threshold and PFER.
type StabilityOptions struct {
	By Options
	// K is the number of terms that each sample selects. A sample in which fewer occur
	// selects all of them.
	K int
	// Samples is the number of samples, from 2 to [MostSamples]. They are bootstrap samples (as many
	// documents as there are, drawn with replacement) unless Share is set.
	Samples int
	// Share in (0, 1) makes every sample this share of the documents, rounded, at least
	// one, drawn without replacement.
	Share float64
	// Folds, at least 2, cuts the documents at random into as many parts of about equal
	// size; each sample is all but one of them.
	Folds int
	// Threshold and PFER ask for stable terms, see [Bound]: those that at least this share of the
	// samples select, above 1/2, and the number of false terms among them that is expected at most.
	// Every sample is then half of the documents, rounded down, drawn without replacement. If K is 0,
	// it is the largest that keeps PFER.
	Threshold, PFER float64
	// Complementary, for stable terms, makes samples of both halves of each draw, two for each of
	// Samples.
	Complementary bool
	// Seed chooses the samples: the same seed gives the same result.
	Seed uint64
}

// MostSamples is the largest number of samples or folds. The terms that each selects are kept to
// be compared.
const MostSamples = 100_000

// Validate returns an error, a [usage.ErrUsage], for options that no corpus could satisfy.
func (o StabilityOptions) Validate() error {
	p, err := o.By.Resolve()
	switch {
	case err != nil:
		return err
	case p.Combination() == ByClass:
		return usage.Errorf("a selection needs one value for a term; the combination %q gives one for each class", ByClass)
	case o.K < 0 || o.K == 0 && !o.bounded():
		return usage.Errorf("k must be positive, not %d", o.K)
	case (o.Samples != 0) == (o.Folds != 0):
		return usage.Errorf("say how to repeat the selection: exactly one of samples and folds")
	case o.Folds != 0 && o.Folds < 2:
		return usage.Errorf("there must be 2 folds or more, not %d", o.Folds)
	case o.Samples != 0 && o.Samples < 2:
		return usage.Errorf("there must be 2 samples or more, not %d", o.Samples)
	case o.selections() > MostSamples:
		return usage.Errorf("there can be %d samples or folds at most, not %d", MostSamples, o.selections())
	case o.Share != 0 && !(o.Share > 0 && o.Share < 1):
		return usage.Errorf("the share of the documents must be between 0 and 1, not %v", o.Share)
	case o.Share != 0 && o.Folds != 0:
		return usage.Errorf("a share of the documents goes with samples, not with folds")
	}
	return o.validateBound()
}

// selections returns the number of selections to compare, at most one more than [MostSamples].
func (o StabilityOptions) selections() int {
	n := min(max(o.Samples, o.Folds), MostSamples+1)
	if o.Complementary {
		n = min(2*n, MostSamples+1)
	}
	return n
}

// Stability tells how much a selection depends on the documents it was made from.
type Stability struct {
	Measure Measure
	Combine Combination
	K       int
	Samples int // number of selections compared
	Terms   int // number of terms of the corpus
	// Selected are the terms that some sample selected: by Count, descending, then by
	// MeanRank, ascending, then by df, descending, and bytes.
	Selected []StableTerm

	// How similar the selections are; an index that is not defined is NaN.
	//
	// Jaccard is the mean of |A∩B|/|A∪B| over all pairs of selections, 1 for two empty
	// ones.
	Jaccard float64
	// Kuncheva is the mean of the consistency index (r·n - k²)/(k(n - k)) over all pairs,
	// where r is the number of terms in both, k in each and n in the corpus: 1 for equal
	// selections, about 0 for random ones (Kuncheva, AIA 2007). It is not defined for
	// selections of different sizes, of no terms, and of all terms.
	Kuncheva float64
	// Nogueira generalises Kuncheva to selections of any sizes: 1 minus the mean variance
	// of being selected divided by that of random selections (Nogueira, Sechidis & Brown,
	// JMLR 18(174), 2018). It is not defined if every selection is empty or has all terms.
	Nogueira float64
	// NogueiraLow and NogueiraHigh are the approximate 95 % confidence interval of
	// Nogueira. It supposes independent selections, which samples of the same documents
	// are, given these documents.
	NogueiraLow, NogueiraHigh float64

	// Bound has the stable terms; nil if none are asked for.
	Bound    *Bound
	Warnings []string
}

// A StableTerm is a term that some sample selected.
type StableTerm struct {
	Term     string
	Count    int     // number of samples that selected it
	Share    float64 // Count/Samples
	MeanRank float64 // in the samples that selected it, from 1
	DF       int     // in the whole corpus
	Rank     int     // in the whole corpus by the same measure, from 1
}

// MeasureStability selects the K best terms in every sample of the documents, and compares
// the selections. A document that was drawn twice counts twice: in N, the class sizes, df
// and all other counts. A sample gives the ranking of a corpus of its documents, ties
// included; terms that do not occur in it are not selected. A class without documents in
// the sample stays a class, with the values that the measure has for it.
//
// It takes about the time of one ranking for each sample, and 24 bytes a term for each
// worker.
func MeasureStability(ctx context.Context, c *corpus.Corpus, o StabilityOptions) (*Stability, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Folds > c.Documents() {
		return nil, usage.Errorf("%d folds are more than the %d documents", o.Folds, c.Documents())
	}
	if o.bounded() && c.Documents() < 2 {
		return nil, usage.Errorf("half of a single document is none: stable terms need 2 documents or more")
	}
	if err := o.complete(c.Terms()); err != nil {
		return nil, err
	}
	whole, err := Terms(ctx, c, o.By)
	if err != nil {
		return nil, err
	}
	s := &Stability{
		Measure: whole.Measure, Combine: whole.Combine, K: o.K, Samples: o.selections(),
		Terms: c.Terms(), Warnings: whole.Warnings,
	}
	chosen, err := selectWeighted(ctx, c, o, o.selections(), func(i int) []uint32 { return o.Weights(i, c.Documents()) })
	if err != nil {
		return nil, err
	}
	terms := s.listSelected(c, chosen, whole)
	counts := newSelectionCounts(chosen, s.Terms)
	s.Kuncheva = counts.kunchevaIndex()
	counts.setNogueira(s)
	if s.Jaccard, err = meanJaccard(ctx, chosen, terms, s.Terms, o.By.Threads); err != nil {
		return nil, err
	}
	s.warnFewTerms(c, chosen)
	s.bound(o)
	return s, nil
}

// selectWeighted returns the terms that each of so many samples of given weights of the documents selects, best first.
func selectWeighted(ctx context.Context, c *corpus.Corpus, o StabilityOptions, samples int, weights func(i int) []uint32) ([][]uint32, error) {
	by := o.By
	by.Threads = 1 // each sample is ranked by one goroutine
	p, err := by.Resolve()
	if err != nil {
		return nil, err
	}
	if err := refuseLists(p, "samples"); err != nil {
		return nil, err
	}
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	var tokens []float64
	if p.UsesTokens() {
		if tokens, err = x.DocumentTokens(ctx); err != nil {
			return nil, err
		}
	}
	chosen, workers := make([][]uint32, samples), make([]*sampleRanker, pool.Threads(o.By.Threads))
	place := make([]uint32, c.Terms())
	for at, t := range x.Terms.Sorted() {
		place[t] = uint32(at)
	}
	err = pool.Stage(ctx, "sample", func(ctx context.Context) error {
		return x.Run(ctx, o.By.Threads, samples, func(worker, i int) (err error) {
			if workers[worker] == nil {
				workers[worker] = newSampleRanker(c, p, tokens, place)
			}
			chosen[i], err = workers[worker].bestTerms(ctx, x.Weighted(weights(i)), o.K)
			return err
		})
	})
	return chosen, err
}

// Weights returns how often sample i, counted from 0, has each of n documents. The options
// must be valid.
func (o StabilityOptions) Weights(i, n int) []uint32 {
	switch {
	case o.Folds > 0:
		end := func(i int) int { return int(int64(i) * int64(n) / int64(o.Folds)) }
		times := shareWeights(n, end(i), end(i+1), o.Seed, 0)
		for d := range times {
			times[d] = 1 - times[d]
		}
		return times
	case o.Complementary:
		from := n / 2 * (i % 2)
		return shareWeights(n, from, from+n/2, o.Seed, uint64(i/2))
	case o.bounded():
		return shareWeights(n, 0, n/2, o.Seed, uint64(i))
	case o.Share > 0:
		return shareWeights(n, 0, max(1, int(math.Round(o.Share*float64(n)))), o.Seed, uint64(i))
	default:
		return bootstrapWeights(n, o.Seed, uint64(i))
	}
}

// listSelected sets Selected and returns the numbers of its terms.
func (s *Stability) listSelected(c *corpus.Corpus, chosen [][]uint32, whole *Ranking) (terms []uint32) {
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
	place := make([]int, c.Terms())
	for i, t := range TopK(whole.Values(), c.Terms()) {
		place[t] = i + 1
	}
	for _, t := range terms {
		s.Selected = append(s.Selected, StableTerm{
			Term: c.Term(int(t)), Count: count[t], Share: float64(count[t]) / float64(s.Samples),
			MeanRank: float64(ranks[t]) / float64(count[t]), DF: c.DF(int(t)), Rank: place[t],
		})
	}
	return terms
}

// warnFewTerms adds a warning if some samples could not select K terms.
func (s *Stability) warnFewTerms(c *corpus.Corpus, chosen [][]uint32) {
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

// bootstrapWeights returns how often each of n documents is drawn in n draws with
// replacement.
func bootstrapWeights(n int, seed, number uint64) []uint32 {
	times := make([]uint32, n)
	r := rand.NewPCG(seed, number)
	for range n {
		times[drawBelow(r, uint64(n))]++
	}
	return times
}

// shareWeights returns 1 for the documents at the places [from, to) of a shuffled order of
// n documents, 0 for the others.
func shareWeights(n, from, to int, seed, number uint64) []uint32 {
	times := make([]uint32, n)
	for _, d := range DrawOrder(n, seed, number)[from:to] {
		times[d] = 1
	}
	return times
}

// A sampleRanker ranks the terms of one sample after another on one goroutine.
type sampleRanker struct {
	corpus *corpus.Corpus
	plan   Plan
	seeds  *seedTerms
	tokens []float64    // by document; nil for a measure of documents
	place  []uint32     // by term: its place in the order of their bytes
	scale  *score.Scale // nil unless the classes are numbers

	counter *postings.ListCounter
	chunks  []pool.Range // of terms
	values  []float64    // by term, in the sample
	df      []uint32     // by term, in the sample; 0 = it does not occur
}

func newSampleRanker(c *corpus.Corpus, p Plan, tokens []float64, place []uint32) *sampleRanker {
	terms := c.Terms()
	return &sampleRanker{
		corpus: c, plan: p, seeds: p.seedsOf(c.Provenance().Analysis, c.Lookup), tokens: tokens, place: place,
		scale:  score.NewScale(c.Classes()),
		values: make([]float64, terms), df: make([]uint32, terms),
	}
}

// bestTerms returns the k best terms of a sample, best first.
func (r *sampleRanker) bestTerms(ctx context.Context, s *postings.Sample, k int) ([]uint32, error) {
	if err := r.scoreTerms(ctx, s); err != nil {
		return nil, err
	}
	best := Best[Candidate]{Most: k, Order: func(a, b Candidate) int {
		if a.Key != b.Key {
			return cmp.Compare(b.Key, a.Key)
		}
		return cmp.Or(cmp.Compare(r.df[b.ID], r.df[a.ID]), cmp.Compare(r.place[a.ID], r.place[b.ID]))
	}}
	for t, df := range r.df {
		if df > 0 {
			best.Offer(NewCandidate(t, r.values[t]))
		}
	}
	chosen := make([]uint32, 0, min(k, len(r.df)))
	for _, c := range best.Sorted() {
		chosen = append(chosen, c.ID)
	}
	return chosen, nil
}

// scoreTerms sets values and df for a sample.
func (r *sampleRanker) scoreTerms(ctx context.Context, s *postings.Sample) error {
	if w := r.plan.Sums(); w != "" {
		if err := s.Weigh(ctx, w); err != nil {
			return err
		}
	}
	x := r.corpus.Index()
	if r.counter == nil {
		r.counter, r.chunks = x.NewListCounter(r.tokens != nil), x.Chunks()
	}
	v := newTermScorer(r.plan, score.MarginsOf(s.Totals(r.tokens)).WithScale(r.scale), -1, r.values)
	v.df = r.df
	for _, chunk := range r.chunks {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		if err := r.counter.Load(chunk); err != nil {
			return err
		}
		r.counter.Count(s, v.score)
	}
	r.seeds.multiply(r.values)
	return nil
}

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
func newTermScorer(p Plan, m *score.Margins, class int, values []float64) *termScorer {
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
		v.panel.OfClass(t, v.class, values)
		return
	}
	weighted := *t // the memory of t.W is the counter's
	setWeights(&weighted, v.weight)
	v.panel.Tile(&weighted, [][]float64{values})
}

// refuseLists returns a usage error for a measure that cells do not tell. What counts cells alone.
func refuseLists(p Plan, what string) error {
	if p.FromCells() {
		return nil
	}
	return usage.Errorf("%s count cells, which do not tell %s of values: take --weight binary, or --weight tf of pearson", what, p.Measure())
}
