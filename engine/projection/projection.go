// Package projection maps terms to classes, and documents to vectors with a dimension for
// each class, as Zheng, Liu, Teng and Sun do (AIRS 2009): a term belongs to the class with
// its largest chi-square on tokens, and a document's weight for a class is the sum of the
// weights of its terms that belong to it.
//
// It takes a [corpus.Corpus] with token counts and [Options], and gives a [Projection]: the
// projected terms with their classes, the vectors of documents, and a [Map] for models
// that have rows of their own. A [RuleScore] counts how often the class with the largest
// weight is right.
//
// Begin reading with [Project] in projection.go; columns.go projects the terms, vectors.go
// makes vectors of documents.
//
// The package never makes a table of terms by classes, and never trains a classifier.
package projection

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
)

// The values of [Options] that have names.
const (
	// Positive takes the largest chi-square among the classes that the term
	// occurs in more often than by chance.
	Positive = "positive"
	// Literal takes the largest of all, as the paper says: chi-square has no
	// sign, so that it can be that of a class which the term avoids.
	Literal = "literal"

	// ClusterLog weighs a term by log(tf+1)·log(N/df+1).
	ClusterLog = "log"
	// ClusterTFIDF weighs a term by tf·log(N/df).
	ClusterTFIDF = "tfidf"

	// DefaultAlpha is the alpha of the paper.
	DefaultAlpha = .5

	// DiscriminatePR multiplies weights by PRmax.
	DiscriminatePR = "pr"
	// DiscriminateLogPR multiplies weights by log PRmax, and by 0 where PRmax is below 1.
	DiscriminateLogPR = "log-pr"
)

var (
	// ErrNoCounts is returned for data that does not tell how often a document has a
	// term.
	ErrNoCounts = usage.NewError(usage.ErrData, "no token counts")
	// ErrBinary is the ErrNoCounts of a corpus whose counts are all 1, which
	// [Options.Occurrences] permits.
	ErrBinary = fmt.Errorf("%w: no term comes twice in a document, so that the data seems to say only which terms it has", ErrNoCounts)
)

