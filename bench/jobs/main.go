// Command jobs runs what users do with the command and with the package for Python, and compares two revisions by it:
//
//	go run ./bench/jobs                     each job once, with its answer checked
//	go run ./bench/jobs -base REV           each job in turn with that revision
//
// Begin reading with list.go, which has the jobs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/termsift/termsift/bench/testkit"
)

const usage = `usage: go run ./bench/jobs [flags]

Without -base each job runs once, and its answer is checked. With -base each job runs in turn with that revision
(base, head, head, base, ...). The CPU time of the processes is compared by benchstat's statistics; a job that takes
more than its limit times as long, and significantly so, fails.

It prints a line a run in the format of Go's benchmarks. TERMSIFT_DATA names the folder of 20news-bydate.tar.gz. The
jobs of Python take the first python3 of the path, which needs numpy, scipy and scikit-learn.

Flags:
`

// options are the flags.
type options struct {
	base  string
	jobs  *regexp.Regexp
	count int
	dir   string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errSlower):
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "jobs:", err)
		os.Exit(2)
	}
}

// fail ends a run with an error.
func fail(format string, args ...any) { testkit.OK(fmt.Errorf(format, args...)) }

// run is the whole command.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	defer testkit.Caught(&err)
	opt := parse(args, stderr)
	if opt.dir == "" {
		opt.dir = testkit.Must(os.MkdirTemp("", "termsift-jobs-"))
		defer func() { testkit.OK(os.RemoveAll(opt.dir)) }()
	}
	chosen := chosenJobs(opt.jobs, stderr)
	if len(chosen) == 0 {
		fail("no job matches -jobs %q", opt.jobs)
	}
	head := &side{label: "head", tree: "."}
	sides := []*side{head}
	if opt.base != "" {
		base := &side{label: "base", tree: filepath.Join(opt.dir, "base-tree")}
		defer checkOut(ctx, opt.base, base.tree)()
		sides = []*side{base, head}
	}
	for _, s := range sides {
		fmt.Fprintf(stderr, "jobs: building %s\n", s.label)
		s.build(ctx, filepath.Join(opt.dir, s.label), inputs(opt.dir))
	}
	if opt.base == "" {
		return once(ctx, chosen, head, stdout, stderr)
	}
	return compare(ctx, chosen, sides, opt.count, stdout, stderr)
}

// parse reads and checks the flags.
func parse(args []string, stderr io.Writer) *options {
	opt := &options{}
	flags := flag.NewFlagSet("jobs", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	flags.StringVar(&opt.base, "base", "", "`revision` to compare with, such as that in bench/base.txt")
	pattern := flags.String("jobs", ".", "regular `expression`: the jobs whose names match")
	flags.IntVar(&opt.count, "count", 9, "`pairs` of runs, at least 6")
	flags.StringVar(&opt.dir, "dir", "", "`folder` that keeps the inputs for the next call; else they are temporary, 3 GB of them")
	testkit.OK(flags.Parse(args))
	opt.jobs = testkit.Must(regexp.Compile(*pattern))
	if flags.NArg() > 0 || opt.count < 6 {
		fail("it takes no arguments, and -count is at least 6; see -h")
	}
	if opt.dir != "" {
		opt.dir = testkit.Must(filepath.Abs(opt.dir))
		testkit.OK(os.MkdirAll(opt.dir, 0o777))
	}
	return opt
}

// once runs each job, and fails if an answer is wrong.
func once(ctx context.Context, chosen []job, s *side, stdout, stderr io.Writer) error {
	var failures []error
	for _, j := range chosen {
		fmt.Fprintf(stderr, "jobs: %s\n", j.name)
		cpu, err := s.run(ctx, j)
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", j.name, err))
			continue
		}
		fmt.Fprintf(stdout, "Benchmark%s 1 %d cpu-ns/op\n", j.benchmark(), cpu.Nanoseconds())
	}
	return errors.Join(failures...)
}
