package score

import (
	"math"

	"github.com/termsift/termsift/engine/table"
)

// This file combines class values in any way.

// classValues are the values of the classes for the terms of a tile that was read.
type classValues interface {
	// ofTerm returns those of the cells of term i, ofAbsent those of the classes without it, by group. They are valid
	// until the next call.
	ofTerm(i int) []float64
	ofAbsent(i int) []float64
	// grouping returns the groups.
	grouping() *grouping
}

// A combinedChoice makes one value of the class values of a term. A value that is undefined is NaN: the largest value
// leaves it out, and a sum with it is undefined.
type combinedChoice struct {
	choice      int
	values      classValues
	how         string // Max, Avg, Sum or Mean
	presentOnly bool   // sums leave out the classes without the term
	left        []int  // by group: its classes without the term, if these count
}

// value returns the value of term i of a tile.
func (c *combinedChoice) value(m *Margins, t *table.Tile, i int) float64 {
	from, to := t.Range(i)
	classes, groups, absent := t.Class[from:to], c.values.grouping(), []float64(nil)
	c.left = c.left[:0]
	if len(classes) < len(m.NC) && !(c.presentOnly && c.how != Max) {
		absent = c.values.ofAbsent(i)
		for _, g := range groups.groups {
			c.left = append(c.left, g.size)
		}
		for _, class := range classes {
			c.left[groups.of[class]]--
		}
	}
	values := c.values.ofTerm(i)
	if c.how == Max {
		return largestOf(values, absent, c.left)
	}
	share := func(class uint32) float64 {
		if c.how == Avg {
			return m.NC[class] / m.N
		}
		return 1
	}
	sum := 0.0
	for k, v := range values {
		sum += weighted(share(classes[k]), v)
	}
	for g, n := range c.left {
		sum += weighted(float64(share(groups.groups[g].class)*float64(n)), absent[g])
	}
	if c.how == Mean {
		sum /= float64(len(m.NC))
	}
	if sum != sum {
		return math.NaN()
	}
	return sum + 0
}

// largestOf returns the largest value that is defined, of a term without any NaN.
func largestOf(values, absent []float64, left []int) float64 {
	most := math.NaN()
	for _, v := range values {
		if v > most || most != most {
			most = v
		}
	}
	for g, n := range left {
		if v := absent[g]; n > 0 && (v > most || most != most) {
			most = v
		}
	}
	return most
}

// weighted returns w·v, and 0 for a weight of 0, whatever v is.
func weighted(w, v float64) float64 {
	if w == 0 {
		return 0
	}
	return float64(w * v)
}

// functionValues are the class values of a measure that is a function of a [Table].
type functionValues struct {
	panel  *Panel
	value  func(t *Table) float64
	table  Table
	values []float64
	absent []float64
}

func (v *functionValues) grouping() *grouping { return &v.panel.margins.groups }

func (v *functionValues) ofTerm(i int) []float64 {
	t := v.panel.tile
	v.begin(i)
	from, to := t.Range(i)
	values := grown(&v.values, to-from)
	for k := from; k < to; k++ {
		values[k-from] = v.ofClass(int(t.Class[k]), k)
	}
	return values
}

func (v *functionValues) ofAbsent(i int) []float64 {
	v.begin(i)
	groups := v.grouping().groups
	values := grown(&v.absent, len(groups))
	for g, group := range groups {
		values[g] = v.ofClass(int(group.class), -1)
	}
	return values
}

// begin sets what all classes share for term i of the tile.
func (v *functionValues) begin(i int) {
	p, m, t := v.panel, v.panel.margins, v.panel.tile
	v.table = Table{N: m.N, T: m.T, DF: float64(t.DF[i]), tokensOfClass: m.tokensOfClass}
	if p.NeedsTokens() {
		v.table.CF = t.CF[i]
	}
	if p.across {
		v.table.inClasses = p.inClasses[i]
	}
	if p.spread {
		v.table.Pooled = p.pooled(i)
	}
}

// ofClass returns the value of a class for the term that begin has set; cell is that of the class, or -1.
func (v *functionValues) ofClass(class, cell int) float64 {
	x, p, t := &v.table, v.panel, v.panel.tile
	x.NC, x.TC, x.A, x.S, x.Q = p.margins.NC[class], p.margins.TC[class], 0, 0, 0
	if cell < 0 {
		return v.value(x)
	}
	if x.A = t.A[cell]; p.NeedsTokens() {
		x.S = t.S[cell]
	}
	if p.NeedsSquares() {
		x.Q = t.Q[cell]
	}
	return v.value(x)
}
