package reader

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

var (
	// ErrBadInput marks data that is not what its format says.
	ErrBadInput = usage.NewError(usage.ErrData, "bad input")
	// ErrEmpty is returned where the inputs hold no document.
	ErrEmpty = usage.NewError(usage.ErrData, "no documents")
)

// An Error is a problem at a place of an input. It is ErrBadInput, and wraps
// the cause where there is one. A read that fails is no Error but the
// fs.PathError of the operating system.
type Error struct {
	Pos document.Position
	// Kind says in a few words what sort of problem it is, the same for all of
	// the sort; "" where Problem itself does.
	Kind    string
	Problem string
	Bytes   string // what is wrong, as it stands; quoted and cut at 80 bytes
	Remedy  string
	Err     error
	fatal   bool   // SkipBad does not skip it
	guessed string // of a doubt of an input as a whole: the encoding
	// textless says that a table, or the first document of a file, has no text, and no field was named.
	textless bool
	// unlabelled says that the input could be read if no class were needed.
	unlabelled bool
}

// Error gives the place, the problem, the offending bytes, the cause and the
// remedy, in this order, as far as they are known.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s", e.Pos, e.Problem)
	if e.Bytes != "" {
		fmt.Fprintf(&b, ": %q", quotable(e.Bytes))
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if e.Remedy != "" {
		b.WriteString("; " + e.Remedy)
	}
	return b.String()
}

// mostQuoted bounds the bytes that an Error quotes.
const mostQuoted = 80

// quotable returns the bytes that an Error quotes of a text, mostQuoted at most, so that it
// does not keep the bytes of a whole document alive.
func quotable[T ~string | ~[]byte](text T) string { return string(text[:min(len(text), mostQuoted)]) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes every Error an ErrBadInput, and so an ErrData, and one of an input without classes a
// [usage.ErrNoLabels].
func (e *Error) Is(target error) bool {
	return target == ErrBadInput || target == usage.ErrData || e.unlabelled && target == usage.ErrNoLabels
}

// kind returns what the problem is counted as.
func (e *Error) kind() string {
	if e.Kind != "" {
		return e.Kind
	}
	return e.Problem
}

// wrong returns the error for a problem at a place, with the bytes that are wrong, if some are, and
// the remedy.
func wrong[T ~string | ~[]byte](pos document.Position, problem string, bytes T, remedy string) *Error {
	return &Error{Pos: pos, Problem: problem, Bytes: quotable(bytes), Remedy: remedy}
}

// of gives the error a kind.
func (e *Error) of(kind string) *Error {
	e.Kind = kind
	return e
}

// forClasses says that the input could be read if no class were needed.
func (e *Error) forClasses() *Error {
	e.unlabelled = true
	return e
}

// beyond returns the error for what is beyond a limit, which a flag raises.
func beyond(pos document.Position, kind, flag, format string, args ...any) error {
	return wrong(pos, fmt.Sprintf(format, args...), "", "raise the limit with "+flag).of(kind)
}

// failure returns the error to report for err: the cause of an interruption, a failed read
// as it is, and for anything else an [Error] with the problem.
func (s *Source) failure(pos document.Position, problem string, err error) error {
	var read *fs.PathError
	if s.ctx.Err() != nil {
		return usage.Cause(s.ctx)
	}
	if errors.As(err, &read) || errors.Is(err, ErrBadInput) || errors.Is(err, errStop) {
		return err
	}
	return &Error{Pos: pos, Problem: problem, Err: err, Remedy: "it may be damaged or cut: fetch or write it again"}
}
