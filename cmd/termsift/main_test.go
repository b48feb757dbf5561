package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/termsift/termsift/bench/testkit"
)

var update = flag.Bool("update", false, "rewrite the golden output of the demo")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"termsift": main, "generate": generateMain})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:       "testdata/script",
		Setup:     setUp,
		Condition: condition,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"damage": func(ts *testscript.TestScript, _ bool, args []string) { damage(ts, args) },
			"exits":  func(ts *testscript.TestScript, _ bool, args []string) { exits(ts, args) },
			"flip":   func(ts *testscript.TestScript, _ bool, args []string) { flip(ts, args[0]) },
			"recipe": func(ts *testscript.TestScript, _ bool, args []string) { recipe(ts, args) },
		},
	})
}

// damage writes another file like one but for the last byte, or for bytes behind the
// end: damage cut a.idx b.idx.
func damage(ts *testscript.TestScript, args []string) {
	if len(args) != 3 {
		ts.Fatalf("damage takes cut or append, and two files")
	}
	data := []byte(ts.ReadFile(args[1]))
	switch args[0] {
	case "cut":
		data = data[:len(data)-1]
	case "append":
		data = append(data, "more"...)
	default:
		ts.Fatalf("damage does not know %q", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), data, 0o644))
}

// exits runs a command line and demands an exit code: exits 3 score nowhere.
// Its output is left in the files out and err.
func exits(ts *testscript.TestScript, args []string) {
	work := ts.MkAbs(".")
	var out, errs bytes.Buffer
	for i, a := range args {
		if strings.HasPrefix(a, "@") { // a file of the script
			args[i] = filepath.Join(work, a[1:])
		}
	}
	code := run(context.Background(), args[1:], strings.NewReader(""), &out, &errs)
	ts.Check(os.WriteFile(ts.MkAbs("out"), out.Bytes(), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("err"), errs.Bytes(), 0o644))
	if want := args[0]; want != string(rune('0'+code)) {
		ts.Fatalf("exit code %d, want %s\n%s", code, want, errs.String())
	}
}

// flip changes a bit in the middle of a file.
func flip(ts *testscript.TestScript, name string) {
	data, err := os.ReadFile(ts.MkAbs(name))
	ts.Check(err)
	data[len(data)/2] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(name), data, 0o644))
}

// A command may notice the signal before run does: the same message, the same code.
func TestInterruptedCommandSaysSo(t *testing.T) {
	var errs bytes.Buffer
	if code, _ := newApp(nil, nil, &errs).tellError(context.Canceled, true); code != exitInterrupted || errs.String() != "termsift: interrupted\n" {
		t.Fatalf("exit code %d: %q", code, errs.String())
	}
}

// An endless standard input, interrupted: the message, 130, no file left.
func TestInterruptedWhileReading(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	stdin, feed := io.Pipe()
	defer feed.Close()
	go func() {
		_, _ = feed.Write([]byte(`{"labels":["a"],"text":"one two"}` + "\n"))
		cancel() // the next read hangs
	}()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"index", "-", "--input-format", "jsonl", "-o", filepath.Join(dir, "x.idx")}, stdin, &out, &errs)
	if code != exitInterrupted || !strings.Contains(errs.String(), "interrupted") {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Fatalf("%v was left", left)
	}
}

// A measurement of many rounds can be interrupted.
func TestBenchInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	path := testkit.Write(filepath.Join(t.TempDir(), "x.jsonl"), `{"labels":["a"],"text":"one two three"}`+"\n"+`{"labels":["b"],"text":"one four five"}`+"\n")
	var out, errs bytes.Buffer
	code := run(ctx, []string{"bench", path, "--rounds", "1000"}, nil, &out, &errs)
	testkit.Equal(t, code, exitInterrupted, out.String(), errs.String())
	testkit.Equal(t, out.Len(), 0, out.String())
}

func TestFailedWriteLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	testkit.OK(os.WriteFile(path, []byte("old"), 0o644))
	a := newApp(nil, io.Discard, io.Discard)
	err := a.write(path, func(w io.Writer) error {
		_, _ = w.Write([]byte("half of the new"))
		return io.ErrShortWrite
	})
	testkit.Fails(testkit.Stop(t), err, "no error")
	data, _ := os.ReadFile(path)
	files, _ := os.ReadDir(dir)
	testkit.Equal(testkit.Stop(t), string(data), "old", data, files)
	testkit.Equal(testkit.Stop(t), len(files), 1, data, files)
}
