package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/lab"
)

// This file runs jobs in processes that take turns.

// serveJob is such a process: it prepares a job, and does it once for each request. The answer is the
// CPU time in nanoseconds, that of the programs included which the job runs. Without a name it lists the jobs
// of a set.
func serveJob(ctx context.Context, args []string) {
	flags := flag.NewFlagSet("job", flag.ContinueOnError)
	set := flags.String("set", largeSet, "")
	name := flags.String("name", "", "")
	dir := flags.String("dir", "", "")
	lab.Check(flags.Parse(args))
	jobs := jobsOn(*set)
	if *name == "" {
		for _, j := range jobs {
			fmt.Println(j.name)
		}
		return
	}
	i := slices.IndexFunc(jobs, func(j job) bool { return j.name == *name })
	if i < 0 {
		panic(lab.Errorf("there is no job %q", *name))
	}
	run := jobs[i].prepare(&env{ctx, *dir})
	runtime.GC() // what preparing left behind
	if os.Getenv(traceVariable) != "" {
		lab.Check(os.Setenv(traceVariable, timedPhase))
	}
	lab.Serve(os.Stdin, os.Stdout, "", func(string) string {
		start := lab.CPUOfAll()
		run()
		return strconv.FormatInt((lab.CPUOfAll() - start).Nanoseconds(), 10)
	})
}

// A program of the jobs, of a revision or with a kernel taken out.
type program struct {
	path, dir   string // the folder has the files of the jobs, and the command
	set         string
	environment []string // what is added to that of this process
}

func (p program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := command(ctx, "", p.path, append([]string{"job", "-set", p.set, "-dir", p.dir}, args...)...)
	cmd.Env = append(os.Environ(), p.environment...)
	return cmd
}

// build makes the program and the command in a folder of the sources.
func (p program) build(ctx context.Context, sources string, flags ...string) {
	lab.Check(os.MkdirAll(p.dir, 0o777))
	for path, pkg := range map[string]string{p.path: "./bench/measure", p.dir + "/" + commandFile: "./cmd/termsift"} {
		output(command(ctx, sources, "go", slices.Concat([]string{"build"}, flags, []string{"-o", path, pkg})...))
	}
}

// jobs lists the jobs of the program.
func (p program) jobs(ctx context.Context) []string {
	return strings.Split(strings.TrimSpace(output(p.command(ctx))), "\n")
}

// A process is asked for a job until it has taken enoughTime, so that a short one is measured more than once, but
// mostTurns times at most.
const (
	enoughTime = 200 * time.Millisecond
	mostTurns  = 400
)

// takeTurns measures a job by two programs in pairs, each in new processes and begun by another program than the
// one before. It returns the CPU times in nanoseconds.
func takeTurns(ctx context.Context, job string, programs [2]program, pairs int) (times [2][]float64) {
	for first := range pairs {
		withChildren(ctx, job, programs[:], func(children []*lab.Child) {
			for i, t := range askInTurn(children, first) {
				times[i] = append(times[i], t)
			}
		})
	}
	return times
}

// withChildren starts a process of each program, waits until all have prepared the job, and works with them. It
// returns what they print to standard error, which an error ends with.
func withChildren(ctx context.Context, job string, programs []program, work func(children []*lab.Child)) (told string) {
	children, tells := make([]*lab.Child, len(programs)), make([]strings.Builder, len(programs))
	for i, p := range programs {
		cmd := p.command(ctx, "-name", job)
		cmd.Stderr = &tells[i]
		children[i] = lab.StartChild(cmd)
	}
	err := lab.Try(func() {
		for _, c := range children {
			c.Ready()
		}
		work(children)
	})
	for i, c := range children {
		c.Close()
		told += tells[i].String()
	}
	if err != nil {
		panic(lab.Errorf("%s: %w\n%s", job, err, told))
	}
	return told
}

// askInTurn returns the median of the times of each of two processes, which run in turn (first, second, second,
// first, ...), so that what else the machine does meets both. The first time is not counted if there are others.
func askInTurn(children []*lab.Child, first int) (times [2]float64) {
	var all [2][]float64
	for turn, spent := 0, 0.0; turn < mostTurns && spent < 2*float64(enoughTime); turn++ {
		for side := range children {
			i := (side + turn + first) % 2
			all[i] = append(all[i], lab.Need(strconv.ParseFloat(children[i].Ask("run"), 64)))
			spent += all[i][turn]
		}
	}
	for i := range times {
		times[i] = median(all[i][min(1, len(all[i])-1):])
	}
	return times
}
