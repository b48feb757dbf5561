package engine

import (
	"fmt"
	"math"
	"slices"
)

// Name says how the terms were chosen: best-terms(chi, p=0.25, interpolated, reduced,
// training). Another d of rs and rsw than 1/6
// is named behind them.
func (b *BestTerms) Name() string {
	damping := ""
	if b.RSD > 0 {
		damping = ", d=" + FormatValue(b.RSD)
	}
	return fmt.Sprintf("best-terms(%s%s, p=%s, %s, %s, %s)", b.Function, damping, FormatValue(b.P), b.Rule, b.Scope, b.Counts)
}

// Selection unites the terms of all classes, with the class that each was first
// chosen for. First come the positive terms, the best of every class in turn, then the
// second of every class, and so on; then those that are negative alone, likewise. So
// no value of one class is compared with one of another, whose scale may differ (P(t|c)
// of a negative term is close to 1, an odds ratio often infinite), and as many terms as
// one takes from the top, they serve all classes. The selection is of no use to leave
// documents out: which ones, a [ClassFilter] says for each class. It returns
// [ErrNothingSelected] where no class has a term.
func (b *BestTerms) Selection() (*Selection, error) {
	positive, negative := make([][]Entry, len(b.Classes)), make([][]Entry, len(b.Classes))
	for i, c := range b.Classes {
		positive[i], negative[i] = c.entries(c.Positive), c.entries(c.Negative)
	}
	s := &Selection{
		Measure: b.Name(), Combine: "class",
		Documents: b.Documents, Classes: b.CorpusClasses, Provenance: b.Provenance,
	}
	s.number(unite(slices.Concat(interleave(positive), interleave(negative)), math.MaxInt))
	if len(s.Features) == 0 {
		return nil, fmt.Errorf("%w: no term is positive for any of the %d classes by %s", ErrNothingSelected, len(b.Classes), b.Name())
	}
	return s, nil
}

func (c *ClassTerms) entries(terms []BestTerm) []Entry {
	out := make([]Entry, len(terms))
	for i, t := range terms {
		out[i] = Entry{Term: t.Term, Class: c.Class, Value: t.Score, DF: t.DF, A: t.A, B: t.B}
	}
	return out
}
