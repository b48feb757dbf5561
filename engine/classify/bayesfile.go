package classify

import (
	"math"
	"slices"
)

// encode writes what the scores are made of: whether values count as presence, whether
// classes are against the rest, base and each by class, the absent terms, and the
// cells.
func (b *NaiveBayes) encode(e *encoder) {
	e.bool(b.rest)
	e.floats(b.base)
	e.floats(b.each)
	if b.rest {
		e.uint32s(b.absent.kind)
		e.uint32s(b.absent.group)
		e.count(b.absent.groups)
		e.floats(b.absent.value)
	}
	b.cells.encode(e)
}

func (b *NaiveBayes) decode(d *decoder) {
	b.presence, b.rest = b.kind == kindBernoulli, d.bool()
	b.base, b.each = d.floats(), d.floats()
	if b.rest {
		b.absent = &absences{kind: d.uint32s(), group: d.uint32s(), groups: d.count(), value: d.floats()}
	}
	b.cells = decodeCells(d, &b.header)
	switch {
	case d.err != nil:
	case len(b.base) != len(b.classes) || len(b.each) != len(b.classes):
		d.fail("%d and %d values of %d classes", len(b.base), len(b.each), len(b.classes))
	case slices.ContainsFunc(b.base, math.IsNaN) || slices.ContainsFunc(b.each, infinite):
		d.fail("a score that is no number")
	case b.rest:
		b.absent.check(d, &b.header)
	}
}

// check says whether the table has what rows and classes look for in it.
func (a *absences) check(d *decoder, h *header) {
	kinds := 0
	if a.groups > 0 {
		kinds = len(a.value) / a.groups
	}
	switch {
	case len(a.kind) != h.columns || len(a.group) != len(h.classes) || a.groups < 1 || kinds*a.groups != len(a.value):
		d.fail("absent terms of %d columns, %d classes, %d values in groups of %d", len(a.kind), len(a.group), len(a.value), a.groups)
	case slices.ContainsFunc(a.kind, func(k uint32) bool { return int(k) >= kinds }),
		slices.ContainsFunc(a.group, func(g uint32) bool { return int(g) >= a.groups }):
		d.fail("a kind or group of absent terms that is not there")
	case slices.ContainsFunc(a.value, infinite):
		d.fail("a value of absent terms that is no number")
	}
}

// encode writes how many cells each column has, their classes, and the values.
func (c *cells) encode(e *encoder) {
	sizes := make([]uint32, len(c.start)-1)
	for t := range sizes {
		sizes[t] = c.start[t+1] - c.start[t]
	}
	class, value := c.all()
	e.uint32s(sizes)
	e.uint32s(class)
	e.floats(value)
}

func decodeCells(d *decoder, h *header) *cells {
	sizes, class, value := d.uint32s(), d.uint32s(), d.floats()
	if d.err == nil && (len(sizes) != h.columns || len(class) != len(value) || slices.ContainsFunc(value, infinite)) {
		d.fail("cells of %d columns of %d, %d classes of %d values", len(sizes), h.columns, len(class), len(value))
	}
	if uint64(len(class)) > math.MaxUint32 {
		d.fail("%d cells are too many", len(class))
	}
	if d.err != nil {
		return nil
	}
	x := &cells{start: make([]uint32, len(sizes)+1), class: class, value: value}
	for t, at := range d.starts(sizes, class, len(h.classes)) {
		x.start[t] = uint32(at)
	}
	return x
}

// encode writes the classes without training rows and the centroids.
func (x *Centroid) encode(e *encoder) {
	e.uint32s(x.empty)
	x.cells.encode(e)
}

func (x *Centroid) decode(d *decoder) {
	if x.empty = d.uint32s(); len(x.empty) == 0 {
		x.empty = nil
	}
	if !ascend(x.empty, len(x.classes)) {
		d.fail("classes without rows that are not in order")
	}
	x.cells = decodeCells(d, &x.header)
}
