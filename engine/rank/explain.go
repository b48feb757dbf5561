package rank

import (
	"context"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/table"
)

// An Explanation has the counts of one term and its value by every standard measure.
type Explanation struct {
	Term   string
	DF, N  int     // documents with the term, all documents
	CF, T  float64 // occurrences of the term, of all terms
	Tables []ClassTable
	// Measures has every standard measure, in order.
	Measures []Explained
	// Target is the name of the target, "" where labels are classes. With and Without are the mean
	// numbers of the documents with the term and without it, NaN for the mean of none. Tables is
	// empty if the numbers are too many for classes.
	Target        string
	With, Without float64
}

// A ClassTable is the 2x2 table of a term and a class, see [Entry], with S, the
// occurrences of the term in the class, and TC, the tokens of the class.
type ClassTable struct {
	Class      string
	A, B, C, D int
	S, TC      float64
}

// An Explained is the value of one measure for the term.
type Explained struct {
	Measure    Measure
	Combine    Combination
	Value      float64
	Rank, Of   int       // place among all terms, from 1, and their number
	ByClass    []float64 // by class; nil for a measure without class values
	Best       int       // the class with the largest value, see [Entry] for ties; 0 without class values
	Formula    string
	UsesTokens bool // the formula counts occurrences
}

// Explain computes the value and rank of a term by every standard measure; without classes, by those that need none.
// It uses Weight, Base, RSD, Signed, Yates and Threads of the options; class values are combined by the default of each
// measure. Where the labels are the numbers of a target, measures of a target come first, and those of classes are left
// out if the numbers are too many for classes. Behind these come further measures, such as formulas, with options of
// their own. For an unknown term the error is a [usage.UnknownError] with the nearest terms.
func Explain(ctx context.Context, c Counted, term string, o Options, further ...Options) (*Explanation, error) {
	if c == nil {
		return nil, errNoStatistics
	}
	s, err := c.Statistics(ctx, corpus.CountOptions{Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	t, err := s.Lookup(term)
	if err != nil {
		return nil, err
	}
	x := explanation(s, t)
	plans, err := explaining(s, o, further)
	if err != nil {
		return nil, err
	}
	rankings, err := ByPlans(ctx, c, plans...)
	if err != nil {
		return nil, err
	}
	for _, r := range rankings {
		e := r.explained(t)
		if len(x.Tables) == 0 {
			e.ByClass, e.Best = nil, 0
		}
		x.Measures = append(x.Measures, e)
	}
	return x, nil
}

// explaining returns the plans of the measures that explain terms.
func explaining(s *table.Table, o Options, further []Options) (plans []Plan, err error) {
	measures := Measures()
	if s.Provenance().Target != "" {
		measures = append(TargetMeasures(), measures...)
	}
	for _, m := range measures {
		o.Measure, o.Combine, o.PValues, o.Exact = Measure(m.Name), "", false, false
		own := o
		if m.Target {
			own.Weight = ""
		}
		if o.Measure == Spearman {
			own.Weight = table.Binary // cells do not tell ranks of frequencies
		}
		p, err := own.Resolve()
		if err != nil {
			return nil, err
		}
		if s.Provenance().Target == "" && len(s.Classes()) > 0 || p.checkTarget(s) == nil {
			plans = append(plans, p)
		}
	}
	for _, o := range further {
		p, err := o.Resolve()
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// explanation returns the explanation of a term with its tables, but without measures.
func explanation(s *table.Table, t int) *Explanation {
	of := s.Provenance()
	x := &Explanation{Term: s.Names.Term(t), DF: int(s.Cells.DF[t]), N: s.Documents(), CF: s.Cells.CF.At(t, float64(s.Cells.DF[t])), T: s.Cells.Tokens}
	if means := TargetMeans(s); of.Target != "" && means != nil {
		x.Target = of.Target
		x.With, x.Without, _ = means(x.Term)
	}
	if of.RequireClasses(len(s.Classes()), "") != nil {
		return x
	}
	for c, name := range s.Classes() {
		of := tableOf(s, t, c)
		x.Tables = append(x.Tables, ClassTable{
			Class: name, A: int(of.A), B: int(of.B), C: int(of.C), D: int(of.D),
			S: occurrencesIn(s, t, c), TC: s.Cells.ClassTokens[c],
		})
	}
	return x
}

// explained returns the value of a term by the measure of the ranking.
func (r *Ranking) explained(t int) Explained {
	info := r.plan.info
	e := Explained{
		Measure: r.Measure, Combine: r.Combine, Value: r.values[t],
		Rank: r.rankOf(t), Of: r.Len(), Formula: info.Formula, UsesTokens: info.UsesTokens,
	}
	if !info.Combinable || len(r.stats.Classes()) == 0 {
		return e
	}
	read := r.plan.classReader(r.stats)
	read.term(t)
	e.ByClass = read.values
	e.Best = read.panel.Largest(&read.tile)
	return e
}
