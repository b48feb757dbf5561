package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/settings"
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
	// BestTerms chooses terms and documents of its own for every class instead, as many
	// as that takes (see [engine.BestTerms]): K has no bearing on it. There is one point
	// for each classifier, which learns each class from them alone (see
	// [classify.TrainScoped]).
	BestTerms *engine.BestTermsOptions
	// Redundancy is one of [engine.RedundancyCriteria], or "".
	Redundancy string
	// Select is a method of the caller's: it selects k terms of the training part, of
	// which the first are those of a smaller k.
	Select func(ctx context.Context, train *engine.Corpus, k int) (*engine.Selection, error)
}

// The names of methods that are no measures.
const (
	methodProject   = "project"
	methodBestTerms = "best-terms"
)

// ParseMethods reads methods, separated by commas. A part such as p=0.5 is a further
// option of the method before it. like gives the rest of the scoring of a measure.
func ParseMethods(list string, like func(measure string) engine.Scoring) (methods []Method, err error) {
	for _, text := range settings.Split(list) {
		name, _, _ := strings.Cut(strings.TrimSpace(text), ":")
		m, err := ParseMethod(text, like(name))
		if err != nil {
			return nil, err
		}
		methods = append(methods, m)
	}
	return methods, nil
}

// ParseMethod reads a method:
//
//	chi, ttest:avg                  a measure and, behind a colon, a combination
//	mrmr, jmi, cmim                 a criterion of redundancy
//	project:alpha=0.6               term projection, also with rule=, cluster-weight=,
//	                                discriminate=, base=, unit= and occurrences=
//	best-terms:function=ig,p=0.25   Best Terms, also with rule=, scope= and counts=
//
// The rest of the scoring is that of like.
func ParseMethod(text string, like engine.Scoring) (Method, error) {
	text = strings.TrimSpace(text)
	name, options, found := strings.Cut(text, ":")
	m := Method{Name: text, Scoring: like}
	switch {
	case name == "":
		return m, fmt.Errorf("%w: a method has no name", engine.ErrUsage)
	case name == methodBestTerms:
		m.BestTerms = &engine.BestTermsOptions{RSD: like.RSD}
		if err := setBestTerms(m.BestTerms, options); err != nil {
			return m, fmt.Errorf("method %q: %w", text, err)
		}
	case name == methodProject:
		m.Project = &engine.Projecting{}
		if err := setProjecting(m.Project, options); err != nil {
			return m, fmt.Errorf("method %q: %w", text, err)
		}
	case slices.Contains(engine.RedundancyCriteria(), name):
		if found {
			return m, fmt.Errorf("%w: %s has no combinations", engine.ErrUsage, name)
		}
		m.Redundancy = name
	default:
		if m.Scoring.By = name; found {
			m.Scoring.Combine = options
		}
	}
	return m, m.validate()
}

func setBestTerms(o *engine.BestTermsOptions, options string) error {
	return settings.Set(options, []settings.Setting{
		{Name: "function", To: &o.Function},
		{Name: "p", To: &o.P, Zero: true},
		{Name: "rule", To: &o.Rule},
		{Name: "scope", To: &o.Scope},
		{Name: "counts", To: &o.Counts},
	})
}

func setProjecting(o *engine.Projecting, options string) error {
	alpha := .5
	o.Alpha = &alpha
	return settings.Set(options, []settings.Setting{
		{Name: "alpha", To: &alpha, Zero: true},
		{Name: "rule", To: &o.Rule},
		{Name: "cluster-weight", To: &o.Weight},
		{Name: "discriminate", To: &o.Discriminate},
		{Name: "base", To: &o.Base},
		{Name: "unit", To: &o.Unit},
		{Name: "occurrences", To: &o.Occurrences},
	})
}

func (m Method) validate() error {
	switch {
	case m.Select != nil:
		return nil
	case m.Project != nil:
		return m.Project.Validate()
	case m.BestTerms != nil:
		return m.BestTerms.Validate()
	case m.Redundancy != "":
		return engine.Redundancy{Criterion: m.Redundancy, K: 1}.Validate()
	case m.Scoring.Combine == "class":
		return fmt.Errorf("%w: the combination class gives a value for each class, and one order of the terms is needed here", engine.ErrUsage)
	}
	return engine.Selecting{Scoring: m.Scoring, K: 1}.Validate()
}

// Ranks says whether the method is that of Scoring, which gives every term a value.
func (m Method) Ranks() bool {
	return m.Select == nil && m.Project == nil && m.BestTerms == nil && m.Redundancy == ""
}

// String is the Name, or what the method does.
func (m Method) String() string {
	switch {
	case m.Name != "":
		return m.Name
	case m.Project != nil:
		return methodProject
	case m.BestTerms != nil:
		return fmt.Sprintf("%s:function=%s,p=%v", methodBestTerms, cmp.Or(m.BestTerms.Function, "chi"), m.BestTerms.P)
	case m.Redundancy != "":
		return m.Redundancy
	case m.Scoring.Combine != "":
		return cmp.Or(m.Scoring.By, "chi") + ":" + m.Scoring.Combine
	}
	return cmp.Or(m.Scoring.By, "chi")
}

// numbers are those of terms that the method has points for, of the grid's.
func (m Method) numbers(ks []int) []int {
	if m.BestTerms != nil {
		return []int{0}
	}
	return ks
}

// A choice is what a method selects: terms and, of Best Terms, what every class is
// learnt from.
type choice struct {
	*engine.Selection
	scopes []classify.Scope
}

// choose selects the k best terms.
func (m Method) choose(ctx context.Context, train *engine.Corpus, k, threads int) (c choice, err error) {
	switch {
	case m.Select != nil:
		c.Selection, err = m.Select(ctx, train, k)
	case m.BestTerms != nil:
		return chooseBestTerms(ctx, train, *m.BestTerms, threads)
	case m.Redundancy != "":
		c.Selection, err = train.SelectRedundancy(ctx, engine.Redundancy{Criterion: m.Redundancy, K: k, Threads: threads})
	default:
		o := engine.Selecting{Scoring: m.Scoring, K: k}
		o.Threads = threads
		c.Selection, err = train.Select(ctx, o)
	}
	return c, err
}

func chooseBestTerms(ctx context.Context, train *engine.Corpus, o engine.BestTermsOptions, threads int) (c choice, err error) {
	o.Threads = threads
	b, err := train.BestTerms(ctx, o)
	if err != nil {
		return c, err
	}
	if c.Selection, err = b.Selection(); err != nil {
		return c, err
	}
	c.scopes, err = classify.ScopesOf(b, c.Selection)
	return c, err
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
		if l.Kind == learnerRule {
			return g, fmt.Errorf("%w: the classifier %s comes with the method %s by itself", engine.ErrUsage, l, methodProject)
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
func (g Grid) Points() (n int) {
	methods, classifiers := g.Methods, max(len(g.Classifiers), 1)
	if len(methods) == 0 {
		methods = []Method{{}}
	}
	for _, m := range methods {
		each := classifiers
		if m.Project != nil {
			each++ // the rule
		}
		n += each * max(len(m.numbers(g.K)), 1)
	}
	return n
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
