package classify

import (
	"slices"

	"github.com/termsift/termsift/engine/projection"
)

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
