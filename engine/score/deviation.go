package score

import (
	"math"

	"github.com/termsift/termsift/engine/cells"
	"github.com/termsift/termsift/kernels"
)

// This file finds the largest value of measures that are monotone in the deviation
// d = AD-BC, or in its size, times a weight of the class. A cell then costs two look-ups
// and four operations, whatever its class, and a term one operation more.

// A deviation says how a measure depends on deviations: its value is the largest weighted
// deviation times factor, divided by divisor.
type deviation struct {
	form    kernels.Deviation
	weights func(m *Margins) []float64
	// factor and divisor are functions of the numbers of documents, all and with the term;
	// nil is 1.
	factor, divisor func(n, df float64) float64
}

func roots(m *Margins) []float64    { return m.roots }
func inverses(m *Margins) []float64 { return m.inverses }
func ones(m *Margins) []float64     { return m.ones }

// tile sets dst to the largest values over all classes of the terms of a tile. It is a
// [tileFunc] of the panel that d belongs to.
func (d *deviations) tile(p *Panel, t *cells.Tile, dst []float64) {
	if d.margins.occupied == 0 {
		clear(dst)
		return
	}
	keys := p.reduced.keysOf(len(t.Class))
	kernels.Deviations(keys, t.Class, t.A, p.docsOfCells(t), d.margins.NC[:len(d.w)], d.w, d.margins.N, d.form)
	largest := p.reduced.maxima(t, 0, len(dst), keys)
	for from := 0; from < len(dst); {
		to := from + 1
		for to < len(dst) && t.DF[to] == t.DF[from] {
			to++
		}
		d.finish(t, from, to, largest, dst)
		from = to
	}
}

// finish sets dst to the values of the terms [from, to) of a tile, which are in as many
// documents, from the largest keys of their cells.
func (d *deviations) finish(t *cells.Tile, from, to int, largest []folded, dst []float64) {
	df := float64(t.DF[from])
	if df == 0 || df == d.margins.N {
		clear(dst[from:to])
		return
	}
	d.begin(df)
	largest, dst = largest[:to], dst[:to]
	for i := from; i < to; i++ {
		if largest[i] < d.bound {
			first, end := t.Range(i)
			dst[i] = d.value(t.Class[first:end], largest[i])
			continue
		}
		dst[i] = d.finished(largest[i])
	}
}

// of returns what computes the values for a panel.
func (of *deviation) of(p *Panel) *deviations {
	return &deviations{Panel: p, deviation: of, w: of.weights(p.margins), df: -1}
}

// deviations computes the values of one measure for the terms of a tile.
type deviations struct {
	*Panel
	*deviation
	w         []float64
	df        float64
	times, by float64 // factor and divisor
	bound     folded  // the largest that an absent class could have
}

// begin prepares terms in df documents.
func (d *deviations) begin(df float64) {
	d.df, d.bound, d.times, d.by = df, leastKey, 1, 1
	for _, c := range d.margins.bySize.extremes {
		d.bound = max(d.bound, d.key(c, 0))
	}
	if d.factor != nil {
		d.times = d.factor(d.margins.N, df)
	}
	if d.divisor != nil {
		d.by = d.divisor(d.margins.N, df)
	}
}

// value returns the value of a term with the largest key over its present classes.
func (d *deviations) value(present []uint32, largest folded) float64 {
	if largest < d.bound && len(present) < len(d.w) {
		for _, c := range d.ends(present, &d.margins.bySize) {
			largest = max(largest, d.key(c, 0))
		}
	}
	return d.finished(largest)
}

// finished returns the value of a key.
func (d *deviations) finished(key folded) float64 {
	v := float64((valueOf(keyOf(key)) + 0) * d.times)
	if d.divisor == nil {
		return v
	}
	return v / d.by
}

// best returns the class with the largest value for a term in df documents, a of them in
// each of the present classes, and its cell; see [Panel.Largest].
func (d *deviations) best(df float64, present []uint32, a []float64) (class, cell int) {
	if d.df != df {
		d.begin(df)
	}
	class, cell, largest := -1, -1, folded(math.MinInt64)
	for i, c := range present {
		if k := d.key(c, a[i]); d.exceeds(k, largest) {
			class, cell, largest = int(c), i, k
		}
	}
	if len(present) < len(d.w) && d.exceeds(d.bound, largest) {
		for _, c := range d.ends(present, &d.margins.bySize) {
			if k := d.key(c, 0); d.exceeds(k, largest) {
				class, cell, largest = int(c), -1, k
			}
		}
	}
	return class, cell
}

// exceeds reports whether the value of key a is above that of key b. Keys that are nearly
// equal may have the same value.
func (d *deviations) exceeds(a, b folded) bool {
	return a > b && (b == math.MinInt64 || a-b > 8 || d.finished(a) > d.finished(b))
}

// key returns the key of the weighted deviation of a class with a documents of the term.
func (d *deviations) key(class uint32, a float64) folded {
	v := float64(d.margins.N*a) - float64(d.df*d.margins.NC[class])
	weighted := float64(v * d.w[class])
	switch d.form {
	case kernels.Squared:
		weighted *= v
	case kernels.Absolute:
		weighted = math.Abs(weighted)
	}
	return keyOf(bitsOf(weighted))
}
