package score

import (
	"math"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file finds the largest value of measures that are monotone in the deviation
// d = AD-BC, or in its size, times a weight of the class. A cell then costs two look-ups
// and four operations, whatever its class, and a term one operation more.

// A deviation says how a measure depends on deviations: its value is the largest weighted
// deviation times factor, divided by divisor, and what is added to that.
type deviation struct {
	form  kernels.Deviation
	table func(m *Margins) [][2]float64
	// factor and divisor are functions of the numbers of documents, all and with the term;
	// nil is 1.
	factor, divisor func(n, df float64) float64
	// plus is added to the value in the end; if it is not 0, factor and divisor are 1.
	plus float64
}

// Tables of the size and the weight of each class, for kernels.
func roots(m *Margins) [][2]float64    { return m.roots }
func inverses(m *Margins) [][2]float64 { return m.inverses }
func ones(m *Margins) [][2]float64     { return m.ones }

// tile sets dst to the largest values over all classes of the terms of a tile. It is a
// [tileFunc] of the panel that d belongs to.
func (d *deviations) tile(p *Panel, t *table.Tile, dst []float64) {
	if d.margins.occupied == 0 {
		d.clear(dst)
		return
	}
	kernels.DeviationMaxima(dst, t.Start, t.Class, t.A, p.docsOfTerms(t), d.classes, d.margins.N, d.form)
	for from := 0; from < len(dst); {
		to := from + alike(t.DF[from:])
		d.finish(t, from, to, dst)
		from = to
	}
}

// alike returns how many of the first numbers are the same.
func alike(df []uint32) int {
	for i, n := range df {
		if n != df[0] {
			return i
		}
	}
	return len(df)
}

// finish sets dst to the values of the terms [from, to) of a tile, which are in as many
// documents, from the largest deviations of their cells.
func (d *deviations) finish(t *table.Tile, from, to int, dst []float64) {
	df := float64(t.DF[from])
	if df == 0 || df == d.margins.N {
		d.clear(dst[from:to])
		return
	}
	d.begin(df)
	bound := d.bound
	for i, largest := range dst[from:to] {
		if largest < bound {
			first, end := t.Range(from + i)
			largest = d.withAbsent(t.Class[first:end], largest)
		}
		v := float64((largest + 0) * d.times)
		if d.divisor != nil {
			v /= d.by
		}
		dst[from+i] = v + d.plus
	}
}

// of returns what computes the values for a panel.
func (of *deviation) of(p *Panel) *deviations {
	return &deviations{Panel: p, deviation: of, classes: of.table(p.margins), df: -1}
}

// deviations computes the values of one measure for the terms of a tile.
type deviations struct {
	*Panel
	*deviation
	classes   [][2]float64 // the size and the weight of each
	df        float64
	times, by float64 // factor and divisor
	bound     float64 // the largest deviation that an absent class could have

	scales [][2]float64 // by df, see finishColumns
}

// begin prepares terms in df documents.
func (d *deviations) begin(df float64) {
	d.df, d.bound = df, math.Inf(-1)
	d.times, d.by = d.scale(df)
	for _, c := range d.margins.bySize.extremes {
		d.bound = max(d.bound, d.weighted(c, 0))
	}
}

// scale returns the factor and the divisor of terms in df documents, 1 where there is none.
func (d *deviations) scale(df float64) (times, by float64) {
	times, by = 1, 1
	if d.factor != nil {
		times = d.factor(d.margins.N, df)
	}
	if d.divisor != nil {
		by = d.divisor(d.margins.N, df)
	}
	return times, by
}

// withAbsent returns the largest deviation of a term over all classes; largest is that over
// the present ones.
func (d *deviations) withAbsent(present []uint32, largest float64) float64 {
	if len(present) < len(d.classes) {
		ends, n := d.margins.bySize.ends(present)
		for _, c := range ends[:n] {
			largest = max(largest, d.weighted(c, 0))
		}
	}
	return largest
}

// clear sets dst to the value of terms without a deviation.
func (d *deviations) clear(dst []float64) {
	for i := range dst {
		dst[i] = d.plus
	}
}

// weighted returns the weighted deviation of a class with a documents of the term.
func (d *deviations) weighted(class uint32, a float64) float64 {
	size, weight := d.classes[class][0], d.classes[class][1]
	v := float64(d.margins.N*a) - float64(d.df*size)
	weighted := float64(v * weight)
	switch d.form {
	case kernels.Squared:
		weighted = float64(weighted * v)
	case kernels.Absolute:
		weighted = math.Abs(weighted)
	}
	return weighted
}

// Where all numbers of documents are there, a plane of columns for each class, absent classes are compared like all
// others, and no cell is written.

// Planes are numbers of documents by class and column: Counts[c·Stride+i] of column i have class
// c. The documents of a column are those of the planes from First on, of which there are Number
// in all: of all classes, and behind these of documents without one, or of all documents alone.
type Planes struct {
	Counts        []uint16
	Stride        int
	First, Number int
}

// TakesPlanes reports whether [Panel.Planes] computes all choices, and is faster than tiles of the
// cells if these are not very few.
func (p *Panel) TakesPlanes() bool {
	return kernels.HasPlanes() && len(p.deviations) == len(p.choices) && p.margins.occupied == float64(p.Classes())
}

// Planes computes the values of columns: dst[j][i] is that of column i by choice j, and NaN for a
// column without a document. df is set to the numbers of documents.
func (p *Panel) Planes(dst [][]float64, df []uint32, x *Planes) {
	for j, d := range p.deviations {
		kernels.PlaneMaxima(dst[j], df, x.Counts, x.Stride, x.First, x.Number, d.classes, d.margins.N, d.form)
		d.finishColumns(dst[j], df)
	}
}

// scalesKept is the number of documents below which the factor and divisor of a term are kept:
// nearly all terms have less.
const scalesKept = 256

// finishColumns sets dst to the values of columns from their largest deviations.
func (d *deviations) finishColumns(dst []float64, df []uint32) {
	if d.scales == nil {
		d.scales = make([][2]float64, scalesKept)
		for n := range d.scales {
			d.scales[n][0], d.scales[n][1] = d.scale(float64(n))
		}
	}
	for i, n := range df {
		switch {
		case n == 0:
			dst[i] = math.NaN()
		case float64(n) == d.margins.N:
			dst[i] = d.plus
		case n < scalesKept:
			dst[i] = float64(float64(dst[i]*d.scales[n][0])/d.scales[n][1]) + d.plus
		default:
			times, by := d.scale(float64(n))
			dst[i] = float64(float64(dst[i]*times)/by) + d.plus
		}
	}
}
