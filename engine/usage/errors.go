// Package usage reports what is wrong with a request, in words for the person who made it.
// It has the kinds of errors, the error for an unknown name, which suggests similar names,
// a reader of the options that follow a name and a colon, as in svm:loss=l1,c=10, and one of
// bounds, as in 50%.
package usage

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// The kinds of errors. Every error of the engine that the user can do something about
// wraps one of them. Errors of the operating system and the cause of a context do not.
var (
	// ErrUsage marks a request that is wrong whatever the data: an unknown name, a
	// parameter out of range.
	ErrUsage = errors.New("usage")
	// ErrData marks data that cannot be processed as it is.
	ErrData = errors.New("bad data")
	// ErrCorrupt marks a file that has changed since it was written.
	ErrCorrupt = errors.New("damaged file")
	// ErrNothing marks a request that found nothing.
	ErrNothing = errors.New("nothing found")
)

// KindOf returns the kind of err that decides how a program ends: ErrCorrupt, ErrUsage,
// ErrNothing, ErrData or context.Canceled, the first of them that err is, or nil.
// Canceled is last: if work was cancelled because other work failed, that failure decides.
func KindOf(err error) error {
	for _, kind := range []error{ErrCorrupt, ErrUsage, ErrNothing, ErrData, context.Canceled} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return nil
}

// ErrContradiction is the kind of ErrData for data that was analysed differently from the
// selection that is applied to it.
var ErrContradiction = NewError(ErrData, "the data contradicts the selection")

// ErrNoLabels is wrapped by errors for documents without a label where classes are told apart.
var ErrNoLabels = NewError(ErrData, "no document has a label")

// NewError returns an error with the given text that wraps kind.
func NewError(kind error, text string) error { return &kindError{errors.New(text), kind} }

// A kindError is an error that is also of a kind, which its text does not name.
type kindError struct {
	error
	kind error
}

func (e *kindError) Unwrap() []error { return []error{e.kind, e.error} }

// An UnknownError reports an unknown name, with the known names nearest to it.
type UnknownError struct {
	Kind   string // "measure", "combination", "weighting", "class", "term"
	Name   string
	Near   []string // the most similar known names, best first
	Known  []string // all known names; nil if they are too many
	Remedy string
	// Gone says what to do instead of a name that went in 0.2.0; "" for a name that never was.
	Gone string
	// Titles has the titles of those names of Near that were found by them.
	Titles map[string]string
}

