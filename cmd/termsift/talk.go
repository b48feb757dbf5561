package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/termsift/termsift/cmd/internal/terminal"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/usage"
)

// talk is what a run says on stderr.
type talk struct {
	stderr    io.Writer
	errScreen terminal.Screen
	quiet     bool // --quiet is set
	summary   runSummary
	status    atomic.Pointer[statusLine]
	said      []string // once
}

func (tk *talk) warn(warnings []string) {
	for _, w := range warnings {
		w = terminal.WithoutControls(w, "")
		tk.summary.addWarning(w)
		tk.say(tk.stderr, tk.errScreen.Bold()+"warning:"+tk.errScreen.Plain()+" ", w)
	}
}

// visible returns a name, without characters that control a terminal if standard output
// is one.
func (o *outputs) visible(s string) string { return terminal.Visible(s, o.toTerminal) }

// printable returns a message for stderr, which may have several lines.
func printable(s string) string { return terminal.WithoutControls(s, "\n\t") }

// talkArgs returns the arguments of a message as single lines.
func talkArgs(args []any) []any {
	clean := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			clean[i] = terminal.WithoutControls(v, "")
		case error:
			clean[i] = terminal.WithoutControls(v.Error(), "")
		case document.Position:
			clean[i] = terminal.WithoutControls(v.String(), "")
		default:
			clean[i] = v
		}
	}
	return clean
}

// talkError returns the message of an error. The error may have several lines of its
// own, but a name in it cannot add lines: that of a file or a member, or one that the
// user gave.
func talkError(err error, named []string) string {
	text := err.Error()
	var path *fs.PathError
	if errors.As(err, &path) {
		named = append(named, path.Path)
	}
	var input *reader.Error
	if errors.As(err, &input) {
		named = append(named, input.Pos.File)
	}
	for _, name := range named {
		if clean := terminal.WithoutControls(name, ""); clean != name {
			text = strings.ReplaceAll(text, name, clean)
		}
	}
	return printable(text)
}

// note prints a message on stderr.
func (tk *talk) note(format string, args ...any) {
	tk.say(tk.notes(), "", printable(fmt.Sprintf(format, talkArgs(args)...)))
}

// noteOnce is note of what is said once though there are two inputs.
func (tk *talk) noteOnce(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); tk.isNew(text) {
		tk.note("%s", text)
	}
}

// warnOnce prints the warnings that it has not printed before.
func (tk *talk) warnOnce(warnings []string) {
	tk.warn(slices.DeleteFunc(slices.Clone(warnings), func(w string) bool { return !tk.isNew(w) }))
}

// isNew reports whether a text has not been said yet.
func (tk *talk) isNew(text string) bool {
	if slices.Contains(tk.said, text) {
		return false
	}
	tk.said = append(tk.said, text)
	return true
}

// notes returns what notes are written to: stderr, or nothing with --quiet.
func (tk *talk) notes() io.Writer {
	if tk.quiet {
		return io.Discard
	}
	return tk.stderr
}

// say prints a clean message, behind a word that may have a style and in the place of a line
// that shows progress.
func (tk *talk) say(w io.Writer, styled string, message string) {
	tk.status.Load().end()
	fmt.Fprintf(w, "termsift: %s%s\n", styled, message)
}

func usageError(format string, args ...any) error {
	return usage.Errorf(format, args...)
}

// tellError prints the error and returns the exit code and what it has printed. It is no
// failure if the reader of the output has closed it. named are the names that the user gave.
func tellError(stderr io.Writer, err error, cancelled bool, named ...string) (code int, text string) {
	switch {
	case err == nil:
		return usage.ExitOK, ""
	case errors.Is(err, syscall.EPIPE):
		return usage.ExitOK, ""
	case cancelled:
		return tellInterrupted(stderr)
	}
	text = talkError(err, named) + meantFile(err)
	to := terminal.Of(stderr, os.Getenv)
	fmt.Fprintf(stderr, "%stermsift:%s %s\n", to.Bold(), to.Plain(), text)
	return usage.ExitCode(err), text
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
	return usage.ExitInterrupted, text
}

// longWork is the number of lines, values or visits from which work is announced.
const longWork = 100_000_000
