package score

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
