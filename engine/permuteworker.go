package engine

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/store"
)

// A permuteWorker is the memory of one worker.
type permuteWorker struct {
	r        *permuter
	counter  *store.SampleCounter
	values   []float64 // by term
	visitors []store.Visitor
}

func (r *permuter) newWorker() *permuteWorker {
	w := &permuteWorker{r: r, values: make([]float64, r.c.Terms())}
	opt := store.VisitOptions{Tokens: r.tokens != nil, Weighting: r.plan.sums(), Few: 1}
	if r.o.Class == "" {
		opt.Few = fewUpTo(len(r.c.Classes()))
		opt.Cells = score.NewPanel([]score.Choice{r.plan.choice()}, r.margins).NeedsCells()
	}
	w.counter = r.c.index.NewSampleCounter(opt)
	w.turn(len(r.draws))
	return w
}

// turn begins with a block of so many permutations. A measure of documents has the same
// margins in all of them, and what is known of its values stays known.
func (w *permuteWorker) turn(draws int) {
	if w.r.tokens != nil || w.visitors == nil {
		w.visitors = make([]store.Visitor, draws)
	}
}

// visitor gives that of permutation i of the block.
func (w *permuteWorker) visitor(i int) store.Visitor {
	r := w.r
	if r.tokens == nil {
		i = 0
	}
	if w.visitors[i] == nil {
		panel := score.NewPanel([]score.Choice{r.plan.choice()}, r.draws[i].margins)
		if r.o.Class == "" {
			w.visitors[i] = newScorer(panel, [][]float64{w.values}, r.plan.column())
		} else {
			w.visitors[i] = &classScorer{panel: panel, class: r.observed.class, values: w.values, inClass: make([]uint32, len(w.values))}
		}
	}
	return w.visitors[i]
}

// terms goes through the permutations of the block with a range of terms.
func (w *permuteWorker) terms(ctx context.Context, terms pool.Range, largest []float64) error {
	if err := w.counter.Load(terms); err != nil {
		return err
	}
	values, least, hits := w.values[terms.From:terms.To], w.r.least[terms.From:terms.To], w.r.hits[terms.From:terms.To]
	for i, draw := range w.r.draws {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		w.counter.Visit(draw.sample, w.visitor(i))
		largest[i] = tally(values, least, hits, largest[i])
	}
	return nil
}

// tally counts the values that reach what they must, and gives the largest of them and
// of a given one. An undefined value reaches nothing.
func tally(values, least []float64, hits []uint32, largest float64) float64 {
	least, hits = least[:len(values)], hits[:len(values)]
	for i, v := range values {
		hit := uint32(0)
		if v >= least[i] { // a coin toss for a rare term: no branch comes of it
			hit = 1
		}
		hits[i] += hit
		if v > largest {
			largest = v
		}
	}
	return largest
}
