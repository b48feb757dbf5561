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

// filesDirectory has the same documents as files, a directory for each class. The names of the
// files, each ended by a NUL, are in filesList.
const (
	filesDirectory = "files"
	filesList      = "files.list"
)

// writeFiles writes the documents as files.
func writeFiles(dir string, docs []document.Document) error {
	var list bytes.Buffer
	for i, d := range docs {
		class := filepath.Join(dir, filesDirectory, d.Labels[0])
		if err := os.MkdirAll(class, 0o700); err != nil {
			return err
		}
		path := filepath.Join(class, strconv.Itoa(i))
		if err := os.WriteFile(path, d.Text, 0o600); err != nil {
			return err
		}
		list.WriteString(path)
		list.WriteByte(0)
	}
	return os.WriteFile(filepath.Join(dir, filesList), list.Bytes(), 0o600)
}

// process runs a job of processes and returns its cost; found is false if the job is none, or
// runs in this process.
func (s *side) process(ctx context.Context, job, impl string) (cost time.Duration, found bool, err error) {
	switch job + "/" + impl {
	case "Shell/" + ours:
		cost, err = s.command(ctx, shellFile, "--threads", "1")
	case "ShellWall/" + ours:
		started := time.Now()
		_, err = s.command(ctx, shellFile, "--threads", "2")
		cost = time.Since(started)
	case "ShellFiles/" + ours:
		cost, err = s.beyondOneFile(ctx)
	case "ShellFiles/cat":
		cost, err = s.cat(ctx)
	default:
		return 0, false, nil
	}
	return cost, true, err
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

// command runs the command on the documents of input and returns its CPU time.
func (s *side) command(ctx context.Context, input string, flags ...string) (time.Duration, error) {
	program, err := s.build(ctx)
	if err != nil {
		return 0, err
	}
	rows := filepath.Join(s.dir, "termsift.svm")
	args := append([]string{"select", "--by", "chi", "-k", strconv.Itoa(s.top)}, flags...)
	args = append(args, filepath.Join(s.dir, input), "-o", filepath.Join(s.dir, "termsift.tsv"), "--svmlight", rows)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOMAXPROCS=") }) // as users have it
	if output, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("termsift: %w\n%s", err, output)
	}
	s.last = func() (answer, error) {
		text, err := os.ReadFile(rows)
		return one(bytes.Count(text, []byte{'\n'})), err
	}
	return cost(cmd), nil
}

// cost is the CPU time of a process that has ended, and of those that it waited for.
func cost(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// beyondOneFile returns what the command takes for a file a document, less what it takes for
// the same documents in one file.
func (s *side) beyondOneFile(ctx context.Context) (time.Duration, error) {
	one, err := s.command(ctx, shellFile, "--threads", "1")
	if err != nil {
		return 0, err
	}
	many, err := s.command(ctx, filesDirectory, "--threads", "1")
	return many - one, err
}

// cat reads the files, as many a process as the system allows; the answer is how many there are.
func (s *side) cat(ctx context.Context) (time.Duration, error) {
	names, err := os.ReadFile(filepath.Join(s.dir, filesList))
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, "xargs", "-0", "cat")
	cmd.Stdin = bytes.NewReader(names) // standard output is the null device
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("xargs cat: %w", err)
	}
	s.last = func() (answer, error) { return one(bytes.Count(names, []byte{0})), nil }
	return cost(cmd), nil
}

// inMemory is the job of the command, with the texts in memory and what it writes, too.
func (s *side) inMemory(ctx context.Context) error {
	chosen, lines, err := s.pipeline(ctx)
	if err != nil {
		return err
	}
	s.last = func() (answer, error) { return one(lines), nil }
	return chosen.WriteTSV(new(bytes.Buffer))
}
