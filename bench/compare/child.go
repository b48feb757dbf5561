package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A child is a process that runs jobs on request, one line for each:
//
//	run JOB IMPLEMENTATION   answered by the CPU time in nanoseconds
//	save FILE                the answer of the last run, see readAnswer; "ok"
//
// It begins with a line "ready" and its versions as key=value, and answers
// "error: " and a sentence where it cannot do what it is asked to.
type child struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	versions []string // key=value
}

// start runs a command and waits until it has loaded its data.
func start(cmd *exec.Cmd) (*child, error) {
	cmd.Stderr = os.Stderr
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, oneThread...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &child{cmd: cmd, in: in, out: bufio.NewReader(out)}
	hello, err := c.reply()
	if err != nil {
		c.close()
		return nil, err
	}
	c.versions = strings.Fields(strings.TrimPrefix(hello, "ready"))
	return c, nil
}

// oneThread bounds every library that starts threads of its own.
var oneThread = []string{"GOMAXPROCS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1"}

func (c *child) reply() (string, error) {
	line, err := c.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("%s ended: %w", filepath.Base(c.cmd.Path), err)
	}
	line = strings.TrimSpace(line)
	if problem, failed := strings.CutPrefix(line, "error: "); failed {
		return "", fmt.Errorf("%s: %s", filepath.Base(c.cmd.Path), problem)
	}
	return line, nil
}

func (c *child) ask(format string, args ...any) (string, error) {
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		return "", err
	}
	return c.reply()
}

// run does a job once and gives its CPU time.
func (c *child) run(job, impl string) (time.Duration, error) {
	line, err := c.ask("run %s %s", job, impl)
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseInt(line, 10, 64)
	return time.Duration(ns), err
}

// answer does a job once and gives what came out.
func (c *child) answer(job, impl, dir string) (answer, error) {
	if _, err := c.run(job, impl); err != nil {
		return answer{}, err
	}
	path := filepath.Join(dir, job+"."+impl)
	if _, err := c.ask("save %s", path); err != nil {
		return answer{}, err
	}
	return readAnswer(path)
}

// close ends the process, which leaves when its input does.
func (c *child) close() {
	_ = c.in.Close()
	_ = c.cmd.Wait() // it has nothing left to say
}
