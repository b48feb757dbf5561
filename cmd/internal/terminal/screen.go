package terminal

import (
	"bufio"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// A Screen is what a stream shows text on.
type Screen struct {
	Terminal bool // a person looks at it
	Moves    bool // its cursor can go back to the beginning of the line
	Styled   bool // it has bold and dim
	Width    int  // in columns
}

// PlainWidth is the width of help where there is no terminal.
const PlainWidth = 80

// Of returns the screen of a stream. getenv is [os.Getenv].
func Of(stream any, getenv func(string) string) Screen {
	if !Is(stream) {
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
	if Is(w) {
		filtered = &Writer{W: w}
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
