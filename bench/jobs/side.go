package main

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/testkit"
)

// A side is a revision: its tree, and what was built of it.
type side struct {
	label, tree string
	dir         string // of the command, the library, and what the jobs write
	in          inputs
	built       map[string]bool
}

// checkOut puts a revision into a work tree of its own, which the function that it returns removes.
func checkOut(ctx context.Context, revision, tree string) (remove func()) {
	output(ctx, ".", "git", "worktree", "add", "--quiet", "--force", "--detach", tree, revision)
	return func() { output(context.WithoutCancel(ctx), ".", "git", "worktree", "remove", "--force", tree) }
}

// build makes the command and, where Python is there, the library.
func (s *side) build(ctx context.Context, dir string, in inputs) {
	s.dir, s.in, s.built = dir, in, map[string]bool{}
	testkit.OK(os.MkdirAll(dir, 0o777))
	output(ctx, s.tree, "go", "build", "-trimpath", "-o", s.file("termsift"), "./cmd/termsift")
	if hasPython() {
		output(ctx, s.tree, "go", "build", "-trimpath", "-buildmode=c-shared", "-o", s.file("libtermsift.so.1"), "./cmd/libtermsift")
	}
}

func (s *side) file(name string) string { return filepath.Join(s.dir, name) }

// named is an input, as {20ng.jsonl}, or a file that a job writes, as {out.tsv}.
var named = regexp.MustCompile(`{[^}]+}`)

// words returns the arguments of a job, for which its inputs are made.
func (s *side) words(ctx context.Context, line string) []string {
	words := strings.Fields(line)
	for i := range words {
		words[i] = named.ReplaceAllStringFunc(words[i], func(name string) string { return s.place(ctx, name[1:len(name)-1]) })
	}
	return words
}

// place returns the path of an input, which is made if it is not there. An index is that of the side's own command.
func (s *side) place(ctx context.Context, name string) string {
	stem, isIndex := strings.CutSuffix(name, ".idx")
	switch {
	case strings.HasPrefix(name, "out."):
	case !isIndex:
		return s.in.place(ctx, name)
	case !s.built[name]:
		output(ctx, ".", s.file("termsift"), "index", s.in.place(ctx, stem+".jsonl"), "-o", s.file(name), "--force")
		s.built[name] = true
	}
	return s.file(name)
}

// run runs a job once, checks its answer, and returns the CPU time.
func (s *side) run(ctx context.Context, j job) (cpu time.Duration, err error) {
	defer testkit.Caught(&err)
	line := cmp.Or(j.python, j.args)
	c := exec.CommandContext(ctx, s.file("termsift"), s.words(ctx, line)...)
	if j.python != "" {
		c = exec.CommandContext(ctx, "python3", append([]string{testkit.Must(filepath.Abs("bench/jobs/jobs.py"))}, c.Args[1:]...)...)
		c.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(testkit.Must(filepath.Abs(s.tree)), "cmd/libtermsift/python"), "TERMSIFT_LIBRARY="+s.file("libtermsift.so.1"))
	}
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Run(); err != nil {
		fail("%s: %w\n%s", line, err, said.Bytes()[max(0, said.Len()-2000):])
	}
	answer := said.String()
	if j.then != "" {
		answer = output(ctx, ".", s.file("termsift"), s.words(ctx, j.then)...)
	}
	j.check(s, answer)
	if j.python != "" { // it prints what the job took, without loading its data
		_, took, _ := strings.Cut(said.String(), "cpu-ns ")
		took, _, _ = strings.Cut(took, "\n")
		return time.Duration(testkit.Must(strconv.ParseInt(took, 10, 64))), nil
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), nil
}

// check fails unless the job said what it should, and wrote as many lines.
func (j job) check(s *side, said string) {
	if !regexp.MustCompile(j.want).MatchString(said) {
		fail("it does not say %q but\n%s", j.want, said[max(0, len(said)-2000):])
	}
	for name, want := range j.lines {
		if got := bytes.Count(testkit.Must(os.ReadFile(s.file(name))), []byte("\n")); got != want {
			fail("%s has %d lines, want %d", name, got, want)
		}
	}
}

// output runs a program in a folder, and returns what it prints.
func output(ctx context.Context, dir, name string, args ...string) string {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		fail("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// hasPython reports whether the python3 of the path has what the jobs of Python need.
func hasPython() bool {
	return exec.Command("python3", "-c", "import numpy, scipy, sklearn").Run() == nil
}
