// Package measures tells about the measures what no formula does: the question that each answers,
// when it misleads, its twins, what other programs call it, and its source. It knows names, and
// computes nothing.
//
// Begin reading with Families in families.go. [Twins] has the equations between measures, [Others]
// the names that other programs and books use, [Cite] the sources.
package measures

import "iter"

// A Kind says what a measure is asked for by.
type Kind string

// The kinds of measures.
const (
	OfClasses Kind = "classes" // a term and a class
	OfNumbers Kind = "numbers" // a term and a number of each document, its target
	OfStrata  Kind = "strata"  // a term and a class, with a control held
	OfCorpora Kind = "corpora" // a term and two corpora
)

// Kinds returns the kinds in the order of the pages.
func Kinds() []Kind { return []Kind{OfClasses, OfNumbers, OfStrata, OfCorpora} }

// Asked returns how the command is asked for measures of the kind.
func (k Kind) Asked() string {
	switch k {
	case OfNumbers:
		return "score --target FIELD --by"
	case OfStrata:
		return "score --control FIELD --by"
	case OfCorpora:
		return "keyness --by"
	}
	return "score --by"
}

// A Family is a group of measures that are built from the same thing.
type Family struct {
	Title    string
	Kind     Kind
	Measures []Measure
}

// A Measure has what there is to know of a measure beside its formula.
type Measure struct {
	Name     string
	Question string // that it answers
	Range    string
	Misleads string // when it does
	Formula  string // of a measure of corpora: the others have theirs in the registry of package score
	Sources  []string
	Kind     Kind
	FamilyOf string // the title of its family
}

// All yields all measures, family by family.
func All() iter.Seq[Measure] {
	return func(yield func(Measure) bool) {
		for _, f := range Families() {
			for _, m := range f.Measures {
				m.Kind, m.FamilyOf = f.Kind, f.Title
				if !yield(m) {
					return
				}
			}
		}
	}
}

// Named returns the measures of a name, at most one of each kind.
func Named(name string) (found []Measure) {
	for m := range All() {
		if m.Name == name {
			found = append(found, m)
		}
	}
	return found
}
