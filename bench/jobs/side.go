package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A side is a revision: its tree, and what was built of it.
type side struct {
	label, tree string
	dir         string // of the command, the library, and what the jobs write
	in          *inputs
	built       map[string]bool
}

// checkOut puts a revision into a work tree of its own, which the function that it returns removes.
func checkOut(ctx context.Context, revision, tree string) (remove func() error, err error) {
	_, err = output(ctx, "git", "worktree", "add", "--quiet", "--force", "--detach", tree, revision)
	return func() error {
		_, err := output(context.WithoutCancel(ctx), "git", "worktree", "remove", "--force", tree)
		return err
	}, err
}

// build makes the command and, where Python is there, the library.
func (s *side) build(ctx context.Context, dir string, in *inputs) error {
	s.dir, s.in, s.built = dir, in, map[string]bool{}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	builds := [][]string{{"go", "build", "-trimpath", "-o", s.file("termsift"), "./cmd/termsift"}}
	if hasPython() {
		builds = append(builds, []string{"go", "build", "-trimpath", "-buildmode=c-shared", "-o", s.file("libtermsift.so.1"), "./cmd/libtermsift"})
	}
	for _, args := range builds {
		c := exec.CommandContext(ctx, args[0], args[1:]...)
		c.Dir = s.tree
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}

func (s *side) file(name string) string { return filepath.Join(s.dir, name) }

// placeholder is an input, as {20ng.jsonl}, or a file that a job writes, as {out.tsv}.
var placeholder = regexp.MustCompile(`{[^}]+}`)

// words returns the arguments of a job, for which its inputs are made.
func (s *side) words(ctx context.Context, line string) ([]string, error) {
	words := strings.Fields(line)
	var failure error
	for i := range words {
		words[i] = placeholder.ReplaceAllStringFunc(words[i], func(name string) string {
			name = name[1 : len(name)-1]
			path, err := s.place(ctx, name)
			failure = errors.Join(failure, err)
			return path
		})
	}
	return words, failure
}

// place returns the path of an input, which is made if it is not there. An index is that of the side's own command.
func (s *side) place(ctx context.Context, name string) (string, error) {
	stem, isIndex := strings.CutSuffix(name, ".idx")
	switch {
	case strings.HasPrefix(name, "out."):
		return s.file(name), nil
	case !isIndex:
		return s.in.place(ctx, name)
	case s.built[name]:
		return s.file(name), nil
	}
	lines, err := s.in.place(ctx, stem+".jsonl")
	if err != nil {
		return "", err
	}
	_, err = output(ctx, s.file("termsift"), "index", lines, "-o", s.file(name), "--force")
	s.built[name] = err == nil
	return s.file(name), err
}

// run runs a job once, checks its answer, and returns the CPU time.
func (s *side) run(ctx context.Context, j job) (time.Duration, error) {
	line := j.args
	if j.python != "" {
		line = j.python
	}
	words, err := s.words(ctx, line)
	if err != nil {
		return 0, err
	}
	var c *exec.Cmd
	if j.python != "" {
		script, err := filepath.Abs("bench/jobs/jobs.py")
		if err != nil {
			return 0, err
		}
		c = exec.CommandContext(ctx, "python3", append([]string{script}, words...)...)
		tree, err := filepath.Abs(s.tree)
		if err != nil {
			return 0, err
		}
		c.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(tree, "cmd/libtermsift/python"), "TERMSIFT_LIBRARY="+s.file("libtermsift.so.1"))
	} else {
		c = exec.CommandContext(ctx, s.file("termsift"), words...)
	}
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", line, err, said.Bytes()[max(0, said.Len()-2000):])
	}
	answer := said.String()
	if j.then != "" {
		words, err := s.words(ctx, j.then)
		if err != nil {
			return 0, err
		}
		if answer, err = output(ctx, s.file("termsift"), words...); err != nil {
			return 0, err
		}
	}
	if err := j.check(s, answer); err != nil {
		return 0, err
	}
	if j.python != "" { // it prints what the job took, without loading its data
		_, took, _ := strings.Cut(said.String(), "cpu-ns ")
		took, _, _ = strings.Cut(took, "\n")
		n, err := strconv.ParseInt(took, 10, 64)
		return time.Duration(n), err
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), nil
}

// check fails unless the job said what it should, and wrote as many lines.
func (j job) check(s *side, said string) error {
	if !regexp.MustCompile(j.want).MatchString(said) {
		return fmt.Errorf("it does not say %q but\n%s", j.want, said[max(0, len(said)-2000):])
	}
	for name, want := range j.lines {
		data, err := os.ReadFile(s.file(name))
		if err != nil {
			return err
		}
		if got := bytes.Count(data, []byte("\n")); got != want {
			return fmt.Errorf("%s has %d lines, want %d", name, got, want)
		}
	}
	return nil
}

// output runs a program, and returns what it prints.
func output(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), err
}

// hasPython reports whether the python3 of the path has what the jobs of Python need.
func hasPython() bool {
	return exec.Command("python3", "-c", "import numpy, scipy, sklearn").Run() == nil
}