func (e *UnknownError) Error() string {
	if e.Gone != "" {
		return e.Name + " went in 0.2.0: " + e.Gone
	}
	var b strings.Builder
	fmt.Fprintf(&b, "unknown %s %q", e.Kind, e.Name)
	known := strings.Join(e.Known, " ")
	switch {
	case len(e.Near) > 0:
		near := slices.Clone(e.Near)
		for i, name := range near {
			if title := e.Titles[name]; title != "" {
				near[i] = fmt.Sprintf("%s (%s)", name, title)
			}
		}
		fmt.Fprintf(&b, "; did you mean %s?", strings.Join(near, " or "))
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

// Is makes an unknown term match ErrNothing, as the data decides which terms there are,
// and any other unknown name match ErrUsage.
func (e *UnknownError) Is(target error) bool {
	if e.Kind == "term" {
		return target == ErrNothing
	}
	return target == ErrUsage
}

// Cause returns the reason why a context is done: [context.Cause], wrapped so that
// errors.Is also finds the context's own error, context.Canceled or
// context.DeadlineExceeded. It returns nil if the context is not done.
func Cause(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return &interruption{cause, err}
}

// An interruption joins the cause of a context that is done with the context's own error.
type interruption struct{ cause, err error }

func (e *interruption) Error() string { return e.cause.Error() }

func (e *interruption) Unwrap() []error { return []error{e.cause, e.err} }

// Unknown returns the error for a name of the given kind that is not among the known
// names.
func Unknown(kind, name string, known []string) *UnknownError {
	e := &UnknownError{Kind: kind, Name: name, Near: Nearest(name, slices.Values(known)), Known: known}
	const least = 3 // letters of a part of a name that may be meant
	switch parts := strings.Split(name, ","); {
	case len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool { return !slices.Contains(known, part) }):
		return &UnknownError{Kind: kind, Name: name, Remedy: "it is a list, and one " + kind + " goes here"}
	case len(e.Near) == 0 && len(name) >= least:
		for _, k := range known {
			if len(e.Near) < mostNear && strings.Contains(strings.ToLower(k), strings.ToLower(name)) {
				e.Near = append(e.Near, k)
			}
		}
	}
	return e
}

// Errorf returns [fmt.Errorf] as an error that also wraps ErrUsage.
func Errorf(format string, args ...any) error {
	return &kindError{fmt.Errorf(format, args...), ErrUsage}
}

// Cut shortens a text that an error quotes to 80 bytes and "...".
func Cut(s string) string {
	if len(s) > 80 {
		return s[:80] + "..."
	}
	return s
}

// The codes that the programs exit with. Their callers rely on them.
const (
	ExitOK          = 0
	ExitNothing     = 1 // nothing found, or findings of check
	ExitUsage       = 2
	ExitData        = 3 // invalid input
	ExitIO          = 4
	ExitCorrupt     = 5 // a broken index
	ExitInterrupted = 130
)

// ExitCode returns the exit code for an error: that of its kind, or ExitIO if it has none.
func ExitCode(err error) int {
	if err == nil {
		return ExitOK
	}
	switch KindOf(err) {
	case ErrCorrupt:
		return ExitCorrupt
	case ErrUsage:
		return ExitUsage
	case ErrNothing:
		return ExitNothing
	case ErrData:
		return ExitData
	case context.Canceled:
		return ExitInterrupted
	}
	return ExitIO
}

// mostNear is the number of names that an error suggests at most.
const mostNear = 3

// Nearest returns up to three known names, the most similar first, whose edit distance
// from name is at most a third of its length in bytes, and at least 1.
func Nearest(name string, known iter.Seq[string]) []string {
	if known == nil {
		return nil
	}
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
	sort.SliceStable(found, func(i, j int) bool { return found[i].distance < found[j].distance }) // few: smaller code than SortStableFunc
	var names []string
	for _, c := range found[:min(mostNear, len(found))] {
		names = append(names, c.name)
	}
	return names
}

// editDistance returns the number of bytes to insert, delete, replace or exchange with the
// next that make a of b, or limit+1 if it is above limit. Bytes that were exchanged are not
// edited again (optimal string alignment).
func editDistance(a, b string, limit int) int {
	if longer := len(a) - len(b); max(longer, -longer) > limit {
		return limit + 1
	}
	// The distances of the beginnings of a, of the lengths i-2, i-1 and i, to those of b.
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(last[j], row[j-1]) + 1
			if a[i-1] == b[j-1] {
				row[j] = min(row[j], last[j-1])
			} else {
				row[j] = min(row[j], last[j-1]+1)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return min(row[len(b)], limit+1)
}

// All is the bound that is a share of 1: the largest number below 1, because 1 is a number of
// things.
const All = 1 - 0x1p-53

// ParseBound parses a bound as people write it: a whole number is a number of things, a number
// with a point is a share of them from 0.0 to 1.0, and so is a percentage. The bound is below 1
// for a share: "1" is one document, "1.0" and "100%" are [All]. name is that of the option, for
// the error, an [ErrUsage].
func ParseBound(name, text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	share := percent || strings.Contains(number, ".") || v < 1
	most := math.MaxFloat64
	switch {
	case percent:
		most = 100
	case share:
		most = 1
	}
	if err != nil || !(v >= 0 && v <= most) || !share && v != math.Trunc(v) {
		return 0, Errorf("%s is a number of documents (5) or a share of them (0.5 or 50%%; 1.0 and 100%% are all), not %q", name, Cut(text))
	}
	switch {
	case share && v == most:
		return All, nil
	case percent:
		return v / 100, nil
	}
	return v, nil
}
