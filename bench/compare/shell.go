package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/document"
)

// This file has the jobs whose names begin with Shell: a process of its own for each run, from
// its start to its end, that reads documents from files and writes the best terms and the
// reduced data. Ours is the command as its users run it; shell.py is the peer's.

// shellFile has the documents as JSON lines, {"id":..,"labels":[..],"text":".."}.
const shellFile = "shell.jsonl"

// writeShell writes the documents for the processes of Shell.
func writeShell(path string, docs []document.Document) {
	writeFile(path, func(w io.Writer) {
		lines := json.NewEncoder(w)
		lines.SetEscapeHTML(false) // as Python writes it
		for _, d := range docs {
			lab.Check(lines.Encode(struct {
				ID     string   `json:"id"`
				Labels []string `json:"labels"`
				Text   string   `json:"text"`
			}{d.ID, d.Labels, string(d.Text)}))
		}
	})
}

// shell runs the command on one thread and returns its CPU time, shellWall on two threads and the time
// on the wall.
func shell(ctx context.Context, s *side) time.Duration { return s.command(ctx, 1) }

func shellPairs(ctx context.Context, s *side) time.Duration {
	return s.command(ctx, 1, "--ngrams", "1-2")
}

func shellWall(ctx context.Context, s *side) time.Duration {
	s.build(ctx)
	started := time.Now()
	s.command(ctx, 2)
	return time.Since(started)
}

// build makes the command, before the first job that runs it.
func (s *side) build(ctx context.Context) (program string) {
	program = filepath.Join(s.dir, "termsift")
	if _, err := os.Stat(program); err == nil {
		return program
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/termsift/termsift/cmd/termsift")
	if output, err := build.CombinedOutput(); err != nil {
		panic(lab.Errorf("the command does not build: %w\n%s", err, output))
	}
	return program
}

// command runs the command and returns its CPU time.
func (s *side) command(ctx context.Context, threads int, flags ...string) time.Duration {
	program := s.build(ctx)
	rows := filepath.Join(s.dir, "termsift.svm")
	args := []string{
		"select", "--by", "chi", "-k", strconv.Itoa(s.top), "--threads", strconv.Itoa(threads),
		filepath.Join(s.dir, shellFile), "-o", filepath.Join(s.dir, "termsift.tsv"), "--svmlight", rows,
	}
	cmd := exec.CommandContext(ctx, program, append(args, flags...)...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOMAXPROCS=") }) // as users have it
	if output, err := cmd.CombinedOutput(); err != nil {
		panic(lab.Errorf("termsift: %w\n%s", err, output))
	}
	s.last = func() answer { return one(bytes.Count(lab.Need(os.ReadFile(rows)), []byte{'\n'})) }
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
