package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/spelling"
)

var (
	// ErrUsage marks a request that no data could satisfy: an unknown name, a
	// parameter out of range.
	ErrUsage = errors.New("usage")
	// ErrEmpty is returned when a corpus has no documents or no terms.
	ErrEmpty = errors.New("nothing to count")
	// ErrNoLabels is returned when no document of a corpus has a label.
	ErrNoLabels = errors.New("no document has a label")
	// ErrNoDocuments is returned for a subset without documents.
	ErrNoDocuments = errors.New("no documents")
	// ErrNothingSelected is returned when no term passes the criterion.
	ErrNothingSelected = errors.New("no term was selected")
	// ErrContradiction is returned when data was not analysed as the selection
	// that is applied to it.
	ErrContradiction = errors.New("the data contradicts the selection")
	// ErrBadSelection is returned for a features file that cannot be read.
	ErrBadSelection = errors.New("not a features file")
	// ErrBadClassTerms is returned for a file of class terms that cannot be read.
	ErrBadClassTerms = errors.New("not a file of class terms")
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
	known := strings.Join(e.Known, " ")
	switch {
	case len(e.Near) > 0:
		fmt.Fprintf(&b, "; did you mean %s?", strings.Join(e.Near, " or "))
		if known != "" {
			b.WriteString(" Known: " + known)
		}
	case known != "":
		b.WriteString(". Known: " + known)
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
	return &UnknownError{Kind: kind, Name: name, Near: spelling.Nearest(name, slices.Values(known)), Known: known}
}

func usage(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUsage, fmt.Sprintf(format, args...))
}
