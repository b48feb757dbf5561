package score

import (
	"math"
	"slices"

	"github.com/termsift/termsift/engine/score/formula"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file computes formulas for the terms of a tile: the values of their cells, and of classes without them. A value
// depends on counts alone, and rare terms have few different counts, so that the same ones are computed once.

// A reading says which counts a formula reads.
type reading uint8

const (
	ofDocuments reading = iota
	ofTokens
	ofBoth
)

func readingOf(p *formula.Program) reading {
	documents := false
	for v := formula.A; v <= formula.NC; v++ {
		documents = documents || p.Reads(v)
	}
	switch {
	case !p.ReadsTokens():
		return ofDocuments
	case documents || p.Reads(formula.Q):
		return ofBoth
	}
	return ofTokens
}

// compared returns the variables whose products tell whether a class has more of a term than all documents have: the
// counts of the term in the class and in all, and those of the class and of all.
func (r reading) compared() (in, term, class, all formula.Variable) {
	if r == ofDocuments {
		return formula.A, formula.DF, formula.NC, formula.N
	}
	return formula.S, formula.CF, formula.TC, formula.T
}

// An evaluator computes the values of formulas that read the same counts. Different counts of a term and a class are a
// pair each. An evaluator serves one goroutine.
type evaluator struct {
	*Margins
	reads    reading
	order    *absentOrder // of the classes by what is counted
	groups   *grouping    // of classes that the formulas cannot tell apart
	formulas []*evaluated
	needs    [formula.Variables]bool

	tile  *table.Tile
	at    []uint32 // the pairs of the cells of each term, and behind these its ends
	start []int    // by term: where its pairs begin
	// Of the classes without a term, registered formulas have the largest value for the smallest, the largest or one
	// without documents: its ends.
	withEnds bool // they are read, too

	pairs   int                          // how many there are
	valued  int                          // how many of these have values, the first ones
	known   []uint64                     // a hash table: the counts of pairs and their numbers, see addPairs
	columns [formula.Variables][]float64 // of the pairs without values

	absentColumns [formula.Variables][]float64 // of the classes without a term, by group
}

// An evaluated is a formula of an evaluator, with its values.
type evaluated struct {
	*evaluator
	machine  *formula.Machine
	positive bool      // see [Positive]
	values   []float64 // of the pairs

	ofCells []float64 // of the term at hand
	absent  absentValues
}

// absentValues are the values of the classes without a term, by group, for terms that occur so often.
type absentValues struct {
	known  bool
	df, cf float64
	values []float64
}

func newEvaluator(m *Margins, reads reading) *evaluator {
	e := &evaluator{Margins: m, reads: reads, order: &m.bySize, groups: &m.sizes}
	if reads != ofDocuments {
		e.order, e.groups = &m.byTokens, &m.groups
	}
	return e
}

// add adds a formula.
func (e *evaluator) add(p *formula.Program, positive bool) *evaluated {
	f := &evaluated{evaluator: e, machine: p.NewMachine(), positive: positive}
	e.formulas = append(e.formulas, f)
	in, term, class, all := e.reads.compared()
	for v := range formula.Variable(formula.Variables) {
		compared := v == in || v == term || v == class || v == all
		e.needs[v] = e.needs[v] || p.Reads(v) || compared
	}
	if e.needs[formula.B] || e.needs[formula.C] || e.needs[formula.D] {
		for _, v := range [...]formula.Variable{formula.A, formula.DF, formula.NC, formula.N} {
			e.needs[v] = true
		}
	}
	return f
}

// read computes the values of the cells of a tile.
func (e *evaluator) read(t *table.Tile) {
	e.begin(t, len(t.Class)+mostEnds*len(t.DF))
	e.start = append(e.start, 0)
	for i := range t.DF {
		from, to := t.Range(i)
		present := t.Class[from:to]
		e.addPairs(i, from, present)
		if e.withEnds && len(present) < len(e.NC) {
			ends, n := e.order.ends(present)
			e.addPairs(i, -1, ends[:n])
		}
		e.start = append(e.start, len(e.at))
	}
	e.compute()
}

// readClass sets dst to the values of a class for the terms of a tile.
func (e *evaluated) readClass(t *table.Tile, class int, dst []float64) {
	e.begin(t, len(t.DF))
	one := []uint32{uint32(class)}
	for i := range t.DF {
		e.addPairs(i, cellOf(t, i, class), one)
	}
	e.compute()
	for i, pair := range e.at {
		dst[i] = e.values[pair]
	}
}

// begin makes room for so many pairs of a tile. It forgets those that are known if they are many.
func (e *evaluator) begin(t *table.Tile, pairs int) {
	e.tile, e.at, e.start = t, slices.Grow(e.at[:0], pairs), e.start[:0]
	if e.pairs > mostPairs || e.known == nil {
		e.pairs, e.valued = 0, 0
		if clear(e.known); e.known == nil {
			e.known = make([]uint64, 1<<knownBits)
		}
	}
	for v, needed := range e.needs {
		if needed {
			grown(&e.columns[v], pairs)
		}
	}
}

const (
	// mostPairs is the number of pairs whose values are kept from one tile to the next, knownBits the size of the hash
	// table that finds them.
	mostPairs = 1 << 12
	knownBits = 14
	// mostKept is the most documents or occurrences of a term whose pairs are looked up.
	mostKept = 255
)

// addPairs adds the pairs of term i of the tile and classes, whose cells begin with one or, if that is -1, which lack
// the term.
func (e *evaluator) addPairs(i, cell int, classes []uint32) {
	n, counts := float64(e.tile.DF[i]), e.tile.A
	if e.reads != ofDocuments {
		n, counts = e.tile.CF[i], e.tile.S
	}
	shared := e.reads != ofBoth && n <= mostKept && n == math.Trunc(n) && e.pairs+len(classes) < 1<<(knownBits-1)
	key := uint64(n) << 24
	for k, class := range classes {
		x, at := 0.0, -1
		if cell >= 0 {
			at = cell + k
			x = counts[at]
		}
		if !shared || x > n || x != math.Trunc(x) || class > math.MaxUint16 {
			e.addPair(i, at, class, n, x)
			continue
		}
		// The hash table has the key of a pair and its number.
		key := key | uint64(x)<<16 | uint64(class)
		slot := key * 0x9e3779b97f4a7c15 >> (64 - knownBits)
		for e.known[slot]>>32 != key && e.known[slot] != 0 {
			slot = (slot + 1) % (1 << knownBits)
		}
		if e.known[slot] == 0 {
			e.known[slot] = key<<32 | uint64(e.pairs)
			e.addPair(i, at, class, n, x)
			continue
		}
		e.at = append(e.at, uint32(e.known[slot]))
	}
}

// addPair adds a pair that has no values yet.
func (e *evaluator) addPair(i, cell int, class uint32, n, x float64) {
	at, c := e.pairs-e.valued, &e.columns
	if e.reads == ofDocuments {
		c[formula.A][at], c[formula.DF][at], c[formula.NC][at] = x, n, e.NC[class]
	} else {
		c[formula.S][at], c[formula.CF][at], c[formula.TC][at] = x, n, e.TC[class]
	}
	if e.reads == ofBoth {
		e.setDocuments(at, i, cell, class)
	}
	e.at = append(e.at, uint32(e.pairs))
	e.pairs++
}

// setDocuments sets what a formula of tokens reads of documents, too.
func (e *evaluator) setDocuments(at, i, cell int, class uint32) {
	c, t, a, q := &e.columns, e.tile, 0., 0.
	if cell >= 0 {
		a = t.A[cell]
	}
	if e.needs[formula.Q] {
		if cell >= 0 {
			q = t.Q[cell]
		}
		c[formula.Q][at] = q
	}
	if e.needs[formula.A] {
		c[formula.A][at] = a
	}
	if e.needs[formula.DF] {
		c[formula.DF][at] = float64(t.DF[i])
	}
	if e.needs[formula.NC] {
		c[formula.NC][at] = e.NC[class]
	}
}

// compute computes the values of the pairs that have none.
func (e *evaluator) compute() {
	n := e.pairs - e.valued
	if n == 0 {
		return
	}
	e.derive(&e.columns, n)
	for _, f := range e.formulas {
		f.values = append(f.values[:e.valued], make([]float64, n)...)
		f.run(f.values[e.valued:], &e.columns)
	}
	e.valued = e.pairs
}

// derive sets the columns of n pairs that follow from others.
func (e *evaluator) derive(c *[formula.Variables][]float64, n int) {
	if e.needs[formula.N] {
		fill(c[formula.N][:n], e.N)
	}
	if e.needs[formula.T] {
		fill(c[formula.T][:n], e.T)
	}
	a, df, nc := c[formula.A], c[formula.DF], c[formula.NC]
	if e.needs[formula.B] {
		for i := range n {
			c[formula.B][i] = df[i] - a[i]
		}
	}
	if e.needs[formula.C] {
		for i := range n {
			c[formula.C][i] = nc[i] - a[i]
		}
	}
	if e.needs[formula.D] {
		for i := range n {
			c[formula.D][i] = e.N - df[i] - nc[i] + a[i]
		}
	}
}

func fill(to []float64, v float64) {
	for i := range to {
		to[i] = v
	}
}

// run sets dst to the values of the formula.
func (e *evaluated) run(dst []float64, columns *[formula.Variables][]float64) {
	e.machine.Run(dst, columns)
	if !e.positive {
		return
	}
	in, term, class, all := e.reads.compared()
	for i := range dst {
		if kernels.DiffOfProducts(columns[in][i], columns[all][i], columns[term][i], columns[class][i]) <= 0 {
			dst[i] = math.Inf(-1)
		}
	}
}

// largest sets dst to the largest values of the terms over all classes, of a tile that was read with
// ends.
func (e *evaluated) largest(dst []float64) {
	for i := range dst {
		pairs := e.at[e.start[i]:e.start[i+1]]
		most, other := math.Inf(-1), math.Inf(-1) // two that do not wait for each other
		for ; len(pairs) > 1; pairs = pairs[2:] {
			most, other = max(most, e.values[pairs[0]]), max(other, e.values[pairs[1]])
		}
		if len(pairs) > 0 {
			most = max(most, e.values[pairs[0]])
		}
		dst[i] = max(most, other)
	}
}

// sums sets dst to the sums of the values of the terms over the classes that have them.
func (e *evaluated) sums(dst []float64) {
	for i := range dst {
		from, to := e.tile.Range(i)
		sum := 0.0
		for _, pair := range e.at[e.start[i]:][:to-from] {
			sum += e.values[pair]
		}
		dst[i] = sum
	}
}

// largestClass returns the class with the largest value of the term of a tile that was read with ends, or -1. Of
// equal values the first counts.
func (e *evaluated) largestClass() int {
	present := e.tile.Class
	ends, _ := e.order.ends(present)
	best, most := -1, math.NaN()
	for k, pair := range e.at {
		if v := e.values[pair]; best < 0 || v > most || most != most && v == v {
			best, most = k, v
		}
	}
	switch {
	case best < 0:
		return -1
	case best < len(present):
		return int(present[best])
	}
	return int(ends[best-len(present)])
}

// ofTerm returns the values of the cells of term i of the tile. They are valid until the next call.
func (e *evaluated) ofTerm(i int) []float64 {
	from, to := e.tile.Range(i)
	values := grown(&e.ofCells, to-from)
	for k, pair := range e.at[e.start[i]:][:to-from] {
		values[k] = e.values[pair]
	}
	return values
}

// ofAbsent returns the values of the classes without term i of the tile, by group. They are valid until the next call.
func (e *evaluated) ofAbsent(i int) []float64 {
	df, cf := float64(e.tile.DF[i]), 0.
	if e.reads != ofDocuments {
		cf = e.tile.CF[i]
	}
	if e.reads == ofTokens {
		df = 0
	}
	if a := &e.absent; a.known && a.df == df && a.cf == cf {
		return a.values
	}
	n, c := len(e.groups.groups), &e.absentColumns
	if c[formula.A] == nil {
		for v := range c {
			c[v] = make([]float64, n)
		}
		for g, group := range e.groups.groups {
			c[formula.NC][g], c[formula.TC][g] = e.NC[group.class], e.TC[group.class]
		}
	}
	fill(c[formula.DF], df)
	fill(c[formula.CF], cf)
	e.derive(c, n)
	e.absent = absentValues{true, df, cf, e.absent.values}
	e.run(grown(&e.absent.values, n), c)
	return e.absent.values
}

func (e *evaluator) grouping() *grouping { return e.groups }

// cellOf returns the cell of a class for term i of a tile, or -1.
func cellOf(t *table.Tile, i, class int) int {
	from, to := t.Range(i)
	if k, found := slices.BinarySearch(t.Class[from:to], uint32(class)); found {
		return from + k
	}
	return -1
}
