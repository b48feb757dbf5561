package classify

import (
	"math"
	"slices"
)

// encode writes the thresholds, and the model that scores.
func (x *Thresholds) encode(e *encoder) {
	e.floats(x.threshold)
	e.model(x.model)
}

func (x *Thresholds) decode(d *decoder) {
	x.threshold = d.floats()
	x.model = d.model()
	_, nested := x.model.(*Thresholds)
	switch {
	case d.err != nil:
	case nested:
		d.fail("thresholds of thresholds")
	case len(x.threshold) != len(x.classes):
		d.fail("%d thresholds of %d classes", len(x.threshold), len(x.classes))
	case slices.ContainsFunc(x.threshold, math.IsNaN):
		d.fail("a threshold that is no number")
	case x.model.Columns() != x.columns || !slices.Equal(x.model.Classes(), x.classes):
		d.fail("thresholds of %d classes for a model of %d columns and %d classes", len(x.classes), x.model.Columns(), len(x.model.Classes()))
	}
}
