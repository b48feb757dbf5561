package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/store"
)

// The values of [Projecting] that have names.
const (
	// ProjectPositive takes the largest chi-square among the classes that the term
	// occurs in more often than by chance.
	ProjectPositive = "positive"
	// ProjectLiteral takes the largest of all, as the paper says: chi-square has no
	// sign, so that it can be that of a class which the term avoids.
	ProjectLiteral = "literal"

	// ClusterLog weighs a term by log(tf+1)·log(N/df+1).
	ClusterLog = "log"
	// ClusterTFIDF weighs a term by tf·log(N/df).
	ClusterTFIDF = "tfidf"

	// DiscriminatePR multiplies weights by PRmax.
	DiscriminatePR = "pr"
	// DiscriminateLogPR multiplies weights by log PRmax, and by 0 where PRmax is below 1.
	DiscriminateLogPR = "log-pr"
)

var (
	// ErrNoCounts is returned for data that does not say how often a document has a
	// term.
	ErrNoCounts = errors.New("no token counts")
	// ErrBinary is the ErrNoCounts of data that [Projecting.Occurrences] accepts.
	ErrBinary = fmt.Errorf("%w: no term comes twice in a document, so that the data seems to say only which terms it has", ErrNoCounts)
)

// Projecting says how terms are projected to classes by [Corpus.Project]. The zero
// value projects all terms that pass the filter of the paper.
type Projecting struct {
	// K keeps the K terms with the largest chi-square of those that pass; 0 keeps all.
	K int
	// Alpha in [0, 1] is the share of the sum over all classes that the largest
	// chi-square of a term must have; nil is 0.5.
	Alpha *float64
	// Rule is ProjectPositive or ProjectLiteral, Weight ClusterLog or ClusterTFIDF,
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
	// Terms are the projected terms, best first: by Chi, df and bytes.
	Terms []ProjectedTerm
	// Filtered counts the terms that failed alpha, Unprojected those of the others
	// that indicate no class; what is left beyond K is in neither.
	Filtered, Unprojected int
	Warnings              []string

	o         Projecting
	selection *Selection
	rank      func() map[string]uint32 // by term: its place in Terms
	places    map[string]int           // by class
	clusters  ClusterMap               // by place in Terms
}

// A ProjectedTerm is a term with the class that it speaks for.
type ProjectedTerm struct {
	Term  string
	DF    int
	Class int // place in the classes
	// Chi is the largest chi-square on tokens over all classes, Total their sum.
	Chi, Total float64
	// PR is P(t|c)/P(t|not c) of the class, PRMax the largest over all classes: by
	// documents, with ½ for none outside the class.
	PR, PRMax float64
}

// A Cluster is the terms of a class, best first.
type Cluster struct {
	Class string
	Terms []ProjectedTerm
}

// Validate reports a request that no data could satisfy.
func (o Projecting) Validate() error {
	for _, choice := range []struct {
		kind, name string
		known      []string
	}{
		{"rule", cmp.Or(o.Rule, ProjectPositive), []string{ProjectPositive, ProjectLiteral}},
		{"cluster weighting", cmp.Or(o.Weight, ClusterLog), []string{ClusterLog, ClusterTFIDF}},
		{"discriminability", cmp.Or(o.Discriminate, DiscriminatePR), []string{DiscriminatePR, DiscriminateLogPR}},
	} {
		if !slices.Contains(choice.known, choice.name) {
			return unknown(choice.kind, choice.name, choice.known)
		}
	}
	if o.K < 0 {
		return usage("k must be positive, or 0 for all terms, not %d", o.K)
	}
	if err := (score.Options{Base: o.Base}).Validate(); err != nil {
		return usage("%v", err)
	}
	if alpha := o.alpha(); !(0 <= alpha && alpha <= 1) {
		return usage("alpha must be in [0, 1], not %v", alpha)
	}
	return nil
}

func (o Projecting) alpha() float64 {
	if o.Alpha == nil {
		return .5
	}
	return *o.Alpha
}

// Project projects the terms, in one pass over the postings: nothing is a table of
// terms by classes. It gives [ErrNoCounts] for data without token counts, in the form
// of [ErrBinary] where they are all 1, and [ErrNothingSelected] where no term passes.
//
// A term must have a class of its rule with a chi-square above 0. Values within a
// relative 1e-12 are equal: for alpha, so that 0.5 keeps the terms of two classes,
// where all are tied; among classes, of which the first by its bytes is taken.
func (c *Corpus) Project(ctx context.Context, o Projecting) (*Projection, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := c.haveCounts(); err != nil {
		return nil, err
	}
	margins, err := c.marginsFor(ctx, true, o.Threads)
	if err != nil {
		return nil, err
	}
	if !o.Occurrences && margins.T == float64(c.index.NumPostings()) {
		return nil, ErrBinary
	}
	j := newProjecting(o, margins, c.Terms())
	visitors := make([]*projector, pool.Threads(o.Threads))
	err = pool.Stage(ctx, "project", func(ctx context.Context) error {
		return c.index.Visit(ctx, store.VisitOptions{Tokens: true, Few: 1, Threads: o.Threads}, func(worker int) store.Visitor {
			if visitors[worker] == nil {
				visitors[worker] = newProjector(j)
			}
			return visitors[worker]
		})
	})
	if err != nil {
		return nil, err
	}
	return j.result(c)
}

