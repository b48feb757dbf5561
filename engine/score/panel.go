package score

import (
	"math"

	"github.com/termsift/termsift/engine/score/formula"
	"github.com/termsift/termsift/engine/table"
)

// Combinations of the class values of a term, besides [ByClass].
const (
	Max  = "max"  // the largest
	Avg  = "avg"  // Σ P(c)·value: weighted by the classes' shares
	Sum  = "sum"  // Σ value
	Mean = "mean" // Σ value / K
)

// ByClass asks for the class values themselves.
const ByClass = "class"

// A Choice is a measure and how its class values are combined; an empty Combine
// asks for the measure's own value where it has one, for the largest class value
// otherwise.
type Choice struct {
	Measure Measure
	Info    Info
	Combine string
}

// A Panel computes chosen measures over the cells of one corpus: a tile of cells in, a
// column of values for each measure out. It keeps scratch memory: use one in each
// goroutine.
//
// A formula costs its cells and, of a registered measure, at most three classes without the term; sums over the
// classes, and formulas of the caller, add O(groups), where a group is a set of classes with the same numbers of
// documents and tokens.
type Panel struct {
	margins *Margins
	choices []Choice

	whole      []wholeChoice // choices that functions of a tile compute
	deviations []*deviations // among these, see Planes
	evaluators [ofBoth + 1]*evaluator
	registered []registeredChoice
	combined   []combinedChoice

	words   bool // some measure counts tokens
	spread  bool // some measure needs the variance within classes
	squared bool // some measure needs sums of squares of a term
	across  bool // some measure reads the occurrences of a term in all classes

	first     classValues // of the first choice, once they are asked for
	all       []float64   // by class
	tile      *table.Tile
	docsOf    []float64  // see docsOfTerms
	variance  []float64  // of the terms of the tile, if spread
	inClasses []float64  // their occurrences in all classes, if across
	squares   []float64  // see meanSquares
	totals    []float64  // see meanSquares
	summed    bool       // squares and totals are those of the tile
	entropies []twoPart  // the table of n ln n, if some measure reads it; nil where N is too large
	gains     *evaluated // of information gain without the table
}

// A wholeChoice is a choice whose value is computed from all cells of a term at once.
type wholeChoice struct {
	choice int
	value  tileFunc
}

// A registeredChoice is a choice by a registered formula: by its largest value, or by its sum over the classes with the
// term.
type registeredChoice struct {
	choice int
	values *evaluated
	sum    bool
}

// NewPanel returns a panel of measures for the cells of a corpus.
func NewPanel(choices []Choice, m *Margins) *Panel {
	p := &Panel{margins: m, choices: choices}
	for i, c := range choices {
		p.add(i, c)
	}
	return p
}

// add decides how a choice is computed.
func (p *Panel) add(i int, c Choice) {
	d, standard := c.Measure.(*definition)
	p.words = p.words || c.Info.UsesTokens
	switch largest := c.Combine == "" || c.Combine == Max; {
	case c.Combine == ByClass:
		p.needs(c.Measure)
	case c.Combine == "" && standard && d.whole != nil:
		p.spread, p.squared = p.spread || d.pooled, p.squared || d.squares
		if d.tables {
			p.entropies = entropies(p.margins.N)
		}
		p.whole = append(p.whole, wholeChoice{i, d.whole})
	case c.Combine == "" && standard && d.sum != "":
		p.registered = append(p.registered, registeredChoice{i, p.formula(compiled(d.sum), false), true})
	case largest && standard && d.deviation != nil && p.margins.exact:
		of := d.deviation.of(p)
		p.deviations = append(p.deviations, of)
		p.whole = append(p.whole, wholeChoice{i, of.tile})
	case largest && standard && d.largest != nil:
		p.spread = p.spread || d.pooled
		p.whole = append(p.whole, wholeChoice{i, d.largest})
	case largest && standard && d.value == nil:
		v := p.formula(d.program(), d.positive)
		v.withEnds = true
		p.registered = append(p.registered, registeredChoice{i, v, false})
	case largest:
		p.combined = append(p.combined, combinedChoice{choice: i, values: p.valuesOf(c.Measure), how: Max})
	default:
		p.combined = append(p.combined, combinedChoice{choice: i, values: p.valuesOf(c.Measure), how: c.Combine, presentOnly: standard && d.presentOnly})
	}
}

// needs notes what the class values of a measure read.
func (p *Panel) needs(m Measure) {
	switch m := m.(type) {
	case *definition:
		p.spread, p.across = p.spread || m.pooled, p.across || m.across
	case *Formula:
		p.squared = p.squared || m.program.Reads(formula.Q)
	default:
		p.spread = true
	}
}

// valuesOf returns the class values of a measure.
func (p *Panel) valuesOf(m Measure) classValues {
	p.needs(m)
	switch m := m.(type) {
	case *Formula:
		return p.formula(m.program, m.positive)
	case *definition:
		if m.value == nil {
			return p.formula(m.program(), m.positive)
		}
		return &functionValues{panel: p, value: m.value}
	}
	return &functionValues{panel: p, value: m.Class}
}

// formula returns the values of a formula, which are computed with those of the others that read the same counts.
func (p *Panel) formula(program *formula.Program, positive bool) *evaluated {
	reads := readingOf(program)
	if p.evaluators[reads] == nil {
		p.evaluators[reads] = newEvaluator(p.margins, reads)
	}
	return p.evaluators[reads].add(program, positive)
}

