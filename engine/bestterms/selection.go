package bestterms

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/tsv"
)

// name returns how the terms were chosen, for example
// best-terms(chi, p=0.25, interpolated, reduced, training). A d of rs and rsw other than
// 1/6 is given behind the function.
func (b *Choice) name() string {
	damping := ""
	if b.RSD > 0 {
		damping = ", d=" + tsv.FormatValue(b.RSD)
	}
	return fmt.Sprintf("best-terms(%s%s, p=%s, %s, %s, %s)", b.Function, damping, tsv.FormatValue(b.P), b.Rule, b.Scope, b.Counts)
}

// Selection unites the terms of all classes, each with the class that it was first
// chosen for. First come the positive terms, the best of every class in turn, then the
// second of every class, and so on; then in the same way the terms that are negative
// only. So values of different classes, whose scales may differ (P(t|c) of a negative
// term is close to 1, an odds ratio often infinite), are never compared, and the first k
// terms serve all classes for any k. Which documents the algorithm leaves out for a class
// a selection cannot tell: see OneAgainstRest. Selection returns
// [selection.ErrNothingSelected] if no class has a term.
func (b *Choice) Selection() (*selection.Selection, error) {
	positive, negative := make([][]rank.Entry, len(b.Classes)), make([][]rank.Entry, len(b.Classes))
	for i, c := range b.Classes {
		positive[i], negative[i] = c.rankEntries(c.Positive), c.rankEntries(c.Negative)
	}
	s := &selection.Selection{
		Measure: rank.Measure(b.name()), Combine: rank.ByClass,
		Documents: b.Documents, Classes: b.CorpusClasses, Provenance: b.Provenance,
	}
	s.Number(selection.Unite(math.MaxInt, positive, negative))
	s.Stages = []selection.Stage{{Measure: s.Measure, Combine: s.Combine, Criterion: "the best of each document", Terms: len(s.Features)}}
	if len(s.Features) == 0 {
		return nil, fmt.Errorf("%w: no term is positive for any of the %d classes by %s", selection.ErrNothingSelected, len(b.Classes), b.name())
	}
	return s, nil
}

// rankEntries returns terms of the class as entries of a ranking.
func (c *ClassTerms) rankEntries(terms []Term) []rank.Entry {
	out := make([]rank.Entry, len(terms))
	for i, t := range terms {
		out[i] = rank.Entry{Term: t.Term, Class: c.Class, Value: t.Score, DF: t.DF, A: t.A, B: t.B}
	}
	return out
}
