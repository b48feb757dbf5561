package score

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// A Table is what a measure may look at for one (term, class) pair: the
// documents and tokens of the term, of the class and of both. The caller fills
// the fields; the derived counts are methods.
type Table struct {
	// Documents: all, with the term, of the class, of the class with the term.
	N, DF, NC, A float64
	// Tokens: all, of the term, of the class, of the term in the class.
	T, CF, TC, S float64
	// Pooled is the within-class standard deviation of tf, pooled over the
	// classes (the s of the t-test); the same in every class of a term.
	Pooled float64

	// What a panel knows already; a table made by hand computes the same bits.
	documents, words *side
}

// A side is what the formulas share of a table counted in documents, or of the
// same one counted in tokens.
type side struct {
	logs  *logTables
	class *classFactors
	term  termFactors
	// Of the cell, once computed.
	hasLift, hasRow, hasRest bool
	lift, row, rest          float64
}

// termFactors are what a formula needs to know of a term in df of N documents
// (or tokens).
type termFactors struct {
	scale, root float64 // N/(df(N-df)) and its root, 0 where infinite
	with        float64 // ln df
	without     float64 // ln(N-df)
}

func newTermFactors(total, df float64, logs *logTables) termFactors {
	f := termFactors{with: logs.of(df), without: logs.of(total - df)}
	if df > 0 && df < total {
		f.scale = total / float64(df*(total-df))
		f.root = math.Sqrt(f.scale)
	}
	return f
}

// shared gives the side of the documents.
func (t *Table) shared() *side {
	if t.documents != nil {
		return t.documents
	}
	logs := &logTables{}
	class := newClassFactors(t.N, t.NC, logs)
	return &side{logs: logs, class: &class, term: newTermFactors(t.N, t.DF, logs)}
}

// forget clears what belongs to a cell.
func (s *side) forget(class *classFactors) {
	s.class, s.hasLift, s.hasRow, s.hasRest = class, false, false, false
}

// B is the number of documents outside the class with the term.
func (t *Table) B() float64 { return t.DF - t.A }

// C is the number of documents of the class without the term.
func (t *Table) C() float64 { return t.NC - t.A }

// D is the number of documents outside the class without the term.
func (t *Table) D() float64 { return t.N - t.DF - t.NC + t.A }

// association is AD - BC = N·A - df·n_c, the numerator of every measure of
// association; its sign says whether the term indicates the class or avoids it.
func (t *Table) association() float64 { return diffOfProducts(t.N, t.A, t.DF, t.NC) }

// everywhere says that every document has the term.
func (t *Table) everywhere() bool { return t.DF == t.N }

// oneSided says that the class has no documents, or all of them.
func (t *Table) oneSided() bool { return t.NC == 0 || t.NC == t.N }

// degenerate says that a margin is zero, so that the documents of the table
// can carry no association.
func (t *Table) degenerate() bool { return t.DF == t.N || t.NC == 0 || t.NC == t.N || t.DF == 0 }

// rates gives P(t|c) and P(t|not c).
func (t *Table) rates() (inside, outside float64) {
	return ratio(t.A, t.NC), ratio(t.B(), t.N-t.NC)
}

// tokens gives the same table counted in tokens, as term projection and
// keyness want it: T for N, cf for df, T_c for n_c, S for A.
func (t *Table) tokens() Table {
	return Table{N: t.T, DF: t.CF, NC: t.TC, A: t.S, documents: t.words}
}

// chiSquare is N(AD-BC)²/((A+B)(C+D)(A+C)(B+D)), 0 on a zero margin. Its largest
// value over the classes is that of [kernels.MaxDeviations], to the bit.
func (t *Table) chiSquare() float64 {
	if t.degenerate() {
		return 0
	}
	d, s := t.association(), t.shared()
	return float64(float64(d*float64(d*s.class.inverse)) * s.term.scale)
}

// divergence is Σ O ln(O/E) over the four cells: N times the mutual
// information of term and class, half of G². 0 on a zero margin.
func (t *Table) divergence() float64 {
	if t.degenerate() {
		return 0
	}
	return t.rowDivergence() + t.restDivergence()
}

// rowDivergence is Σ O ln(O/E) over the class's two cells.
func (t *Table) rowDivergence() float64 {
	s := t.shared()
	if !s.hasRow {
		s.row = divergence(t, s, t.A, t.C(), t.NC, s.class.shift, t.association())
		s.hasRow = true
	}
	return s.row
}

// restDivergence is the same over the cells outside the class.
func (t *Table) restDivergence() float64 {
	s := t.shared()
	if !s.hasRest {
		s.rest = divergence(t, s, t.B(), t.D(), t.N-t.NC, s.class.rest, -t.association())
		s.hasRest = true
	}
	return s.rest
}

// divergence is the sum over a row of n documents, `with` of them with the term:
// with·ln(with/E) + without·ln(without/E'), where shift is ln(N/n) and gap is
// N(with - E). The deviations of the row cancel, so that each part may be taken as
// E·excess((O-E)/E), which keeps its digits near independence.
func divergence(t *Table, s *side, with, without, n, shift, gap float64) float64 {
	excess := gap / t.N
	return divergencePart(t, s, with, float64(t.DF*n), gap, shift-s.term.with, excess) +
		divergencePart(t, s, without, float64((t.N-t.DF)*n), -gap, shift-s.term.without, -excess)
}

// divergencePart is E·excess(u), u = (O-E)/E: by a series for small u, else as
// O·ln(O/E) - (O-E). E is product/N, O-E is gap/N = excess, ln(1/E) is shift.
func divergencePart(t *Table, s *side, observed, product, gap, shift, excess float64) float64 {
	if math.Abs(gap) <= seriesBelow*product {
		return float64(product / t.N * excessSeries(gap/product))
	}
	if observed == 0 {
		return -excess
	}
	return float64(observed*(s.logs.of(observed)+shift)) - excess
}

// logLift is ln(P(t,c)/(P(t)P(c))), -Inf where the term never meets the class.
func (t *Table) logLift() float64 {
	if t.A == 0 {
		return math.Inf(-1)
	}
	s := t.shared()
	if !s.hasLift {
		s.hasLift = true
		if u := t.association() / float64(t.DF*t.NC); math.Abs(u) <= seriesBelow {
			s.lift = kernels.Log1p(u)
		} else {
			s.lift = s.logs.of(t.A) + (s.class.shift - s.term.with)
		}
	}
	return s.lift
}
