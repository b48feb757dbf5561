package keyness

import (
	"math"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// A Measure ranks keys. The zero value is [LL].
//
// In the formulas a and b are the occurrences of a term in the target and the reference, T1
// and T2 the tokens of these, N = T1+T2, E1 = (a+b)·T1/N and E2 = (a+b)·T2/N.
type Measure string

// The measures. LL, G2, Chi, Z, LogRatio, Diff and PMI are negative for negative keys.
const (
	// LL is log-likelihood of the cells of the term, 2·(a·ln(a/E1) + b·ln(b/E2)): Rayson
	// and Garside 2000.
	LL Measure = "ll"
	// G2 is the log-likelihood ratio over all four cells: Dunning 1993.
	G2 Measure = "g2"
	// Chi is chi-square with Yates's correction, unless Options say otherwise.
	Chi Measure = "chi"
	// Z is the z score of the log odds with a Dirichlet prior: Monroe, Colaresi and Quinn
	// 2008. It is that of measure logoddsz of package score.
	Z Measure = "z"
	// LogRatio is log2((a/T1)/(b/T2)) with 1/2 for a frequency of 0: Hardie 2014.
	LogRatio Measure = "logratio"
	// Diff is %DIFF, 100·(a/T1 - b/T2)/(b/T2): Gabrielatos and Marchi 2012. It is infinite
	// for b = 0.
	Diff Measure = "diff"
	// ELL is the effect size of LL, LL/(N·ln(min(E1, E2))): Johnston, Berry and Mielke
	// 2006. It is NaN, undefined, where that expectation is at most 1.
	ELL Measure = "ell"
	// OddsRatio is a(T2-b)/(b(T1-a)). It is infinite for b = 0.
	OddsRatio Measure = "or"
	// BIC is LL - ln N: Wilson 2013. Above 2 there is evidence that frequencies differ,
	// above 10 very strong evidence; below 0 there is evidence that they do not.
	BIC Measure = "bic"
	// PMI is ln(a/E1): pointwise mutual information. It is -inf for a = 0.
	PMI Measure = "pmi"
)

// measures has what computes each measure, and what it is called in words.
var measures = []struct {
	Measure
	title string
	of    func(s *scorer, t pairCounts) float64
}{
	{LL, "log-likelihood", func(s *scorer, t pairCounts) float64 { return s.signed(t, s.byPanel(s.ll, t)) }},
	{G2, "log-likelihood ratio of four cells", func(s *scorer, t pairCounts) float64 { return s.signed(t, s.byPanel(s.g2, t)) }},
	{Chi, "chi-square", func(s *scorer, t pairCounts) float64 { return s.signed(t, s.chiSquare(t)) }},
	{Z, "z score of weighted log odds", func(s *scorer, t pairCounts) float64 { return s.byPanel(s.z, t) }},
	{LogRatio, "log ratio", (*scorer).logRatio},
	{Diff, "percent difference", (*scorer).difference},
	{ELL, "effect size of log-likelihood", (*scorer).effect},
	{OddsRatio, "odds ratio", (*scorer).oddsRatio},
	{BIC, "Bayes factor", func(s *scorer, t pairCounts) float64 { return s.byPanel(s.ll, t) - kernels.Log(s.n) }},
	{PMI, "pointwise mutual information", (*scorer).mutual},
}

// unknownMeasure returns the error for a name that is no measure. It suggests measures by their titles, too.
func unknownMeasure(name Measure) error {
	var names []string
	for _, m := range Measures() {
		names = append(names, string(m))
	}
	return usage.Unknown("measure of keyness", string(name), names).WithTitles(func(yield func(name, title string) bool) {
		for _, m := range measures {
			if !yield(string(m.Measure), m.title) {
				return
			}
		}
	})
}

// Measures lists the measures.
func Measures() (names []Measure) {
	for _, m := range measures {
		names = append(names, m.Measure)
	}
	return names
}

// number returns the place of a measure among all, -1 for an unknown one.
func (m Measure) number() int {
	for i := range measures {
		if measures[i].Measure == m {
			return i
		}
	}
	return -1
}

// A pairCounts has the frequencies of a term in the target and in the reference.
type pairCounts struct{ a, b float64 }

// smallTable bounds the frequencies of small tables, which most terms have: what depends on
// the table alone is computed once for all of them.
const smallTable = 32

func (t pairCounts) isSmall() bool { return t.a < smallTable && t.b < smallTable }

// number returns the number of a small table, below smallTable².
func (t pairCounts) number() int { return int(t.a)*smallTable + int(t.b) }

// A scorer computes the measures of tables. It belongs to one goroutine.
type scorer struct {
	t1, t2, n float64
	yates     bool
	margins   *score.Margins
	ll, g2, z *score.Panel
	row       score.Row
}

// classTarget is the class of the target in the rows for package score.
const classTarget = 0

// newScorer returns a scorer for corpora of t1 and t2 tokens.
func newScorer(t1, t2 float64, yates bool) *scorer {
	// Measures of tokens read no numbers of documents.
	s := &scorer{t1: t1, t2: t2, n: t1 + t2, yates: yates, margins: score.NewMargins(2, t1+t2, []float64{1, 1}, []float64{t1, t2})}
	panel := func(name string, opt score.Options) *score.Panel {
		m, info, _ := score.NewRegistry(opt).Lookup(name)
		return score.NewPanel([]score.Choice{{Measure: m, Info: info, Combine: score.ByClass}}, s.margins)
	}
	s.ll, s.g2, s.z = panel("g2tf", score.Options{G2Cells: 2}), panel("g2tf", score.Options{}), panel("logoddsz", score.Options{})
	return s
}

// byPanel returns the value of the target by a panel of one measure.
func (s *scorer) byPanel(p *score.Panel, t pairCounts) float64 {
	r := &s.row
	r.Margins, r.CF, r.DF = s.margins, t.a+t.b, 0
	r.Class, r.A, r.S, r.Q = r.Class[:0], r.A[:0], r.S[:0], r.Q[:0]
	cell := -1
	for class, v := range [...]float64{t.a, t.b} {
		if v == 0 {
			continue
		}
		if class == classTarget {
			cell = 0
		}
		r.DF++
		r.Class, r.A, r.S, r.Q = append(r.Class, uint32(class)), append(r.A, 1), append(r.S, v), append(r.Q, v)
	}
	return p.Class(r, classTarget, cell)
}

// gap returns a·T2 - b·T1: positive if the target uses the term more, 0 if both use it
// alike.
func (s *scorer) gap(t pairCounts) float64 { return score.DiffOfProducts(t.a, s.t2, t.b, s.t1) }

// signed returns v with the sign of the gap.
func (s *scorer) signed(t pairCounts, v float64) float64 {
	if s.gap(t) < 0 {
		return 0 - v // no -0
	}
	return v
}

// value returns the value of a measure.
func (s *scorer) value(m Measure, t pairCounts) float64 { return measures[m.number()].of(s, t) }

// chiSquare is N(|ad-bc| - N/2)²/((a+b)(c+d)(a+c)(b+d)) with Yates's correction, which
// takes no more than there is, and without N/2 otherwise.
func (s *scorer) chiSquare(t pairCounts) float64 {
	both := t.a + t.b
	if both == s.n {
		return 0
	}
	deviation := math.Abs(s.gap(t))
	if s.yates {
		deviation = max(0, deviation-s.n/2)
	}
	return deviation / s.t1 * (deviation / s.t2) / both / (s.n - both) * s.n
}

func (s *scorer) logRatio(t pairCounts) float64 {
	a, b := t.a, t.b
	if a == 0 {
		a = .5
	}
	if b == 0 {
		b = .5
	}
	return logOfRatio(float64(a*s.t2), float64(b*s.t1), score.DiffOfProducts(a, s.t2, b, s.t1)) / math.Ln2
}

func (s *scorer) difference(t pairCounts) float64 {
	if t.b == 0 {
		return math.Inf(1)
	}
	return 100 * s.gap(t) / float64(t.b*s.t1)
}

func (s *scorer) effect(t pairCounts) float64 {
	least := (t.a + t.b) * min(s.t1, s.t2) / s.n
	if least <= 1 {
		return math.NaN()
	}
	return s.byPanel(s.ll, t) / float64(s.n*kernels.Log(least))
}

func (s *scorer) oddsRatio(t pairCounts) float64 {
	with, without := t.a*(s.t2-t.b), t.b*(s.t1-t.a)
	if with == without { // also 0 and 0: neither corpus has another term
		return 1
	}
	return with / without
}

func (s *scorer) mutual(t pairCounts) float64 {
	if t.a == 0 {
		return math.Inf(-1)
	}
	// a/E1 = a·N/((a+b)·T1), and a·N - (a+b)·T1 is the gap.
	return logOfRatio(float64(t.a*s.n), float64((t.a+t.b)*s.t1), s.gap(t))
}

// logOfRatio returns ln(x/y), given x - y without cancellation.
func logOfRatio(x, y, difference float64) float64 {
	if relative := difference / y; math.Abs(relative) < .5 {
		return kernels.Log1p(relative)
	}
	return kernels.Log(x / y)
}

// lnP returns ln p of the statistic by which a measure is tested, which is its own value for
// G2, Chi and Z, and that of LL for the others.
func (s *scorer) lnP(m Measure, t pairCounts, exact bool) float64 {
	switch {
	case exact:
		return pvalue.Table{A: int64(t.a), B: int64(t.b), C: int64(s.t1 - t.a), D: int64(s.t2 - t.b)}.TwoSided()
	case m == Z:
		return pvalue.Normal(s.value(Z, t))
	case m != G2 && m != Chi:
		m = LL
	}
	return pvalue.ChiSquare(math.Abs(s.value(m, t)), 1)
}

// strength returns a number that is larger for a better key by the measure, among the
// keys of the same sign; NaN comes last.
func strength(m Measure, value float64, positive bool) float64 {
	switch {
	case math.IsNaN(value):
		return math.Inf(-1)
	case positive, m == ELL, m == BIC:
		return value
	}
	return -value
}
