package engine

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A DocsError says what is wrong with an expression that chooses documents, and where.
// It is an [ErrUsage].
type DocsError struct {
	Expr    string
	Column  int // of the first wrong character, from 1
	Problem string
	Err     error // what is known of the problem beside; may be nil
}

// docsWindow is how much of an expression an error shows on either side.
const docsWindow = 30

// Error has two more lines: the expression, or the part around the column, and a mark
// below.
func (e *DocsError) Error() string {
	line := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, e.Expr))
	at := e.Column - 1
	from, to := max(at-docsWindow, 0), min(at+docsWindow, len(line))
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

// Unwrap gives the cause.
func (e *DocsError) Unwrap() error { return e.Err }

// Is makes it a usage error.
func (e *DocsError) Is(target error) bool { return target == ErrUsage }

// checkClasses refuses the name of a class that is not known.
func (f *DocFilter) checkClasses(known []string) error {
	for _, p := range f.properties {
		if p.kind != docClass || p.prefix || slices.Contains(known, p.value) {
			continue
		}
		err := unknown("class", p.value, known)
		return &DocsError{Expr: f.text, Column: p.column, Problem: err.Error(), Err: err}
	}
	return nil
}

// warning tells what is wrong with a property; "" is nothing.
func (m *DocMatcher) warning(i int) string {
	p := &m.f.properties[i]
	if p.kind != docFile {
		if m.met[i] {
			return ""
		}
		return fmt.Sprintf("no document has %s", p.name())
	}
	missing, first := 0, ""
	for place, found := range m.found[i] {
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
	return fmt.Sprintf("%d of the %d names in %s are those of no document; the first is %q", missing, len(p.ids), p.value, cut(first))
}
