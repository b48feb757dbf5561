package classify

import (
	"context"
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/projection"
)

// A Projected turns rows of frequencies over projected terms into cluster vectors, with
// a dimension for each class (see [projection.Projection]), and asks a model of these. Of
// the kind "rule" it needs no model: the score of a class is the weight in its dimension,
// those within a relative 1e-12 of the largest are equal to it, and a row without a
// projected term gives no evidence. With a model its kind is "projected", and that of
// the model.
type Projected struct {
	header
	clusters *projection.Map
	model    Model // over as many columns as there are classes; nil of the rule
}

// TrainProjected learns from the cluster vectors of rows of weight tf over
// [projection.Projection.Selection]; a nil train is the rule.
func TrainProjected(ctx context.Context, m *Matrix, clusters *projection.Map, train func(ctx context.Context, m *Matrix) (Model, error)) (*Projected, error) {
	if err := m.checkTraining(); err != nil {
		return nil, err
	}
	if err := fitsClusters(clusters, m.Columns, len(m.Classes)); err != nil {
		return nil, err
	}
	p := &Projected{header: headerOf(kindRule, m, m.sizes()), clusters: clusters}
	p.largest = clusters.Largest
	if train == nil {
		return p, nil
	}
	p.kind = kindProjected
	vectors := &Matrix{Columns: len(m.Classes), Classes: m.Classes, Start: []int{0}, LabelStart: m.LabelStart, LabelOf: m.LabelOf}
	sum := clusters.NewSum()
	for i := range m.Rows() {
		vectors.appendVector(sum.Vector(m.Row(i)))
	}
	var err error
	p.model, err = train(ctx, vectors)
	return p, err
}

// fitsClusters says whether a map is one of so many columns and classes.
func fitsClusters(clusters *projection.Map, columns, classes int) error {
	if err := clusters.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrBadRows, err)
	}
	if len(clusters.Class) != columns || clusters.Classes != classes {
		return fmt.Errorf("%w: they have %d columns and %d classes, the projection %d terms and %d classes", ErrBadRows, columns, classes, len(clusters.Class), clusters.Classes)
	}
	return nil
}

// Kind is "rule", or "projected" and the kind of the model.
func (p *Projected) Kind() string {
	if p.model == nil {
		return p.kind
	}
	return p.kind + " " + p.model.Kind()
}

// Warnings say what a user should know of the training, a sentence each.
func (p *Projected) Warnings() []string { return unconverged(p.model) }

// Assign appends the classes that the model assigns; the rule assigns the one with the
// largest weight.
func (p *Projected) Assign(dst []uint32, scores []float64, evidence bool) []uint32 {
	switch {
	case p.model != nil:
		return assignerOf(p.model).Assign(dst, scores, evidence)
	case evidence:
		return append(dst, best(scores))
	}
	return dst
}

// NewScorer makes a scorer for one goroutine. It leaves out columns that the model does
// not know.
func (p *Projected) NewScorer() Scorer {
	s := &projectedScorer{sum: p.clusters.NewSum(), row: &Matrix{Start: []int{0}}}
	if p.model != nil {
		s.scorer = p.model.NewScorer()
	}
	return s
}

type projectedScorer struct {
	sum    *projection.Sum
	scorer Scorer  // nil of the rule
	row    *Matrix // of one row
}

func (s *projectedScorer) Score(index []uint32, value []float32, scores []float64) bool {
	v := s.sum.Vector(index, value)
	if s.scorer == nil {
		return byRule(v, scores)
	}
	s.row.Index, s.row.Value, s.row.Start = s.row.Index[:0], s.row.Value[:0], s.row.Start[:1]
	s.row.appendVector(v)
	return s.scorer.Score(s.row.Index, s.row.Value, scores)
}

// byRule sets the scores to the weights. The class that the rule predicts, which may be
// the first of several that rounding alone tells apart, has the highest.
func byRule(v projection.Vector, scores []float64) bool {
	clear(scores)
	for i, c := range v.Index {
		scores[c-1] = v.Weights[i]
	}
	if v.Guessed {
		return false
	}
	scores[v.Predicted] = slices.Max(v.Weights)
	return true
}

// encode writes the map of the terms, and the model if there is one.
func (p *Projected) encode(e *encoder) {
	c := p.clusters
	e.string(c.Weight)
	e.float(c.Base)
	e.bool(c.Unit)
	e.uint32s(c.Class)
	e.floats(c.Factor)
	if p.kind == kindProjected {
		e.model(p.model)
	}
}

func (p *Projected) decode(d *decoder) {
	c := &projection.Map{Classes: len(p.classes), Largest: p.largest, Weight: d.string(), Base: d.float(), Unit: d.bool(), Class: d.uint32s(), Factor: d.floats()}
	if d.err != nil {
		return
	}
	if err := fitsClusters(c, p.columns, len(p.classes)); err != nil {
		d.fail("%v", err)
		return
	}
	p.clusters = c
	if p.kind != kindProjected {
		return
	}
	if p.model = d.model(); d.err == nil && (p.model.Columns() != len(p.classes) || !slices.Equal(p.model.Classes(), p.classes)) {
		d.fail("the model of cluster vectors has %d columns and %d classes, not %d", p.model.Columns(), len(p.model.Classes()), len(p.classes))
	}
}
