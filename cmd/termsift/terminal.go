package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
)

// This file keeps output from controlling a terminal: names come from the input and may
// contain any character.

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// A terminalWriter writes text to a terminal and replaces characters that control it by
// dots.
type terminalWriter struct {
	w    io.Writer
	rest []byte // the beginning of an incomplete character
}

// Write implements [io.Writer].
func (t *terminalWriter) Write(p []byte) (int, error) {
	text := append(t.rest, p...)
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if at := len(text) - back; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				whole = at
			}
			break
		}
	}
	_, err := io.WriteString(t.w, withoutControls(string(text[:whole]), "\n\t"))
	t.rest = append([]byte(nil), text[whole:]...)
	return len(p), err
}

// steers reports whether a character moves or hides other text: control characters,
// line separators, and those that change the direction of writing. The joiners of
// Persian and of emoji do neither.
func steers(r rune) bool {
	const zeroWidthNonJoiner, zeroWidthJoiner = 0x200c, 0x200d
	switch r {
	case zeroWidthNonJoiner, zeroWidthJoiner:
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point)
}

// withoutControls replaces characters that control a terminal, except those in keep, by
// dots, and bytes that are no valid character by U+FFFD.
func withoutControls(s, keep string) string {
	return strings.Map(func(r rune) rune {
		if steers(r) && !strings.ContainsRune(keep, r) {
			return '.'
		}
		return r
	}, s)
}

// visible returns a name, without characters that control a terminal if terminal is
// set.
func visible(s string, terminal bool) string {
	if !terminal {
		return s
	}
	return withoutControls(s, "")
}

// visible returns a name, without characters that control a terminal if standard output
// is one.
func (o *outputs) visible(s string) string { return visible(s, o.toTerminal) }

// printable returns a message for stderr, which may have several lines.
func printable(s string) string { return withoutControls(s, "\n\t") }

// talkArgs returns the arguments of a message as single lines.
func talkArgs(args []any) []any {
	clean := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			clean[i] = withoutControls(v, "")
		case error:
			clean[i] = withoutControls(v.Error(), "")
		case document.Position:
			clean[i] = withoutControls(v.String(), "")
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
		if clean := withoutControls(name, ""); clean != name {
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
