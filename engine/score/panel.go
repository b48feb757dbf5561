package score

import (
	"math"
	"slices"

	"github.com/termsift/termsift/kernels"
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

// Combinations lists the ways to ask for a value, in order.
func Combinations() []string { return []string{Max, Avg, Sum, Mean, ByClass} }

// A Choice is a measure and how its class values are combined; an empty Combine
// asks for the measure's own value where it has one, for the largest class value
// otherwise.
type Choice struct {
	Measure Measure
	Info    Info
	Combine string
}

// A Panel computes chosen measures over the rows of one corpus, all of them in
// one pass over the cells of a term. It keeps scratch memory: use one in each
// goroutine.
//
// The cost of a row is O(cells) for a combination by max and for the measures'
// own values; sums over the classes add O(groups), where a group is a set of
// classes with the same numbers of documents and tokens.
type Panel struct {
	margins *Margins
	choices []Choice

	docFolds, tokFolds foldSet     // of measures combined over classes: of documents, of tokens
	ownFolds           foldSet     // of those that depend on more than a table of counts
	deviations         []deviation // of measures whose maximum a kernel finds
	wholes             []int       // choices with a value of their own over the row

	cells bool // rows must have cells
	words bool // some measure counts tokens

	tables bool // some measure of dense counts takes logarithms

	// factors are those of terms of a small df, by df, once they are known. Terms come in
	// the order of df, but not in samples of the documents.
	factors [factorsKept]termFactors

	t         Table
	docs, tok side
	first     func(t *counts) float64 // class values of the first choice
	alone     counts                  // its table
	absent    []uint32
	left      []int     // classes of each group without the term
	shares    []float64 // P(c)
	// Arguments of a kernel that must not make them escape again and again.
	one, found [1]float64
}

type deviation struct {
	choice  int
	form    deviating
	weights []float64
	// The largest that an absent class of a term can have, by its df.
	bound, boundDF float64
}

// NewPanel prepares measures for the rows of a corpus.
func NewPanel(choices []Choice, m *Margins) *Panel {
	p := &Panel{margins: m, choices: choices, shares: make([]float64, m.Classes())}
	for c, n := range m.NC {
		p.shares[c] = n / m.N
	}
	for i, c := range choices {
		p.add(i, c)
	}
	p.docFolds.prepare(&p.docs, m.documents, m.Classes())
	p.tokFolds.prepare(&p.tok, m.tokens, m.Classes())
	p.ownFolds.prepare(&p.tok, m.tokens, 0)
	p.docs.logs, p.tok.logs = &logTables{}, &logTables{}
	if p.cells || p.tables {
		m.prepare()
		p.docs.logs, p.docs.entropies, p.tok.logs = &m.logs, m.entropies, &m.logs
	}
	p.t.N, p.t.T, p.t.DF, p.t.CF = m.N, m.T, -1, -1
	if len(choices) > 0 {
		p.first = p.classValuesOf(choices[0].Measure)
	}
	if slices.ContainsFunc(choices, func(c Choice) bool { return c.Info.Name == "bns" }) {
		p.docs.quantiles = newQuantiles(m.Classes(), m.N)
	}
	return p
}

// add finds the cheapest form of a choice.
func (p *Panel) add(i int, c Choice) {
	p.words = p.words || c.Info.UsesTokens
	form, isDeviating := c.Measure.(deviating)
	parts, isSummed := c.Measure.(summed)
	_, isWhole := c.Measure.(Whole)
	switch {
	case c.Combine == "" && isSummed:
		p.addFold(fold{choice: i, value: parts.part, role: sumOfPresent, finish: parts.finish}, c)
	case c.Combine == "" && isWhole:
		own, _ := c.Measure.(whole)
		p.cells = p.cells || c.Info.Name != "df" && own.dense == nil
		p.tables = p.tables || own.dense != nil
		p.wholes = append(p.wholes, i)
	case isDeviating && p.margins.exact && (c.Combine == "" || c.Combine == Max):
		p.deviations = append(p.deviations, deviation{choice: i, form: form, weights: form.weights(p.margins)})
	case c.Combine == ByClass:
		p.cells = true
	default:
		p.addFold(p.combination(i, c), c)
	}
}

func (p *Panel) addFold(f fold, c Choice) {
	p.cells = true
	form, isStandard := c.Measure.(interface{ form() pair })
	switch {
	case !isStandard || form.form().pooled:
		p.ownFolds.folds = append(p.ownFolds.folds, f)
	case c.Info.UsesTokens:
		p.tokFolds.folds = append(p.tokFolds.folds, f)
	default:
		p.docFolds.folds = append(p.docFolds.folds, f)
	}
}

// combination is the fold of a combination over the classes. The sums of mi take
// 0 for an absent class, whose value is -Inf.
func (p *Panel) combination(i int, c Choice) fold {
	f := fold{choice: i, value: p.classValuesOf(c.Measure), role: largestOfAll}
	if m, ok := c.Measure.(interface{ absentRole() role }); ok {
		f.role = m.absentRole()
	}
	if m, ok := c.Measure.(interface{ form() pair }); ok {
		f.order = m.form().order
	}
	k := float64(p.margins.Classes())
	present := c.Info.Name == "mi"
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
			f.finish = func(_ *Row, sum float64) float64 { return sum / k }
		}
	}
	return f
}

func (m pair) absentRole() role { return m.absent }

// Classes is the number of classes of the corpus.
func (p *Panel) Classes() int { return p.margins.Classes() }

// NeedsCells says that rows must have their cells, not just dense counts.
func (p *Panel) NeedsCells() bool { return p.cells }

// NeedsTokens says that rows must have S, Q and CF.
func (p *Panel) NeedsTokens() bool { return p.words }

