package parquet

import (
	"errors"
	"fmt"
	"io"

	"github.com/termsift/termsift/engine/usage"
)

// An Error is a problem of a file: it is damaged, or has what is not read.
type Error struct {
	Problem string
	Remedy  string
	Err     error // the cause, if there is one
}

// Error gives the problem, the cause and the remedy.
func (e *Error) Error() string {
	s := e.Problem
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s + "; " + e.Remedy
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes every Error a usage.ErrData.
func (e *Error) Is(target error) bool { return target == usage.ErrData }

const remedyDamaged = "it may be damaged or cut: fetch or write it again"

// damaged returns the error for a file that contradicts itself.
func damaged(format string, args ...any) error {
	return &Error{Problem: fmt.Sprintf(format, args...), Remedy: remedyDamaged}
}

// notRead returns the error for what the format has and this package does not read.
func notRead(remedy, format string, args ...any) error {
	return &Error{Problem: fmt.Sprintf(format, args...) + ", which is not read", Remedy: remedy}
}

// within puts the place in front of the problem of an Error. Other errors, such as those
// of reading, stay as they are.
func within(err error, format string, args ...any) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	placed := *e
	placed.Problem = fmt.Sprintf(format, args...) + ": " + e.Problem
	return &placed
}

// readAt fills to with the bytes at an offset, all of which the file should have.
func readAt(r io.ReaderAt, to []byte, offset int64) error {
	n, err := r.ReadAt(to, offset)
	switch {
	case n == len(to):
		return nil
	case errors.Is(err, io.EOF):
		return damaged("the file ends within the %d bytes at byte %d", len(to), offset)
	}
	return err
}
