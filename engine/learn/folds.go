package learn

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/corpus"
)

// A Split divides documents into two lists of document numbers, which are ascending and
// disjoint.
type Split struct{ Train, Test []int }

// Dividing says how documents are divided.
type Dividing struct {
	// Seed selects the random order; the same seed gives the same parts on every machine.
	Seed uint64
	// Strata are the classes of the documents, -1 for none. Every part then has its share
	// of each class, give or take one document; a class of fewer documents than parts is in
	// as many parts as it has documents. nil divides without regard to classes.
	Strata []int
}

// Folds divides n documents into k parts whose sizes differ by at most one. Each split
// tests on one part and trains on the others.
func Folds(n, k int, o Dividing) ([]Split, error) {
	if k < 2 || k > n {
		return nil, fmt.Errorf("%w: %d folds of %d documents; take from 2 to as many as there are documents", ErrFolds, k, n)
	}
	if err := listable(n, k); err != nil {
		return nil, err
	}
	order, turn, err := o.order(n, o.Seed)
	if err != nil {
		return nil, err
	}
	// Dealing in the order of the strata gives every fold its share of each.
	fold := make([]int, n)
	for i, d := range order {
		fold[d] = (i + turn%k) % k
	}
	splits := make([]Split, k)
	for f := range splits {
		splits[f] = divide(n, func(d int) bool { return fold[d] == f })
	}
	return splits, nil
}

// Repeated divides n documents at random, several times. Each time a share, above 0 and
// below 1, of them is to test on: that many documents, rounded, but at least one and not
// all.
func Repeated(n, times int, test float64, o Dividing) ([]Split, error) {
	if times < 1 || n < 2 || !(test > 0 && test < 1) {
		return nil, fmt.Errorf("%w: %d times, a share of %v of %d documents to test on; take 1 or more times, a share between 0 and 1, and 2 or more documents",
			ErrFolds, times, test, n)
	}
	if err := listable(n, times); err != nil {
		return nil, err
	}
	size := min(max(int(float64(test*float64(n))+.5), 1), n-1)
	splits := make([]Split, times)
	for i := range splits {
		order, turn, err := o.order(n, o.Seed+uint64(i)*0x9e3779b97f4a7c15)
		if err != nil {
			return nil, err
		}
		// Take size of n documents at even distances in the order of the strata, from a
		// random place on, so that a class of one document is not always in the same part.
		testing := make([]bool, n)
		for j, d := range order {
			at := uint64((j + turn) % n)
			testing[d] = (at+1)*uint64(size)/uint64(n) > at*uint64(size)/uint64(n)
		}
		splits[i] = divide(n, func(d int) bool { return testing[d] })
	}
	return splits, nil
}

// mostListed bounds the sum of the documents of all splits, which take 8 bytes each.
// alwaysListed splits are allowed in any case.
const (
	mostListed   = 1 << 27
	alwaysListed = 100
)

// listable returns an error for more splits of n documents than fit into memory.
func listable(n, times int) error {
	if most := max(mostListed/n, alwaysListed); times > most {
		return fmt.Errorf("%w: %d divisions of %d documents; take %d at most", ErrFolds, times, n, most)
	}
	return nil
}

// order returns a random order of the documents, sorted by stratum if there are strata,
// and a random place in it.
func (o Dividing) order(n int, seed uint64) (order []int, turn int, err error) {
	if o.Strata != nil && len(o.Strata) != n {
		return nil, 0, fmt.Errorf("%w: %d documents have strata for %d", ErrFolds, n, len(o.Strata))
	}
	r := rand.New(rand.NewPCG(seed, 0x7465726d73696674))
	order, turn = r.Perm(n), r.IntN(n)
	if o.Strata != nil {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(o.Strata[a], o.Strata[b]) })
	}
	return order, turn, nil
}

// divide returns the split whose test part is the documents for which test returns true.
func divide(n int, test func(d int) bool) (s Split) {
	for d := range n {
		if test(d) {
			s.Test = append(s.Test, d)
		} else {
			s.Train = append(s.Train, d)
		}
	}
	return s
}

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
	return firstLabels(c.Documents(), c.Labels)
}

// firstLabels returns the first label of each document, -1 for none.
func firstLabels(n int, labels func(d int) []uint32) []int {
	first := make([]int, n)
	for d := range first {
		first[d] = -1
		if own := labels(d); len(own) > 0 {
			first[d] = int(own[0])
		}
	}
	return first
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
		a.Result = pooled(results...)
		a.Times = Times{times.Select / n, times.Gather / n, times.Transform / n, times.Train / n, times.Predict / n}
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

// pooled adds up the counts of results over the same classes, as if all their documents had
// been compared together.
func pooled(results ...*Result) *Result {
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
	var missed []string
	for i, class := range s.Points[0].Result.Classes {
		none := func(o *Outcome) bool { return o.Points[0].Result.Classes[i].Support() == 0 }
		if class.Support() > 0 && slices.ContainsFunc(s.Runs, none) {
			missed = append(missed, class.Name)
		}
	}
	if len(missed) > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d classes have no document in some of the %d test parts (%s): their F1 is 0 there", len(missed), len(s.Runs), some(missed)))
	}
	for _, text := range texts {
		if n := runs[text]; n < len(s.Runs) {
			text = fmt.Sprintf("in %d of %d runs: %s", n, len(s.Runs), text)
		}
		s.Warnings = append(s.Warnings, text)
	}
}
