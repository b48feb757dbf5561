// Package methods has the methods of selecting terms that the engine offers: measures with
// a combination, criteria of redundancy, Best Terms and term projection. It also reads
// them from text. Each is a [selection.Method]; callers can write their own.
package methods

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// A Measure selects the terms with the largest values by a measure. The zero value is chi.
type Measure struct {
	// Label is the name of the method in results; "" makes one of the measure and the
	// combination.
	Label   string
	Options rank.Options
	// Drop are terms that are never selected.
	Drop []string
}

// Name returns the Label, or the measure, followed by a colon and the combination if there
// is one.
func (m Measure) Name() string {
	switch {
	case m.Label != "":
		return m.Label
	case m.Options.Combine != "":
		return fmt.Sprintf("%s:%s", cmp.Or(m.Options.Measure, rank.Chi), m.Options.Combine)
	}
	return string(cmp.Or(m.Options.Measure, rank.Chi))
}

// Validate returns an error for options that are wrong whatever the data.
func (m Measure) Validate() error {
	if m.Options.Combine == rank.ByClass {
		return usage.Errorf("the combination class gives a value for each class, and one order of the terms is needed here")
	}
	return m.Options.Validate()
}

// Select selects the k terms with the largest values, or all terms if k is 0.
func (m Measure) Select(ctx context.Context, c *corpus.Corpus, k int) (*selection.Selection, error) {
	k, err := sizeOf(m, c, k)
	if err != nil {
		return nil, err
	}
	return selection.Select(ctx, c, selection.Options{By: m.Options, Keep: selection.Best(k), AlwaysDrop: m.Drop})
}

// sizeOf returns the number of terms to select, which is that of all terms if k is 0. It
// returns an error if k or the method is invalid.
func sizeOf(m selection.Method, c *corpus.Corpus, k int) (int, error) {
	if c == nil {
		return 0, usage.Errorf("a nil corpus was given")
	}
	if k < 0 {
		return 0, usage.Errorf("k must be positive, or 0 for all terms, not %d", k)
	}
	return cmp.Or(k, c.Terms()), m.Validate()
}

// A BestTerms method selects, for each class, the best terms of its documents, as many as
// the documents need (see [bestterms.Choice]). The zero value is the method of the paper.
type BestTerms struct {
	Label   string // the name of the method in results; "" makes one of the function and p
	Options bestterms.Options
}

// Name returns the Label, or best-terms with its function and p.
func (m BestTerms) Name() string {
	if m.Label != "" {
		return m.Label
	}
	return fmt.Sprintf("%s:function=%s,p=%v", NameBestTerms, cmp.Or(m.Options.Function, string(rank.Chi)), m.Options.P)
}

// Validate returns an error for options that are wrong whatever the data.
func (m BestTerms) Validate() error { return m.Options.Validate() }

// SelfSized implements [selection.SelfSized].
func (BestTerms) SelfSized() {}

// Choose chooses the terms of each class, and the documents that the class is learnt from.
func (m BestTerms) Choose(ctx context.Context, c *corpus.Corpus) (*bestterms.Choice, error) {
	return bestterms.Choose(ctx, c, m.Options)
}

// Select returns the union of the terms of all classes, see [bestterms.Choice.Selection].
// k must be 0, as the documents decide how many terms there are.
func (m BestTerms) Select(ctx context.Context, c *corpus.Corpus, k int) (*selection.Selection, error) {
	if k != 0 {
		return nil, usage.Errorf("%s chooses as many terms as the documents need: leave k = %d out", NameBestTerms, k)
	}
	chosen, err := m.Choose(ctx, c)
	if err != nil {
		return nil, err
	}
	return chosen.Selection()
}

// A Projection selects the terms that indicate a class, those with the largest chi-square
// on tokens first (see [projection.Projection]). The zero value is the method of the
// paper.
type Projection struct {
	Label   string // the name of the method in results; "" is project
	Options projection.Options
}