// Classes returns the number of classes of the corpus.
func (p *Panel) Classes() int { return p.margins.Classes() }

// NeedsTokens reports whether tiles must have S, Q and CF.
func (p *Panel) NeedsTokens() bool { return p.words || p.spread }

// NeedsSquares reports whether tiles must have Q.
func (p *Panel) NeedsSquares() bool { return p.spread || p.squared }

// Tile computes the values of the terms of a tile: columns[j][i] is that of its term i by
// choice j. NaN means inf - inf: undefined.
func (p *Panel) Tile(t *table.Tile, columns [][]float64) {
	if len(t.DF) == 0 {
		return
	}
	p.begin(t)
	for _, w := range p.whole {
		w.value(p, t, columns[w.choice][:len(t.DF)])
	}
	for _, e := range p.evaluators {
		if e != nil {
			e.read(t)
		}
	}
	for _, c := range p.registered {
		if dst := columns[c.choice][:len(t.DF)]; c.sum {
			c.values.sums(dst)
		} else {
			c.values.largest(dst)
		}
	}
	for j := range p.combined {
		c := &p.combined[j]
		for i := range t.DF {
			columns[c.choice][i] = c.value(p.margins, t, i)
		}
	}
}

// begin prepares a tile for the functions that read it.
func (p *Panel) begin(t *table.Tile) {
	p.tile, p.summed = t, false
	if p.spread {
		p.variances(t)
	}
	if p.across {
		for i := range grown(&p.inClasses, len(t.DF)) {
			from, to := t.Range(i)
			p.inClasses[i] = sumOf(t.S[from:to])
		}
	}
}

// classValues returns the class values of the first choice, of no tile yet.
func (p *Panel) classValues() classValues {
	if p.first == nil {
		p.needs(p.choices[0].Measure)
		p.first = (&Panel{margins: p.margins}).valuesOf(p.choices[0].Measure)
		switch v := p.first.(type) {
		case *functionValues:
			v.panel = p
		case *evaluated:
			_, v.withEnds = p.choices[0].Measure.(*definition)
		}
	}
	return p.first
}

// readFirst reads a tile for the class values of the first choice.
func (p *Panel) readFirst(t *table.Tile) classValues {
	p.begin(t)
	if f, ok := p.classValues().(*evaluated); ok {
		f.read(t)
	}
	return p.first
}

// Cells sets dst, which must have one element for each cell of a tile, to their values by the first
// choice, whose combination it ignores.
func (p *Panel) Cells(t *table.Tile, dst []float64) {
	v := p.readFirst(t)
	for i := range t.DF {
		from, _ := t.Range(i)
		copy(dst[from:], v.ofTerm(i))
	}
}

// OfClass sets dst to the values of a class for the terms of a tile by the first choice, whose combination it ignores.
func (p *Panel) OfClass(t *table.Tile, class int, dst []float64) {
	switch v := p.classValues().(type) {
	case *evaluated:
		v.readClass(t, class, dst)
	case *functionValues:
		p.begin(t)
		for i := range dst {
			v.begin(i)
			dst[i] = v.ofClass(class, cellOf(t, i, class))
		}
	}
}

// ByClass sets dst, which must have one element per class, to the value of every class
// for the term of a tile of one, absent classes included. It uses the panel's first choice and ignores its
// combination.
func (p *Panel) ByClass(dst []float64, t *table.Tile) {
	v := p.readFirst(t)
	if len(t.Class) < len(dst) {
		absent, of := v.ofAbsent(0), v.grouping().of
		for c := range dst {
			dst[c] = absent[of[c]]
		}
	}
	for k, value := range v.ofTerm(0) {
		dst[t.Class[k]] = value
	}
}

// Largest returns the class with the largest value of the first choice that is defined, for the term of a tile of one,
// or -1 without classes. Of equal values the first counts, cells before absent classes.
func (p *Panel) Largest(t *table.Tile) int {
	if f, ok := p.readFirst(t).(*evaluated); ok && f.withEnds {
		return f.largestClass()
	}
	all, best := grown(&p.all, p.Classes()), -1
	p.ByClass(all, t)
	take := func(c int) {
		if v := all[c]; best < 0 || v > all[best] || all[best] != all[best] && v == v {
			best = c
		}
	}
	for _, c := range t.Class {
		take(int(c))
	}
	for c := range all { // those with the term are not better than themselves
		take(c)
	}
	return best
}

// Sparse reports whether no class that lacks a term has a value above 0 by the first choice, so that
// the best terms of a class are among its cells.
func (p *Panel) Sparse() bool {
	d, standard := p.choices[0].Measure.(*definition)
	return standard && d.negative
}

// docsOfTerms returns the numbers of documents of the terms of a tile. They are valid until the
// next call.
func (p *Panel) docsOfTerms(t *table.Tile) []float64 {
	docs := grown(&p.docsOf, len(t.DF))
	for i, df := range t.DF {
		docs[i] = float64(df)
	}
	return docs
}

// pooled returns the standard deviation of term i of the tile within classes.
func (p *Panel) pooled(i int) float64 { return math.Sqrt(p.variance[i]) }

// grown sets s to n elements, whose values are undefined, and returns it.
func grown[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n, max(n, 2*cap(*s)))
	}
	*s = (*s)[:n]
	return *s
}