// haveCounts refuses real numbers.
func (c *Corpus) haveCounts() error {
	if c.index.Real() {
		return fmt.Errorf("%w: the values of the corpus are real numbers", ErrNoCounts)
	}
	return nil
}

// result takes the best terms that passed.
func (j *projecting) result(c *Corpus) (*Projection, error) {
	p := &Projection{Rule: cmp.Or(j.o.Rule, ProjectPositive), Alpha: j.o.alpha(), Classes: c.Classes(), o: j.o, places: map[string]int{}}
	for _, class := range j.class {
		switch class {
		case filtered:
			p.Filtered++
		case unprojected:
			p.Unprojected++
		}
	}
	passed := c.Terms() - p.Filtered - p.Unprojected
	p.warn(j)
	if passed == 0 {
		return nil, fmt.Errorf("%w: of %d terms %d fail alpha = %v and %d indicate no class%s",
			ErrNothingSelected, c.Terms(), p.Filtered, p.Alpha, p.Unprojected, strings.Join(append([]string{""}, p.Warnings...), "; "))
	}
	if j.o.K > 0 {
		passed = min(passed, j.o.K)
	}
	p.Terms = make([]ProjectedTerm, passed)
	for i, t := range topK(j.ranked(), passed) {
		p.Terms[i] = ProjectedTerm{
			Term: c.Term(t), DF: c.DF(t), Class: int(j.class[t]), Chi: j.chi[t], Total: j.total[t], PR: j.pr[t], PRMax: j.prMax[t],
		}
	}
	for i, class := range p.Classes {
		p.places[class] = i
		if j.margins.NC[i] > j.margins.NC[p.clusters.Largest] {
			p.clusters.Largest = i
		}
	}
	p.prepare(j.margins.N, c.provenance)
	return p, nil
}

// warn tells of a single class, and of two that share all tokens out.
func (p *Projection) warn(j *projecting) {
	if len(p.Classes) == 1 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("there is one class only (%s)", p.Classes[0]))
	}
	tokens := 0.0
	for _, n := range j.margins.TC {
		tokens += n
	}
	if len(p.Classes) != 2 || tokens != j.margins.T {
		return
	}
	p.Warnings = append(p.Warnings, "with two classes the largest chi-square of a term is half of the sum: alpha keeps all terms up to 0.5 and none above")
	if p.Rule == ProjectLiteral {
		p.Warnings = append(p.Warnings, fmt.Sprintf("with two classes all terms are tied, which the literal rule gives to the first, %s", p.Classes[0]))
	}
}

// prepare derives what vectors need.
func (p *Projection) prepare(documents float64, provenance Provenance) {
	p.selection = &Selection{
		Measure: fmt.Sprintf("project(%s, alpha=%s)", p.Rule, FormatValue(p.Alpha)), Combine: "max",
		Documents: int(documents), Classes: p.Classes, Provenance: provenance, Features: make([]Feature, len(p.Terms)),
	}
	m := &p.clusters
	m.Classes, m.Weight, m.Base, m.Unit = len(p.Classes), cmp.Or(p.o.Weight, ClusterLog), p.o.Base, p.o.Unit
	m.Class, m.Factor = make([]uint32, len(p.Terms)), make([]float64, len(p.Terms))
	for i, t := range p.Terms {
		p.selection.Features[i] = Feature{Rank: i + 1, Term: t.Term, Score: t.Chi, DF: t.DF}
		m.Class[i], m.Factor[i] = uint32(t.Class), p.o.factorOf(documents, float64(t.DF), t.PRMax)
	}
	p.rank = sync.OnceValue(func() map[string]uint32 {
		rank := make(map[string]uint32, len(p.Terms))
		for i, t := range p.Terms {
			rank[t.Term] = uint32(i)
		}
		return rank
	})
}

// Selection has the projected terms as features: rows over them, of weight tf, are what
// the map of [Projection.Map] takes.
func (p *Projection) Selection() *Selection { return p.selection }

// Map is what the projection makes of rows over its [Projection.Selection].
func (p *Projection) Map() *ClusterMap { return &p.clusters }

// Clusters lists the terms of every class, in the order of the classes; a class that
// no term was projected to has none.
func (p *Projection) Clusters() []Cluster {
	clusters := make([]Cluster, len(p.Classes))
	for i, class := range p.Classes {
		clusters[i].Class = class
	}
	for _, t := range p.Terms {
		c := &clusters[t.Class]
		c.Terms = append(c.Terms, t)
	}
	return clusters
}
