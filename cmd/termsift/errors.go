package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/termsift/termsift/cmd/internal/exit"
	"github.com/termsift/termsift/cmd/internal/terminal"
	"github.com/termsift/termsift/engine/usage"
)

// The exit codes of package exit.
const (
	exitOK          = exit.OK
	exitNothing     = exit.Nothing
	exitUsage       = exit.Usage
	exitData        = exit.Data
	exitIO          = exit.IO
	exitCorrupt     = exit.Corrupt
	exitInterrupted = exit.Interrupted
)

func usageError(format string, args ...any) error {
	return usage.Errorf(format, args...)
}

// tellError prints the error and returns the exit code and what it has printed. It is no
// failure if the reader of the output has closed it. named are the names that the user gave.
func tellError(stderr io.Writer, err error, cancelled bool, named ...string) (code int, text string) {
	switch {
	case err == nil:
		return exitOK, ""
	case errors.Is(err, syscall.EPIPE):
		return exitOK, ""
	case cancelled:
		return tellInterrupted(stderr)
	}
	text = talkError(err, named) + meantFile(err)
	to := terminal.Of(stderr, os.Getenv)
	fmt.Fprintf(stderr, "%stermsift:%s %s\n", to.Bold(), to.Plain(), text)
	return exit.Code(err), text
}

// patience is the time that an interrupted command has to clean up before the process
// exits without it.
const patience = 60 * time.Millisecond

func (a *app) interrupted(stderr io.Writer, done <-chan error) (code int, text string) {
	select {
	case <-done:
	case <-time.After(patience):
		a.files.end()
	}
	a.status.Load().end()
	return tellInterrupted(stderr)
}

func tellInterrupted(stderr io.Writer) (code int, text string) {
	text = "interrupted"
	fmt.Fprintln(stderr, "termsift: "+text)
	return exitInterrupted, text
}
