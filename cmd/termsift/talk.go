package main

import (
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/termsift/termsift/cmd/internal/terminal"
	"github.com/termsift/termsift/engine/document"
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

// printable returns a message for stderr, which may have several lines.
func printable(s string) string { return terminal.WithoutControls(s, "\n\t") }

// talkArgs returns the arguments of a message as single lines.
func talkArgs(args []any) []any {
	clean := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case string, error, document.Position:
			clean[i] = terminal.WithoutControls(fmt.Sprint(v), "")
		default:
			clean[i] = v
		}
	}
	return clean
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

// longWork is the number of lines, values or visits from which work is announced.
const longWork = 100_000_000
