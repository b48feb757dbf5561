package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/termsift/termsift/bench/testkit"
)

// onTerminal runs a command whose standard output and errors are a terminal of so many columns,
// and returns what that was sent.
func onTerminal(t *testing.T, columns int, args ...string) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	testkit.Is(testkit.Stop(t), err, nil, "no pseudo-terminals")
	defer master.Close()
	fd := int(master.Fd())
	testkit.OK(unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number := testkit.Must(unix.IoctlGetInt(fd, unix.TIOCGPTN))
	testkit.OK(unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(columns)}))
	slave := testkit.Must(os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0))
	sent := make(chan string)
	go func() {
		var b bytes.Buffer
		_, _ = io.Copy(&b, master) // it ends with EIO when the other side is closed
		sent <- strings.ReplaceAll(b.String(), "\r\n", "\n")
	}()
	run(t.Context(), args, strings.NewReader(""), slave, slave)
	testkit.OK(slave.Close())
	return <-sent
}

var ourStyles = regexp.MustCompile("\x1b\\[[012]m")

// On a terminal help is as wide as that, titles are bold, and names from the input control
// nothing; NO_COLOR and TERM=dumb take the styles away and nothing else.
func TestOnATerminal(t *testing.T) {
	index := filepath.Join(t.TempDir(), "x.idx")
	text := filepath.Join(t.TempDir(), "x.jsonl")
	lines := "{\"labels\":[\"a\\u001b[1mb\"],\"text\":\"one two\"}\n{\"labels\":[\"c\"],\"text\":\"three two\"}\n"
	testkit.Write(text, lines)
	termsift(t, exitOK, "index", text, "-o", index)
	for _, env := range []struct {
		kind, noColor string
		styled        bool
	}{{"xterm", "", true}, {"xterm", "1", false}, {"dumb", "", false}} {
		t.Setenv("TERM", env.kind)
		t.Setenv("NO_COLOR", env.noColor)
		for _, c := range []struct{ bold, line string }{
			{"\x1b[1mScoring:\x1b[0m", "score --help"},
			{"\x1b[1mchi, class a.[1mb\x1b[0m\n\x1b[1mrank  term  ", "score --combine class " + index},
			{"\x1b[1mtermsift:\x1b[0m unknown command", "scroe"},
			{"\x1b[1mUsage:\x1b[0m", ""},
		} {
			got := onTerminal(t, 100, strings.Fields(c.line)...)
			bare := ourStyles.ReplaceAllString(got, "")
			testkit.Equal(t, strings.Contains(got, c.bold), env.styled, env, c.line, got)
			testkit.Contains(t, bare, ourStyles.ReplaceAllString(c.bold, ""), env, c.line, got)
			if strings.Contains(bare, "\x1b") || !env.styled && bare != got {
				t.Errorf("%+v: %s: %q", env, c.line, got)
			}
		}
	}
	widest := 0
	for line := range strings.Lines(onTerminal(t, 132, "evaluate", "--help")) {
		widest = max(widest, len([]rune(strings.TrimSuffix(line, "\n"))))
	}
	if widest <= 100 || widest > 132 {
		t.Errorf("on 132 columns the widest line has %d", widest)
	}
}
