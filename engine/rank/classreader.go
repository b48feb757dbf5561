package rank

import (
	"context"
	"math"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
)

// A classReader gives the values that one term after the other has for the classes, whether cells
// tell them or a source does. It serves one goroutine.
type classReader struct {
	plan   Plan
	stats  *table.Table
	row    score.Row // of the term
	values []float64 // of the term, by class; NaN where there is none

	panel *score.Panel   // nil for a measure that has a source
	seeds *Seeds         // nil without seed words
	read  termReader     // nil for one that has none
	of    []sourcedValue // of the term, by class, from read
}

// classReader returns a reader of the terms of s, the statistics of c.
func (p Plan) classReader(ctx context.Context, c Counted, s *table.Table) (*classReader, error) {
	r := &classReader{plan: p, stats: s, values: make([]float64, len(s.Classes()))}
	if p.source == nil {
		r.panel, r.seeds = score.NewPanel(p.byClass(), Margins(s)), p.seeds(s)
		return r, nil
	}
	from, err := p.source.open(ctx, c, s)
	if err != nil {
		return nil, err
	}
	r.read, r.of = from(), p.roomForValues(s)
	return r, nil
}

// term reads a term by its number.
func (r *classReader) term(t int) error {
	setRow(&r.row, r.stats, t, "")
	if r.read == nil {
		r.panel.ByClass(r.values, &r.row)
		r.plan.leaveOut(r.values)
		r.seeds.ofTerm(t, r.values)
		return nil
	}
	if err := r.read(r.of, t); err != nil {
		return err
	}
	for class, v := range r.of {
		r.values[class] = r.plan.valueOf(v)
	}
	return nil
}

// setSign sets the sign of an entry of the term whose class is set, and its interval.
func (r *classReader) setSign(e *Entry, class int) {
	if r.read != nil {
		e.Sign, e.Interval = r.of[class].sign, r.of[class].interval
		return
	}
	e.setSign(r.stats, r.plan.signed, class)
}

// best returns the class with the largest value of term t, or 0 if none has a value.
func (r *classReader) best(t int) int {
	if r.read == nil {
		class, _ := r.panel.Largest(&r.row)
		return class
	}
	largest := r.plan.largestOf(r.of)
	if math.IsNaN(largest) {
		return 0
	}
	class, _ := r.plan.largestClassOf(r.stats, t, r.of, largest)
	return class
}
