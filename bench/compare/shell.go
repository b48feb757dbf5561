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
	"strconv"
	"time"

	"github.com/termsift/termsift/engine/document"
)

// This file is the job Shell: a process of its own for each run, from its start to its end,
// that reads the documents from JSON lines and writes the best terms and the reduced data.
// Ours is the command as its users run it; shell.py is the peer's.

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

// shell runs the command on one thread and returns its CPU time. The first run builds it.
func (s *side) shell(ctx context.Context) (time.Duration, error) {
	program := filepath.Join(s.dir, "termsift")
	if _, err := os.Stat(program); err != nil {
		build := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/termsift/termsift/cmd/termsift")
		if output, err := build.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("the command does not build: %w\n%s", err, output)
		}
	}
	rows := filepath.Join(s.dir, "termsift.svm")
	cmd := exec.CommandContext(ctx, program, "select", "--by", "chi", "-k", strconv.Itoa(s.top), "--threads", "1",
		filepath.Join(s.dir, shellFile), "-o", filepath.Join(s.dir, "termsift.tsv"), "--svmlight", rows)
	if output, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("termsift: %w\n%s", err, output)
	}
	s.last = func() (answer, error) {
		text, err := os.ReadFile(rows)
		return answer{[]int32{0}, []float64{float64(bytes.Count(text, []byte{'\n'}))}}, err
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
