package score

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// This file finds the largest deviations where all numbers of documents are there, a plane of
// columns for each class: absent classes are compared like all others, and no cell is written.

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
