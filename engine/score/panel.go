package score

import (
	"math"

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
	deviations         []deviation // of measures whose maximum a kernel finds
	wholes             []int       // choices with a value of their own over the row

	cells bool // rows must have cells
	words bool // some measure counts tokens

	t         Table
	docs, tok side
	memo      memo
	tokValues []float64
	absent    []uint32
	left      []int     // classes of each group without the term
	shares    []float64 // P(c)
}

type deviation struct {
	choice  int
	form    deviating
	weights []float64
	shares  int // an earlier deviation with the same weights, or -1
	found   deviated
}

// deviated is what [kernels.MaxDeviation] finds.
type deviated struct{ signed, absolute, square float64 }

// NewPanel prepares measures for the rows of a corpus.
func NewPanel(choices []Choice, m *Margins) *Panel {
	p := &Panel{margins: m, choices: choices, shares: make([]float64, m.Classes())}
	for c, n := range m.NC {
		p.shares[c] = n / m.N
	}
	for i, c := range choices {
		p.add(i, c)
	}
	p.docFolds.prepare()
	p.tokFolds.prepare()
	if len(p.docFolds.folds)+len(p.tokFolds.folds) > 0 {
		m.logs.fill(m.N)
	}
	p.memo = newMemo(len(p.docFolds.folds), m.Classes())
	p.docs.logs, p.tok.logs = &m.logs, &m.logs
	p.t.N, p.t.T, p.t.documents, p.t.words = m.N, m.T, &p.docs, &p.tok
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
		p.addFold(fold{i, parts.part, sumOfPresent, parts.finish}, c)
	case c.Combine == "" && isWhole:
		p.cells = p.cells || c.Info.Name != "df"
		p.wholes = append(p.wholes, i)
	case isDeviating && p.margins.exact && (c.Combine == "" || c.Combine == Max):
		p.deviations = append(p.deviations, p.newDeviation(i, form))
	case c.Combine == ByClass:
		p.cells = true
	default:
		p.addFold(p.combination(i, c), c)
	}
}

func (p *Panel) addFold(f fold, c Choice) {
	p.cells = true
	if c.Info.UsesTokens {
		p.tokFolds.folds = append(p.tokFolds.folds, f)
	} else {
		p.docFolds.folds = append(p.docFolds.folds, f)
	}
}

// combination is the fold of a combination over the classes. The sums of mi take
// 0 for an absent class, whose value is -Inf.
func (p *Panel) combination(i int, c Choice) fold {
	f := fold{choice: i, value: c.Measure.Class, role: largestOfAll}
	if m, ok := c.Measure.(interface{ absentRole() role }); ok {
		f.role = m.absentRole()
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

func (p *Panel) newDeviation(choice int, form deviating) deviation {
	d := deviation{choice: choice, form: form, weights: form.weights(p.margins), shares: -1}
	for i := range p.deviations {
		if e := &p.deviations[i]; len(d.weights) > 0 && &e.weights[0] == &d.weights[0] && e.shares < 0 {
			d.shares = i
		}
	}
	return d
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
		values[p.deviations[i].choice] = p.deviationOf(r, i)
	}
	p.fold(r, values)
}

// term computes what all classes of a term share.
func (p *Panel) term(r *Row) {
	r.Margins = p.margins
	if p.words {
		r.variance = r.pooledVariance()
		p.t.Pooled = math.Sqrt(r.variance)
		if p.t.CF != r.CF {
			p.t.CF = r.CF
			p.tok.term = newTermFactors(p.margins.T, r.CF, &p.margins.logs)
		}
	}
	if p.t.DF != r.DF { // terms come in the order of df
		p.t.DF = r.DF
		p.docs.term = newTermFactors(p.margins.N, r.DF, &p.margins.logs)
		p.memo.newTerm(r.DF)
	}
}

// cell points the table to a class.
func (p *Panel) cell(class uint32, a, s float64) {
	m := p.margins
	p.t.A, p.t.S, p.t.NC, p.t.TC = a, s, m.NC[class], m.TC[class]
	p.docs.forget(&m.documents[class])
	p.tok.forget(&m.tokens[class])
}

// deviationOf gives the maximum of a measure that is monotone in a deviation.
func (p *Panel) deviationOf(r *Row, i int) float64 {
	d := &p.deviations[i]
	if p.t.DF == 0 || p.t.DF == p.margins.N || p.margins.occupied == 0 {
		return 0
	}
	switch {
	case d.shares >= 0:
		d.found = p.deviations[d.shares].found
	case r.Dense != nil:
		d.found.signed, d.found.absolute, d.found.square = kernels.MaxDeviation(r.Dense, p.margins.NC, d.weights, p.margins.N, r.DF)
	default:
		d.found = p.sparseDeviation(r, d.weights)
	}
	return d.form.value(&d.found, r, &p.docs.term)
}

// sparseDeviation is kernels.MaxDeviation over the cells and the absent classes
// that may be the largest.
func (p *Panel) sparseDeviation(r *Row, weights []float64) deviated {
	f := deviated{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	one := func(class uint32, a float64) {
		d := float64(p.margins.N*a) - float64(r.DF*p.margins.NC[class])
		v := float64(d * weights[class])
		f.signed, f.absolute, f.square = max(f.signed, v), max(f.absolute, math.Abs(v)), max(f.square, float64(d*v))
	}
	for i, c := range r.Class {
		one(c, r.A[i])
	}
	if len(r.Class) < len(p.margins.NC) {
		for _, c := range p.ends(r, &p.margins.bySize) {
			one(c, 0)
		}
	}
	return f
}
