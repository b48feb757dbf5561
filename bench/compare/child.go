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

	"github.com/termsift/termsift/bench/lab"
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
func start(cmd *exec.Cmd) *child {
	cmd.Stderr = os.Stderr
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, oneThread...)
	in := lab.Need(cmd.StdinPipe())
	out := lab.Need(cmd.StdoutPipe())
	lab.Check(cmd.Start())
	c := &child{cmd: cmd, in: in, out: bufio.NewReader(out)}
	if err := lab.Try(func() { c.versions = strings.Fields(strings.TrimPrefix(c.reply(), "ready")) }); err != nil {
		c.close()
		lab.Check(err)
	}
	return c
}

// oneThread bounds every library that starts threads of its own.
var oneThread = []string{"GOMAXPROCS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1"}

func (c *child) reply() string {
	line, err := c.out.ReadString('\n')
	if err != nil {
		panic(lab.Errorf("%s ended: %w", filepath.Base(c.cmd.Path), err))
	}
	line = strings.TrimSpace(line)
	if problem, failed := strings.CutPrefix(line, "error: "); failed {
		panic(lab.Errorf("%s: %s", filepath.Base(c.cmd.Path), problem))
	}
	return line
}

func (c *child) ask(format string, args ...any) string {
	lab.Need(fmt.Fprintf(c.in, format+"\n", args...))
	return c.reply()
}

// run does a job once and gives its CPU time.
func (c *child) run(job, impl string) time.Duration {
	return time.Duration(lab.Need(strconv.ParseInt(c.ask("run %s %s", job, impl), 10, 64)))
}

// answer does a job once and gives what came out.
func (c *child) answer(job, impl, dir string) answer {
	c.run(job, impl)
	path := filepath.Join(dir, job+"."+impl)
	c.ask("save %s", path)
	return readAnswer(path)
}

// close ends the process, which leaves when its input does.
func (c *child) close() {
	_ = c.in.Close()
	_ = c.cmd.Wait() // it has nothing left to say
}
