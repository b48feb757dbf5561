package keyness

import (
	"slices"

	facts "github.com/termsift/termsift/engine/measures"
	"github.com/termsift/termsift/engine/usage"
)

// Title returns what a measure is called in words, "" for an unknown one.
func (m Measure) Title() string {
	if d := definitionOf(m); d != nil {
		return d.title
	}
	return ""
}

// unknownMeasure returns the error for a name that is no measure. It suggests measures by their titles, too,
// and by what other programs call them.
func unknownMeasure(name Measure) error {
	var names []string
	for _, m := range Measures() {
		names = append(names, string(m))
	}
	return usage.Unknown("measure of keyness", string(name), names).WithTitles(func(yield func(name, title string) bool) {
		for _, m := range measures {
			if !yield(string(m.Measure), m.title) {
				return
			}
		}
		for _, other := range facts.Others() {
			if slices.Contains(names, other.Measure) && !yield(other.Measure, other.Name) {
				return
			}
		}
	})
}
