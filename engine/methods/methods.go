// Package methods has the methods of selecting terms that the engine offers: measures with
// a combination, criteria of redundancy, Best Terms and term projection. It also reads
// them from text. Each is a [selection.Method]; callers can write their own.
package methods

import (
	"cmp"
	"context"
	"fmt"

	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/redundancy"
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

// A Redundancy selects terms one after the other by a criterion of redundancy, see
// [redundancy.Select]. The zero value is mrmr.
type Redundancy struct {
	Label   string // the name of the method in results; "" is the criterion
	Options redundancy.Options
}

// Name returns the Label, or the criterion.
func (m Redundancy) Name() string { return cmp.Or(m.Label, m.Options.Criterion, redundancy.MRMR) }

// Validate returns an error for options that are wrong whatever the data. It ignores their
// K.
func (m Redundancy) Validate() error {
	o := m.Options
	o.K = 1
	return o.Validate()
}

// Select selects k terms, or all terms if k is 0. It ignores the K of the options.
func (m Redundancy) Select(ctx context.Context, c *corpus.Corpus, k int) (*selection.Selection, error) {
	o := m.Options
	var err error
	if o.K, err = sizeOf(m, c, k); err != nil {
		return nil, err
	}
	return redundancy.Select(ctx, c, o)
}

// sizeOf returns the number of terms to select, which is that of all terms if k is 0. It
// returns an error if k or the method is invalid.
func sizeOf(m selection.Method, c *corpus.Corpus, k int) (int, error) {
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

// Validate returns an error for options that are wrong whatever the data. It ignores their
// K.
func (m Projection) Validate() error {
	o := m.Options
	o.K = 0
	return o.Validate()
}

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
		m.Options.Threads = threads
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