// Options says how terms are projected to classes by [Project]. The zero
// value projects all terms that pass the filter of the paper.
type Options struct {
	// K keeps the K terms with the largest chi-square of those that pass; 0 keeps all.
	K int
	// Alpha is the share of the sum over all classes that the largest chi-square of a
	// term must have, a number in [0, 1]; nil is [DefaultAlpha].
	Alpha *float64
	// Rule is Positive or Literal, Weight ClusterLog or ClusterTFIDF,
	// Discriminate DiscriminatePR or DiscriminateLogPR; "" is the first of each.
	Rule, Weight, Discriminate string
	// Base of these logarithms; 0 is e. The paper's group takes 10. It does no more
	// than scale the vectors.
	Base float64
	// Unit scales the vectors of documents to length 1.
	Unit bool
	// Occurrences accepts a corpus where no term comes twice in a document; without
	// it that is ErrBinary.
	Occurrences bool
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// A Projection maps terms to classes, and documents to vectors with a dimension for
// each class (Zheng, Liu, Teng and Sun, AIRS 2009). It is immutable and safe for
// concurrent use.
type Projection struct {
	Rule    string
	Alpha   float64
	Classes []string // in the order of their bytes
	// Terms are the projected terms, best first: by Chi and df, both descending, and
	// bytes.
	Terms []Term
	// Filtered counts the terms that failed alpha, Unprojected the others that indicate
	// no class. Neither counts terms that were left out because of K.
	Filtered, Unprojected int
	Warnings              []string

	// Selection has the projected terms as features, and Map turns rows over these, of weight
	// tf, into vectors over the classes. They must not be modified.
	Selection *selection.Selection
	Map       *Map
}

// A Term is a term with the class that it was projected to.
type Term struct {
	Term  string
	DF    int
	Class int // place in Projection.Classes
	// Chi is the largest chi-square on tokens over all classes, Total their sum.
	Chi, Total float64
	// PR is P(t|c)/P(t|not c) for the class c, PRMax the largest over all classes. Both
	// count documents, and ½ instead of no document with the term outside the class.
	PR, PRMax float64
}

func (o Options) alpha() float64 {
	if o.Alpha == nil {
		return DefaultAlpha
	}
	return *o.Alpha
}

// Validate reports a request that no data could satisfy.
func (o Options) Validate() error {
	for _, choice := range []struct {
		kind, name string
		known      []string
	}{
		{"rule", cmp.Or(o.Rule, Positive), []string{Positive, Literal}},
		{"cluster weighting", cmp.Or(o.Weight, ClusterLog), []string{ClusterLog, ClusterTFIDF}},
		{"discriminability", cmp.Or(o.Discriminate, DiscriminatePR), []string{DiscriminatePR, DiscriminateLogPR}},
	} {
		if !slices.Contains(choice.known, choice.name) {
			return usage.Unknown(choice.kind, choice.name, choice.known)
		}
	}
	if o.K < 0 {
		return usage.Errorf("k must be positive, or 0 for all terms, not %d", o.K)
	}
	if err := (score.Options{Base: o.Base}).Validate(); err != nil {
		return usage.Errorf("%v", err)
	}
	if alpha := o.alpha(); !(0 <= alpha && alpha <= 1) {
		return usage.Errorf("alpha must be in [0, 1], not %v", alpha)
	}
	return nil
}

// Project projects the terms of a corpus by its statistics. It returns [ErrNoCounts] for a
// corpus of real values, [ErrBinary] for one whose counts are all 1, and
// [selection.ErrNothingSelected] if no term passes.
//
// A term passes if it passes alpha and the rule finds a class with a chi-square above 0.
// Values within a relative 1e-12 are equal. With two classes, where the values of every
// term are equal, alpha = 0.5 therefore keeps all terms. Of classes with equal values the
// first by its bytes is taken.
func Project(ctx context.Context, c *corpus.Corpus, o Options) (*Projection, error) {
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := c.RequireClasses("term projection"); err != nil {
		return nil, err
	}
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := requireCounts(c); err != nil {
		return nil, err
	}
	stats, err := c.Statistics(ctx, corpus.CountOptions{Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	if !o.Occurrences && stats.Cells.Tokens == float64(x.NumPostings()) {
		return nil, ErrBinary
	}
	j := newColumns(o, stats)
	if err := j.projectAll(ctx); err != nil {
		return nil, err
	}
	return j.projection(c)
}

// requireCounts returns ErrNoCounts if the values of c are real numbers.
func requireCounts(c *corpus.Corpus) error {
	if c.Index().Real() {
		return fmt.Errorf("%w: the values of the corpus are real numbers", ErrNoCounts)
	}
	return nil
}

// projection returns the projection to the best terms of those that passed.
func (j *columns) projection(c *corpus.Corpus) (*Projection, error) {
	p := &Projection{Rule: cmp.Or(j.options.Rule, Positive), Alpha: j.options.alpha(), Classes: c.Classes(), Map: &Map{}}
	for _, class := range j.class {
		switch class {
		case filtered:
			p.Filtered++
		case unprojected:
			p.Unprojected++
		}
	}
	passed := c.Terms() - p.Filtered - p.Unprojected
	p.warnFewClasses(j)
	if passed == 0 {
		return nil, fmt.Errorf("%w: of %d terms %d fail alpha = %v and %d indicate no class%s",
			selection.ErrNothingSelected, c.Terms(), p.Filtered, p.Alpha, p.Unprojected, strings.Join(append([]string{""}, p.Warnings...), "; "))
	}
	if j.options.K > 0 {
		passed = min(passed, j.options.K)
	}
	p.Terms = make([]Term, passed)
	for i, t := range rank.TopK(j.rankValues(), passed) {
		p.Terms[i] = Term{
			Term: c.Term(t), DF: c.DF(t), Class: int(j.class[t]), Chi: j.chi[t], Total: j.total[t], PR: j.pr[t], PRMax: j.prMax[t],
		}
	}
	for i := range p.Classes {
		if j.counts.Cells.ClassDocs[i] > j.counts.Cells.ClassDocs[p.Map.Largest] {
			p.Map.Largest = i
		}
	}
	p.setVectorData(j.options, j.counts.Cells.Documents, c.Provenance())
	return p, nil
}

// warnFewClasses warns of a single class, and of two classes that have all tokens between
// them.
func (p *Projection) warnFewClasses(j *columns) {
	if len(p.Classes) == 1 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("there is one class only (%s)", p.Classes[0]))
	}
	tokens := 0.0
	for _, n := range j.counts.Cells.ClassTokens {
		tokens += n
	}
	if len(p.Classes) != 2 || tokens != j.counts.Cells.Tokens {
		return
	}
	p.Warnings = append(p.Warnings, "with two classes the largest chi-square of a term is half of the sum: alpha keeps all terms up to 0.5 and none above")
	if p.Rule == Literal {
		p.Warnings = append(p.Warnings, fmt.Sprintf("with two classes all terms are tied, which the literal rule gives to the first, %s", p.Classes[0]))
	}
}

// setVectorData sets Selection and Map, which the vectors of documents are made with.
func (p *Projection) setVectorData(o Options, documents float64, provenance corpus.Provenance) {
	p.Selection = &selection.Selection{
		Measure: rank.Measure(fmt.Sprintf("project(%s, alpha=%s)", p.Rule, tsv.FormatValue(p.Alpha))), Combine: rank.Max,
		Documents: int(documents), Classes: p.Classes, Provenance: provenance, Features: make([]selection.Feature, len(p.Terms)),
	}
	m := p.Map
	m.Classes, m.Weight, m.Base, m.Unit = len(p.Classes), cmp.Or(o.Weight, ClusterLog), o.Base, o.Unit
	m.Class, m.Factor = make([]uint32, len(p.Terms)), make([]float64, len(p.Terms))
	for i, t := range p.Terms {
		p.Selection.Features[i] = selection.Feature{Rank: i + 1, Term: t.Term, Score: t.Chi, DF: t.DF}
		m.Class[i], m.Factor[i] = uint32(t.Class), o.termFactor(documents, float64(t.DF), t.PRMax)
	}
}

// Clusters returns the terms of every class, best first, in the order of the classes. A class
// that no term was projected to has no terms.
func (p *Projection) Clusters() [][]Term {
	clusters := make([][]Term, len(p.Classes))
	for _, t := range p.Terms {
		clusters[t.Class] = append(clusters[t.Class], t)
	}
	return clusters
}
