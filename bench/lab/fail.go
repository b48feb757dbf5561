package lab

import (
	"fmt"
	"os"
)

// A Failure is the panic by which the work of a program of the laboratory ends at an error. [Try] returns
// the error, and so nothing between them has to hand it on.
type Failure struct{ err error }

// Errorf is the failure of an error that [fmt.Errorf] makes.
func Errorf(format string, args ...any) Failure { return Failure{fmt.Errorf(format, args...)} }

// Check ends the work if there is an error.
func Check(err error) {
	if err != nil {
		panic(Failure{err})
	}
}

// Need returns v, or ends the work.
func Need[T any](v T, err error) T {
	Check(err)
	return v
}

// Try works, and returns the error that ended the work.
func Try(work func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Failure:
			err = r.err
		default:
			panic(r)
		}
	}()
	work()
	return nil
}

// TryOf is [Try] for work that has a result.
func TryOf[T any](work func() T) (v T, err error) {
	err = Try(func() { v = work() })
	return v, err
}

// In works; an error that ends the work is told to be of what.
func In(what string, work func()) {
	if err := Try(work); err != nil {
		panic(Errorf("%s: %w", what, err))
	}
}

// InTemporary works with a folder that is removed behind it.
func InTemporary(pattern string, work func(dir string)) {
	dir := Need(os.MkdirTemp("", pattern))
	defer func() { Check(os.RemoveAll(dir)) }()
	work(dir)
}
