package rank

import (
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// alsoCalled has other names of the measures, as other programs and books have them.
var alsoCalled = []struct{ measure, title string }{
	{"ig", "info gain"},
	{"ig", "mutual info classif"},
	{"ig", "mutual information of term and class"},
	{"anova", "f classif"},
	{"anova", "f test"},
	{"anova", "f score"},
	{"anova", "analysis of variance"},
	{"chi", "chi squared"},
	{"chi", "chi2"},
	{"g2", "log likelihood ratio"},
	{"g2tf", "log likelihood"},
	{"mi", "pmi"},
	{"lor", "log odds"},
	{"cf", "term frequency"},
	{"ngl", "correlation coefficient"},
	{"ngl", "signed chi-square"},
	{"logoddsz", "z score"},
	{"logoddsz", "fighting words"},
}

// UnknownMeasure returns the error for a name that is none of those known. It suggests names
// by the titles of measures, too: for "information_gain" it is ig.
func UnknownMeasure(kind, name string, known []string) *usage.UnknownError {
	e := usage.Unknown(kind, name, known).WithTitles(func(yield func(name, title string) bool) {
		for _, m := range standardMeasures().Infos() {
			if slices.Contains(known, m.Name) && !yield(m.Name, m.Title) {
				return
			}
		}
		for _, other := range alsoCalled {
			if slices.Contains(known, other.measure) && !yield(other.measure, other.title) {
				return
			}
		}
	})
	plain := strings.NewReplacer("-", "", "_", "", " ", "")
	for _, w := range table.Weightings() {
		if plain.Replace(strings.ToLower(name)) == plain.Replace(string(w)) {
			e.Remedy = string(w) + " is a weighting of rows, and no measure that ranks terms"
		}
	}
	return e
}
