package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync/atomic"

	"github.com/termsift/termsift/cmd/internal/terminal"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
)

// talk is what a run says on stderr.
type talk struct {
	stderr    io.Writer
	errScreen terminal.Screen
	quiet     bool // --quiet is set
	summary   runSummary
	status    atomic.Pointer[statusLine]
	noted     []string // what noteOnce has said
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
