// Package terminal knows what a stream shows text on, keeps text from controlling it, and measures
// how wide text is.
package terminal

import (
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

// Names come from the input and may contain any character: what is shown must not control a terminal.

// Is reports whether a stream is a terminal.
func Is(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// A Writer writes text to a terminal and replaces characters that control it by
// dots.
type Writer struct {
	W    io.Writer
	rest []byte // the beginning of an incomplete character
}

// Write implements [io.Writer].
func (t *Writer) Write(p []byte) (int, error) {
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
	_, err := io.WriteString(t.W, WithoutControls(string(text[:whole]), "\n\t"))
	t.rest = append([]byte(nil), text[whole:]...)
	return len(p), err
}

// Steers reports whether a character moves or hides other text: control characters,
// line separators, and those that change the direction of writing. The joiners of
// Persian and of emoji do neither.
func Steers(r rune) bool {
	const zeroWidthNonJoiner, zeroWidthJoiner = 0x200c, 0x200d
	switch r {
	case zeroWidthNonJoiner, zeroWidthJoiner:
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point)
}

// WithoutControls replaces characters that control a terminal, except those in keep, by
// dots, and bytes that are no valid character by U+FFFD.
func WithoutControls(s, keep string) string {
	return strings.Map(func(r rune) rune {
		if Steers(r) && !strings.ContainsRune(keep, r) {
			return '.'
		}
		return r
	}, s)
}

// Visible returns a name, without characters that control a terminal if terminal is
// set.
func Visible(s string, terminal bool) string {
	if !terminal {
		return s
	}
	return WithoutControls(s, "")
}

// DisplayWidth returns the number of columns that a text takes on a terminal: two for wide
// characters of East Asia, none for those that combine with the one before or are not seen.
func DisplayWidth(text string) int {
	columns := 0
	for _, r := range text {
		columns += runeWidth(r)
	}
	return columns
}

func runeWidth(r rune) int {
	const softHyphen, hangulVowels, hangulEnd = 0xad, 0x1160, 0x11ff
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) || hangulVowels <= r && r <= hangulEnd:
		return 0 // vowels and finals of Hangul join the consonant before
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Padded returns a text followed by as many spaces as fill the columns.
func Padded(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-DisplayWidth(text)))
}

// Indented returns a text behind as many spaces as fill the columns.
func Indented(text string, columns int) string {
	return strings.Repeat(" ", max(0, columns-DisplayWidth(text))) + text
}
