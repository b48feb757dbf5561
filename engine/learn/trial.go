package learn

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// A Trial finds out how many terms of a method a classifier needs, by folds of the
// documents to train on. Method must be set.
type Trial struct {
	Method     selection.Method
	Classifier Learner // a linear SVM if its Kind is ""
	// K are the numbers to try, 0 for all terms; nil tries
	// the largest twelve of 1, 2, 5, 10 and so on, and all terms.
	K       []int
	Folds   int    // 0 is 5
	Metric  Metric // "" is MicroF1
	Weight  string // of the rows, for a classifier without one of its own; "" is ltc
	Seed    uint64 // chooses the folds, and is that of the classifier
	Threads int    // bounds goroutines; 0 is GOMAXPROCS
}

const (
	defaultFolds = 5
	mostNumbers  = 12
	// mostGreedy is the largest number to try of a method that weighs terms against each
	// other, whose work grows with the square of the number.
	mostGreedy = 1000
)

// withDefaults returns the trial with defaults for what is not set, or an error if it is
// wrong whatever the data.
func (t Trial) withDefaults() (Trial, error) {
	if t.Method == nil {
		return t, usage.Errorf("a trial needs a method")
	}
	if _, ok := t.Method.(selection.SelfSized); ok {
		return t, usage.Errorf("%s chooses as many terms as the documents need: there is no number to find", t.Method.Name())
	}
	if t.Folds = cmp.Or(t.Folds, defaultFolds); t.Folds < 2 {
		return t, usage.Errorf("there must be 2 folds at least, not %d", t.Folds)
	}
	if t.Classifier.Kind == "" {
		t.Classifier.Kind = "svm"
	}
	var err error
	if t.Metric, err = ParseMetric(string(t.Metric)); err != nil {
		return t, err
	}
	return t, t.grid(t.K).Validate()
}

// Validate returns an error for a trial that is wrong whatever the data.
func (t Trial) Validate() error {
	_, err := t.withDefaults()
	return err
}

func (t Trial) grid(ks []int) Grid {
	return Grid{
		Methods: []selection.Method{t.Method}, K: ks, Classifiers: []Learner{t.Classifier},
		Weight: t.Weight, Seed: t.Seed, Threads: t.Threads,
	}
}

// numbers returns the numbers to try by default, for a corpus of so many terms: the largest
// twelve of 1, 2, 5, 10, 20, 50 and so on of which the training part of a fold has enough
// terms, and all terms; of methods that weigh terms against each other, numbers up to 1,000.
func (t Trial) numbers(terms int) (ks []int) {
	_, greedy := t.Method.(methods.Redundancy)
	folds := cmp.Or(t.Folds, defaultFolds)
	most := terms - terms/folds
	if greedy {
		most = min(most, mostGreedy)
	}
	for decade := 1; decade <= most; decade *= 10 {
		for _, digit := range []int{1, 2, 5} {
			if k := decade * digit; k <= most {
				ks = append(ks, k)
			}
		}
	}
	ks = ks[max(0, len(ks)-mostNumbers):]
	if !greedy || len(ks) == 0 {
		ks = append(ks, 0)
	}
	return ks
}

// Tried is the outcome of a trial.
type Tried struct {
	Enough
	// K is the number of terms to select, Fewest.K or that of all terms.
	K        int
	Points   []Averages // of the numbers that were tried
	Warnings []string
	trial    Trial
}

// Run measures the numbers of terms on folds of a corpus, as [RunSplits] does: terms are
// selected from the counts of each fold's training part, no text is read, and nothing of
// its test part affects the selection. It returns [ErrFolds] if a class has fewer documents
// than there are folds, or if all documents have the same class.
func (t Trial) Run(ctx context.Context, c *corpus.Corpus, progress func(Progress)) (*Tried, error) {
	t, err := t.withDefaults()
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	if err := t.divisible(c); err != nil {
		return nil, err
	}
	splits, err := Folds(c.Documents(), t.Folds, Dividing{Seed: t.Seed, Strata: Strata(c)})
	if err != nil {
		return nil, err
	}
	if len(t.K) == 0 {
		t.K = t.numbers(c.Terms())
	}
	s, err := RunSplits(ctx, c, splits, t.grid(t.K), progress)
	if err != nil {
		return nil, err
	}
	points := slices.DeleteFunc(s.Points, func(p Averages) bool { return p.Classifier != t.Classifier.String() })
	e := newEnough(points, t.Metric)
	return &Tried{Enough: e, K: min(cmp.Or(e.Fewest.K, c.Terms()), c.Terms()), Points: points, Warnings: s.Warnings, trial: t}, nil
}

// divisible returns an error if the classes are too small for the folds, or too few.
func (t Trial) divisible(c *corpus.Corpus) error {
	sizes := make([]int, len(c.Classes()))
	for d := range c.Documents() {
		for _, l := range c.Labels(d) {
			sizes[l]++
		}
	}
	classes, least := 0, -1
	for l, n := range sizes {
		if n > 0 {
			classes++
			if least < 0 || n < sizes[least] {
				least = l
			}
		}
	}
	if classes < 2 {
		return fmt.Errorf("%w: the number of terms is found by telling classes apart, and the documents have %d", ErrFolds, classes)
	}
	switch name, n := usage.Cut(c.Classes()[least]), sizes[least]; {
	case n < 2:
		return fmt.Errorf("%w: class %q has one document, which cannot be trained and tested on: leave the class out", ErrFolds, name)
	case n < t.Folds:
		return fmt.Errorf("%w: class %q has %d documents, fewer than the %d folds: take %d folds, or leave the class out", ErrFolds, name, n, t.Folds, n)
	}
	return nil
}

// Record returns what a features file says of the trial.
func (t *Tried) Record() selection.Trial {
	r := selection.Trial{
		Classifier: t.trial.Classifier.String(), Weight: t.Best.Weight, Metric: string(t.Metric),
		Folds: t.trial.Folds, Seed: t.trial.Seed, Rule: t.rule(), Tolerance: t.Tolerance,
	}
	for _, p := range t.Points {
		s := t.Metric.Of(p)
		r.Points = append(r.Points, selection.TrialPoint{K: p.K, Mean: s.Mean, Deviation: s.Deviation})
	}
	return r
}
