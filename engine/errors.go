package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

var (
	// ErrUsage marks a request that no data could satisfy: an unknown name, a
	// parameter out of range.
	ErrUsage = errors.New("usage")
	// ErrEmpty is returned when a corpus has no documents or no terms.
	ErrEmpty = errors.New("nothing to count")
	// ErrNoLabels is returned when no document of a corpus has a label.
	ErrNoLabels = errors.New("no document has a label")
	// ErrNothingSelected is returned when no term passes the criterion.
	ErrNothingSelected = errors.New("no term was selected")
	// ErrContradiction is returned when data was not analysed as the selection
	// that is applied to it.
	ErrContradiction = errors.New("the data contradicts the selection")
	// ErrBadSelection is returned for a features file that cannot be read.
	ErrBadSelection = errors.New("not a features file")
)

// An UnknownError is a name that is not known, with those nearest to it.
type UnknownError struct {
	Kind   string // "measure", "combination", "weighting", "class", "term"
	Name   string
	Near   []string // the most similar known names, best first
	Known  []string // all of them; nil where they are too many
	Remedy string
}

func (e *UnknownError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "unknown %s %q", e.Kind, e.Name)
	if len(e.Near) > 0 {
		fmt.Fprintf(&b, "; did you mean %s?", strings.Join(e.Near, " or "))
	}
	if len(e.Known) > 0 {
		fmt.Fprintf(&b, " Known: %s", strings.Join(e.Known, " "))
	}
	if e.Remedy != "" {
		b.WriteString("; " + e.Remedy)
	}
	return b.String()
}

// Is makes an unknown name a usage error, except for a term, which is a matter
// of the data.
func (e *UnknownError) Is(target error) bool { return target == ErrUsage && e.Kind != "term" }

func unknown(kind, name string, known []string) *UnknownError {
	return &UnknownError{Kind: kind, Name: name, Near: nearest(name, slices.Values(known)), Known: known}
}

func usage(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUsage, fmt.Sprintf(format, args...))
}

// nearest gives up to three names within an edit distance of a third of the
// name's length, at least 1, the most similar first.
func nearest(name string, known func(yield func(string) bool)) []string {
	type candidate struct {
		name     string
		distance int
	}
	limit := max(1, len(name)/3)
	var found []candidate
	for k := range known {
		if d := editDistance(name, k, limit); d <= limit {
			found = append(found, candidate{strings.Clone(k), d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	var names []string
	for _, c := range found[:min(3, len(found))] {
		names = append(names, c.name)
	}
	return names
}

// editDistance is Levenshtein's, in bytes; anything above limit is limit+1.
func editDistance(a, b string, limit int) int {
	if abs(len(a)-len(b)) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j]+1, row[j+1]+1)
		}
	}
	return min(row[len(b)], limit+1)
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
