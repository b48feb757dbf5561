package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/corpus"
)

// A Series is the outcome of several runs on parts of one corpus.
type Series struct {
	Points   []Averages // in the order of the grid
	Runs     []*Outcome
	Classes  []string
	Sets     bool
	Times    Times         // of all steps of all runs, without Subset
	Subset   time.Duration // to make the parts from the corpus
	Warnings []string
}

// Averages are the means of a point over several runs.
type Averages struct {
	// Point has the pooled Result of all runs , mean Times, the largest
	// Features, and the sums of EmptyTrain and EmptyTest.
	Point
	Runs                              int
	Micro, Macro, F1OfMeans, Accuracy Spread
	MicroPrecision, MicroRecall       Spread
	MacroPrecision, MacroRecall       Spread
}

// A Spread is a mean over runs and their standard deviation, that of a sample (divided by
// n - 1); it is 0 for a single run.
type Spread struct{ Mean, Deviation float64 }

// Strata returns the classes of the documents for [Dividing]: the first label of each, or
// -1 if it has none.
func Strata(c *corpus.Corpus) []int {
	if c == nil {
		return nil
	}
	strata := make([]int, c.Documents())
	for d := range strata {
		strata[d] = -1
		if labels := c.Labels(d); len(labels) > 0 {
			strata[d] = int(labels[0])
		}
	}
	return strata
}

