package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
)

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		documents   int
		taken, size int64
		took        time.Duration
		want        string
	}{
		{1000, 0, 0, 2 * time.Second, "1000 documents, 500 a second"},
		{1000, 30e6, 0, 2 * time.Second, "1000 documents, 30.0 MB, 15.0 MB/s"},
		{1000, 30e6, 120e6, 2 * time.Second, "1000 documents, 30.0 of 120.0 MB, 25 %, 15.0 MB/s, about 6s left"},
		{1000, 120e6, 120e6, 8 * time.Second, "1000 documents, 120.0 of 120.0 MB, 100 %, 15.0 MB/s"},
		{1000, 130e6, 120e6, 10 * time.Second, "1000 documents, 130.0 of 120.0 MB, 100 %, 13.0 MB/s"}, // a file that grew
		{1, 1e6, 7200e6, time.Second, "1 documents, 1.0 of 7200.0 MB, 0 %, 1.0 MB/s, about 1h59m59s left"},
	} {
		testkit.Equal(t, progressText(c.documents, c.taken, c.size, c.took), c.want)
	}
}

// A line is there from the first second on, for a fifth of a second at least, replaces the one
// before it to the last column, fits the terminal, and can be taken away.
func TestStatusLine(t *testing.T) { synctest.Test(t, statusLineTest) }

func statusLineTest(t *testing.T) {
	var out bytes.Buffer
	line := &statusLine{w: &out, screen: tables.Screen{Terminal: true, Moves: true, Width: 12}, begun: time.Now()}
	for _, c := range []struct {
		at   time.Duration
		text string
		want string
	}{
		{0, "early", ""},
		{999 * time.Millisecond, "early", ""},
		{time.Second, "some \x1b[1mtext that is long", "\rsome .[1mte"},
		{1100 * time.Millisecond, "soon", ""},
		{1200 * time.Millisecond, "short", "\rshort      "},
		{2 * time.Second, "文字", "\r文字   "},
	} {
		time.Sleep(c.at - time.Since(line.begun))
		out.Reset()
		line.tell(func(took time.Duration) string {
			testkit.Equal(t, took, c.at)
			return c.text
		})
		testkit.Equal(t, out.String(), c.want, "at", c.at)
	}
	out.Reset()
	line.end()
	line.end()
	testkit.Equal(t, out.String(), "\r  \r", "at the end")
	out.Reset()
	line.screen.Styled = true
	line.write("dim")
	testkit.Equal(t, out.String(), "\r\x1b[2mdim\x1b[0m")
	var none *statusLine
	none.tell(func(time.Duration) string { t.Error("told"); return "" })
	none.end()
}

// There is a line on a terminal whose cursor goes back, and nowhere else; a message takes it
// away first.
func TestWhereProgressIsShown(t *testing.T) { synctest.Test(t, progressTest) }

func progressTest(t *testing.T) {
	for _, c := range []struct {
		on   tables.Screen
		want bool
	}{
		{tables.Screen{Width: 80}, false},
		{tables.Screen{Terminal: true, Width: 80}, false}, // TERM=dumb
		{tables.Screen{Terminal: true, Moves: true, Width: 80}, true},
	} {
		var errs bytes.Buffer
		a := &talk{stderr: &errs, errScreen: c.on}
		line := a.statusLine()
		testkit.Equal(t, line != nil, c.want, c.on, line)
		tell, end := a.countdown()
		if !c.want {
			tell(1, 4, "a step")
			if end(); errs.Len() > 0 {
				t.Errorf("%+v: a countdown says %q", c.on, errs.String())
			}
			continue
		}
		time.Sleep(3 * time.Second)
		tell(1, 4, "a step")
		a.note("a message")
		end()
		testkit.Equal(t, errs.String(),
			"\r1 of 4, about 9s left: a step\r                             \rtermsift: a message\n")
	}
}

// What is watched passes through, with its errors.
func TestWatch(t *testing.T) { synctest.Test(t, watchTest) }

func watchTest(t *testing.T) {
	var errs bytes.Buffer
	a := &talk{stderr: &errs, errScreen: tables.Screen{Terminal: true, Moves: true, Width: 80}}
	failure := errors.New("a failure")
	docs := func(yield func(document.Document, error) bool) {
		time.Sleep(2 * time.Second)
		_ = yield(document.Document{ID: "1"}, nil) && yield(document.Document{ID: "2"}, nil) && yield(document.Document{}, failure)
	}
	var got []string
	for d, err := range a.watch(docs, nil) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, d.ID)
	}
	testkit.Equal(t, strings.Join(got, " "), "1 2 a failure")
	if text := errs.String(); !strings.HasPrefix(text, "\r1 documents, 0 a second") && !strings.HasPrefix(text, "\r1 documents, 1 a second") {
		t.Errorf("%q", text)
	}
}

