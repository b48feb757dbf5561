package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/engine/document"
)

// This file has the jobs whose names begin with Shell: a process of its own for each run, from
// its start to its end, that reads documents from files and writes the best terms and the
// reduced data. Ours is the command as its users run it; shell.py is the peer's.

// shellFile has the documents as JSON lines, {"id":..,"labels":[..],"text":".."}.
const shellFile = "shell.jsonl"

// writeShell writes the documents for the processes of Shell.
func writeShell(path string, docs []document.Document) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(file, 1<<20)
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false) // as Python writes it
	for _, d := range docs {
		line := struct {
			ID     string   `json:"id"`
			Labels []string `json:"labels"`
			Text   string   `json:"text"`
		}{d.ID, d.Labels, string(d.Text)}
		if err := lines.Encode(line); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return errors.Join(w.Flush(), file.Close())
}

// shell runs the command on one thread and returns its CPU time, shellWall on two threads and the time
// on the wall.
func shell(ctx context.Context, s *side) (time.Duration, error) { return s.command(ctx, 1) }

func shellWall(ctx context.Context, s *side) (time.Duration, error) {
	if _, err := s.build(ctx); err != nil {
		return 0, err
	}
	started := time.Now()
	_, err := s.command(ctx, 2)
	return time.Since(started), err
}

// build makes the command, before the first job that runs it.
func (s *side) build(ctx context.Context) (program string, err error) {
	program = filepath.Join(s.dir, "termsift")
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/termsift/termsift/cmd/termsift")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the command does not build: %w\n%s", err, output)
	}
	return program, nil
}

// command runs the command and returns its CPU time.
func (s *side) command(ctx context.Context, threads int) (time.Duration, error) {
	program, err := s.build(ctx)
	if err != nil {
		return 0, err
	}
	rows := filepath.Join(s.dir, "termsift.svm")
	cmd := exec.CommandContext(ctx, program, "select", "--by", "chi", "-k", strconv.Itoa(s.top), "--threads", strconv.Itoa(threads),
		filepath.Join(s.dir, shellFile), "-o", filepath.Join(s.dir, "termsift.tsv"), "--svmlight", rows)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOMAXPROCS=") }) // as users have it
	if output, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("termsift: %w\n%s", err, output)
	}
	s.last = func() (answer, error) {
		text, err := os.ReadFile(rows)
		return one(bytes.Count(text, []byte{'\n'})), err
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
