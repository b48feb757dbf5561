package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/flags"
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

// What cannot be written to standard output is a failure.
func TestFullStandardOutput(t *testing.T) {
	full := testkit.Must(os.OpenFile("/dev/full", os.O_WRONLY, 0))
	defer full.Close()
	closed := testkit.Must(os.Create(filepath.Join(t.TempDir(), "closed")))
	testkit.OK(closed.Close())
	index := generatedIndex(t, "-documents", "50", "-length", "5", "-classes", "3")
	var scores, errs bytes.Buffer
	if code := run(t.Context(), []string{"score", "--top", "1", "--format", "tsv", index}, strings.NewReader(""), &scores, &errs); code != exitOK {
		t.Fatal(errs.String())
	}
	term := strings.Split(strings.Split(scores.String(), "\n")[1], "\t")[3]
	for _, line := range []string{
		"score", "select -k 5", "transform -k 5", "info", "verify", "compare", "project", "explain TERM", "stability -k 5 --bootstrap 2",
		"evaluate --folds 2", "index --stats-only -o -", "merge -o -", "train -k 5 -o -",
	} {
		for _, stdout := range []*os.File{full, closed} {
			var errs bytes.Buffer
			args := strings.Fields(line)
			args = slices.Insert(args, 1, index)
			if at := slices.Index(args, "TERM"); at > 0 {
				args[at] = term
			}
			if code := run(t.Context(), args, strings.NewReader(""), stdout, &errs); code != exitIO || errs.Len() == 0 {
				t.Errorf("%s to %s: exit code %d, %s", line, stdout.Name(), code, errs.String())
			}
		}
	}
	for _, line := range []string{"demo", "--help", "--version", "measures"} {
		for _, stdout := range []*os.File{full, closed} {
			var errs bytes.Buffer
			if code := run(t.Context(), strings.Fields(line), strings.NewReader(""), stdout, &errs); code != exitIO || errs.Len() == 0 {
				t.Errorf("%s to %s: exit code %d, %s", line, stdout.Name(), code, errs.String())
			}
		}
	}
}

// A profile that cannot be written is a failure, too.
func TestFullProfiles(t *testing.T) {
	index := generatedIndex(t, "-documents", "5")
	for _, name := range []string{"cpuprofile", "memprofile", "trace"} {
		var errs bytes.Buffer
		if code := run(t.Context(), []string{"score", index, "--" + name, "/dev/full"}, strings.NewReader(""), &bytes.Buffer{}, &errs); code != exitIO || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("--%s: exit code %d, %s", name, code, errs.String())
		}
	}
}

// The manual pages are all there or none is: where one cannot be written, those before it go.
func TestFullManual(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	testkit.OK(os.MkdirAll(filepath.Join(dir, "termsift-words.1"), 0o755)) // the last of them is a folder
	var errs bytes.Buffer
	code := run(t.Context(), []string{"man", dir}, strings.NewReader(""), &bytes.Buffer{}, &errs)
	entries := testkit.Must(os.ReadDir(dir))
	testkit.Equal(t, code, exitIO, errs.String())
	testkit.Equal(t, len(entries), 1, "entries")
}

// A device without an end and a line without an end are refused wherever a file is read: by an
// error that names the file and is of the data, not of the system.
func TestEveryFileFlagEndsAtAnEndlessFile(t *testing.T) {
	places := placesForNumbers(t)
	line := filepath.Join(t.TempDir(), "line")
	testkit.OK(os.WriteFile(line, bytes.Repeat([]byte("x"), 65<<20), 0o600))
	tried := 0
	for _, c := range (&app{}).tree().Commands() {
		if !c.Runnable() {
			continue
		}
		c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if flags.Of(flag).Reads == nil {
				return
			}
			for _, file := range []string{"/dev/zero", line} {
				value := file
				if strings.HasSuffix(flag.Name, "docs") {
					value = "file=" + file
				}
				args := append(strings.Fields(places(endlessLine(c, flag))), "--"+flag.Name, value)
				var out, errs bytes.Buffer
				code := run(t.Context(), args, strings.NewReader(""), &out, &errs)
				said := errs.String()
				refused := strings.Contains(said, "contradict") || strings.Contains(said, "says how raw text is read")
				if code == exitUsage && refused {
					continue
				}
				if !slices.Contains([]int{exitUsage, exitData, exitCorrupt}, code) || strings.Contains(said, "bufio") || !strings.Contains(said, filepath.Base(file)) {
					t.Errorf("%s: exit code %d, %.300s", strings.Join(args, " "), code, said)
				}
				tried++
			}
		})
	}
	testkit.TriedCases(t, tried)
}

// endlessLine returns a command line to which a flag of a file is added.
func endlessLine(c *cobra.Command, flag *pflag.Flag) string {
	line := numberLine(c.Name(), flag.Name)
	switch c.Name() + " " + flag.Name {
	case "collocates text", "collocations text":
		line = "collocates INDEX one --min-freq 1"
	case "explore text":
		line = "explore INDEX -o OUT"
	case "explore reference-docs":
		line = "explore RAW --docs class=a -o OUT"
	case "evaluate train":
		line = "evaluate --test RAW"
	case "evaluate test":
		line = "evaluate --train RAW"
	case "explain text":
		line = "explain INDEX one --kwic 3"
	case "kwic text":
		line = "kwic INDEX one"
	case "keyness reference-list":
		line = "keyness RAW"
	case "predict model":
		line = "predict RAW"
	case "train features", "transform features":
		line = strings.Replace(line, " -k 3", "", 1)
	case "remove docs", "remove ids":
		line = "remove INDEX -o OUT"
	}
	if c.Flags().Lookup("max-list") != nil {
		line += " --max-list 100000"
	}
	return line
}
