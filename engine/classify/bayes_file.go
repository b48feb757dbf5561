package classify

import (
	"math"
	"slices"
)

// encode writes whether classes are against the rest, base and each by class, the absent
// terms if they are, and the cells.
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

// check fails the decoder unless the table has an element for every column and class.
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
