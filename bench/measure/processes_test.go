package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

// The stage has a line for every job on one thread and on all, and what it writes can be read again.
func TestProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: it builds the command")
	}
	t.Chdir("../..")
	s := &session{opt: &options{count: 1, size: 1}, temp: t.TempDir(), stderr: io.Discard, header: "machine: a test\n"}
	text, err := lab.TryOf(func() string { return s.processes(t.Context()) })
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "processes.txt")
	write(t, path, text)
	if err := lab.Try(func() { readRaw(path, "processes.txt") }); err != nil {
		t.Error(err)
	}
	for _, what := range []string{"select", "index", "pairs", "read", "tokenise"} {
		for _, threads := range threadSteps() {
			if want := fmt.Sprintf("\nBenchmarkProcess/what=%s/threads=%d 1 ", what, threads); strings.Count(text, want) != 1 {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
	whole, err := os.ReadFile(filepath.Join(s.temp, "whole.jsonl"))
	if err != nil || len(whole) < 1e6 || len(whole) > 1.1e6 || whole[len(whole)-1] != '\n' {
		t.Errorf("the text has %d bytes: %v", len(whole), err)
	}
	if n := threadSteps(); n[0] != 1 || n[len(n)-1] != runtime.NumCPU() {
		t.Errorf("%v threads on %d processors", n, runtime.NumCPU())
	}
}

// A program that fails, and a file that hangs on the number of threads, end the measurement.
func TestProcessesThatFail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.tsv")
	p := process{what: "select", writes: []string{path}, args: func(int) []string { return []string{"go", "nothing"} }}
	if err := lab.Try(func() { p.run(t.Context(), 2) }); err == nil || !strings.Contains(err.Error(), "select on 2 threads: exit status 2\n") {
		t.Error(err)
	}
	written := map[string]string{}
	write(t, path, "one")
	p.check(1, written)
	p.check(2, written)
	write(t, path, "other")
	if err := lab.Try(func() { p.check(2, written) }); err == nil || !strings.Contains(err.Error(), "select writes another x.tsv on 2 threads than before") {
		t.Error(err)
	}
}