// hostileName would move, colour, reverse and forge what stands around it.
const hostileName = "a\r\x1b[31m\u202eb\u2028c\u009b1mtermsift\u2066"

// steering gives the characters of a text that steer a terminal, but for those to keep.
func steering(text, keep string) string {
	return strings.Map(func(r rune) rune {
		if tables.Steers(r) && !strings.ContainsRune(keep, r) {
			return r
		}
		return -1
	}, text)
}

func TestWithoutControls(t *testing.T) {
	for text, want := range map[string]string{
		hostileName:                "a..[31m.b.c.1mtermsift.",
		"one\ntwo\tthree":          "one.two.three",
		"\u0645\u06cc\u200c\u0634": "\u0645\u06cc\u200c\u0634", // Persian, with its joiner
		"👩\u200d🔬":                 "👩\u200d🔬",
		"caf\xe9\x9b":              "caf\ufffd\ufffd",
		"\ufeff\u00ad\U000e0041":   "...",
	} {
		testkit.Equal(t, tables.WithoutControls(text, ""), want, text)
	}
}

// Whatever is printed reaches a terminal without what steers it, however it is cut.
func TestTerminalWriter(t *testing.T) {
	text := "term\t" + hostileName + "\n文字 " + hostileName
	for size := 1; size <= len(text); size++ {
		var out bytes.Buffer
		w := &tables.TerminalWriter{W: &out}
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if written, err := w.Write([]byte(rest[:n])); written != n || err != nil {
				t.Fatal(written, err)
			}
			rest = rest[n:]
		}
		if got := out.String(); got != tables.WithoutControls(text, "\n\t") || steering(got, "\n\t") != "" {
			t.Fatalf("in pieces of %d: %q", size, got)
		}
	}
}

// Messages have the lines of the program, not those of the names in them.
func TestMessagesWithHostileNames(t *testing.T) {
	const name = "x\ntermsift: all is well\u202e"
	for _, err := range []error{
		&fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist},
		&reader.Error{Pos: document.Position{File: "a.tar!" + name, Line: 3}, Problem: "malformed JSON"},
		usageError("%s is an index", name),
		errors.Join(&fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}, errors.New("another")),
	} {
		var out bytes.Buffer
		told := newApp(nil, nil, &out)
		told.args = []string{"score", name}
		told.tellError(err, false)
		if got := out.String(); strings.Contains(got, "\ntermsift: all") || steering(got, "\n\t") != "" || !strings.Contains(got, "x.termsift: all is well.") {
			t.Errorf("%q", got)
		}
	}
	var out bytes.Buffer
	a := talk{stderr: &out}
	a.note("%d: %s, %v, %v", 1, name, fmt.Errorf("in %s", name), document.Position{File: name})
	a.warn([]string{name})
	if got := out.String(); strings.Count(got, "\n") != 2 || steering(got, "\n\t") != "" {
		t.Errorf("%q", got)
	}
}

// An interrupter is a stream that interrupts the run when it is told a text.
type interrupter struct {
	mu        sync.Mutex
	said      bytes.Buffer
	text      string
	interrupt func()
}

// Write implements [io.Writer].
func (w *interrupter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said.Write(p)
	if strings.Contains(w.said.String(), w.text) {
		w.interrupt()
	}
	return len(p), nil
}

// Work of a hundred million values is announced before it begins: each document here has a class and a
// term of its own. The run is interrupted at the announcement.
func TestLongWorkIsAnnounced(t *testing.T) {
	dir := t.TempDir()
	input, index, model := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "x.idx"), filepath.Join(dir, "x.model")
	var lines bytes.Buffer
	for i := range 10_000 {
		fmt.Fprintf(&lines, "{\"text\":\"w%d\",\"label\":\"c%d\"}\n", i, i)
	}
	testkit.Write(input, lines.Bytes())
	termsift(t, exitOK, "index", input, "-o", index)
	for announced, args := range map[string][]string{
		"writes 100000000 lines, one for each of 10000 terms and 10000 classes; --class": {"score", "--combine", "class", "--all", index},
		"ranks 10000 terms for each of 10000 classes; --class":                           {"score", "--combine", "class", index},
		"svm trains 10000 classifiers, one for each class; centroid":                     {"train", "-k", "10000", index, "-o", model},
		"svm trains 10000 classifiers, one for each class; centroid and":                 {"evaluate", "--folds", "2", "-k", "10", index},
		"svm trains 10000 classifiers, one for each class; centroid and nb":              {"select", "-k", "auto", index},
	} {
		ctx, interrupt := context.WithCancel(t.Context())
		stderr := &interrupter{text: announced, interrupt: interrupt}
		code := run(ctx, args, strings.NewReader(""), io.Discard, stderr)
		stderr.mu.Lock()
		testkit.Equal(t, code, exitInterrupted, args, "exit code", stderr.said.String())
		stderr.mu.Unlock()
		interrupt()
	}
}
