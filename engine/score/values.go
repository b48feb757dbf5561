package score

import "github.com/termsift/termsift/engine/table"

// formulaValues are the class values of one formula of an evaluator.
type formulaValues struct {
	*evaluator
	*evaluated
}

func (v formulaValues) ofTerm(i int) []float64 { return v.evaluator.ofTerm(v.evaluated, i) }

func (v formulaValues) ofAbsent(i int) []float64 { return v.evaluator.ofAbsent(v.evaluated, i) }

func (v formulaValues) grouping() *grouping { return v.groups }

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
	v.begin(t, i)
	from, to := t.Range(i)
	values := grown(&v.values, to-from)
	for k := from; k < to; k++ {
		x := &v.table
		v.setClass(t.Class[k])
		if x.A = t.A[k]; v.panel.NeedsTokens() {
			x.S = t.S[k]
		}
		if v.panel.NeedsSquares() {
			x.Q = t.Q[k]
		}
		if t.Centred {
			x.lowS = t.LowS[k]
		}
		values[k-from] = v.value(x)
	}
	return values
}

func (v *functionValues) ofAbsent(i int) []float64 {
	v.begin(v.panel.tile, i)
	groups := v.grouping().groups
	values := grown(&v.absent, len(groups))
	for g, group := range groups {
		v.setClass(group.class)
		values[g] = v.value(&v.table)
	}
	return values
}

// begin sets what all classes share for term i of a tile.
func (v *functionValues) begin(t *table.Tile, i int) {
	p, m := v.panel, v.panel.margins
	v.table = Table{N: m.N, T: m.T, DF: float64(t.DF[i]), tokensOfClass: m.tokensOfClass}
	if p.NeedsTokens() {
		from, to := t.Range(i)
		v.table.CF, v.table.inClasses = t.CF[i], sumOf(t.S[from:to])
	}
	if p.spread {
		v.table.Pooled = p.pooled(i)
	}
	if t.Centred {
		v.table.lowCF = t.LowCF[i]
	}
}

// setClass sets the sizes of a class without the term.
func (v *functionValues) setClass(class uint32) {
	x, m := &v.table, v.panel.margins
	x.NC, x.TC, x.A, x.S, x.Q, x.lowS = m.NC[class], m.TC[class], 0, 0, 0, 0
}
