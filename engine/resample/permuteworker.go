package resample

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

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
	w := &permuteWorker{permuter: r, values: make([]float64, r.corpus.Terms())}
	w.counter = r.corpus.Index().NewListCounter(r.tokens != nil)
	w.startBlock(len(r.block))
	return w
}

// startBlock prepares for a block of draws permutations. A measure of documents has the
// same margins in all of them, so that the first scorer serves all blocks.
func (w *permuteWorker) startBlock(draws int) {
	if w.permuter.tokens != nil || w.scorers == nil {
		w.scorers = make([]*termScorer, draws)
	}
}

// scorerOf returns the scorer for permutation i of the block.
func (w *permuteWorker) scorerOf(i int) *termScorer {
	r := w.permuter
	if r.tokens == nil {
		i = 0
	}
	if w.scorers[i] == nil {
		w.scorers[i] = newTermScorer(r.plan, r.block[i].margins, r.class, w.values)
	}
	return w.scorers[i]
}

// scoreTerms scores a range of terms under all permutations of the block, and raises
// largest, by permutation, to the largest values. Terms from firstTabled on have tables; the
// cells of the others are counted.
func (w *permuteWorker) scoreTerms(ctx context.Context, terms pool.Range, largest []float64) error {
	r, x := w.permuter, w.permuter.corpus.Index()
	rare := min(max(r.firstTabled, terms.From), terms.To)
	if counted := (pool.Range{From: terms.From, To: rare}); counted.From < rare {
		if err := w.counter.Load(counted); err != nil {
			return err
		}
		err := w.eachDraw(ctx, counted, largest, func(i int, _ []float64) { w.counter.Count(r.block[i].sample, w.scorerOf(i).score) })
		if err != nil {
			return err
		}
	}
	tabled := pool.Range{From: rare, To: terms.To}
	if rare == terms.To {
		return nil
	}
	docs, err := x.ShortLists(tabled)
	if err != nil {
		return err
	}
	runs := runsOf(x, tabled)
	return w.eachDraw(ctx, tabled, largest, func(i int, values []float64) {
		codes, docs := r.block[i].sample.ClassCodes(), docs
		for _, run := range runs {
			r.tables[run.df].values(values[:run.terms], docs, codes)
			values, docs = values[run.terms:], docs[run.terms*run.df:]
		}
	})
}

// eachDraw calls score for every permutation of the block, which sets the values of a range of
// terms, and counts those that are reached.
func (w *permuteWorker) eachDraw(ctx context.Context, terms pool.Range, largest []float64, score func(i int, values []float64)) error {
	values, least, hits := w.values[terms.From:terms.To], w.permuter.least[terms.From:terms.To], w.permuter.reached[terms.From:terms.To]
	for i := range w.permuter.block {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		score(i, values)
		largest[i] = countReached(values, least, hits, largest[i])
	}
	return nil
}

// A termRun is consecutive terms of one document frequency.
type termRun struct{ df, terms int }

// runsOf returns the runs of a range of terms.
func runsOf(x *postings.Index, terms pool.Range) (runs []termRun) {
	for t := terms.From; t < terms.To; t++ {
		df := x.DF(t)
		if last := len(runs) - 1; last >= 0 && runs[last].df == df {
			runs[last].terms++
			continue
		}
		runs = append(runs, termRun{df, 1})
	}
	return runs
}

// countReached adds 1 to hits for each value that is at least the one in least, and
// returns the largest of the values and of largest. NaN reaches nothing.
func countReached(values, least []float64, hits []uint32, largest float64) float64 {
	least, hits = least[:len(values)], hits[:len(values)]
	for i, v := range values {
		hit := uint32(0)
		if v >= least[i] { // cannot be predicted for rare terms; compiles to no branch
			hit = 1
		}
		hits[i] += hit
		if v > largest {
			largest = v
		}
	}
	return largest
}
