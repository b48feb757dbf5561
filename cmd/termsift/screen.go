package main

import (
	"bufio"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// A screen is what a stream shows text on.
type screen struct {
	terminal bool // a person looks at it
	moves    bool // its cursor can go back to the beginning of the line
	styled   bool // it has bold and dim
	width    int  // in columns
}

// plainWidth is the width of help where there is no terminal.
const plainWidth = 80

// screenOf returns the screen of a stream. getenv is [os.Getenv].
func screenOf(stream any, getenv func(string) string) screen {
	if !isTerminal(stream) {
		return screen{width: plainWidth}
	}
	s := terminalScreen(getenv)
	if width, _, err := term.GetSize(int(stream.(*os.File).Fd())); err == nil && width > 0 {
		s.width = max(width, 40)
	}
	return s
}

// terminalScreen returns the screen of a terminal of unknown width. TERM=dumb is a terminal
// without any control, and NO_COLOR, if not empty, asks for text without styles.
func terminalScreen(getenv func(string) string) screen {
	kind := getenv("TERM")
	return screen{terminal: true, moves: kind != "dumb", styled: kind != "dumb" && kind != "" && getenv("NO_COLOR") == "", width: plainWidth}
}

// bold returns what begins bold text.
func (s screen) bold() string { return s.style("\x1b[1m") }

// dim returns what begins dim text.
func (s screen) dim() string { return s.style("\x1b[2m") }

// plain returns what ends bold or dim text.
func (s screen) plain() string { return s.style("\x1b[0m") }

func (s screen) style(code string) string {
	if !s.styled {
		return ""
	}
	return code
}

// An output is standard output: buffered and, on a terminal, without what controls it, but for
// our styles.
type output struct {
	*bufio.Writer
	raw    io.Writer // behind the filter
	screen screen
}

// heading writes a line in bold.
func (o *output) heading(line string) error {
	text := withoutControls(strings.TrimSuffix(line, "\n"), "\t")
	return o.styled(o.screen.bold() + text + o.screen.plain() + "\n")
}

// styled writes a text that has styles of ours and nothing else that controls a terminal.
func (o *output) styled(text string) error {
	if !o.screen.styled {
		_, err := o.WriteString(text)
		return err
	}
	if err := o.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(o.raw, text)
	return err
}
