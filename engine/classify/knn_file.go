package classify

import (
	"context"
	"math"
	"slices"
)

// encode writes the number of neighbours, the number of rows of each column, and the
// training rows: the numbers of columns and labels of each, the columns, the values and the
// labels.
func (x *KNN) encode(e *encoder) {
	m := x.m
	e.count(x.k)
	e.uint32s(m.frequencies())
	sizes, labels := make([]uint32, m.Rows()), make([]uint32, m.Rows())
	for i := range sizes {
		sizes[i] = uint32(m.Start[i+1] - m.Start[i])
		labels[i] = uint32(m.LabelStart[i+1] - m.LabelStart[i])
	}
	e.uint32s(sizes)
	e.uint32s(labels)
	e.uint32s(m.Index)
	bits := make([]uint32, len(m.Value))
	for i, v := range m.Value {
		bits[i] = math.Float32bits(v)
	}
	e.uint32s(bits)
	e.uint32s(m.LabelOf)
}

// decode inverts the rows again, which takes less time than reading an inverted index.
func (x *KNN) decode(d *decoder) {
	m := &Matrix{Columns: x.columns, Classes: x.classes}
	x.k, x.m = d.count(), m
	df := d.uint32s() // the number of columns must not be a mere claim: memory depends on it
	sizes, labels := d.uint32s(), d.uint32s()
	m.Index = d.uint32s()
	bits := d.uint32s()
	m.LabelOf = d.uint32s()
	if d.err != nil || len(df) != m.Columns {
		d.fail("%d columns of %d", len(df), m.Columns)
		return
	}
	m.Value = make([]float32, len(bits))
	for i, b := range bits {
		m.Value[i] = math.Float32frombits(b)
	}
	m.Start, m.LabelStart = added(sizes), added(labels)
	if err := m.checkTraining(); err != nil {
		d.fail("%v", err)
		return
	}
	if !slices.Equal(df, m.frequencies()) {
		d.fail("the rows of the columns are not those of the rows")
		return
	}
	if x.k < 1 || x.k > m.Rows() {
		d.fail("%d neighbours of %d rows", x.k, m.Rows())
		return
	}
	if err := x.invert(context.Background(), 0); err != nil {
		d.fail("%v", err)
	}
}
