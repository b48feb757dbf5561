package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine/usage"
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

// The exit codes, by the names that the tests have for them.
const (
	exitOK          = usage.ExitOK
	exitNothing     = usage.ExitNothing
	exitUsage       = usage.ExitUsage
	exitData        = usage.ExitData
	exitIO          = usage.ExitIO
	exitCorrupt     = usage.ExitCorrupt
	exitInterrupted = usage.ExitInterrupted
)

// run runs the command with the given arguments in a process that does other things, too,
// such as a test. See [app.run].
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return newApp(stdin, stdout, stderr).run(ctx, args)
}

// generate writes JSON lines of a corpus of a known shape, as the arguments say. Scripts call it as a program.
func generate(ctx context.Context, args []string) error {
	p := workload.Params{Kernel: workload.OfText}
	f := flag.NewFlagSet("generate", flag.ContinueOnError)
	f.IntVar(&p.Documents, "documents", 10_000, "number of documents")
	f.IntVar(&p.Tokens, "length", 298, "mean number of tokens of a document")
	f.IntVar(&p.Classes, "classes", 20, "number of classes")
	f.Float64Var(&p.Labels, "labels", 1, "mean number of labels of a document")
	f.IntVar(&p.Terms, "terms", 0, "words that there are to draw from, by Heaps' law unless given")
	f.Uint64Var(&p.Seed, "seed", 1, "the same seed gives the same lines")
	files := f.Int("files", 1, "number of files, of ascending seeds")
	out := f.String("o", "", "file to write, %d for its seed")
	if err := f.Parse(args); err != nil {
		return err
	}
	if p.Terms == 0 {
		p.Terms = workload.Heaps(float64(p.Documents) * float64(p.Tokens))
	}
	for ; *files > 0; *files-- {
		var lines bytes.Buffer
		if err := workload.WriteLines(ctx, &lines, p, 2); err != nil {
			return err
		}
		if err := os.WriteFile(strings.ReplaceAll(*out, "%d", fmt.Sprint(p.Seed)), lines.Bytes(), 0o666); err != nil {
			return err
		}
		p.Seed++
	}
	return nil
}

// generateMain is the program generate of scripts.
func generateMain() {
	testkit.OK(generate(context.Background(), os.Args[1:]))
}

// generatedIndex makes an index of a generated corpus, and returns its path.
func generatedIndex(t *testing.T, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	lines, index := filepath.Join(dir, "x.jsonl"), filepath.Join(dir, "x.idx")
	testkit.OK(generate(t.Context(), append(args, "-o", lines)))
	testkit.Equal(testkit.Stop(t), run(t.Context(), []string{"index", lines, "-o", index}, nil, io.Discard, io.Discard),
		exitOK, "index: exit code")
	testkit.OK(os.Remove(lines))
	return index
}

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// recipe writes the n-th block of shell of a page of recipes to a file: recipe slurm.md 1 count.sbatch.
func recipe(ts *testscript.TestScript, args []string) {
	if len(args) != 3 {
		ts.Fatalf("recipe takes a page, the number of a block, and a file")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	block, err := shellBlockOf(ts.Getenv("RECIPES"), args[0], n)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), block, 0o644))
}

// shellBlockOf returns the n-th block of shell of a page in a folder.
func shellBlockOf(dir, page string, n int) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, page))
	if err != nil {
		return nil, err
	}
	blocks := shellBlock.FindAllSubmatch(text, -1)
	if n < 1 || n > len(blocks) {
		return nil, fmt.Errorf("%s has %d blocks of shell, not %d", page, len(blocks), n)
	}
	return blocks[n-1][1], nil
}

// setUp tells a script where files are that are no text, the pages of recipes, and the cluster of .ci/slurm.
func setUp(e *testscript.Env) error {
	for name, path := range map[string]string{"PARQUET": "testdata/parquet", "RECIPES": "recipes"} {
		path, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		e.Setenv(name, path)
	}
	e.Setenv("SLURM_CONF", os.Getenv("SLURM_CONF"))
	return nil
}

// condition is that of [slurm]: there is a cluster to try.
func condition(name string) (bool, error) {
	if name != "slurm" {
		return false, fmt.Errorf("there is no condition %q", name)
	}
	return os.Getenv("TERMSIFT_SLURM") == "1", nil
}

func TestTuneRuntime(t *testing.T) {
	before := runtime.GOMAXPROCS(4)
	defer runtime.GOMAXPROCS(before)
	for _, c := range []struct{ threads, want int }{{0, 4}, {1000, 4}, {4, 4}, {3, 3}, {1, 1}} {
		runtime.GOMAXPROCS(4)
		command := &cobra.Command{}
		command.Flags().Int("threads", c.threads, "")
		tuneRuntime(command)
		testkit.Equal(t, runtime.GOMAXPROCS(0), c.want, "--threads", c.threads, "GOMAXPROCS")
	}
	tuneRuntime(&cobra.Command{}) // without the flag
}
