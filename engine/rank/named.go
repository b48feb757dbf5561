package rank

import (
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/measures"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// UnknownMeasure returns the error for a name that is none of those known. It suggests names
// by the titles of measures, too, and by what other programs call them: for "information_gain" it is ig. Of a measure
// that went it says what to do instead.
func UnknownMeasure(kind, name string, known []string) *usage.UnknownError {
	e := usage.Unknown(kind, name, known).WithTitles(func(yield func(name, title string) bool) {
		for _, m := range EveryMeasure() {
			if slices.Contains(known, m.Name) && !(yield(m.Name, m.Title) && yield(m.Name, m.Name)) {
				return
			}
		}
		for _, other := range measures.Others() {
			if slices.Contains(known, other.Measure) && !yield(other.Measure, other.Name) {
				return
			}
		}
	})
	e.Gone = measures.Gone(name)
	plain := strings.NewReplacer("-", "", "_", "", " ", "")
	for _, w := range table.Weightings() {
		if plain.Replace(strings.ToLower(name)) == plain.Replace(string(w)) {
			e.Remedy = string(w) + " is a weighting of rows, and no measure that ranks terms"
		}
	}
	return e
}
