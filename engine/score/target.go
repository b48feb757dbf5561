package score

import (
	"math"

	"github.com/termsift/termsift/engine/table"
)

// This family compares a term with a target: whether documents have it, or how often, with the number
// of each document. All are functions of Pearson's coefficient r, of the numbers or of their ranks.

func pearson(o Options) *definition {
	d := ofTarget("pearson", "Pearson's correlation with the target", "|r|, r = (NΣxy - ΣxΣy)/√((NΣx² - (Σx)²)(NΣy² - (Σy)²))",
		"Pearson 1895", byValue(o), signed(o, func(_ *Margins, a *association) float64 { return a.coefficient() }))
	d.UsesTokens, d.squares = !o.Presence, !o.Presence
	return d
}

func regressionF(o Options) *definition {
	d := ofTarget("f", "F test of a linear regression on the term", "r²/(1 - r²)·(N - 2)",
		"Fisher 1925", byValue(o), func(m *Margins, a *association) float64 {
			if m.N < 3 {
				return 0
			}
			return a.odds() * (m.N - 2)
		})
	d.UsesTokens, d.squares = !o.Presence, !o.Presence
	return d
}

func trend(o Options) *definition {
	return ofTarget("trend", "Cochran–Armitage trend test", "|r|·√N of presence; its square is χ² of the trend",
		"Cochran 1954; Armitage 1955", presence, signed(o, func(m *Margins, a *association) float64 { return a.share().Times(m.N).Root().High }))
}

func linearByLinear() *definition {
	return ofTarget("linear_by_linear", "linear-by-linear association", "(N - 1)·r² of presence",
		"Mantel 1963", presence, func(m *Margins, a *association) float64 { return a.share().Times(m.N - 1).High })
}

func spearman(o Options) *definition {
	return ofTarget("spearman", "Spearman's rank correlation with the target", "|r| of mid-ranks",
		"Spearman 1904", ranked, signed(o, func(_ *Margins, a *association) float64 { return a.coefficient() }))
}

func kendall(o Options) *definition {
	return ofTarget("kendall", "Kendall's rank correlation tau-b with the target", "|S|/√(df(N-df)·(N² - Σt²)/2), S = concordant - discordant pairs",
		"Kendall 1945", ranked, signed(o, tauB))
}

func mannWhitney(o Options) *definition {
	correction := 1.
	if o.NoContinuity {
		correction = 0
	}
	d := ofTarget("mannwhitney", "Mann–Whitney test of the target with and without the term", "|z|, z = (U - df(N-df)/2 ∓ ½)/σ",
		"Mann & Whitney 1947", ranked, signed(o, func(m *Margins, a *association) float64 { return a.rankSum(m, correction) }))
	d.Undefined = inNoneOrAll
	return d
}

func superiority() *definition {
	d := ofTarget("psup", "probability of superiority", "U/(df(N-df)): a document with the term has the larger number, ties half",
		"Grissom & Kim 2005", ranked, func(m *Margins, a *association) float64 {
			if a.pairs == 0 {
				return math.NaN()
			}
			return .5 + a.gap.High/float64(2*m.N*a.pairs)
		})
	d.Undefined = inNoneOrAll
	return d
}

const inNoneOrAll = "they are in no document, or in all of them"

// A comparison says what of a term is compared with what of a target.
type comparison uint8

const (
	occurrences comparison = iota // values with numbers
	presence                      // presence with numbers
	ranked                        // presence with ranks of numbers
	comparisons
)

// byValue returns what pearson and f compare.
func byValue(o Options) comparison {
	if o.Presence {
		return presence
	}
	return occurrences
}

// ofTarget is a measure of a target, without class values.
func ofTarget(name, title, formula, source string, of comparison, value func(m *Margins, a *association) float64) *definition {
	d := define(name, title, formula, source, nil)
	d.Default, d.Combinable, d.Target = "global", false, true
	d.whole = func(p *Panel, t *table.Tile, dst []float64) {
		for i, a := range p.associated.of(p.margins, t, of)[:len(dst)] {
			dst[i] = value(p.margins, &a)
		}
	}
	return d
}

// signed gives a size its sign, if that is asked for.
func signed(o Options, size func(m *Margins, a *association) float64) func(m *Margins, a *association) float64 {
	if !o.Signed {
		return size
	}
	return func(m *Margins, a *association) float64 {
		if v := size(m, a); a.gap.High < 0 {
			return -v
		} else {
			return v
		}
	}
}

// tauB returns |tau-b| of presence and ranks, whose gap is N times S.
func tauB(m *Margins, a *association) float64 {
	differ := table.Product(m.N, m.N).Minus(m.targets().squares)
	if a.pairs == 0 || differ.High <= 0 {
		return 0
	}
	of := differ.Times(a.pairs).Times(m.N).Times(m.N)
	return min(1, a.gap.By(a.gap).Times(2).Over(of).Root().High)
}

// rankSum returns |z| of the rank sum: of N·S, where 2U = S + df(N-df), and with the variance that ties leave,
// df(N-df)(N³ - Σt³)/(12N(N-1)).
func (a *association) rankSum(m *Margins, correction float64) float64 {
	if a.pairs == 0 {
		return math.NaN()
	}
	cubes := table.Product(m.N, m.N).Times(m.N).Minus(m.targets().cubes)
	size := table.Pair{High: math.Abs(a.gap.High), Low: math.Copysign(1, a.gap.High) * a.gap.Low}.Minus(table.Pair{High: float64(m.N * correction)})
	if cubes.High <= 0 || size.High <= 0 {
		return 0
	}
	return size.By(size).Times(3 * (m.N - 1)).Over(cubes.Times(a.pairs).Times(m.N)).Root().High
}

// NormalPerTau returns the factor that turns tau-b into the normal deviate of its test, which is that of
// mannwhitney without correction. The classes must have numbers.
func (m *Margins) NormalPerTau() float64 {
	t, square := m.targets(), table.Product(m.N, m.N)
	differ, cubes := square.Minus(t.squares), square.Times(m.N).Minus(t.cubes)
	if cubes.High <= 0 {
		return 0
	}
	return differ.Times(1.5).Times(m.N).Times(m.N - 1).Over(cubes).Root().High
}
