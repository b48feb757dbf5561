package engine

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/store"
)

// A sampleRanker ranks the terms in one sample after another. It serves one worker.
type sampleRanker struct {
	c       *Corpus
	plan    plan
	tokens  []float64 // by document; nil for a measure of documents
	byBytes []uint32  // terms by their bytes

	counter *store.SampleCounter
	values  []float64 // by term
	df      []uint32  // likewise, in the sample; 0 = the term does not occur
	order   []uint32  // the terms that occur, by df, then by bytes
	ordered []float64 // their values
}

func newSampleRanker(c *Corpus, p plan, tokens []float64, byBytes []uint32) *sampleRanker {
	terms := c.Terms()
	return &sampleRanker{
		c: c, plan: p, tokens: tokens, byBytes: byBytes,
		values: make([]float64, terms), df: make([]uint32, terms),
	}
}

// best gives the k best terms of a sample, best first.
func (r *sampleRanker) best(ctx context.Context, s *store.Sample, k int) ([]uint32, error) {
	if err := r.score(ctx, s); err != nil {
		return nil, err
	}
	r.sort()
	r.ordered = r.ordered[:0]
	for _, t := range r.order {
		r.ordered = append(r.ordered, r.values[t])
	}
	chosen := make([]uint32, 0, min(k, len(r.order)))
	for _, i := range topK(r.ordered, min(k, len(r.order))) {
		chosen = append(chosen, r.order[i])
	}
	return chosen, nil
}

// score fills values and df.
func (r *sampleRanker) score(ctx context.Context, s *store.Sample) error {
	if w := r.plan.sums(); w != "" {
		if err := s.Weigh(ctx, w); err != nil {
			return err
		}
	}
	t := s.Totals(r.tokens)
	panel := score.NewPanel([]score.Choice{r.plan.choice()}, score.NewMargins(t.Documents, t.Tokens, t.ClassDocs, t.ClassTokens))
	if r.counter == nil {
		r.counter = r.c.index.NewSampleCounter(store.VisitOptions{
			Cells: panel.NeedsCells(), Tokens: r.tokens != nil, Weighting: r.plan.sums(),
		})
	}
	clear(r.df)
	v := &sampleScorer{newScorer(panel, [][]float64{r.values}, r.plan.column()), r.df}
	for _, chunk := range r.c.index.Chunks() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := r.counter.Load(chunk); err != nil {
			return err
		}
		r.counter.Visit(s, v)
	}
	return nil
}

// sort puts the terms that occur into the order that decides ties, by counting: those
// of one df keep the order of their bytes.
func (r *sampleRanker) sort() {
	largest := uint32(0)
	for _, df := range r.df {
		largest = max(largest, df)
	}
	next := make([]uint32, largest+2) // df -> place of its next term
	for _, df := range r.df {
		next[df]++
	}
	place := uint32(0)
	for df := largest; df > 0; df-- {
		next[df], place = place, place+next[df]
	}
	r.order = slices.Grow(r.order[:0], int(place))[:place]
	for _, t := range r.byBytes {
		if df := r.df[t]; df > 0 {
			r.order[next[df]] = t
			next[df]++
		}
	}
}

// A sampleScorer is a scorer that keeps the df of the sample, too.
type sampleScorer struct {
	*scorer
	df []uint32
}

// Row implements [store.Visitor].
func (s *sampleScorer) Row(r *store.Row) {
	s.df[r.Term] = uint32(r.DF)
	s.scorer.Row(r)
}

// Tile implements [store.TileVisitor].
func (s *sampleScorer) Tile(t *store.Tile) {
	for i, df := range t.DF {
		s.df[t.First+i] = uint32(df)
	}
	s.scorer.Tile(t)
}
