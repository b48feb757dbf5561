package rank

import (
	"context"
	"math"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// A source computes a measure that a [score.Panel] cannot, because the cells of a term do not
// tell its value: the measure reads strata, say, or posting lists. It gives values by term, and
// all else is as for the other measures: combinations, positive values, p-values, entries.
//
// To add one, write a function that returns it, and name that function in sources. For p-values,
// give the measure a distribution that countsNothing: no table of documents tells its value.
type source struct {
	// info describes the measure. Combinable says whether it has a value of each class; else it
	// has a single value, and its Default is [Global].
	info MeasureInfo
	// open prepares the values of the terms of s, the statistics of c. If these lack what the
	// measure reads, it returns a usage error that says how to get it.
	open func(ctx context.Context, c Counted, s *table.Table) (sourced, error)
	// warn returns what a reader of the values should know; or it is nil.
	warn func(s *table.Table) []string
}

// sourced are the values of a source: it returns a reader, which belongs to one goroutine.
type sourced func() termReader

// A termReader sets values to those of term t: the value of each class in the order of the
// classes, or the single value of a measure that has none of classes.
type termReader func(values []sourcedValue, t int) error

// A sourcedValue is a value with its sign and interval, which are those of [Entry]. NaN is no value.
type sourcedValue struct {
	value    float64
	sign     int
	interval Interval
}

// sourceOf returns the source of a measure, or nil if it has none.
func sourceOf(o Options) *source {
	for _, s := range append(ofDocuments(o), mantelHaenszel(o), commonOddsRatio()) {
		if s.info.Name == string(o.Measure) {
			return s
		}
	}
	return nil
}

// FromCells reports whether the cells of a term tell its value, so that a [score.Panel] computes
// it by [Plan.Choice]. Of other measures a plan has no choice.
func (p Plan) FromCells() bool { return p.source == nil }

// bySource ranks all terms by a measure that has a source.
func (p Plan) bySource(ctx context.Context, c Counted) (*Ranking, error) {
	s, err := c.Statistics(ctx, corpus.CountOptions{Threads: p.threads})
	if err != nil {
		return nil, err
	}
	if err := p.checkTarget(s); err != nil {
		return nil, err
	}
	values, err := p.source.open(ctx, c, s)
	if err != nil {
		return nil, err
	}
	r := &Ranking{
		Measure: Measure(p.info.Name), Combine: p.label, stats: s, plan: p, values: newColumn(s.Terms()), class: -1, sourced: values,
	}
	err = p.eachSourced(ctx, s, values, func(_, t int, of []sourcedValue) {
		r.values[t] = p.combined(s, of)
	})
	if err != nil {
		return nil, err
	}
	return r.finish(ctx)
}

// eachSourced calls f for every term, on several threads, with its values, which belong to the
// worker.
func (p Plan) eachSourced(ctx context.Context, s *table.Table, values sourced, f func(worker, t int, of []sourcedValue)) error {
	chunks := scoreChunks(s)
	readers, scratch := make([]termReader, pool.Threads(p.threads)), make([][]sourcedValue, pool.Threads(p.threads))
	return pool.Stage(ctx, "score", func(ctx context.Context) error {
		return pool.Run(ctx, p.threads, len(chunks), func(worker, chunk int) error {
			if readers[worker] == nil {
				readers[worker], scratch[worker] = values(), p.roomForValues(s)
			}
			for t := chunks[chunk].From; t < chunks[chunk].To; t++ {
				if err := readers[worker](scratch[worker], t); err != nil {
					return err
				}
				f(worker, t, scratch[worker])
			}
			return nil
		})
	})
}

// roomForValues returns memory for the values of a term.
func (p Plan) roomForValues(s *table.Table) []sourcedValue {
	if !p.info.Combinable {
		return make([]sourcedValue, 1)
	}
	return make([]sourcedValue, len(s.Classes()))
}

// combined returns the value of a term from those of the source.
func (p Plan) combined(s *table.Table, of []sourcedValue) float64 {
	if !p.info.Combinable {
		return of[0].value
	}
	if p.label == Max {
		return p.largestOf(of)
	}
	sum := 0.0
	for c, v := range of {
		weight := 1.0
		if p.label == Avg {
			weight = s.Cells.ClassDocs[c] / s.Cells.Documents
		}
		if weight > 0 {
			sum += float64(weight * v.value)
		}
	}
	if p.label == Mean {
		sum /= float64(len(of))
	}
	return sum
}

// largestOf returns the largest value of the classes that have one, or NaN if none has.
func (p Plan) largestOf(of []sourcedValue) float64 {
	largest := math.NaN()
	for _, v := range of {
		if has := p.valueOf(v); math.IsNaN(largest) || has > largest {
			largest = has
		}
	}
	return largest
}

// valueOf returns a value of a class, which is NaN where a positive one is asked for and the class
// has no more of the term than the others.
func (p Plan) valueOf(v sourcedValue) float64 {
	if p.positive && v.sign <= 0 {
		return math.NaN()
	}
	return v.value
}

// largestClassOf returns the class with the largest value, and its cell or -1. Of equal values that
// of a class with the term counts, then the first.
func (p Plan) largestClassOf(s *table.Table, t int, of []sourcedValue, largest float64) (class, cell int) {
	first := -1
	for c, v := range of {
		if p.valueOf(v) != largest {
			continue
		}
		if cell := s.Cells.CellOf(t, uint32(c)); cell >= 0 {
			return c, cell
		}
		if first < 0 {
			first = c
		}
	}
	return first, -1
}

// eachSourcedClass is [Plan.EachByClass] for a measure that has a source.
func (p Plan) eachSourcedClass(ctx context.Context, s *table.Table, classes []int, f func(t int, values []float64)) error {
	from, err := p.source.open(ctx, s, s)
	if err != nil {
		return err
	}
	scratch := make([][]float64, pool.Threads(p.threads))
	return p.eachSourced(ctx, s, from, func(worker, t int, of []sourcedValue) {
		if scratch[worker] == nil {
			scratch[worker] = make([]float64, len(classes))
		}
		values := scratch[worker]
		for i, k := range classes {
			values[i] = p.valueOf(of[k])
		}
		f(t, values)
	})
}

// sourcedSetter is [Ranking.setter] for a measure that has a source.
func (r *Ranking) sourcedSetter() func(e *Entry, t int) {
	read, of := r.sourced(), r.plan.roomForValues(r.stats)
	return func(e *Entry, t int) {
		setEntry(e, r.stats, t, r.values[t])
		if r.test != nil {
			e.Log10P = Log10(r.LnP(t))
		}
		if r.class < 0 && (r.plan.label != Max || math.IsNaN(r.values[t])) {
			return
		}
		if err := read(of, t); err != nil {
			return // it has no class then
		}
		class, cell := r.class, 0
		if class >= 0 {
			cell = r.stats.Cells.CellOf(t, uint32(class))
		} else {
			class, cell = r.plan.largestClassOf(r.stats, t, of, r.values[t])
		}
		e.setCell(r.stats, class, cell, t)
		e.Sign, e.Interval = of[class].sign, of[class].interval
	}
}
