package score

import "math"

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
	return Table{N: t.T, DF: t.CF, NC: t.TC, A: t.S}
}

// chiSquare is N(AD-BC)²/((A+B)(C+D)(A+C)(B+D)), 0 on a zero margin.
func (t *Table) chiSquare() float64 {
	if t.degenerate() {
		return 0
	}
	d := t.association()
	return t.N * (d / (t.DF * (t.N - t.DF))) * (d / (t.NC * (t.N - t.NC)))
}

// divergence is Σ O ln(O/E) over the four cells: N times the mutual
// information of term and class, half of G². 0 on a zero margin.
func (t *Table) divergence() float64 {
	if t.degenerate() {
		return 0
	}
	in, out := t.rowDivergence()
	return in + out
}

// rowDivergence gives Σ O ln(O/E) over the class's two cells, and over the
// other two, as Σ E·excess((O-E)/E) with O-E = ±(AD-BC)/N. The two forms are
// equal because the deviations of a row sum to zero.
func (t *Table) rowDivergence() (in, out float64) {
	d := t.association()
	withTerm, without := t.DF, t.N-t.DF
	row := func(n float64, d float64) float64 {
		e1, e2 := withTerm*n/t.N, without*n/t.N
		return float64(e1*excess(d/float64(withTerm*n))) + float64(e2*excess(-d/float64(without*n)))
	}
	return row(t.NC, d), row(t.N-t.NC, -d)
}

// logLift is ln(P(t,c)/(P(t)P(c))), -Inf where the term never meets the class.
func (t *Table) logLift() float64 {
	if t.A == 0 {
		return math.Inf(-1)
	}
	return logRatio(float64(t.N*t.A), float64(t.DF*t.NC), t.association())
}
