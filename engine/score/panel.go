package score

import (
	"math"
	"slices"

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

// Combinations returns the names of the combinations, in order.
func Combinations() []string { return []string{Max, Avg, Sum, Mean, ByClass} }

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
// The cost of a term is O(cells) for a combination by max and for the measures'
// own values; sums over the classes add O(groups), where a group is a set of
// classes with the same numbers of documents and tokens.
type Panel struct {
	margins *Margins
	choices []Choice

	whole              []wholeChoice // choices that are computed a tile at a time
	deviations         []*deviations // among these, see Planes
	docFolds, tokFolds foldSet       // of measures combined over classes: of documents, of tokens
	ownFolds           foldSet       // of those that depend on more than a table of counts

	words  bool // some measure counts tokens
	spread bool // some measure needs the variance within classes
	logs   bool // some measure takes logarithms

	acrossClasses bool // some measure reads the occurrences of a term in all classes

	between bool // some measure needs the variance between the means of classes

	squared bool // some measure needs sums of squares of a term

	t         Table
	docs, tok side
	first     func(t *counts) float64 // class values of the first choice
	// firstDeviation computes them faster, if it is not nil.
	firstDeviation *deviations
	firstFormula   *formulaScorer // nil if the first choice is no formula
	alone          counts         // its table
	cells          columns        // see Cells
	without        []uint32
	left           []int        // classes of each group without the term
	shares         []float64    // P(c)
	variance       []float64    // of the terms of the tile, if spread
	docsOf         []float64    // see docsOfTerms
	totals         []float64    // see meanSquares
	met            []float64    // see sumGains
	gained         [][2]float64 // of the terms of the tile: see sumGains
	squares        []float64    // see meanSquares
	summed         bool         // squares and totals are those of the tile: see meanSquares
	row            Row
}

// A wholeChoice is a choice whose value is computed from all cells of a term at once.
type wholeChoice struct {
	choice int
	value  tileFunc
}

// NewPanel returns a panel of measures for the cells of a corpus.
func NewPanel(choices []Choice, m *Margins) *Panel {
	p := &Panel{margins: m, choices: choices, shares: make([]float64, m.Classes())}
	for c, n := range m.NC {
		p.shares[c] = n / m.N
	}
	for i, c := range choices {
		p.add(i, c)
	}
	p.docFolds.prepare(&p.docs, m.documents, &m.bySize, false, true)
	p.tokFolds.prepare(&p.tok, m.tokens, &m.byTokens, true, true)
	p.ownFolds.prepare(&p.tok, m.tokens, &m.byTokens, true, false)
	if len(choices) > 0 {
		p.first = p.classValuesOf(choices[0].Measure)
		if f, ok := choices[0].Measure.(*Formula); ok {
			p.firstFormula = f.scorer(m, Max)
		}
		if d, ok := choices[0].Measure.(*definition); ok && d.deviation != nil && m.exact {
			p.firstDeviation = d.deviation.of(p)
		}
	}
	p.docs.logs, p.tok.logs = &logTables{}, &logTables{}
	if p.logs {
		m.prepare()
		p.docs.logs, p.docs.entropies, p.tok.logs = &m.logs, m.entropies, &m.logs
	}
	if p.acrossClasses {
		p.tok.classTokens = m.tokensOfClasses()
	}
	p.t.N, p.t.T, p.t.DF, p.t.CF = m.N, m.T, -1, -1
	if slices.ContainsFunc(choices, func(c Choice) bool { d, ok := c.Measure.(*definition); return ok && d.quantiles }) {
		p.docs.quantiles = newQuantiles(m.Classes(), m.N)
	}
	return p
}

// add decides how a choice is computed.
func (p *Panel) add(i int, c Choice) {
	p.words = p.words || c.Info.UsesTokens
	if f, ok := c.Measure.(*Formula); ok {
		p.squared = p.squared || f.program.Reads(formula.Q)
		if c.Combine != ByClass {
			p.whole = append(p.whole, wholeChoice{i, f.scorer(p.margins, c.Combine).tile})
		}
		return
	}
	d, standard := c.Measure.(*definition)
	own, isWhole := c.Measure.(Whole)
	p.acrossClasses = p.acrossClasses || standard && d.acrossClasses
	switch largest := c.Combine == "" || c.Combine == Max; {
	case c.Combine == ByClass:
		p.spread = p.spread || !standard || d.pooled
		// Tables of logarithms take 30 ms to fill for a million documents.
		p.logs = p.logs || !standard || d.deviation == nil
	case c.Combine == "" && standard && d.part != nil:
		p.addFold(fold{choice: i, value: d.part, columnForms: columnForms{values: d.parts}, role: sumOfPresent, finish: d.finish}, d)
	case c.Combine == "" && standard && d.whole != nil:
		p.spread, p.between, p.logs = p.spread || d.pooled, p.between || d.between, p.logs || d.logarithms
		p.squared = p.squared || d.squares
		p.whole = append(p.whole, wholeChoice{i, d.whole})
	case c.Combine == "" && isWhole:
		p.spread = true
		p.whole = append(p.whole, wholeChoice{i, wholeOf(own)})
	case largest && standard && d.deviation != nil && p.margins.exact:
		of := d.deviation.of(p)
		p.deviations = append(p.deviations, of)
		p.whole = append(p.whole, wholeChoice{i, of.tile})
	case largest && standard && d.largest != nil:
		p.spread = p.spread || d.pooled
		p.whole = append(p.whole, wholeChoice{i, d.largest})
	default:
		p.addFold(p.combination(i, c, d), d)
	}
}

// wholeOf returns the values of a measure of the caller.
func wholeOf(m Whole) tileFunc {
	return func(p *Panel, t *table.Tile, dst []float64) {
		for i := range dst {
			dst[i] = m.Whole(p.rowOf(t, i))
		}
	}
}

// rowOf returns term i of a tile as a row, which is valid until the next call.
func (p *Panel) rowOf(t *table.Tile, i int) *Row {
	r := &p.row
	from, to := t.Range(i)
	r.Margins, r.DF, r.CF = p.margins, float64(t.DF[i]), t.CF[i]
	r.Class, r.A, r.S, r.Q, r.W = t.Class[from:to], t.A[from:to], t.S[from:to], t.Q[from:to], nil
	if t.W != nil {
		r.W = t.W[from:to]
	}
	r.setCentred(t, i)
	return r
}

// addFold adds the fold of a standard measure, or of one of the caller, for which d is nil.
func (p *Panel) addFold(f fold, d *definition) {
	p.logs = true
	switch {
	case d == nil || d.pooled || d.acrossClasses:
		p.spread = p.spread || d == nil || d.pooled
		p.ownFolds.folds = append(p.ownFolds.folds, f)
	case d.UsesTokens:
		p.tokFolds.folds = append(p.tokFolds.folds, f)
	default:
		p.docFolds.folds = append(p.docFolds.folds, f)
	}
}

// combination is the fold of a combination over the classes. d is nil for a measure of the caller.
func (p *Panel) combination(i int, c Choice, d *definition) fold {
	f, present := fold{choice: i, value: p.classValuesOf(c.Measure), role: largestOfAll}, false
	if d != nil {
		f.role, f.columnForms, f.negative, present = d.absent, d.columnForms, d.negative, d.presentOnly
	}
	k := float64(p.margins.Classes())
	switch c.Combine {
	case Avg:
		f.role = shareOfAll
		if present {
			f.role = shareOfPresent
		}
	case Sum, Mean:
		f.role = sumOfAll
		if present {
			f.role = sumOfPresent
		}
		if c.Combine == Mean {
			f.finish = func(sum float64) float64 { return sum / k }
		}
	}
	return f
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
	p.summed, p.tok.lacking = false, t.Centred
	if p.spread {
		p.variances(t)
	}
	for _, w := range p.whole {
		w.value(p, t, columns[w.choice][:len(t.DF)])
	}
	p.docFolds.tile(p, t, columns)
	p.tokFolds.tile(p, t, columns)
	p.ownFolds.tile(p, t, columns)
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

// term computes what all classes of a row share.
func (p *Panel) term(r *Row) {
	p.documentsOf(r.DF)
	if !p.NeedsTokens() {
		return
	}
	p.tok.lacking = r.Centred
	p.tokensOf(table.Pair{High: r.CF, Low: r.LowCF})
	if p.acrossClasses {
		p.tok.term.inClasses = sumOf(r.S)
	}
	switch {
	case p.spread && r.Centred:
		p.pooledOf(p.margins.centredVariance(r.Class, r.A, r.S, r.M2))
	case p.spread:
		between, _ := p.margins.meanSquares(r.Class, r.S)
		p.pooledOf(p.margins.varianceWithin(r.Class, r.S, r.Q, between))
	}
}

// wholeTerm computes what all classes of term i of a tile share, for measures that depend
// on more than a table of counts.
func (p *Panel) wholeTerm(t *table.Tile, i int) {
	if !p.spread && !p.acrossClasses {
		return
	}
	p.documentsOf(float64(t.DF[i]))
	cf := whole(t.CF[i])
	if t.Centred {
		cf.Low = t.LowCF[i]
	}
	p.tokensOf(cf)
	if p.spread {
		p.pooledOf(p.variance[i])
	}
	if p.acrossClasses {
		from, to := t.Range(i)
		p.tok.term.inClasses = sumOf(t.S[from:to])
	}
}

// pooledOf takes the variance within classes of a term.
func (p *Panel) pooledOf(variance float64) {
	p.t.Pooled = math.Sqrt(variance)
	p.tok.term.pooled = p.t.Pooled
}

// documentsOf computes what terms of a document frequency share.
func (p *Panel) documentsOf(df float64) {
	if p.t.DF == df { // terms come in the order of df
		return
	}
	p.t.DF = df
	p.docs.term = newTermFactors(whole(p.margins.N), whole(df), p.docs.logs)
	p.docs.term.weigh(p.docs.entropies)
}

// tokensOf computes what terms of so many occurrences share.
func (p *Panel) tokensOf(cf table.Pair) {
	if cf.Low != 0 {
		cf = cf.Plus(table.Pair{})
	}
	if p.t.CF == cf.High && p.tok.term.low == cf.Low {
		return
	}
	p.t.CF = cf.High
	p.tok.term = newTermFactors(p.margins.tokenSum, cf, p.tok.logs)
	p.tok.term.documents = p.margins.N
}

// grown sets s to n elements, whose values are undefined, and returns it.
func grown(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n, max(n, 2*cap(*s)))
	}
	*s = (*s)[:n]
	return *s
}