// Name returns the Label, or project.
func (m Projection) Name() string { return cmp.Or(m.Label, NameProjection) }

// Validate returns an error for options that are wrong whatever the data.
func (m Projection) Validate() error { return m.Options.Validate() }

// Project projects the k terms with the largest chi-square among those that indicate a
// class, or all of these if k is 0. It ignores the K of the options.
func (m Projection) Project(ctx context.Context, c *corpus.Corpus, k int) (*projection.Projection, error) {
	o := m.Options
	o.K = k
	return projection.Project(ctx, c, o)
}

// Select returns the projected terms.
func (m Projection) Select(ctx context.Context, c *corpus.Corpus, k int) (*selection.Selection, error) {
	p, err := m.Project(ctx, c, k)
	if err != nil {
		return nil, err
	}
	return p.Selection, nil
}

// WithThreads returns a method of this package with a bound on its goroutines; 0 leaves
// its own. It returns other methods unchanged.
func WithThreads(m selection.Method, threads int) selection.Method {
	if threads == 0 {
		return m
	}
	switch m := m.(type) {
	case Measure:
		m.Options.Threads = threads
		return m
	case Redundancy:
		m.Threads = threads
		return m
	case BestTerms:
		m.Options.Threads = threads
		return m
	case Projection:
		m.Options.Threads = threads
		return m
	}
	return m
}

// The names of the methods that are algorithms rather than measures or criteria.
const (
	NameBestTerms  = "best-terms"
	NameProjection = "project"
)

// Options are the settings that [Parse] starts from and the text overrides. The zero value
// has the defaults of each method.
type Options struct {
	// Scoring is for measures. Its RSD and Threads also apply to the other methods if
	// these do not set their own.
	Scoring    rank.Options
	BestTerms  bestterms.Options
	Projection projection.Options
	// Own are methods of the caller. Their names take precedence.
	Own []selection.Method
}

// A parser makes the method that text names; options is what follows the colon.
type parser func(text, options string, o Options) (selection.Method, error)

// parsers has the methods that are not measures, by name.
var parsers = map[string]parser{
	MRMR:           parseRedundancy,
	JMI:            parseRedundancy,
	CMIM:           parseRedundancy,
	NameBestTerms:  parseBestTerms,
	NameProjection: parseProjection,
}

// Names returns the names of all methods, beginning with the measures in the order of
// [rank.EveryMeasure].
func Names() []string { return Options{}.names() }

// names returns the names that a text may begin with.
func (o Options) names() []string {
	names := append(measureNames(o.Scoring), Criteria()...)
	names = append(names, NameBestTerms, NameProjection)
	for _, m := range o.Own {
		names = append(names, m.Name())
	}
	return names
}

// measureNames returns the names of the standard measures and of those of the caller.
func measureNames(o rank.Options) (names []string) {
	for _, m := range rank.EveryMeasure() {
		names = append(names, m.Name)
	}
	for _, m := range o.Own {
		names = append(names, m.Name())
	}
	return names
}

// Parse reads a method from text:
//
//	chi, ttest:avg                  a measure and, behind a colon, a combination
//	mine=A*D/(B*C):avg              a formula with its name, likewise; see [score.Formula]
//	mrmr, jmi, cmim                 a criterion of redundancy
//	best-terms:function=ig,p=0.25   Best Terms, also with rule=, scope= and counts=
//	project:alpha=0.6               term projection, also with rule=, cluster-weight=,
//	                                discriminate=, base=, unit= and occurrences=
//
// or the name of a method of the caller. The text becomes the name of the method in
// results. Errors wrap [usage.ErrUsage]. Parse does not check the ranges of options, which
// Validate does.
func Parse(text string, o Options) (selection.Method, error) {
	text = strings.TrimSpace(text)
	name, options, _ := strings.Cut(text, ":")
	for _, m := range o.Own {
		if m.Name() == text {
			return m, nil
		}
	}
	if parse := parsers[name]; parse != nil {
		return parse(text, options, o)
	}
	scoring, err := measureOf("method", text, o.names(), o.Scoring)
	if err != nil {
		return nil, err
	}
	if own, _, ok := strings.Cut(name, "="); ok && parsers[strings.TrimSpace(own)] != nil {
		return nil, usage.Errorf("%s is a method already: give the formula another name", strings.TrimSpace(own))
	}
	return Measure{Label: text, Options: scoring}, nil
}

