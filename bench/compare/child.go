package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/lab"
)

// A child is a process that runs jobs:
//
//	run JOB IMPLEMENTATION   answered by the CPU time in nanoseconds
//	save FILE                the answer of the last run, see readAnswer; "ok"
//
// When it is ready it tells its versions.
type child struct {
	*lab.Child
	versions []string // key=value
}

// start runs a command and waits until it has loaded its data.
func start(cmd *exec.Cmd) *child {
	cmd.Stderr = os.Stderr
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, oneThread...)
	c := &child{Child: lab.StartChild(cmd)}
	if err := lab.Try(func() { c.versions = strings.Fields(c.Ready()) }); err != nil {
		c.Close()
		lab.Check(err)
	}
	return c
}

// oneThread bounds every library that starts threads of its own.
var oneThread = []string{"GOMAXPROCS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1"}

// run does a job once and gives its CPU time.
func (c *child) run(job, impl string) time.Duration {
	return time.Duration(lab.Need(strconv.ParseInt(c.Ask("run %s %s", job, impl), 10, 64)))
}

// answer does a job once and gives what came out.
func (c *child) answer(job, impl, dir string) answer {
	c.run(job, impl)
	path := filepath.Join(dir, job+"."+impl)
	c.Ask("save %s", path)
	return readAnswer(path)
}
