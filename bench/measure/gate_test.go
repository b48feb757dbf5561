package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

// benchmarks is a test file whose work takes a number of steps. It reports the
// steps as its time, so that the load of the machine does not matter, and must
// run in its own folder to find its data.
const benchmarks = `package tiny

import (
	"os"
	"testing"
)

var sink uint64

func BenchmarkWork(b *testing.B) {
	if _, err := os.Stat("testdata/data.txt"); err != nil {
		b.Fatal(err)
	}
	const steps = %d
	for b.Loop() {
		for i := range uint64(steps) {
			sink = sink*31 + i
		}
	}
	b.ReportMetric(steps, "ns/op")
}
`

const addition = `package tiny

import "testing"

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		sink++
	}
}
`

// repository makes a module in a new repository, in a folder below its top, and
// goes there. The benchmark is twice as slow in the second commit, which also
// has a new one.
func repository(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds and measures, which testing.Short leaves out")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("this test needs git: ", err)
	}
	isolateGit(t)
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	module := filepath.Join(t.TempDir(), "module")
	put(t, filepath.Join(module, "go.mod"), "module example.org/tiny\n\ngo 1.26\n")
	put(t, filepath.Join(module, "tiny", "testdata", "data.txt"), "data")
	put(t, filepath.Join(module, "tiny", "tiny_test.go"), fmt.Sprintf(benchmarks, 20_000))
	t.Chdir(module)
	gitHere(t, "init", "--quiet", "..")
	commit(t, "fast")
	put(t, filepath.Join("tiny", "tiny_test.go"), fmt.Sprintf(benchmarks, 40_000))
	put(t, filepath.Join("tiny", "new_test.go"), addition)
	commit(t, "slow")
}

// isolateGit keeps the settings of the user and of a surrounding hook away.
func isolateGit(t *testing.T) {
	t.Helper()
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "") // so that it comes back
			os.Unsetenv(name)
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func gitHere(t *testing.T, args ...string) string {
	t.Helper()
	out, err := lab.TryOf(func() string { return git(context.Background(), ".", args...) })
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return out
}

func commit(t *testing.T, message string) {
	t.Helper()
	gitHere(t, "add", ".")
	gitHere(t, "-c", "user.name=tester", "-c", "user.email=tester@example.org", "commit", "--quiet", "-m", message)
}

// nothingLeft fails if a worktree or a temporary folder stays behind.
func nothingLeft(t *testing.T) {
	t.Helper()
	if list := gitHere(t, "worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("worktrees stay behind:\n%s", list)
	}
	left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "gate-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("folders stay behind: %v %v", left, err)
	}
}

func TestTwiceAsSlowFails(t *testing.T) {
	repository(t)
	for _, test := range []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"-base", "HEAD~1"}, 1, []string{"tiny: Work", "SLOWER", "tiny: New", "only in head", "1 judged: 1 slower"}},
		{[]string{"-base", "HEAD~1", "-head", "HEAD", "-package", "./tiny,./absent", "-limit", "50"}, 1, []string{"SLOWER"}},
		{[]string{"-base", "HEAD", "-head", "HEAD~1"}, 0, []string{"faster", "only in base", "1 judged: 0 slower"}},
		{[]string{"-base", "HEAD~1", "-limit", "500"}, 0, []string{"1 judged: 0 slower"}},
	} {
		var out, errs strings.Builder
		code := runGate(t.Context(), append(test.args, "-count", "6", "-time", "1ms"), &out, &errs)
		if code != test.code {
			t.Errorf("%v: exit %d, want %d\n%s%s", test.args, code, test.code, out.String(), errs.String())
		}
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%v: no %q in\n%s%s", test.args, want, out.String(), errs.String())
			}
		}
		nothingLeft(t)
	}
}

func TestWhatCannotBeJudged(t *testing.T) {
	repository(t)
	put(t, filepath.Join("broken", "broken_test.go"), "package broken\n\nfunc {\n")
	put(t, filepath.Join("failing", "failing_test.go"), "package failing\n\nimport \"testing\"\n\nfunc BenchmarkBad(b *testing.B) { b.Fatal(\"it is bad\") }\n")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-base", "nowhere"}, "-base nowhere: there is no such revision"},
		{[]string{"-base", "-x"}, "-base -x: there is no such revision"},
		{[]string{"-base", "HEAD", "-head", "nowhere"}, "-head nowhere: there is no such revision"},
		{[]string{"-base", "HEAD", "-package", "./tiny", "-bench", "None"}, `no benchmark matches -bench "None" in ./tiny`},
		{[]string{"-base", "HEAD", "-package", "./absent"}, "-package ./absent: no package with tests in either revision"},
		{[]string{"-base", "HEAD", "-package", "./broken"}, "head does not build: example.org/tiny/broken"},
		{[]string{"-base", "HEAD", "-package", "./failing"}, "the benchmarks of example.org/tiny/failing fail in head: exit status 1"},
	} {
		var out, errs strings.Builder
		code := runGate(t.Context(), append(test.args, "-count", "6", "-time", "1x"), &out, &errs)
		if code != 2 || !strings.Contains(errs.String(), test.want) {
			t.Errorf("%v: exit %d\n%s%s", test.args, code, out.String(), errs.String())
		}
		nothingLeft(t)
	}
}

// interrupter ends the context when the first round begins.
type interrupter struct {
	strings.Builder
	stop context.CancelFunc
}

func (i *interrupter) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "round 1") {
		i.stop()
	}
	return i.Builder.Write(p)
}

func TestInterruptLeavesNothing(t *testing.T) {
	repository(t)
	ctx, stop := context.WithCancel(t.Context())
	errs := &interrupter{stop: stop}
	var out strings.Builder
	code := runGate(ctx, []string{"-base", "HEAD~1", "-head", "HEAD", "-time", "10s"}, &out, errs)
	if code != 2 || !strings.Contains(errs.String(), "interrupted, nothing is judged") {
		t.Errorf("exit %d: %s%s", code, out.String(), errs.String())
	}
	nothingLeft(t)
}

func TestOutsideARepository(t *testing.T) {
	isolateGit(t)
	dir := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	t.Chdir(dir)
	var out, errs strings.Builder
	if code := runGate(t.Context(), []string{"-base", "main"}, &out, &errs); code != 2 || !strings.Contains(errs.String(), "this folder is not in a git repository") {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}
