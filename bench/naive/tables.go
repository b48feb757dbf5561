package naive

import "slices"

// Tables are the counts of a corpus. A, S and Q are indexed by term
// and class, DF, CF and QF by term, NC and TC by class.
type Tables struct {
	A, S, Q    [][]float64 // documents, sum of tf, sum of tf^2 within the class
	DF, CF, QF []float64   // the same over all documents
	NC, TC     []float64   // documents and tokens of a class
	N, T       float64     // documents, unlabelled ones included, and tokens
	Pairs      float64     // (document, label) pairs

	tf     [][]float64 // [document][term]
	labels [][]int
}

// Tabulate counts a corpus. The labels of a document are a set.
func Tabulate(c Corpus) *Tables {
	v, k := len(c.Terms), len(c.Classes)
	tb := &Tables{
		A: matrix(v, k), S: matrix(v, k), Q: matrix(v, k),
		DF: make([]float64, v), CF: make([]float64, v), QF: make([]float64, v),
		NC: make([]float64, k), TC: make([]float64, k),
		N:  float64(len(c.Docs)),
		tf: matrix(len(c.Docs), v), labels: make([][]int, len(c.Docs)),
	}
	for d, doc := range c.Docs {
		tb.labels[d] = slices.Compact(slices.Sorted(slices.Values(doc.Labels)))
		for t, tf := range doc.Counts {
			tb.tf[d][t] = tf
		}
		tb.add(d)
	}
	return tb
}

// add counts document d.
func (tb *Tables) add(d int) {
	for _, c := range tb.labels[d] {
		tb.NC[c]++
		tb.Pairs++
	}
	for t, tf := range tb.tf[d] {
		if tf <= 0 {
			continue
		}
		tb.DF[t]++
		tb.CF[t] += tf
		tb.QF[t] += tf * tf
		tb.T += tf
		for _, c := range tb.labels[d] {
			tb.A[t][c]++
			tb.S[t][c] += tf
			tb.Q[t][c] += tf * tf
			tb.TC[c] += tf
		}
	}
}

// nonEmpty is the number of classes that have a document.
func (tb *Tables) nonEmpty() float64 {
	n := 0.
	for _, nc := range tb.NC {
		if nc > 0 {
			n++
		}
	}
	return n
}

// whole says that a class holds no document or every one: n_c = 0 or N.
func (tb *Tables) whole(c int) bool { return tb.NC[c] == 0 || tb.NC[c] == tb.N }

// A cell is the 2x2 table of a term and a class: a with the term in the class,
// b with the term outside, c in the class without it, d the rest.
type cell struct{ a, b, c, d float64 }

// documents is the table in documents.
func (tb *Tables) documents(t, c int) cell {
	a := tb.A[t][c]
	return cell{a, tb.DF[t] - a, tb.NC[c] - a, tb.N - tb.DF[t] - tb.NC[c] + a}
}

// cells are the tables of all terms in documents.
func (tb *Tables) cells(c int) (all []cell) {
	for t := range tb.DF {
		all = append(all, tb.documents(t, c))
	}
	return all
}

// tokens is the table in tokens.
func (tb *Tables) tokens(t, c int) cell {
	a := tb.S[t][c]
	return cell{a, tb.CF[t] - a, tb.TC[c] - a, tb.T - tb.CF[t] - tb.TC[c] + a}
}

func (x cell) n() float64    { return x.a + x.b + x.c + x.d }
func (x cell) with() float64 { return x.a + x.b } // has the term
func (x cell) none() float64 { return x.c + x.d }
func (x cell) in() float64   { return x.a + x.c } // is in the class
func (x cell) out() float64  { return x.b + x.d }
func (x cell) det() float64  { return x.a*x.d - x.b*x.c }

// lopsided says that the class is everything or nothing, zero that it is, or that the term is everywhere or nowhere.
func (x cell) lopsided() bool { return x.in() == 0 || x.out() == 0 }
func (x cell) zero() bool     { return x.with() == 0 || x.none() == 0 || x.lopsided() }

// half adds 1/2 to every cell (Haldane and Anscombe).
func (x cell) half() cell { return cell{x.a + .5, x.b + .5, x.c + .5, x.d + .5} }

// div is x/y with 0/0 = 0.
func div(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x / y
}

func matrix(rows, columns int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, columns)
	}
	return m
}
