package classify

import (
	"math"
	"slices"
)

// encode writes the kind of the model that scores, the thresholds, and the rest of
// that kind.
func (x *Thresholds) encode(e *encoder) {
	inner := x.model.(stored) // see storedOf
	e.string(inner.common().kind)
	e.floats(x.threshold)
	inner.encode(e)
}

// decode refuses thresholds of thresholds: a file must not decide how deep the stack is.
func (x *Thresholds) decode(d *decoder) {
	h := x.header
	h.kind = d.string()
	x.threshold = d.floats()
	switch {
	case d.err != nil:
		return
	case len(x.threshold) != len(x.classes):
		d.fail("%d thresholds of %d classes", len(x.threshold), len(x.classes))
		return
	case slices.ContainsFunc(x.threshold, math.IsNaN):
		d.fail("a threshold that is no number")
		return
	}
	inner := newStored(h.kind)
	if inner == nil || h.kind == kindThresholds {
		d.fail("thresholds for a model of the kind %q", h.kind)
		return
	}
	*inner.common() = h
	inner.decode(d)
	x.model = inner
}

// storedOf gives what can be saved of a model, if it can be.
func storedOf(m Model) (stored, bool) {
	if x, ok := m.(*Thresholds); ok {
		if _, ok := x.model.(stored); !ok {
			return nil, false
		}
	}
	s, ok := m.(stored)
	return s, ok
}
