package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/usage"
)

// A Target describes the numbers that documents have as their one label.
type Target struct {
	Field string `json:"field"` // see Provenance.Target
	// Distinct counts the numbers that some document has.
	Distinct int     `json:"distinct"`
	Min      float64 `json:"min"`
	Mean     float64 `json:"mean"` // of the documents
	Max      float64 `json:"max"`
}

// MostNumbers is how many numbers of a target may stand for classes: those of stars, not of prices.
const MostNumbers = 256

// RequireClasses returns a [usage.ErrNoLabels] if a corpus has no classes, and a [usage.ErrUsage] if it
// has them for the numbers of a target, and these are too many. what needs classes.
func (p *Provenance) RequireClasses(classes int, what string) error {
	if classes == 0 {
		return fmt.Errorf("%w, and %s tells classes apart: read the text with its classes, a folder for each or a field that has them (--label-field)", usage.ErrNoLabels, what)
	}
	if p.Target == "" || classes <= MostNumbers {
		return nil
	}
	return usage.Errorf("%s tells classes apart, and the target %q has %d numbers, more than %d: ask for a measure of a target, such as pearson, spearman or trend",
		what, usage.Cut(p.Target), classes, MostNumbers)
}

// DescribeTarget describes the numbers that a field has in documents, of which each has so many. What
// is no number is left out. The mean is that of a sum in twice the precision of a float64.
func DescribeTarget(field string, documents map[string]int) *Target {
	of := &Target{Field: field}
	sum, all := Pair{}, 0.0
	for _, name := range SortNumbers(maps.Keys(documents)) {
		n := documents[name]
		number, err := strconv.ParseFloat(name, 64)
		if n == 0 || err != nil {
			continue
		}
		if of.Distinct++; of.Distinct == 1 {
			of.Min = number
		}
		of.Max = number
		sum = sum.Plus(Product(number, float64(n)))
		all += float64(n)
	}
	if all > 0 {
		of.Mean = sum.High / all
	}
	return of
}

// SortNumbers returns texts that are numbers by their value. What is no number comes last.
func SortNumbers(texts func(yield func(string) bool)) []string {
	type numbered struct {
		text  string
		words bool
		value float64
	}
	var all []numbered
	for text := range texts {
		value, err := strconv.ParseFloat(text, 64)
		all = append(all, numbered{text, err != nil, value})
	}
	slices.SortFunc(all, func(a, b numbered) int {
		if a.words != b.words {
			if a.words {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(a.value, b.value), strings.Compare(a.text, b.text))
	})
	sorted := make([]string, len(all))
	for i := range all {
		sorted[i] = all[i].text
	}
	return sorted
}

// Target describes the numbers of the documents, nil where labels are classes.
func (t *Table) Target() *Target {
	if t.provenance.Target == "" {
		return nil
	}
	documents := map[string]int{}
	for class, name := range t.Classes() {
		documents[name] = int(t.Cells.ClassDocs[class])
	}
	return DescribeTarget(t.provenance.Target, documents)
}