// ParseMeasure reads a measure, optionally followed by a colon and a combination, for
// callers that need the values of terms rather than a selection. The other options are
// those of o.
func ParseMeasure(text string, o rank.Options) (rank.Options, error) {
	return measureOf("measure", strings.TrimSpace(text), measureNames(o), o)
}

// measureOf returns o with the measure of a text, which has a known name, means one or is a formula, and with the
// combination behind it. kind is what errors call it.
func measureOf(kind, text string, known []string, o rank.Options) (rank.Options, error) {
	name, combine, colon := strings.Cut(text, ":")
	if name == "" {
		return o, usage.Errorf("a %s has no name", kind)
	}
	if !slices.Contains(known, name) {
		name = score.Canonical(name)
	}
	if !score.IsFormula(name) && !slices.Contains(known, name) {
		e := rank.UnknownMeasure(kind, name, known)
		if combine, body, ok := strings.Cut(combine, "="); ok && slices.Contains(rank.Combinations(), combine) {
			e.Remedy = fmt.Sprintf("the combination stands behind a formula: %s=%s:%s", name, usage.Cut(body), combine)
		}
		return o, e
	}
	o.Measure = rank.Measure(name)
	if colon {
		o.Combine = rank.Combination(combine)
	}
	return o, nil
}

func parseRedundancy(text, _ string, o Options) (selection.Method, error) {
	criterion, _, colon := strings.Cut(text, ":")
	if colon {
		return nil, usage.Errorf("%s has no combinations", criterion)
	}
	return Redundancy{Label: text, Criterion: criterion, Threads: o.Scoring.Threads}, nil
}

// readOptions reads the options of a method into the settings. Errors name the method.
func readOptions(text, options string, settings []usage.Setting) error {
	if err := usage.ReadOptions(options, settings); err != nil {
		return fmt.Errorf("method %q: %w", text, err)
	}
	return nil
}

func parseBestTerms(text, options string, o Options) (selection.Method, error) {
	b := o.BestTerms
	b.RSD, b.Threads = cmp.Or(b.RSD, o.Scoring.RSD), cmp.Or(b.Threads, o.Scoring.Threads)
	err := readOptions(text, options, []usage.Setting{
		{Name: "function", To: &b.Function},
		{Name: "p", To: &b.P, NotNegative: true},
		{Name: "rule", To: &b.Rule},
		{Name: "scope", To: &b.Scope},
		{Name: "counts", To: &b.Counts},
	})
	return BestTerms{Label: text, Options: b}, err
}

func parseProjection(text, options string, o Options) (selection.Method, error) {
	p := o.Projection
	p.Threads = cmp.Or(p.Threads, o.Scoring.Threads)
	alpha := projection.DefaultAlpha
	if p.Alpha != nil {
		alpha = *p.Alpha
	}
	err := readOptions(text, options, []usage.Setting{
		{Name: "alpha", To: &alpha, NotNegative: true},
		{Name: "rule", To: &p.Rule},
		{Name: "cluster-weight", To: &p.Weight},
		{Name: "discriminate", To: &p.Discriminate},
		{Name: "base", To: &p.Base},
		{Name: "unit", To: &p.Unit},
		{Name: "occurrences", To: &p.Occurrences},
	})
	p.Alpha = &alpha
	return Projection{Label: text, Options: p}, err
}
