package rank

import (
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file has what is particular to the measures of a target.

// TargetMeasures returns the measures of a target, in order: they compare terms with the numbers
// that the classes are.
func TargetMeasures() []MeasureInfo {
	return slices.DeleteFunc(slices.Clone(standardMeasures().Infos()), func(m MeasureInfo) bool { return !m.Target })
}

// comparesValues are the measures of a target that compare more than presence.
var comparesValues = []Measure{Pearson, Spearman}

// readsPresence reports whether a measure that could compare more is to compare presence.
func (o Options) readsPresence() bool {
	return o.Weight == table.Binary && slices.Contains(comparesValues, o.Measure)
}

// weightOf returns the weighting of a measure.
func (o Options) weightOf(m MeasureInfo) (table.Weighting, error) {
	switch {
	case !m.Target:
		return table.ParseWeighting(o.Weight)
	case o.Weight == "":
		return table.TF, nil
	case !slices.Contains(comparesValues, Measure(m.Name)):
		if o.Weight != table.TF && o.Weight != table.Binary {
			return "", usage.Errorf("%s compares whether documents have a term: leave the weighting %q away", m.Name, o.Weight)
		}
	case o.Weight != table.TF && o.Weight != table.Binary && o.Weight != table.Share:
		return "", usage.Errorf("%s compares tf, binary or share with the target, not %q", m.Name, o.Weight)
	}
	return o.Weight, nil
}

// checkTarget returns a usage error if the measure needs a number of every document and s has none, or too few of
// them; and if it needs classes, and s has too many numbers in place of them.
func (p Plan) checkTarget(s *table.Table) error {
	if !p.info.Target {
		return p.checkClasses(s)
	}
	people := newPopulation(s, 0)
	switch {
	case Margins(s).Scale() == nil:
		return usage.Errorf("%s compares terms with a number of every document, and %s; name the field that has the number (--target), or give labels that are numbers", p.info.Name, notNumbers(s.Classes()))
	case s.Cells.Labelled < s.Cells.Documents:
		return usage.Errorf("%s needs a number of every document, and %v of %v have none; leave these documents out, as --target does", p.info.Name, s.Cells.Documents-s.Cells.Labelled, s.Cells.Documents)
	case !people.single:
		return usage.Errorf("%s needs one number of every document, and some have several", p.info.Name)
	case people.documents < 3 && p.tested != nil:
		return usage.Errorf("the p-values of %s need three documents or more, not %v", p.info.Name, people.documents)
	}
	return nil
}

// checkClasses returns a usage error if the measure needs classes, and s has too many numbers of a target
// in place of them.
func (p Plan) checkClasses(s *table.Table) error {
	classes, of := len(s.Classes()), s.Provenance()
	if !p.NeedsClasses() || classes > 0 && p.info.Default == string(Total) {
		return nil
	}
	what := p.info.Name
	if p.info.Default == string(Total) {
		what += " of each class"
	}
	return of.RequireClasses(classes, what)
}

// NeedsClasses reports whether the plan reads classes: all do but one for the documents of terms, or
// their occurrences, in the whole corpus.
func (p Plan) NeedsClasses() bool { return p.info.Default != string(Total) || p.combine != "" }

// TargetMeans returns a function that gives the mean number of the documents with a term, and of those
// without it; ok is false for an unknown term. The mean of no document is NaN. The classes of s must be
// numbers, else it returns nil. Only one goroutine may call the function.
func TargetMeans(s *table.Table) func(term string) (with, without float64, ok bool) {
	margins := Margins(s)
	if margins.Scale() == nil {
		return nil
	}
	var row score.Row
	return func(term string) (with, without float64, ok bool) {
		t, err := s.Lookup(term)
		if err != nil {
			return math.NaN(), math.NaN(), false
		}
		setRow(&row, s, t, "")
		with, without = margins.Means(row.Class, row.A)
		return with, without, true
	}
}

// constantTarget warns of a target that is the same for all documents.
func constantTarget(s *table.Table) []string {
	if scale := Margins(s).Scale(); scale != nil {
		scores := scale.Scores()
		if slices.Min(scores) == slices.Max(scores) {
			return []string{fmt.Sprintf("the number is %v for all documents: no term can go with it", scores[0])}
		}
	}
	return nil
}

// notNumbers says which class is no number.
func notNumbers(classes []string) string {
	for _, c := range classes {
		if score.NewScale([]string{c}) == nil {
			return fmt.Sprintf("the label %q is none", usage.Cut(c))
		}
	}
	return "there are no labels"
}

// targetDistributions returns those of the measures of a target.
func targetDistributions() []distribution {
	return []distribution{
		{string(Pearson), countsNothing, true, coefficient, studentTitle},
		{
			string(Trend), countsNothing, true,
			func(v float64, _ *population) float64 { return pvalue.Normal(v) },
			func(*population) string { return "normal, two-sided" },
		},
		{string(Spearman), countsNothing, true, coefficient, studentTitle},
	}
}

// coefficient returns ln p of a correlation, by Student's t.
func coefficient(r float64, p *population) float64 {
	free := p.documents - 2
	return pvalue.Student(r*math.Sqrt(free/float64((1-r)*(1+r))), free)
}

func studentTitle(p *population) string {
	return "Student's t, " + degrees(p.documents-2) + ", two-sided"
}
