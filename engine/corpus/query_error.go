package corpus

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/termsift/termsift/engine/usage"
)

// An Error says what is wrong with an expression, and where. It is a [usage.ErrUsage].
type QueryError struct {
	Expr    string
	Column  int // of the first wrong character, from 1
	Problem string
	Err     error // the cause; may be nil
}

// errorWindow is the number of characters that an error shows on either side of the column.
const errorWindow = 30

// Error returns the problem and, in two more lines, the expression around the column with a
// mark below.
func (e *QueryError) Error() string {
	line := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, e.Expr))
	at := e.Column - 1
	from, to := max(at-errorWindow, 0), min(at+errorWindow, len(line))
	left, right := "", ""
	if from > 0 {
		left = "..."
	}
	if to < len(line) {
		right = "..."
	}
	return fmt.Sprintf("column %d of the expression: %s\n  %s%s%s\n  %s^",
		e.Column, e.Problem, left, string(line[from:to]), right, strings.Repeat(" ", len(left)+at-from))
}

// Unwrap returns the cause.
func (e *QueryError) Unwrap() error { return e.Err }

// Is reports whether target is [usage.ErrUsage].
func (e *QueryError) Is(target error) bool { return target == usage.ErrUsage }

// CheckClasses returns an [QueryError] for the first class=NAME of a class that is not known.
func (f *Query) checkClasses(known []string) error {
	for _, p := range f.properties {
		if p.kind != byClass || p.prefix || slices.Contains(known, p.value) {
			continue
		}
		err := usage.Unknown("class", p.value, known)
		return &QueryError{Expr: f.text, Column: p.column, Problem: err.Error(), Err: err}
	}
	return nil
}

// propertyWarning returns the warning for property i, "" if there is none.
func (m *Matcher) propertyWarning(i int) string {
	p := &m.query.properties[i]
	if p.kind != byFile {
		if m.occurred[i] {
			return ""
		}
		return fmt.Sprintf("no document has %s", p.expression())
	}
	missing, first := 0, ""
	for place, found := range m.foundIDs[i] {
		if !found {
			if missing == 0 {
				first = p.ids[place]
			}
			missing++
		}
	}
	if missing == 0 {
		return ""
	}
	return fmt.Sprintf("%d of the %d names in %s are those of no document; the first is %q", missing, len(p.ids), p.value, usage.Cut(first))
}
