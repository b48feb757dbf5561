package score

import (
	"math"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// A Table is what a measure may look at for one (term, class) pair: the
// documents and tokens of the term, of the class and of both. The caller fills
// the fields.
type Table struct {
	// Documents: all, with the term, of the class, of the class with the term.
	N, DF, NC, A float64
	// Tokens: all, of the term, of the class, of the term in the class.
	T, CF, TC, S float64
	// Q is the sum of the squares of the occurrences in each document of the class. [Formula] alone reads it.
	Q float64
	// Pooled is the within-class standard deviation of tf, pooled over the
	// classes (the s of the t-test); the same in every class of a term.
	Pooled float64
}

// counts returns the table of documents, or that of tokens.
func (t *Table) counts(tokens bool) (c counts) {
	logs := &logTables{}
	class := newClassFactors(whole(t.N), whole(t.NC), logs)
	s := &side{logs: logs}
	if !tokens {
		s.term = newTermFactors(whole(t.N), whole(t.DF), logs)
		if t.possible() {
			s.entropies = entropies(t.N)
			s.weigh(&class)
			s.term.weigh(s.entropies)
		}
		s.cell(&c, &class, t.A, 0)
		return c
	}
	s.term = newTermFactors(whole(t.T), whole(t.CF), logs)
	s.term.documents, s.term.pooled = t.N, t.Pooled
	words := newClassFactors(whole(t.T), whole(t.TC), logs)
	words.of(&class)
	s.cell(&c, &words, t.S, 0)
	c.docs = t.A
	return c
}

// possible reports whether the documents are the counts of a possible table.
func (t *Table) possible() bool {
	for _, n := range [...]float64{t.A, t.DF - t.A, t.NC - t.A, t.N - t.DF - t.NC + t.A, t.N} {
		if n < 0 || n != math.Trunc(n) {
			return false
		}
	}
	return true
}

// counts are a table as the formulas see it: of documents, or the same in tokens,
// as term projection and keyness want it (T for N, cf for df, T_c for n_c, S for A).
type counts struct {
	a, b, c, d float64 // with the term in the class, outside; without it in the class, outside
	gap        float64 // ad - bc = N·a - df·n_c: its sign says whether the term indicates the class or avoids it
	docs       float64 // documents of the class with the term, in a table of tokens
	low        float64 // what a lacks of an exact sum, in a table of real values

	class *classFactors
	*side

	// degenerate says that a margin is zero, so that the table carries no
	// association.
	degenerate bool
	// Values that several measures need, once computed.
	hasDivergence, hasLift, hasDelta bool
	divergenceKept, lift, delta      float64
}

// A side holds what the tables of documents of a term share, or its tables of tokens.
type side struct {
	logs      *logTables
	entropies []twoPart // nil where counts are too large, and for tokens
	term      termFactors
	quantiles quantiles
	lacking   bool // sums lack something of exact ones
	// classTokens are the tokens of a class on average, if a measure reads them.
	classTokens float64
}

// termFactors are what a formula needs to know of a term in df of N documents
// (or tokens).
type termFactors struct {
	total, df, none            float64 // N, df, N-df
	perTotal, perDF, perNone   float64 // their inverses, 0 where infinite
	scale, root                float64 // N/(df(N-df)) and its root, likewise
	with, without              float64 // ln df, ln(N-df)
	entropy                    twoPart // N ln N - df ln df - (N-df) ln(N-df)
	documents, pooled          float64 // of tokens: the documents, the s of the t-test
	low, lowNone               float64 // of real values: what df and none lack of exact sums
	prior, others, priorOfBoth float64 // of tokens: see dirichlet
	inClasses                  float64 // of tokens: those of all classes, if a measure reads them
}

func newTermFactors(total, df table.Pair, logs *logTables) termFactors {
	none := total.Minus(df)
	f := termFactors{total: total.High, df: df.High, low: df.Low, none: none.High, lowNone: none.Low, with: logs.of(df.High), without: logs.of(none.High)}
	f.perTotal, f.perDF, f.perNone = inverse(f.total), inverse(f.df), inverse(f.none)
	if f.df > 0 && f.none > 0 {
		f.scale = f.total / float64(f.df*f.none)
		f.root = math.Sqrt(f.scale)
	}
	f.prior, f.others = dirichletWeight*f.df/f.total, dirichletWeight*f.none/f.total
	f.priorOfBoth = f.df + float64(2*f.prior)
	return f
}

// whole is a number that lacks nothing.
func whole(x float64) table.Pair { return table.Pair{High: x} }

// scaleOf returns N/(df(N-df)).
func scaleOf(total, df float64) float64 { return total / float64(df*(total-df)) }

// weigh adds the term's part of divergences.
func (f *termFactors) weigh(table []twoPart) {
	if table != nil {
		f.entropy = table[int(f.total)].minus(table[int(f.df)]).minus(table[int(f.none)])
	}
}

// inverse returns 1/x, and 0 for 0.
func inverse(x float64) float64 {
	if x == 0 {
		return 0
	}
	return 1 / x
}

// weigh adds a class's part of divergences.
func (s *side) weigh(f *classFactors) {
	if s.entropies != nil {
		f.entropy = twoPart{}.minus(s.entropies[int(f.n)]).minus(s.entropies[int(f.out)])
	}
}

// cell sets t to the table of a class with a documents (or tokens, of which low is what a lacks) of the
// term. It does not return the table, because tables are passed to functions unknown at compile time,
// so that each would be allocated.
func (s *side) cell(t *counts, class *classFactors, a, low float64) {
	f := &s.term
	if s.lacking {
		s.exactCell(t, class, a, low)
	} else {
		t.a, t.b, t.c, t.d = a, f.df-a, class.n-a, f.none-class.n+a
		t.gap, t.low = kernels.DiffOfProducts(f.total, a, f.df, class.n), 0
	}
	t.class, t.side = class, s
	t.degenerate = class.oneSided || f.df == 0 || f.none == 0
	t.hasDivergence, t.hasLift, t.hasDelta = false, false, false
}

// exactCell sets the counts of a table of real values. Of a sum that is nearly all of another its
// rounding would leave no digit in their difference.
func (s *side) exactCell(t *counts, class *classFactors, a, low float64) {
	f := &s.term
	with := table.Pair{High: a, Low: low}.Plus(table.Pair{})
	b := notNegative(table.Pair{High: f.df, Low: f.low}.Minus(with))
	c := notNegative(table.Pair{High: class.n, Low: class.low}.Minus(with))
	d := notNegative(table.Pair{High: f.none, Low: f.lowNone}.Minus(c))
	t.a, t.b, t.c, t.d = with.High, b.High, c.High, d.High
	t.gap, t.low = with.By(d).Minus(b.By(c)).High, with.Low
}

// notNegative returns a sum, and 0 for one that is negative because older files do not say what it lacks.
func notNegative(sum table.Pair) table.Pair {
	if sum.High < 0 {
		return table.Pair{}
	}
	return sum
}

// ratio returns x/y, and 0 for 0/0.
func ratio(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x / y
}

// lowGap returns a*b - c*d, where a and c are what two sums lack of the exact ones: with
// [kernels.DiffOfProducts] of the sums themselves the difference that exact ones have.
func lowGap(a, b, c, d float64) float64 { return float64(a*b) - float64(c*d) }