// RunSplits runs a grid on each split of a corpus and averages the results. Splits refer
// to documents by their numbers in the corpus. The parts are made from the index, and
// nothing of a test part affects selection or idf. They keep all classes of the corpus,
// and whether classes are decided separately depends on the whole corpus, so that all runs
// measure the same.
func RunSplits(ctx context.Context, c *corpus.Corpus, splits []Split, g Grid, progress func(Progress)) (*Series, error) {
	g, err := g.withDefaults()
	if err != nil {
		return nil, err
	}
	if len(splits) == 0 {
		return nil, fmt.Errorf("%w: there are no splits", ErrFolds)
	}
	if err := c.RequireClasses("a classifier"); err != nil {
		return nil, err
	}
	s := &Series{Classes: c.Classes(), Sets: severalLabels(c)}
	for i, split := range splits {
		var train, test *corpus.Corpus
		err := step(&s.Subset, func() (err error) {
			what := fmt.Sprintf("split %d of %d", i+1, len(splits))
			if train, err = part(ctx, c, split.Train, what+", training part", g.Threads); err == nil {
				test, err = part(ctx, c, split.Test, what+", test part", g.Threads)
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("split %d: %w", i+1, err)
		}
		tell := func(p Progress) {
			if progress != nil {
				p.Done, p.Points = p.Done+i*p.Points, p.Points*len(splits)
				p.Step = fmt.Sprintf("split %d of %d: %s", i+1, len(splits), p.Step)
				progress(p)
			}
		}
		o, err := run(ctx, train, test, g, s.Sets, tell)
		if err != nil {
			return nil, fmt.Errorf("split %d: %w", i+1, err)
		}
		s.Runs = append(s.Runs, o)
		s.Times.addTimes(o.Times)
	}
	s.Points = Average(s.Runs...)
	s.warn(c)
	return s, nil
}

// part returns the corpus of some documents; what describes them in its Provenance.
func part(ctx context.Context, c *corpus.Corpus, docs []int, what string, threads int) (*corpus.Corpus, error) {
	set := roaring.New()
	for _, d := range docs {
		if d < 0 || d >= c.Documents() {
			return nil, fmt.Errorf("%w: document %d of %d", ErrFolds, d, c.Documents())
		}
		set.Add(uint32(d))
	}
	return c.Subset(ctx, set, corpus.SubsetOptions{KeepClasses: true, Docs: what, Threads: threads})
}

// Average averages each point over several runs of the same grid.
func Average(runs ...*Outcome) (averages []Averages) {
	if len(runs) == 0 || runs[0] == nil {
		return nil
	}
	results, points := make([]*Result, len(runs)), make([]Point, len(runs))
	for i, first := range runs[0].Points {
		var times Times
		for j, o := range runs {
			results[j], points[j] = o.Points[i].Result, o.Points[i]
			times.addTimes(o.Points[i].Times)
		}
		a := Averages{Point: first, Runs: len(runs)}
		n := time.Duration(len(runs))
		a.Result, a.Times = pool(results...), Times{times.Select / n, times.Gather / n, times.Transform / n, times.Train / n, times.Predict / n}
		a.Features, a.EmptyTrain, a.EmptyTest = 0, 0, 0
		for _, p := range points {
			a.Features = max(a.Features, p.Features)
			a.EmptyTrain += p.EmptyTrain
			a.EmptyTest += p.EmptyTest
		}
		for _, x := range []struct {
			to *Spread
			of func(r *Result) float64
		}{
			{&a.Micro, func(r *Result) float64 { return r.Micro.F1() }},
			{&a.MicroPrecision, func(r *Result) float64 { return r.Micro.Precision() }},
			{&a.MicroRecall, func(r *Result) float64 { return r.Micro.Recall() }},
			{&a.Macro, func(r *Result) float64 { return r.MacroF1 }},
			{&a.MacroPrecision, func(r *Result) float64 { return r.MacroPrecision }},
			{&a.MacroRecall, func(r *Result) float64 { return r.MacroRecall }},
			{&a.F1OfMeans, func(r *Result) float64 { return r.F1OfMeans }},
			{&a.Accuracy, (*Result).Accuracy},
		} {
			*x.to = spread(results, x.of)
		}
		averages = append(averages, a)
	}
	return averages
}

func spread(results []*Result, of func(r *Result) float64) (s Spread) {
	n := float64(len(results))
	for _, r := range results {
		s.Mean += of(r) / n
	}
	if len(results) < 2 {
		return s
	}
	for _, r := range results {
		d := of(r) - s.Mean
		s.Deviation += float64(d*d) / (n - 1)
	}
	s.Deviation = math.Sqrt(s.Deviation)
	return s
}

// pool adds up the counts of results over the same classes, as if all their documents had
// been compared together.
func pool(results ...*Result) *Result {
	first := results[0]
	p := &Result{Classes: make([]Class, len(first.Classes))}
	for c, class := range first.Classes {
		p.Classes[c].Name = class.Name
	}
	for _, r := range results {
		p.Documents, p.Exact = p.Documents+r.Documents, p.Exact+r.Exact
		missed := r.Micro.FN // minus those of the classes: labels that the training part lacks
		for c, class := range r.Classes {
			own := &p.Classes[c]
			own.TP, own.FP, own.FN = own.TP+class.TP, own.FP+class.FP, own.FN+class.FN
			missed -= class.FN
		}
		p.Micro.FN += missed
	}
	p.finish()
	if !slices.ContainsFunc(results, func(r *Result) bool { return r.Confusion == nil }) {
		p.Confusion = squareTable(len(p.Classes))
		for c := range p.Confusion {
			for _, r := range results {
				for said, n := range r.Confusion[c] {
					p.Confusion[c][said] += n
				}
			}
		}
	}
	return p
}

// warn collects the warnings of the runs, each once, with the number of runs if not all
// have it.
func (s *Series) warn(c *corpus.Corpus) {
	var texts notes
	runs := map[string]int{}
	for _, o := range s.Runs {
		texts.addOnce(o.Warnings...)
		for _, w := range o.Warnings {
			runs[w]++
		}
	}
	if p := c.Provenance(); p.MinDF > 0 || p.MaxDF > 0 {
		s.Warnings = append(s.Warnings, "the terms were bounded by document frequency in the whole corpus, test parts included: index it without --min-df and --max-df where that matters")
	}
	for _, text := range texts {
		if n := runs[text]; n < len(s.Runs) {
			text = fmt.Sprintf("in %d of %d runs: %s", n, len(s.Runs), text)
		}
		s.Warnings = append(s.Warnings, text)
	}
}
