package resample

import (
	"context"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file samples corpora whose documents a control divides into strata. The labels of their
// index are pairs of a class and a stratum, which a sample counts into a table of its own.

// refuseStrata returns a usage error for permutations of labels that must stay within strata, or of
// a measure that cells do not tell.
func refuseStrata(c *corpus.Corpus, p rank.Plan) error {
	if c.Provenance().Control == "" && p.FromCells() {
		return nil
	}
	if p.OfTarget() {
		return usage.Errorf("permutations count cells, which do not tell %s of values: take --weight binary, or --weight tf of pearson", p.Measure())
	}
	return usage.Errorf("permutations give documents the labels of any others, not of those that have the same value of a control: take the p-values of mh, or count without --control")
}

// byTable reports whether a sample is ranked by a table of its own.
func (r *sampleRanker) byTable() bool {
	return r.corpus.Provenance().Control != "" || !r.plan.FromCells()
}

// scoreTable sets values and df for a sample by its table. The plan must be one of a single thread.
func (r *sampleRanker) scoreTable(ctx context.Context, s *postings.Sample) error {
	t, err := r.tableOf(ctx, s)
	if err != nil {
		return err
	}
	rankings, err := rank.ByPlans(ctx, t, r.plan)
	if err != nil {
		return err
	}
	copy(r.values, rankings[0].Values())
	copy(r.df, t.Cells.DF)
	rankings[0].Release()
	return nil
}

// tableOf returns the table of a sample, with all terms of the corpus in their order.
func (r *sampleRanker) tableOf(ctx context.Context, s *postings.Sample) (*table.Table, error) {
	x := r.corpus.Index()
	if r.counter == nil {
		r.counter, r.chunks = x.NewListCounter(true), x.Chunks()
	}
	t := &table.Table{ClassNames: x.Classes, Names: x.Terms, Weighting: r.plan.Sums(), Pruned: x.Pruned}
	t.Cells.Margins = *s.Totals(r.tokens)
	for _, chunk := range r.chunks {
		if ctx.Err() != nil {
			return nil, usage.Cause(ctx)
		}
		if err := r.counter.Load(chunk); err != nil {
			return nil, err
		}
		r.counter.Count(s, t.Cells.AppendTile)
	}
	t.SetProvenance(r.corpus.Provenance())
	return t.OfClasses()
}
