package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/store"
)

// Exit codes, a contract with those who call the command.
const (
	exitOK          = 0
	exitNothing     = 1 // nothing found, or findings of check
	exitUsage       = 2
	exitData        = 3 // bad input
	exitIO          = 4
	exitCorrupt     = 5 // a broken index
	exitInterrupted = 130
)

func usageError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", engine.ErrUsage, fmt.Sprintf(format, args...))
}

// exitCode tells what kind of failure an error is.
func exitCode(err error) int {
	var unknown *engine.UnknownError
	var path *fs.PathError
	is := func(targets ...error) bool {
		for _, t := range targets {
			if errors.Is(err, t) {
				return true
			}
		}
		return false
	}
	switch {
	case err == nil:
		return exitOK
	case is(context.Canceled):
		return exitInterrupted
	case is(store.ErrFormat, store.ErrVersion, store.ErrChecksum, store.ErrTruncated):
		return exitCorrupt
	case is(engine.ErrUsage, evaluate.ErrFolds):
		return exitUsage
	case is(engine.ErrNothingSelected, engine.ErrNoDocuments, errFindings), errors.As(err, &unknown):
		return exitNothing
	case is(reader.ErrBadInput, reader.ErrEmpty, engine.ErrEmpty, engine.ErrNoLabels, engine.ErrBadSelection, engine.ErrBadClassTerms,
		engine.ErrContradiction, engine.ErrNoCounts, store.ErrPruned, classify.ErrBadRows, classify.ErrNoModel, evaluate.ErrMismatch):
		return exitData
	case errors.As(err, &path), is(io.ErrShortWrite, io.ErrUnexpectedEOF, syscall.ENOSPC, syscall.EIO):
		return exitIO
	case strings.HasPrefix(err.Error(), "unknown command"):
		return exitUsage // cobra's, which has no type
	}
	return exitIO
}

// tellError prints the error and gives the exit code. A reader of our output that
// went away is no failure.
func tellError(stderr io.Writer, err error, cancelled bool) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, syscall.EPIPE):
		return exitOK
	case cancelled:
		return tellInterrupted(stderr)
	}
	text := strings.TrimPrefix(err.Error(), engine.ErrUsage.Error()+": ")
	fmt.Fprintf(stderr, "termsift: %s\n", talk(text))
	return exitCode(err)
}

// patience is how long an interrupted command may take to clean up after
// itself before it is left behind.
const patience = 60 * time.Millisecond

func (a *app) interrupted(stderr io.Writer, done <-chan error) int {
	select {
	case <-done:
	case <-time.After(patience):
		a.files.removeAll()
	}
	return tellInterrupted(stderr)
}

func tellInterrupted(stderr io.Writer) int {
	fmt.Fprintln(stderr, "termsift: interrupted")
	return exitInterrupted
}
