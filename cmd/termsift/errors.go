package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/termsift/termsift/engine/usage"
)

// Exit codes. Callers of the command rely on them.
const (
	exitOK          = 0
	exitNothing     = 1 // nothing found, or findings of check
	exitUsage       = 2
	exitData        = 3 // invalid input
	exitIO          = 4
	exitCorrupt     = 5 // a broken index
	exitInterrupted = 130
)

func usageError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", usage.ErrUsage, fmt.Sprintf(format, args...))
}

// exitCode returns the exit code for an error.
func exitCode(err error) int {
	if err == nil {
		return exitOK
	}
	switch usage.KindOf(err) {
	case usage.ErrCorrupt:
		return exitCorrupt
	case usage.ErrUsage:
		return exitUsage
	case usage.ErrNothing:
		return exitNothing
	case usage.ErrData:
		return exitData
	case context.Canceled:
		return exitInterrupted
	}
	return exitIO
}

// tellError prints the error and returns the exit code. It is no failure if the reader
// of the output has closed it. named are the names that the user gave.
func tellError(stderr io.Writer, err error, cancelled bool, named ...string) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, syscall.EPIPE):
		return exitOK
	case cancelled:
		return tellInterrupted(stderr)
	}
	text := strings.TrimPrefix(talkError(err, named), usage.ErrUsage.Error()+": ")
	to := screenOf(stderr, os.Getenv)
	fmt.Fprintf(stderr, "%stermsift:%s %s%s\n", to.bold(), to.plain(), text, meantFile(err))
	return exitCode(err)
}

// patience is the time that an interrupted command has to clean up before the process
// exits without it.
const patience = 60 * time.Millisecond

func (a *app) interrupted(stderr io.Writer, done <-chan error) int {
	select {
	case <-done:
	case <-time.After(patience):
		a.files.removeAll()
	}
	a.status.Load().end()
	return tellInterrupted(stderr)
}

func tellInterrupted(stderr io.Writer) int {
	fmt.Fprintln(stderr, "termsift: interrupted")
	return exitInterrupted
}