// Row computes the values of a term, one for each choice. NaN means inf - inf:
// undefined. A row without dense counts must have cells.
func (p *Panel) Row(r *Row, values []float64) {
	p.term(r)
	for _, i := range p.wholes {
		values[i] = p.choices[i].Measure.(Whole).Whole(r)
	}
	for i := range p.deviations {
		d := &p.deviations[i]
		values[d.choice] = p.finish(d, p.maxDeviation(r, d))
	}
	p.fold(r, values)
}

// Dense computes the values of the terms of which nothing but the counts of
// documents is known, without looking for the classes where they are. It is for
// panels that need no cells: term i, in df[i] documents, has its counts in a row
// of counts that begins at i·stride, and columns[j][i] gets its value by choice j.
func (p *Panel) Dense(df []float64, counts []uint32, stride int, columns [][]float64) {
	m := p.margins
	for _, i := range p.wholes {
		dense := p.choices[i].Measure.(whole).dense
		if dense == nil { // df needs no counts either
			copy(columns[i], df)
			continue
		}
		for j, n := range df {
			p.documentsOf(n)
			columns[i][j] = dense(m, &p.docs, counts[j*stride:][:m.Classes()])
		}
	}
	for i := range p.deviations {
		d := &p.deviations[i]
		column := columns[d.choice]
		kernels.MaxDeviations(column, d.form.of, counts, stride, m.NC, d.weights, m.N, df)
		for j, n := range df {
			p.documentsOf(n)
			column[j] = p.finish(d, column[j])
		}
	}
}

// term computes what all classes of a term share.
func (p *Panel) term(r *Row) {
	r.Margins, r.docs = p.margins, &p.docs
	if p.words {
		r.variance = r.pooledVariance()
		p.t.Pooled = math.Sqrt(r.variance)
		if p.t.CF != r.CF {
			p.t.CF = r.CF
			p.tok.term = newTermFactors(p.margins.T, r.CF, p.tok.logs)
			p.tok.term.documents = p.margins.N
		}
		p.tok.term.pooled = p.t.Pooled
	}
	p.documentsOf(r.DF)
}

// documentsOf computes what terms of a document frequency share.
func (p *Panel) documentsOf(df float64) {
	if p.t.DF == df { // terms come in the order of df
		return
	}
	p.t.DF = df
	kept := &p.docs.term
	if i := uint(df); i < factorsKept && float64(i) == df {
		kept = &p.factors[i]
	}
	if kept == &p.docs.term || kept.total != p.margins.N {
		*kept = newTermFactors(p.margins.N, df, p.docs.logs)
		kept.weigh(p.docs.entropies)
	}
	p.docs.term = *kept
}

// factorsKept is the df from which factors are computed for every term anew: below are
// 97 of 100 words of 20 Newsgroups, and their factors take 9 KiB.
const factorsKept = 64

// finish makes the value of a measure of the maximum of its deviation.
func (p *Panel) finish(d *deviation, largest float64) float64 {
	if p.t.DF == 0 || p.t.DF == p.margins.N || p.margins.occupied == 0 {
		return 0
	}
	return d.form.value(largest, p.margins, &p.docs.term)
}

// maxDeviation looks at the dense counts if they are there, else at the cells and
// the absent classes that may be the largest.
func (p *Panel) maxDeviation(r *Row, d *deviation) float64 {
	if r.Dense != nil {
		p.one[0] = r.DF
		kernels.MaxDeviations(p.found[:], d.form.of, r.Dense, len(r.Dense), p.margins.NC, d.weights, p.margins.N, p.one[:])
		return p.found[0]
	}
	largest := p.largestPresent(d, r)
	if len(r.Class) < len(p.margins.NC) && largest < p.absentBound(d) {
		for _, c := range p.ends(r, &p.margins.bySize) {
			largest = max(largest, p.deviationIn(d, c, 0))
		}
	}
	return largest + 0
}

// largestPresent is the largest deviation over the cells. Chi-square has a loop of
// its own: with 100,000 classes a cell is all that a posting makes. No value of it is
// negative, so that their bits compare as they do, without the eight cycles that the
// maximum of two floats takes.
func (p *Panel) largestPresent(d *deviation, r *Row) float64 {
	if d.form.of != kernels.Square {
		largest := math.Inf(-1)
		for i, c := range r.Class {
			largest = max(largest, p.deviationIn(d, c, r.A[i]))
		}
		return largest
	}
	if len(r.Class) == 0 {
		return math.Inf(-1)
	}
	n, df, sizes, weights, a := p.margins.N, p.t.DF, p.margins.NC, d.weights, r.A[:len(r.Class)]
	largest := folded(0)
	for i, c := range r.Class {
		deviation := float64(n*a[i]) - float64(df*sizes[c])
		largest = max(largest, bitsOf(deviation*float64(deviation*weights[c])))
	}
	return valueOf(largest)
}

// absentBound is the largest deviation of a class without the term, if that could
// be any class: few terms need to know which ones they are absent from.
func (p *Panel) absentBound(d *deviation) float64 {
	if d.boundDF != p.t.DF {
		d.boundDF, d.bound = p.t.DF, math.Inf(-1)
		for _, c := range p.margins.bySize.extremes {
			d.bound = max(d.bound, p.deviationIn(d, c, 0))
		}
	}
	return d.bound
}

func (p *Panel) deviationIn(d *deviation, class uint32, a float64) float64 {
	deviation := float64(p.margins.N*a) - float64(p.t.DF*p.margins.NC[class])
	v := float64(deviation * d.weights[class])
	switch d.form.of {
	case kernels.Absolute:
		return math.Abs(v)
	case kernels.Square:
		return float64(deviation * v)
	default:
		return v
	}
}
