package evaluate

import (
	"cmp"
	"context"
	"slices"

	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// numbersOf returns the numbers of terms at which a method is measured: those of the grid,
// or only 0 if the method decides how many terms it selects.
func numbersOf(m selection.Method, ks []int) []int {
	if _, ok := m.(selection.SelfSized); ok {
		return []int{0}
	}
	return ks
}

// A choice is what a method selects: terms and, for Best Terms, the scopes that each class
// is learnt from.
type choice struct {
	*selection.Selection
	scopes []classify.Scope
}

// choose selects the k best terms by a method, or as many as the method decides.
func choose(ctx context.Context, m selection.Method, train *corpus.Corpus, k int) (c choice, err error) {
	b, ok := m.(methods.BestTerms)
	if !ok {
		if _, ok := m.(selection.SelfSized); ok {
			k = 0
		}
		c.Selection, err = m.Select(ctx, train, k)
		return c, err
	}
	chosen, err := b.Choose(ctx, train)
	if err != nil {
		return c, err
	}
	if c.Selection, err = chosen.Selection(); err != nil {
		return c, err
	}
	c.scopes, err = classify.ScopesOf(chosen, c.Selection)
	return c, err
}

// A Grid says what a run measures: each combination of a method, a k and a classifier.
type Grid struct {
	// Methods are the methods of selection, those of package methods or of the caller;
	// nil is chi.
	//
	// Two methods do more than select terms. [methods.Projection] turns rows into cluster
	// vectors; it has a further point for each k, with the classifier "rule", which
	// predicts the class with the largest weight. [methods.BestTerms] chooses terms and
	// documents for each class, and the class is learnt from these alone (see
	// [classify.TrainScoped]). BestTerms, like every [selection.SelfSized] method, has one
	// point for each classifier, whatever K is.
	Methods []selection.Method
	// K are the numbers of terms; 0 is all terms, and so is nil.
	K []int
	// Classifiers are the learners to train; nil is a linear SVM.
	Classifiers []classify.Learner
	// Weight is the weighting of the rows for classifiers that do not choose their own
	// (see [classify.Learner.WeightOr]); "" is ltc.
	Weight string
	// Confusion keeps the confusion tables of all points.
	Confusion bool
	Seed      uint64
	Threads   int // bounds goroutines, also those of methods; 0 is GOMAXPROCS, and for a method its own bound
}

// withDefaults returns the grid with defaults for what is not set, or an error if it is
// invalid.
func (g Grid) withDefaults() (Grid, error) {
	if len(g.Methods) == 0 {
		g.Methods = []selection.Method{methods.Measure{}}
	}
	if len(g.K) == 0 {
		g.K = []int{0}
	}
	if len(g.Classifiers) == 0 {
		g.Classifiers = []classify.Learner{{Kind: "svm"}}
	}
	g.Weight = cmp.Or(g.Weight, string(table.LTC))
	if _, err := selection.FactorOf(table.Weighting(g.Weight)); err != nil {
		return g, err
	}
	checked := make([]selection.Method, len(g.Methods))
	for i, m := range g.Methods {
		if m == nil {
			return g, usage.Errorf("method %d is nil", i)
		}
		if err := m.Validate(); err != nil {
			return g, err
		}
		checked[i] = methods.WithThreads(m, g.Threads)
	}
	g.Methods = checked
	for _, k := range g.K {
		if k < 0 {
			return g, usage.Errorf("k must be positive, or 0 for all terms, not %d", k)
		}
	}
	for _, l := range g.Classifiers {
		if err := l.Validate(); err != nil {
			return g, err
		}
		if l.Kind == learnerRule {
			return g, usage.Errorf("the classifier %s comes with the method %s by itself", l, methods.NameProjection)
		}
	}
	return g, nil
}

// Validate returns an error for a grid that is wrong whatever the data.
func (g Grid) Validate() error {
	_, err := g.withDefaults()
	return err
}

// points returns the number of points that a run measures.
func (g Grid) points() (n int) {
	for _, m := range g.Methods {
		each := len(g.Classifiers)
		if _, ok := m.(methods.Projection); ok {
			each++ // the rule
		}
		n += each * len(numbersOf(m, g.K))
	}
	return n
}

// weights returns the weightings that the classifiers need, each once.
func (g Grid) weights() (weights []table.Weighting) {
	for _, l := range g.Classifiers {
		if w := table.Weighting(l.WeightOr(g.Weight)); !slices.Contains(weights, w) {
			weights = append(weights, w)
		}
	}
	return weights
}
