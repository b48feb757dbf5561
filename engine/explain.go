package engine

import (
	"context"

	"github.com/termsift/termsift/engine/score"
)

// An Explanation tells all that the measures know of a term.
type Explanation struct {
	Term   string
	DF, N  int     // documents with the term, all documents
	CF, T  float64 // occurrences of the term, of all terms
	Tables []ClassTable
	// Measures hold every standard measure in order.
	Measures []Explained
}

// A ClassTable is the 2x2 table of a term and a class, see [Entry], with the
// occurrences of the term in the class and all tokens of the class.
type ClassTable struct {
	Class      string
	A, B, C, D int
	S, TC      float64
}

// An Explained is the value of one measure for the term.
type Explained struct {
	Measure, Combine string
	Value            float64
	Rank, Of         int       // place among all terms
	ByClass          []float64 // by class; nil for a measure without class values
	Best             int       // the class with the largest value; 0 without
	Formula          string
	UsesTokens       bool // the formula counts occurrences
}

// Explain computes every standard measure of a term and its rank. Of the
// scoring it takes Weight, Base, RSD, Signed, Yates and Threads; the combinations are
// the measures' defaults. An unknown term gives an [UnknownError] with the
// nearest ones.
func (s *Statistics) Explain(ctx context.Context, term string, o Scoring) (*Explanation, error) {
	t, err := s.Lookup(term)
	if err != nil {
		return nil, err
	}
	x := &Explanation{Term: term, DF: int(s.s.DF[t]), N: s.Documents(), CF: s.s.CF[t], T: s.s.Tokens}
	row, all := s.row(t, nil), s.universe()
	for c, name := range s.s.Classes {
		e := all.classEntry(t, c, s.documentsOf(t, c), 0)
		table := ClassTable{Class: name, A: e.A, B: e.B, C: e.C, D: e.D, TC: s.s.ClassTokens[c]}
		if i := cellOf(&row, c); i >= 0 {
			table.S = row.S[i]
		}
		x.Tables = append(x.Tables, table)
	}
	for _, m := range Measures() {
		o.By, o.Combine, o.PValues, o.Exact = m.Name, "", false, false
		explained, err := s.explainBy(ctx, t, o)
		if err != nil {
			return nil, err
		}
		x.Measures = append(x.Measures, explained)
	}
	return x, nil
}

func (s *Statistics) explainBy(ctx context.Context, t int, o Scoring) (Explained, error) {
	r, err := s.Rank(ctx, o)
	if err != nil {
		return Explained{}, err
	}
	p, err := o.plan()
	if err != nil {
		return Explained{}, err
	}
	e := Explained{
		Measure: r.Measure, Combine: r.Combine, Value: r.values[t],
		Rank: r.rankOf(t), Of: r.Len(), Formula: p.info.Formula, UsesTokens: p.info.UsesTokens,
	}
	if !p.info.Combinable {
		return e, nil
	}
	e.ByClass = make([]float64, len(s.s.Classes))
	row := s.row(t, nil)
	score.NewPanel([]score.Choice{p.choice()}, s.margins).ByClass(e.ByClass, &row)
	for c, v := range e.ByClass {
		if v > e.ByClass[e.Best] {
			e.Best = c
		}
	}
	return e, nil
}
