package classify

import (
	"math"
	"slices"
)

// encode writes the options, the rows without values, the reports, the intercepts, and the weights: how many
// each column has, their classes, and the weights themselves.
func (l *Linear) encode(e *encoder) {
	o := l.options
	e.string(o.Loss)
	for _, v := range []float64{o.C, o.Positive, o.Eps, o.Bias} {
		e.float(v)
	}
	e.count(o.MaxSweeps)
	e.bool(o.NoShrinking)
	e.uint64(o.Seed)
	e.count(l.zeros)
	for _, x := range l.machines {
		e.count(x.Rows)
		e.count(x.Sweeps)
		e.bool(x.Converged)
		e.count(x.Support)
		e.float(x.Dual)
	}
	e.floats(l.intercept)
	sizes := make([]uint32, l.columns)
	for t := range sizes {
		sizes[t] = uint32(l.start[t+1] - l.start[t])
	}
	e.uint32s(sizes)
	e.uint32s(l.class)
	e.floats(l.weight)
}

func (l *Linear) decode(d *decoder) {
	o := &l.options
	o.Loss = d.string()
	for _, v := range []*float64{&o.C, &o.Positive, &o.Eps, &o.Bias} {
		*v = d.float()
	}
	o.MaxSweeps, o.NoShrinking, o.Seed = d.count(), d.bool(), d.uint64()
	l.zeros = d.count()
	for range l.classes {
		x := MachineReport{Rows: d.count(), Sweeps: d.count(), Converged: d.bool(), Support: d.count(), Dual: d.float()}
		l.machines = append(l.machines, x)
	}
	l.intercept = d.floats()
	sizes := d.uint32s()
	l.class, l.weight = d.uint32s(), d.floats()
	if d.err != nil {
		return
	}
	if err := o.check(); err != nil {
		d.fail("%v", err)
		return
	}
	if len(l.intercept) != len(l.classes) || len(sizes) != l.columns || len(l.class) != len(l.weight) {
		d.fail("%d intercepts of %d classes, weights of %d columns of %d, classes of %d weights of %d",
			len(l.intercept), len(l.classes), len(sizes), l.columns, len(l.class), len(l.weight))
		return
	}
	if slices.ContainsFunc(l.intercept, func(b float64) bool { return math.IsNaN(b) || math.IsInf(b, 1) }) {
		d.fail("an intercept that is no number")
		return
	}
	l.start = d.starts(sizes, l.class, len(l.classes))
	if slices.ContainsFunc(l.weight, infinite) {
		d.fail("a weight that is no number")
	}
}
