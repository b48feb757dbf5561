package tables

import (
	"bufio"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

// This file knows what a stream shows text on, and measures how wide text is. Names come from the input and may
// contain any character: what is shown must not control a terminal.

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// A TerminalWriter writes text to a terminal and replaces characters that control it by
// dots.
type TerminalWriter struct {
	W    io.Writer
	rest []byte // the beginning of an incomplete character
}

// Write implements [io.Writer].
func (t *TerminalWriter) Write(p []byte) (int, error) {
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

// A Screen is what a stream shows text on.
type Screen struct {
	Terminal bool // a person looks at it
	Moves    bool // its cursor can go back to the beginning of the line
	Styled   bool // it has bold and dim
	Width    int  // in columns
}

// PlainWidth is the width of help where there is no terminal.
const PlainWidth = 80

// ScreenOf returns the screen of a stream. getenv is [os.Getenv].
func ScreenOf(stream any, getenv func(string) string) Screen {
	if !IsTerminal(stream) {
		return Screen{Width: PlainWidth}
	}
	s := TerminalScreen(getenv)
	if width, _, err := term.GetSize(int(stream.(*os.File).Fd())); err == nil && width > 0 {
		s.Width = max(width, 40)
	}
	return s
}

// TerminalScreen returns the screen of a terminal of unknown width. TERM=dumb is a terminal
// without any control, and NO_COLOR, if not empty, asks for text without styles.
func TerminalScreen(getenv func(string) string) Screen {
	kind := getenv("TERM")
	return Screen{Terminal: true, Moves: kind != "dumb", Styled: kind != "dumb" && kind != "" && getenv("NO_COLOR") == "", Width: PlainWidth}
}

// Bold returns what begins bold text.
func (s Screen) Bold() string { return s.style("\x1b[1m") }

// Dim returns what begins dim text.
func (s Screen) Dim() string { return s.style("\x1b[2m") }

// Plain returns what ends bold or dim text.
func (s Screen) Plain() string { return s.style("\x1b[0m") }

func (s Screen) style(code string) string {
	if !s.Styled {
		return ""
	}
	return code
}

// An Output is standard output: buffered and, on a terminal, without what controls it, but for
// our styles.
type Output struct {
	*bufio.Writer
	raw    io.Writer // behind the filter
	Screen Screen
}

// NewOutput returns an output that ends in w.
func NewOutput(w io.Writer, s Screen) *Output {
	filtered := w
	if IsTerminal(w) {
		filtered = &TerminalWriter{W: w}
	}
	return &Output{bufio.NewWriterSize(filtered, 1<<16), w, s}
}

// Heading writes a line in bold.
func (o *Output) Heading(line string) error {
	text := WithoutControls(strings.TrimSuffix(line, "\n"), "\t")
	return o.Styled(o.Screen.Bold() + text + o.Screen.Plain() + "\n")
}

// Styled writes a text that has styles of ours and nothing else that controls a terminal.
func (o *Output) Styled(text string) error {
	if !o.Screen.Styled {
		_, err := o.WriteString(text)
		return err
	}
	if err := o.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(o.raw, text)
	return err
}
