package learn

import (
	"context"
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/projection"
)

// projected turns rows of frequencies over projected terms into cluster vectors, with
// a dimension for each class (see [projection.Projection]), and asks a model of these. Of
// the kind "rule" it needs no model: the score of a class is the weight in its dimension,
// those within a relative 1e-12 of the largest are equal to it, and a row without a
// projected term gives no evidence. With a model its kind is "projected", and that of
// the model.
type projected struct {
	header
	clusters *projection.Map
	model    Model // over as many columns as there are classes; nil of the rule
}

// trainProjected learns from the cluster vectors of rows of weight tf over
// [projection.Projection.Selection]; a nil train is the rule.
func trainProjected(ctx context.Context, m *Matrix, clusters *projection.Map, train trainer) (*projected, error) {
	if err := m.checkTraining(anyValue); err != nil {
		return nil, err
	}
	if err := fitsClusters(clusters, m.Columns, len(m.Classes)); err != nil {
		return nil, err
	}
	p := &projected{header: headerOf(kindRule, m, false), clusters: clusters}
	p.largest = clusters.Largest
	if train == nil {
		return p, nil
	}
	p.kind = kindProjected
	vectors := newMatrix(len(m.Classes), m.Classes)
	vector := clusters.Vectors()
	for i := range m.Rows() {
		vectors.Index, vectors.Value = appendVector(vectors.Index, vectors.Value, vector(m.Row(i)))
		vectors.LabelOf = append(vectors.LabelOf, m.Labels(i)...)
		vectors.endRow()
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
func (p *projected) Kind() string {
	if p.model == nil {
		return p.kind
	}
	return p.kind + " " + p.model.Kind()
}

func (p *projected) Warnings() []string { return unconverged(p.model) }

// assign appends the classes that the model assigns; the rule assigns the one with the
// largest weight.
func (p *projected) assign(dst []uint32, scores []float64, evidence bool) []uint32 {
	if p.model == nil {
		return p.header.assign(dst, scores, evidence)
	}
	return p.model.assign(dst, scores, evidence)
}

func (p *projected) newScorer() scorer {
	vector := p.clusters.Vectors()
	if p.model == nil {
		return func(index []uint32, tf []float32, scores []float64) bool { return byRule(vector(index, tf), scores) }
	}
	score, columns, values := p.model.newScorer(), []uint32{}, []float32{}
	return func(index []uint32, tf []float32, scores []float64) bool {
		columns, values = appendVector(columns[:0], values[:0], vector(index, tf))
		return score(columns, values, scores)
	}
}

// appendVector appends the elements of a cluster vector that are not 0.
func appendVector(index []uint32, value []float32, v projection.Vector) ([]uint32, []float32) {
	for i, x := range v.Value {
		if x != 0 {
			index, value = append(index, v.Index[i]-1), append(value, x)
		}
	}
	return index, value
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

// code codes the map of the terms, and the model if there is one.
func (p *projected) code(c *coder) {
	if c.reads {
		p.clusters = &projection.Map{Classes: len(p.classes), Largest: p.largest}
	}
	x := p.clusters
	c.string(&x.Weight)
	c.float(&x.Base)
	c.bool(&x.Unit)
	c.uint32s(&x.Class)
	c.floats(&x.Factor)
	if c.hasRead() {
		if err := fitsClusters(x, p.columns, len(p.classes)); err != nil {
			c.fail("%v", err)
		}
	}
	if p.kind != kindProjected || c.err != nil {
		return
	}
	if c.model(&p.model); c.hasRead() && !isOf(p.model, len(p.classes), p.classes) {
		c.fail("the model of cluster vectors has %d columns and %d classes, not %d", p.model.Columns(), len(p.model.Classes()), len(p.classes))
	}
}
