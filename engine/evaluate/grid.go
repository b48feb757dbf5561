package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/store"
)

// A Method is a way to put terms in order, of which the first k are selected.
type Method struct {
	// Name is what results call it; "" is made of the measure and the combination.
	Name string
	// Scoring is the measure. It is not looked at where one of the others is set.
	Scoring engine.Scoring
	// Project projects terms to classes instead (see [engine.Projection]): the first k
	// of them. Rows are then cluster vectors, and there is a further point for each k,
	// that of the classifier "rule", which predicts the class with the largest weight.
	Project *engine.Projecting
	// Redundancy is one of [engine.RedundancyCriteria], or "".
	Redundancy string
	// Select is a method of the caller's: it selects k terms of the training part, of
	// which the first are those of a smaller k.
	Select func(ctx context.Context, train *engine.Corpus, k int) (*engine.Selection, error)
}

// ParseMethod reads a measure and, behind a colon, a combination: "chi", "ttest:avg";
// or mrmr, jmi or cmim; or project. The rest of the scoring is that of like.
func ParseMethod(text string, like engine.Scoring) (Method, error) {
	text = strings.TrimSpace(text)
	m := Method{Name: text, Scoring: like}
	name, combine, found := strings.Cut(text, ":")
	if text == methodProject {
		m.Project = &engine.Projecting{}
		return m, nil
	}
	if slices.Contains(engine.RedundancyCriteria(), name) {
		if found {
			return m, fmt.Errorf("%w: %s has no combinations", engine.ErrUsage, name)
		}
		m.Redundancy = name
		return m, nil
	}
	m.Scoring.By = name
	if found {
		m.Scoring.Combine = combine
	}
	return m, m.validate()
}

func (m Method) validate() error {
	if m.Select != nil {
		return nil
	}
	if m.Project != nil {
		return m.Project.Validate()
	}
	if m.Redundancy != "" {
		return engine.Redundancy{Criterion: m.Redundancy, K: 1}.Validate()
	}
	if m.Scoring.Combine == "class" {
		return fmt.Errorf("%w: the combination class gives a value for each class, and one order of the terms is needed here", engine.ErrUsage)
	}
	return engine.Selecting{Scoring: m.Scoring, K: 1}.Validate()
}

// String is the Name, or what the scoring says.
func (m Method) String() string {
	switch {
	case m.Name != "":
		return m.Name
	case m.Project != nil:
		return methodProject
	case m.Redundancy != "":
		return m.Redundancy
	case m.Scoring.Combine != "":
		return cmp.Or(m.Scoring.By, "chi") + ":" + m.Scoring.Combine
	}
	return cmp.Or(m.Scoring.By, "chi")
}

// choose selects the k best terms.
func (m Method) choose(ctx context.Context, train *engine.Corpus, k, threads int) (*engine.Selection, error) {
	switch {
	case m.Select != nil:
		return m.Select(ctx, train, k)
	case m.Redundancy != "":
		return train.SelectRedundancy(ctx, engine.Redundancy{Criterion: m.Redundancy, K: k, Threads: threads})
	}
	o := engine.Selecting{Scoring: m.Scoring, K: k}
	o.Threads = threads
	return train.Select(ctx, o)
}

// A Grid is what a run measures: each method with each k and each classifier.
type Grid struct {
	// Methods to select by; none is chi.
	Methods []Method
	// K are numbers of terms, 0 is all of them; none is all of them.
	K []int
	// Classifiers to train; none is a linear SVM.
	Classifiers []classify.Learner
	// Weight is the weighting of the rows, of those classifiers that do not choose one
	// (see [classify.Learner.WeightOr]); "" is ltc.
	Weight string
	// Confusion keeps the tables of confusion of all points.
	Confusion bool
	Seed      uint64
	Threads   int // 0 is GOMAXPROCS
}

// withDefaults fills in what is not set and checks the rest.
func (g Grid) withDefaults() (Grid, error) {
	if len(g.Methods) == 0 {
		g.Methods = []Method{{Scoring: engine.Scoring{By: "chi"}}}
	}
	if len(g.K) == 0 {
		g.K = []int{0}
	}
	if len(g.Classifiers) == 0 {
		g.Classifiers = []classify.Learner{{Kind: "svm"}}
	}
	g.Weight = cmp.Or(g.Weight, string(store.LTC))
	if _, err := engine.FactorOf(g.Weight); err != nil {
		return g, err
	}
	for _, m := range g.Methods {
		if err := m.validate(); err != nil {
			return g, err
		}
	}
	for _, k := range g.K {
		if k < 0 {
			return g, fmt.Errorf("%w: k must be positive, or 0 for all terms, not %d", engine.ErrUsage, k)
		}
	}
	for _, l := range g.Classifiers {
		if err := l.Validate(); err != nil {
			return g, err
		}
	}
	return g, nil
}

// Validate reports a grid that no data could satisfy.
func (g Grid) Validate() error {
	_, err := g.withDefaults()
	return err
}

// Points is the number of points that a run has.
func (g Grid) Points() int {
	n := 0
	for _, m := range g.Methods {
		n += max(len(g.Classifiers), 1)
		if m.Project != nil {
			n++ // the rule
		}
	}
	return max(n, len(g.Classifiers), 1) * max(len(g.K), 1)
}

// largestK is the number of terms that must be put in order, of so many.
func (g Grid) largestK(terms int) int {
	if slices.Contains(g.K, 0) {
		return terms
	}
	return min(slices.Max(g.K), terms)
}

// weights lists the weightings that the classifiers want, each once.
func (g Grid) weights() (weights []string) {
	for _, l := range g.Classifiers {
		if w := l.WeightOr(g.Weight); !slices.Contains(weights, w) {
			weights = append(weights, w)
		}
	}
	return weights
}
