package resample

import (
	"cmp"
	"context"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A sampleRanker ranks the terms of one sample after another on one goroutine.
type sampleRanker struct {
	corpus *corpus.Corpus
	plan   rank.Plan
	seeds  *rank.Seeds
	tokens []float64    // by document; nil for a measure of documents
	place  []uint32     // by term: its place in the order of their bytes
	scale  *score.Scale // nil unless the classes are numbers

	counter *postings.ListCounter
	chunks  []pool.Range // of terms
	values  []float64    // by term, in the sample
	df      []uint32     // by term, in the sample; 0 = it does not occur
}

func newSampleRanker(c *corpus.Corpus, p rank.Plan, tokens []float64, place []uint32) *sampleRanker {
	terms := c.Terms()
	return &sampleRanker{
		corpus: c, plan: p, seeds: p.Seeds(c.Provenance().Analysis, c.Lookup), tokens: tokens, place: place,
		scale:  score.NewScale(c.Classes()),
		values: make([]float64, terms), df: make([]uint32, terms),
	}
}

// bestTerms returns the k best terms of a sample, best first.
func (r *sampleRanker) bestTerms(ctx context.Context, s *postings.Sample, k int) ([]uint32, error) {
	if err := r.scoreTerms(ctx, s); err != nil {
		return nil, err
	}
	best := rank.Best[rank.Candidate]{Most: k, Order: func(a, b rank.Candidate) int {
		if a.Key != b.Key {
			return cmp.Compare(b.Key, a.Key)
		}
		return cmp.Or(cmp.Compare(r.df[b.ID], r.df[a.ID]), cmp.Compare(r.place[a.ID], r.place[b.ID]))
	}}
	for t, df := range r.df {
		if df > 0 {
			best.Offer(rank.NewCandidate(t, r.values[t]))
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
	r.seeds.Multiply(r.values)
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
func newTermScorer(p rank.Plan, m *score.Margins, class int, values []float64) *termScorer {
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
	switch v.weight {
	case table.TF:
		weighted.W = t.S
	case table.Binary:
		weighted.W = t.A
	}
	v.panel.Tile(&weighted, [][]float64{values})
}

// refuseLists returns a usage error for a measure that cells do not tell. What counts cells alone.
func refuseLists(p rank.Plan, what string) error {
	if p.FromCells() {
		return nil
	}
	return usage.Errorf("%s count cells, which do not tell %s of values: take --weight binary, or --weight tf of pearson", what, p.Measure())
}
