package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/termsift/termsift/bench/lab"
)

// command is a program to run in a folder. Asked to end, it gets some time to remove its files.
func command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// output runs a command and returns its standard output. The error ends with the last lines that the
// command printed.
func output(cmd *exec.Cmd) string {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		lines := strings.Split(strings.TrimSpace(stdout.String()+stderr.String()), "\n")
		panic(lab.Errorf("%w\n%s", err, strings.Join(lines[max(0, len(lines)-20):], "\n")))
	}
	return stdout.String()
}

// A binary is the test binary of a package and the folder it runs in.
type binary struct{ path, dir string }

// buildTest makes the test binary of a package.
func buildTest(ctx context.Context, dir, path, pkg string) {
	output(command(ctx, dir, "go", "test", "-c", "-o", path, pkg))
}

// readRuns reads the output of go test -bench: each run with its figures by unit.
func readRuns(text, name string, do func(r *benchfmt.Result, figures map[string]float64)) {
	reader := benchfmt.NewReader(strings.NewReader(text), name)
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			lab.Check(record)
		case *benchfmt.Result:
			figures := map[string]float64{}
			for _, v := range record.Values {
				if v.OrigUnit != "" { // benchfmt reads ns as sec, except for a 0
					v.Value, v.Unit = v.OrigValue, v.OrigUnit
				}
				figures[v.Unit] = v.Value
			}
			do(record, figures)
		}
	}
	lab.Check(reader.Err())
}
